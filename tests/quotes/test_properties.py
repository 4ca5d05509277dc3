"""What holds for any text at all: offsets, nesting, no exception, linear time."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelab.benchmarks.fuzz import wrong_quotes
from quotelake.quotes.keys import canonical_text, match_key, variant_id
from quotelake.quotes.kinds import KINDS
from quotelake.quotes.marks import FAMILY
from quotelake.quotes.spans import MODES, find_quotes

WORDS = "word|Words|s|n|'90s|said|&quot;|&#8220;|&amp;rdquo;|&nbsp;|â€œ|â€|Ã¢â‚¬â„¢|RT @x: |@x: | in Spanish |고|終"
PIECES = [*FAMILY, "\n", "\n\n", "\r\n\r\n", *" 5.,:=\x94", *WORDS.split("|")]
TEXTS = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=60).map("".join)
MODE = st.sampled_from(MODES)


@given(TEXTS, MODE)
@example("“a ‘b\nc’ d\n\n“e", "body")
@example('"=\ud800\x00"', "tweet")
def test_offsets_segments_nesting_and_flags_agree_with_the_raw_text(raw: str, mode: str):
    quotes = find_quotes(raw, mode)
    assert wrong_quotes(raw, quotes) is None
    for quote in quotes:
        assert quote.text == quote.text.strip()
        assert ("continued" in quote.flags) == (len(quote.segments) > 1)
        if quote.kind != "colon_claim" and quote.marks not in ("''", "‘‘"):  # One doubled mark, or two single ones.
            assert ("unclosed" in quote.flags) == (quote.marks in FAMILY)
        assert quote.flags == tuple(sorted(quote.flags))
        assert quote.kind in KINDS
        assert quote.reason


@given(TEXTS)
def test_parts_of_an_utterance_lie_beside_one_another_and_a_quote_inside_one_segment_of_its_parents(raw: str):
    quotes = find_quotes(raw)
    for quote in quotes:
        first = quotes[quote.utterance]
        assert first.parent == quote.parent
        while quote.parent is not None:
            start, end = quote.start, quote.end
            quote = quotes[quote.parent]
            assert any(first <= start and end <= last for first, last in quote.segments)


@given(TEXTS, TEXTS)
def test_a_paragraph_without_marks_separates_all_influence(one: str, two: str):
    def shown(raw: str, shift: int = 0) -> list[tuple[int, int, str, tuple[str, ...]]]:
        return [(quote.start + shift, quote.end + shift, quote.kind, quote.flags) for quote in find_quotes(raw)]

    between = "\n\nPlain words.\n\n"
    assert shown(one + between + two) == shown(one) + shown(two, len(one) + len(between))


@given(TEXTS | st.text())
def test_canonical_text_is_canonical_and_null_together_with_the_id(raw: str):
    match_key(raw)
    canonical = canonical_text(raw)
    assert (canonical is None) == (variant_id(raw) is None)
    assert canonical is None or canonical_text(canonical) == canonical


UNITS = "``|''|”\n|'a |s' |“a. |“a.\n\n|“'|“「|\n | said in Spanish |“a” translated by |RT @x: |&amp;"
HOSTILE = [*"\"“”'‘’«「 ", '"a" ', '"\n\n', '5" ', '"a" said in Spanish ', *UNITS.split("|")]


@pytest.mark.slow
@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear_in_the_length(unit: str):
    assert_linear(lambda length: partial(find_quotes, unit * (length // len(unit))), 8_000)


@pytest.mark.parametrize("unit", ["[", ".", ". ", "&", "&#", "'", "-", " ", "[a"])
@pytest.mark.parametrize("key", [match_key, canonical_text])
def test_keys_are_linear_too(key: Callable[[str], str | None], unit: str):
    assert_linear(lambda times: partial(key, unit * times), 10_000)
