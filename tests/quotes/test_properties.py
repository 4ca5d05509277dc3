"""What holds for any text at all: offsets, nesting, no exception, linear time."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelake.quotes.keys import canonical_text, match_key, variant_id
from quotelake.quotes.kinds import KINDS
from quotelake.quotes.marks import FAMILY
from quotelake.quotes.spans import MODES, find_quotes

PIECES = [
    *FAMILY,
    "\n",
    "\n\n",
    "\r\n\r\n",
    " ",
    "word",
    "Words",
    "s",
    "n",
    "'90s",
    "5",
    ".",
    ",",
    ":",
    "said",
    "=",
    "&quot;",
    "&#8220;",
    "&amp;rdquo;",
    "&nbsp;",
    "â€œ",
    "â€",
    "Ã¢â‚¬â„¢",
    "\x94",
    "RT @x: ",
    "@x: ",
    " in Spanish ",
    "고",
    "終",
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=60).map("".join)
MODE = st.sampled_from(MODES)


@given(TEXTS, MODE)
@example("“a ‘b\nc’ d\n\n“e", "body")
@example('"=\ud800\x00"', "tweet")
def test_offsets_segments_and_flags_agree_with_the_raw_text(raw: str, mode: str):
    for quote in find_quotes(raw, mode):
        assert raw[quote.start : quote.end] == quote.text == quote.text.strip() != ""
        assert (quote.start, quote.end) == (quote.segments[0][0], quote.segments[-1][1])
        ends = [offset for segment in quote.segments for offset in segment]
        assert ends == sorted(set(ends))
        assert ("continued" in quote.flags) == (len(quote.segments) > 1)
        if quote.kind != "colon_claim" and quote.marks not in ("''", "‘‘"):  # One doubled mark, or two single ones.
            assert ("unclosed" in quote.flags) == (quote.marks in FAMILY)
        assert quote.flags == tuple(sorted(quote.flags))
        assert quote.kind in KINDS
        assert quote.reason


@given(TEXTS)
def test_quotes_nest_or_are_disjoint_and_parents_are_right(raw: str):
    quotes = find_quotes(raw)
    assert quotes == sorted(quotes, key=lambda quote: (quote.start, -quote.end))
    for at, quote in enumerate(quotes):
        first = quotes[quote.utterance]
        assert quote.utterance <= at and first.utterance == quote.utterance and first.parent == quote.parent
        around = [
            i for i, other in enumerate(quotes) if i != at and other.start <= quote.start and quote.end <= other.end
        ]
        assert quote.depth == len(around)
        assert quote.parent == (around[-1] if around else None)
        for other in quotes[:at]:
            assert other.end <= quote.start or quote.end <= other.end
        for parent in (quotes[i] for i in around):
            assert any(start <= quote.start and quote.end <= end for start, end in parent.segments)


@given(TEXTS, TEXTS)
def test_a_paragraph_without_marks_separates_all_influence(one: str, two: str):
    between = "\n\nPlain words.\n\n"
    shift = len(one) + len(between)
    alone = [(q.start, q.end) for q in find_quotes(one)] + [(q.start + shift, q.end + shift) for q in find_quotes(two)]
    assert [(q.start, q.end) for q in find_quotes(one + between + two)] == alone


@given(st.lists(TEXTS, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_permuting_paragraphs_whose_marks_are_closed_moves_their_spans_along(inner: list[str], random: Random):
    """Each paragraph is fenced by one without marks, so none can continue another."""
    paragraphs = [f"Plain {i}.\n\n{' '.join(text.split())} end." for i, text in enumerate(inner)]
    order = list(range(len(inner)))
    random.shuffle(order)

    def spans(places: list[int]) -> dict[int, list[tuple[int, int, str, tuple[str, ...]]]]:
        raw = "\n\n".join(paragraphs[place] for place in places)
        found = find_quotes(raw)
        of: dict[int, list[tuple[int, int, str, tuple[str, ...]]]] = {}
        begin = 0
        for place in places:
            end = begin + len(paragraphs[place])
            of[place] = [(q.start - begin, q.end - begin, q.kind, q.flags) for q in found if begin <= q.start < end]
            begin = end + 2
        return of

    assert spans(order) == spans(sorted(order))


@given(st.text())
def test_keys_never_raise_and_are_null_together_with_the_id(raw: str):
    match_key(raw)
    assert (canonical_text(raw) is None) == (variant_id(raw) is None)


@given(TEXTS)
def test_canonical_text_is_canonical(raw: str):
    canonical = canonical_text(raw)
    assert canonical is None or canonical_text(canonical) == canonical


HOSTILE = [
    '"',
    "“",
    "”",
    "'",
    "‘",
    "’",
    "«",
    "「",
    "``",
    "''",
    "”\n",
    '"a" ',
    "'a ",
    "s' ",
    "“a. ",
    '"\n\n',
    "“a.\n\n",
    "“'",
    "“「",
    '5" ',
    "\n ",
    " ",
    " said in Spanish ",
    '"a" said in Spanish ',
    "“a” translated by ",
    "RT @x: ",
    "&amp;",
]


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear_in_the_length(unit: str):
    def work(length: int) -> Callable[[], object]:
        raw = unit * (length // len(unit))
        return lambda: find_quotes(raw)

    assert_linear(work, 8_000)


@pytest.mark.parametrize("unit", ["[", ".", ". ", "&", "&#", "'", "-", " ", "[a"])
def test_keys_are_linear_too(unit: str):
    def work(times: int) -> Callable[[], object]:
        raw = unit * times
        return lambda: (match_key(raw), canonical_text(raw))

    assert_linear(work, 10_000)
