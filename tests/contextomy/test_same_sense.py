"""The same in other words is on no list; words that lost what turned them are an alert."""

import pytest
from tests.contextomy.judging import judge, wrong

#: A body is the sentence that is quoted, and this: another quote, so that nothing is found for lack of any.
MORE = " The council met on Friday in the old hall. “It was a long evening,” said Ada Osei."
ASKS = ("Are", "Should", "Who says", "How can")


def said_otherwise(quote: str, said: str):
    sign = "?" if said.startswith(ASKS) else ","
    return judge(f"Bell: “{quote}”", f"“{said}{sign}” said Mayor Ana Bell.{MORE}")


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("No one wants the old ferry back", "Nobody wants the old ferry back"),
        ("Nobody saw the boats leave", "No-one saw the boats leave"),
        ("There is nothing to hide here", "There isn’t anything to hide here"),
        ("We have no money left", "We don’t have any money left"),
        ("We will never sell the pier", "We won’t ever sell the pier"),
        ("None of us knew the price", "Not one of us knew the price"),
        ("She is one of the finest rowers alive", "She is among the finest rowers alive"),
        ("One has to laugh at the plan", "You have to laugh at the plan"),
        ("This is the one we wanted all along", "This is what we wanted all along"),
        ("Every one of them paid for the boats", "Everyone of them paid for the boats"),
        ("Covid-19 closed all of our schools", "Covid closed all of our schools"),
        ("The F-35 is too loud for this valley", "The F35 is too loud for this valley"),
        ("The G7 leaders ignored the harbour towns", "The G-7 leaders ignored the harbour towns"),
        ("Channel 4 lied about the storm", "Channel Four lied about the storm"),
        ("We lost two dozen boats that night", "We lost 24 boats that night"),
        ("A dozen men carried the old bell", "Twelve men carried the old bell"),
        ("The 2 of us will rebuild the pier", "Both of us will rebuild the pier"),
        ("Half a million people saw the boats", "500,000 people saw the boats"),
        ("Two-thirds of the town is under water", "Two thirds of the town is under water"),
        ("A quarter of the boats are gone", "25 percent of the boats are gone"),
        ("We lost 50 percent of the roof", "We lost half of the roof"),
        ("¾ of the harbour walls are cracked", "Three quarters of the harbour walls are cracked"),
        ("The 1980s ruined this harbour for good", "The eighties ruined this harbour for good"),
        ("The ’60s were kind to our town", "The 1960s were kind to our town"),
        ("It is impossible to row in this wind", "It is not possible to row in this wind"),
        ("The plan is unfair to the small boats", "The plan is not fair to the small boats"),
        ("They were not honest about the price", "They were dishonest about the price"),
        ("The bridge is unsafe for lorries", "The bridge isn’t safe for lorries"),
        ("The naive mayor sold the pier", "The naïve mayor sold the pier"),
        ("Jose Nunez will lead the crews", "José Núñez will lead the crews"),
        ("We are No. 1 in the whole county", "We are number one in the whole county"),
        ("No. 10 knew about the boats", "Number 10 knew about the boats"),
        ("We open on Jan. 3 with two boats", "We open on January 3 with two boats"),
        ("St. Mary’s will never be closed", "Saint Mary’s will never be closed"),
        ("It was a 1st for this old town", "It was a first for this old town"),
        ("We sail at 5 p.m. with the tide", "We sail at 5 pm with the tide"),
        ("We must leave nobody behind", "We must leave nobody behind, no matter what it costs"),
        ("It is a rather target-rich town", "It is a rather target-rich town"),
        ("unprecedented storm", "It was an unprecedented storm, we cannot deny it"),
        ("the old harbour road", "No one uses the old harbour road"),
        ("acts of courage", "I never saw such acts of courage"),
        ("a day of mourning", "If we lose, it will be a day of mourning"),
        ("We have to go on", "I guess we have to go on"),
        ("We will win this vote", "I have no doubt that we will win this vote"),
        ("The town needs a doctor", "Who can deny it? The town needs a doctor"),
        ("He lied to all of us", "I think he lied to all of us"),
        ("We will fight for every boat", "We will not rest, we will fight for every boat"),
        ("The dam has to go", "Whether they like it or not, the dam has to go"),
        ("This town never gives up", "They said we may fail. This town never gives up"),
        ("a real threat", "There is no question that it is a real threat"),
        ("We did not sell the pier", "We did not sell the pier and we never will"),
        ("It is time to go", "It is time to go, isn’t it"),
    ],
)
def test_the_same_in_other_words_is_on_no_list(quote: str, said: str):
    found = said_otherwise(quote, said)
    assert (found.alert, found.check) == (None, None), found.reason


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("We lost 30 boats in the storm", "We lost 13 boats in the storm"),
        ("A third of the town has left", "A fifth of the town has left"),
        ("Ninety percent of the roof is gone", "Nine percent of the roof is gone"),
        ("Two dozen men were on the boat", "A dozen men were on the boat"),
        ("Millions of fish died in the bay", "Thousands of fish died in the bay"),
        ("The 1990s were bad for this town", "The 1950s were bad for this town"),
        ("The walls will crack and fall into the sea", "The walls may crack and fall into the sea"),
        ("They will leave and never return", "They might leave and never return"),
        ("We can rebuild the pier by May", "Perhaps we can rebuild the pier by May"),
        ("The council was warned about the storm", "Possibly the council was warned about the storm"),
        wrong(
            "The money was stolen from the harbour",
            "It appears that the money was stolen from the harbour",
            because="*it appears* has no subject",
        ),
        ("The mayor knew of the storm", "I have a suspicion that the mayor knew of the storm"),
        ("They are going to close the school", "Are they going to close the school"),
        ("We should sell the old pier", "Should we sell the old pier"),
        ("The mayor took the money", "Who says the mayor took the money"),
        ("The boats were safe that night", "How can anyone claim the boats were safe that night"),
        ("The storm was caused by the dam", "The idea that the storm was caused by the dam is nonsense"),
        ("The fish are all poisoned", "It is a lie that the fish are all poisoned"),
        ("The mayor sold the pier for a song", "The rumour that the mayor sold the pier for a song is false"),
        ("The ferry is bankrupt", "It is simply untrue that the ferry is bankrupt"),
        ("We should drown the old town", "Ruiz thinks we should drown the old town. He is a fool"),
        ("The harbour is worthless", "The bank told us the harbour is worthless. We disagree"),
        ("The rowers are lazy", "My critics say the rowers are lazy"),
        ("I stole the money from the crew", "They keep saying that I stole the money from the crew"),
        ("We will lower the rent", "We will lower the rent, but only if the bank agrees"),
        ("I will step down", "I will step down only after the vote is counted"),
        ("We will open the gates", "We will open the gates when hell freezes over"),
        ("The town can be saved", "The town can be saved only when the dam is gone"),
        ("I would sell you the pier", "I would sell you the pier over my dead body"),
        ("We will pay them", "We will pay them on the day pigs fly"),
        ("We are planning to close the ferry", "We are in no way planning to close the ferry"),
        ("I want to leave this town", "By no means do I want to leave this town"),
        wrong(
            "They have proved that we lied",
            "They have failed to prove that we lied",
            because="a verb that fails is left out",
        ),
        ("The council will pay the crews", "The council refuses to pay the crews"),
        ("I regret what I said about the boats", "I don’t regret what I said about the boats"),
        ("We are afraid of the storm", "We are anything but afraid of the storm"),
        ("We are at home on this pier", "We are far from at home on this pier"),
        ("We saved every boat in the harbour", "I wish we saved every boat in the harbour"),
    ],
)
def test_words_that_lost_what_turned_them_are_an_alert(quote: str, said: str):
    found = said_otherwise(quote, said)
    assert found.alert, found.reason
