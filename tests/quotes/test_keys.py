"""What each key folds and, as important, what it does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.quotes.rows import rows

from quotelake.quotes.keys import canonical_text, match_key, variant_id

SAME_VERBATIM = """
We won’t go | we won't go
‘We won’t go,’ | We won't go.
We&nbsp;won&rsquo;t go &mdash; | We won't go
…we won't go?! | We won't go
— we won't go — | We won't go
She said “yes” twice | She said "yes" twice
''yes'' she said | "yes" she said
STRASSE | straße
"""
DIFFERENT_VERBATIM = """
We will [not] cut | We will cut
We will ... cut | We will cut
We, too, will go | We too will go
1.5 million | 15 million
-5 degrees | 5 degrees
.5 per cent | 5 per cent
well-known | well known
We will cut | We will cut it
"""
CANONICAL = """
“We [the council] . . . agreed to it.” | we … agreed to it
We ... [the council] … agreed | we … agreed
…and [T]he plan… | and the plan
It cost $1,500, or 1.5% — not 15 | it cost $1,500 or 1.5% not 15
It was -5 at 3:30 | it was -5 at 3:30
a well-known, ‘old’ rule | a well known old rule
Don’t take workers' pay | don't take workers pay
ＡＢＣ ﬁne | abc fine
हिन्दी में | हिन्दी में
Yes! 🎉 @ana_b #now | yes ana b now
We&#39;ll go | we'll go
"""
INVISIBLE = [["We\u00a0won't  go", "We won't\u200b go"], ["cafe\u0301", "café"]]


@pytest.mark.parametrize(("one", "other"), rows(SAME_VERBATIM) + INVISIBLE)
def test_match_key_folds_typography(one: str, other: str):
    assert match_key(one) == match_key(other) is not None


@pytest.mark.parametrize(("one", "other"), rows(DIFFERENT_VERBATIM))
def test_match_key_folds_nothing_else(one: str, other: str):
    assert match_key(one) != match_key(other)


@pytest.mark.parametrize(("text", "expected"), rows(CANONICAL))
def test_canonical_text(text: str, expected: str):
    assert canonical_text(text) == expected


@pytest.mark.parametrize("text", [None, "", " ", "“”", "...", "—", "\u200b"])
def test_empty_is_null_in_every_key(text: str | None):
    assert match_key(text) is canonical_text(text) is variant_id(text) is None


def test_variants_are_one_for_the_same_words_and_two_for_other_numbers():
    assert variant_id("“We’ll cut 1.5 million jobs!”") == variant_id("we'll cut 1.5 million jobs")
    assert variant_id("We'll cut 1.5 million jobs") != variant_id("We'll cut 15 million jobs")
    assert len(variant_id("We won") or "") == 32


def test_a_reference_with_a_giant_number_is_text():
    assert match_key("&#" + "9" * 5000 + ";") is not None


@given(st.text(alphabet="abZ 09'’‘“”\"`.,:/%$-—–…_[]()!&;#\n\t\x1c", max_size=40))
def test_text_that_is_nearly_ascii_has_the_keys_of_any_other(text: str):
    """The short way for plain texts folds as the general one does, which the invisible character asks for."""
    other = text + "\u200b"
    assert match_key(text) == match_key(other)
    assert canonical_text(text) == canonical_text(other)
