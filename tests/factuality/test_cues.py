"""What governs a span by lists of cues alone, as it is read in languages without rules of their own."""

import pytest

from quotelake.factuality.cues import cued_operators, restores
from quotelake.factuality.operators import Clause, Operator
from quotelake.factuality.reading import Reading


def governing(text: str, span: str) -> list[Operator]:
    reading = Reading(text)
    start = text.index(span)
    inside = reading.within(start, start + len(span))
    return list(cued_operators(Clause(reading, inside[0], inside[-1], *reading.sentences[inside[0]])))


@pytest.mark.parametrize(
    ("quote", "excerpt", "expected"),
    [
        # negation
        ("It is not a safe bridge", "a safe bridge", ("negation",)),
        ("It isn’t a safe bridge", "a safe bridge", ("negation",)),
        ("We do n't sell the mill", "sell the mill", ("negation",)),
        ("I would never say the mill is for sale", "the mill is for sale", ("negation",)),
        ("It is not a safe bridge", "not a safe bridge", ()),  # the excerpt kept it
        ("No, it is a safe bridge", "it is a safe bridge", ()),  # an answer
        ("There is no plan to sell the mill", "plan to sell the mill", ("negation",)),
        ("I know the knotted rope holds", "rope holds", ()),  # no word of the list inside another
        # only its own sentence counts, also behind an abbreviation
        ("I don’t live in the U.S. We will win the vote,", "We will win the vote", ()),
        ("I don’t work for Bell Inc. We will win the vote,", "We will win the vote", ()),
        ("I don’t take no. Ruiz will win the vote,", "Ruiz will win the vote", ()),
        ("I don’t trust the U.S. Senate and we will see", "Senate", ("negation",)),
        ("It is a safe bridge. I did not say that of the road.", "It is a safe bridge", ()),
        ("I did not say that. It is a safe bridge!", "a safe bridge", ()),
        # condition
        ("If the rain stops, we will sail", "we will sail", ("condition",)),
        ("We will sail unless the wind turns", "We will sail", ("condition",)),
        ("We sail provided that it is dry", "We sail", ("condition",)),
        ("The lifeboat went out", "The lifeboat", ()),
        # hedge
        ("I think he is a thief", "he is a thief", ("hedge",)),
        ("That may be the end of the mill", "the end of the mill", ("hedge",)),
        ("In May we saw the end of the mill", "the end of the mill", ()),  # a month
        ("You can say it is unsafe and sail, and the boat is old, I think", "the boat is old", ("hedge",)),  # behind
        # another clause does not govern
        ("I do not sell the mill, and it is a safe bridge", "it is a safe bridge", ()),
        ("For whoever says we cannot sail, there is a new captain", "there is a new captain", ()),
        ("It is a safe bridge because nobody drives on it", "It is a safe bridge", ()),
        ("It may rain, but the boat sails", "the boat sails", ()),
        # question
        ("Is he a thief?", "he a thief", ("question",)),
        ("Is he a thief?”", "he a thief", ("question",)),
        ("Why did he do it?", "Why did he do it", ()),  # still read as a question
        ("So, is he a thief?", "he a thief?", ()),  # the headline kept the mark
        # several
        ("If you ask me, it is not a mill, is it?", "a mill", ("negation", "condition", "question")),
        # other languages
        ("Wir werden die Mühle nicht verkaufen", "Wir werden die Mühle", ("negation",)),
        ("Wenn es regnet, bleiben wir zu Hause", "bleiben wir zu Hause", ("condition",)),
        ("Das ist vielleicht das Ende der Mühle", "das Ende der Mühle", ("hedge",)),
        ("Nous n’avons jamais vendu le moulin", "vendu le moulin", ("negation",)),
        ("S’il pleut, nous restons", "nous restons", ("condition",)),
        ("Je crois que le moulin est vendu", "le moulin est vendu", ("hedge",)),
        ("방앗간을 팔지 않겠다", "방앗간을 팔", ("negation",)),
        ("비가 오면 만약 간다면 배를 띄운다", "배를 띄운다", ("condition",)),
        ("아마 배를 띄운다", "배를 띄운다", ("hedge",)),
        ("배를 띄울 수 있을까", "배를 띄울 수", ("question",)),
        ("배를 띄울 수 있을까", "띄울 수 있을까", ()),
    ],
)
def test_kinds(quote: str, excerpt: str, expected: tuple[str, ...]):
    kinds = dict.fromkeys(one.kind for one in governing(quote, excerpt.removesuffix("?")) if one.kind != "contrast")
    assert tuple(kind for kind in kinds if not restores(kind, "", excerpt)) == expected


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("It was not such a disaster", True),
        ("It is no disaster at all", True),
        ("We did not sleep while it was a disaster", False),  # too far to govern it
        ("If it rains it may be a disaster?", False),  # the headline makes its own statement of the word
    ],
)
def test_a_word_by_itself_is_turned_only_by_a_negation_right_before_it(quote: str, *, expected: bool):
    assert any(one.is_near for one in governing(quote, "disaster")) is expected


def test_a_hedge_governs_from_the_fourth_word_behind_and_not_from_the_fifth():
    for behind, expected in (("und der Rat vielleicht", True), ("und der ganze Rat vielleicht", False)):
        found = governing(f"Wir bauen die Brücke {behind} auch", "Wir bauen die Brücke")
        assert any(one.kind == "hedge" for one in found) is expected


@pytest.mark.parametrize(
    ("text", "cue"),
    [("Wir bauen nicht die Brücke", "nicht"), ("비가 만약 온다면 배를 띄운다", "만약"), ("It may be a mill", "may")],
)
def test_an_operator_has_the_place_of_its_cue(text: str, cue: str):
    assert text.index(cue) in [one.at for one in governing(text, text.split()[-1])]


@pytest.mark.parametrize(
    ("kind", "around", "quote", "expected"),
    [
        ("negation", "Minister nennt Sturm keine", "Katastrophe", True),
        ("condition", "Wenn der Rat zahlt:", "Wir bauen", True),
        ("condition", "Der Rat:", "Wir bauen", False),
        ("question", "Der Rat:", "Bauen wir?", True),
        ("question", "시장", "띄울 수 있을까", True),
    ],
)
def test_a_headline_restores_what_it_says_itself(kind: str, around: str, quote: str, *, expected: bool):
    assert restores(kind, around, quote) is expected
