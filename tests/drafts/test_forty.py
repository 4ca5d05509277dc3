"""A draft of forty quotations of one hearing, half of them falsified: each of these is to look at, no other one is."""

import pytest

from quotelake import check_text

#: Who spoke, what was said, and what the draft has between marks: as it was said.
FAIR = [
    ("RUIZ", "The harbour wall will not survive another winter like the last one.",
     "The harbour wall will not survive another winter like the last one"),
    ("RUIZ", "We have asked the ministry three times for the money, and three times we were told to wait.",
     "three times we were told to wait"),
    ("BELL", "I never promised anybody a new ferry.",
     "I never promised anybody a new ferry"),
    ("BELL", "If the tide gauge is right, then the lower town has a year at most.",
     "If the tide gauge is right, then the lower town has a year at most"),
    ("OSEI", "Nobody in this room has read the whole report, and I include myself.",
     "Nobody in this room has read the whole report"),
    ("OSEI", "My grandmother used to say that the sea always sends its bill.",
     "the sea always sends its bill"),
    ("RUIZ", "Of the 412 households, 38 have already moved away.",
     "Of the 412 households, 38 have already moved away"),
    ("BELL", "You cannot patch a wall with press releases.",
     "You cannot patch a wall with press releases"),
    ("OSEI", "The insurers doubled the premium in March and doubled it again in May.",
     "The insurers doubled the premium in March and doubled it again in May"),
    ("RUIZ", "It would be a mistake to close the school before the summer.",
     "It would be a mistake to close the school before the summer"),
    ("BELL", "Does anyone seriously think the pumps will hold?",
     "Does anyone seriously think the pumps will hold?"),
    ("OSEI", "We are not asking for charity; we are asking for the law to be kept.",
     "We are not asking for charity; we are asking for the law to be kept"),
    ("RUIZ", "The engineers may be wrong, but I would not bet my house on it.",
     "I would not bet my house on it"),
    ("BELL", "Some of the boats were insured, most of them were not.",
     "Some of the boats were insured, most of them were not"),
    ("OSEI", "They call us stubborn; we call it home.",
     "They call us stubborn; we call it home"),
    ("RUIZ", "Two of the five sluices are beyond repair.",
     "Two of the five sluices are beyond repair"),
    ("BELL", "I was wrong about the dredging, and I said so at the time.",
     "I was wrong about the dredging"),
    ("OSEI", "The lower road floods whenever the wind turns east.",
     "The lower road floods whenever the wind turns east"),
    ("RUIZ", "We will publish every invoice by the end of June.",
     "We will publish every invoice by the end of June"),
    ("BELL", "Thank the night crew, they kept the hospital dry.",
     "they kept the hospital dry"),
]  # fmt: skip
#: The same, falsified: an operator, a number, a tense, a quantifier, an agent or another word.
FALSE = [
    ("RUIZ", "Only if the county pays its half will we rebuild the east pier.",
     "We will rebuild the east pier"),
    ("RUIZ", "I doubt that the divers found anything useful.",
     "the divers found anything useful"),
    ("BELL", "We spent 1.4 million on the pumps, and they failed in the first storm.",
     "We spent 4.1 million on the pumps, and they failed in the first storm"),
    ("BELL", "The contractor says the concrete was sound.",
     "The concrete was sound"),
    ("OSEI", "Most of the families want to stay.",
     "All of the families want to stay"),
    ("OSEI", "The council ignored the first warning.",
     "The council ignored the last warning"),
    ("RUIZ", "We might have to evacuate the lower town.",
     "We have to evacuate the lower town"),
    ("BELL", "I hope that nobody will have to sleep in the sports hall again.",
     "nobody will have to sleep in the sports hall again"),
    ("OSEI", "The mayor told me the money was there.",
     "I told the mayor the money was there"),
    ("RUIZ", "We repaired the northern gate last spring.",
     "We will repair the northern gate next spring"),
    ("BELL", "Are we really going to let the old town drown?",
     "We are really going to let the old town drown"),
    ("OSEI", "It is not true that people were warned in time.",
     "People were warned in time"),
    ("RUIZ", "The ferry lost a third of its passengers in one season.",
     "The ferry lost two thirds of its passengers in one season"),
    ("BELL", "Few of my colleagues opposed the plan.",
     "Many of my colleagues opposed the plan"),
    ("OSEI", "The lifeboat was launched within nine minutes.",
     "The lifeboat was launched within nineteen minutes"),
    ("RUIZ", "Critics claim that we hid the survey.",
     "We hid the survey"),
    ("BELL", "You would have to be a fool to swim there today.",
     "You would have to be a hero to swim there today"),
    ("OSEI", "The dykes were built for the storms of 1953, not for ours.",
     "The dykes were built for the storms of our time"),
    ("RUIZ", "I refuse to sign a contract that nobody has read.",
     "I will sign a contract that nobody has read"),
    ("BELL", "The report blames the county for the delay.",
     "The report blames the mayor for the delay"),
]  # fmt: skip


def signed(words: str) -> str:
    return words if words.endswith("?") else f"{words},"


TALK = "\n".join(f"{who}: {said}" for who, said, _ in (*FAIR, *FALSE))
ARTICLE = "\n\n".join(f"“{signed(said.rstrip('.'))}” said {who.title()}." for who, said, _ in (*FAIR, *FALSE))


@pytest.mark.parametrize("source", [TALK, ARTICLE])
def test_what_is_falsified_is_to_look_at_and_nothing_else(source: str):
    draft = "\n\n".join(f"“{signed(words)}” said {who.title()}." for who, _, words in (*FAIR, *FALSE))
    found = check_text(draft, [source])
    assert [one.text for one in found if one.is_flagged] == [signed(words) for _, _, words in FALSE]
