"""What an excerpt leaves out of its sentences."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelake.text.omissions import omissions, sentences_with
from quotelake.text.words import sentences


def left_out(quote: str, excerpt: str) -> tuple[str, ...]:
    start = quote.index(excerpt.removesuffix("?"))
    return omissions(quote, [(start, start + len(excerpt.removesuffix("?")))], excerpt).classes


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
def test_classes(quote: str, excerpt: str, expected: tuple[str, ...]):
    assert left_out(quote, excerpt) == expected


@pytest.mark.parametrize(
    ("quote", "around", "expected"),
    [
        ("It was not such a disaster", "Minister calls storm a", ("negation",)),
        ("It is no disaster at all", "Minister: storm a", ("negation",)),
        ("It is no disaster at all", "Storm not a, says minister", ()),  # the headline negates too
        ("We did not sleep while it was a disaster", "Minister on", ()),  # too far to govern it
        ("If it rains it may be a disaster?", "Minister on", ()),  # the headline makes its own statement of the word
    ],
)
def test_a_word_by_itself_is_turned_only_by_a_negation_right_before_it(
    quote: str, around: str, expected: tuple[str, ...]
):
    start = quote.index("disaster")
    found = omissions(quote, [(start, start + len("disaster"))], "disaster", is_fragment=True, around=around)
    assert found.classes == expected


def test_sentences_between_two_parts_do_not_count_but_theirs_do_and_spans_are_without_marks():
    quote = "We sail at dawn. Nobody knows why. If it is dry we take the dog."
    parts = [(0, 15), (quote.index("we take"), len(quote) - 1)]
    assert omissions(quote, parts, "We sail at dawn … we take the dog").classes == ("condition",)
    quote = "“Well,” she said, we sail at dawn, or never."
    start = quote.index("we sail")
    spans = omissions(quote, [(start, start + len("we sail at dawn"))], "we sail at dawn").spans
    assert [quote[first:last] for first, last in spans] == ["Well,” she said", "or never"]


@given(st.text(st.sampled_from("aB .?!\n“”。…1"), max_size=60), st.sets(st.integers(0, 60), max_size=12))
def test_the_sentences_searched_are_those_that_hold_something_kept(quote: str, edges: set[int]):
    inside = sorted(edge for edge in edges if edge <= len(quote))
    kept = list(zip(inside[::2], inside[1::2], strict=False))
    expected = []
    for start, end in sentences(quote):
        held = [(max(first, start), min(last, end)) for first, last in kept if first < end and start < last]
        expected += [(start, end, held)] if held else []
    assert sentences_with(quote, kept) == expected
    assert "".join(quote[start:end] for start, end in sentences(quote)) == quote, "sentences cover the text once"
    assert all(start < end for start, end in sentences(quote))


@pytest.mark.slow
def test_many_parts_of_many_sentences_take_linear_time():
    def work(sentences_: int) -> Callable[[], object]:
        quote = "We never sail. " * sentences_
        kept = [(start, start + 2) for start in range(0, len(quote), 15)]
        return lambda: omissions(quote, kept, "We")

    assert_linear(work, 200)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Mrs. Bell left. He stayed.", 2),
        ("She met J. Bell. He stayed.", 2),
        ("It rose 1.5 percent. Good.", 2),
        ("We won . And how !", 2),
        ("“We won!” She left.", 2),
        ("Well ... we won", 1),
        ("이겼다. 정말이다.", 2),
        ("勝った。本当だ。", 2),
        ("One\nTwo", 2),
        ("We left the U.S. It was late.", 2),
        ("We left Bell Inc. “They were late.", 2),
        ("We left with Ruiz Jr. His boat sank.", 2),
        ("We like plan B. We’ll see.", 2),
        ("The U.S. Senate met the U.N. Council.", 1),
        ("The U.S. WHO envoy met M. Bell.", 1),
        ("It was no. We left.", 2),
        ("It was no. 7 of ten.", 1),
    ],
)
def test_sentence_ends(text: str, count: int):
    assert len(sentences(text)) == count
