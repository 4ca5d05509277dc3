"""Patterns written to be fast match what their plain, slow forms match; texts are short, so that these end."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelab.protocols import polnear
from quotelake.contextomy import features
from quotelake.sources import editorial

#: The plain form, the fast one, and the pieces of texts in which both find something.
FORMS: dict[str, tuple[str, re.Pattern[str], list[str]]] = {
    "leading label": (
        r"\A\W*(\w[\w'’ -]*?)\s*(?:[:|\]]|\s[-–—]\s)",
        editorial._PATTERNS["leading_label"],
        ["Live", "a", "_", " ", "  ", "\t", "-", "–", ":", "|", "]", "'", "(", "\n"],
    ),
    "parts of a byline": (
        r"\s*[,|/;(]\s*|\s+-\s+",
        editorial._PATTERNS["byline_parts"],
        ["a", " ", "  ", "\t", "-", ",", "(", "/", "\n", ")"],
    ),
    "desk": (
        r"(?i)\s+(?:staff|writers?|reporters?|news service)$",
        editorial._PATTERNS["desk"],
        ["a", " ", "\n", "staff", "Writer", "s", "news service"],
    ),
    "digits of percents": (r"\d+(?=퍼센트)", features._PERCENT_OF, ["1", "2", "퍼센트", "a"]),
    "read more": (
        r"^\W*(?:read|see|view) (?:more|on|the rest)(?: here)?\s*(?:[.»›→>]|\.\.\.|…|\])*$",
        re.compile(editorial._LISTS["patterns"]["truncated"][1]),
        ["read more", " here", ".", "...", "…", " ", "]", "x", "»"],
    ),
    "breaks": (r"\s*\n\s*", polnear._BREAK, ["a", " ", "\n", "\t", "\r"]),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_fast_form_matches_what_the_plain_one_does(name: str):
    plain, fast, pieces = FORMS[name]

    @given(st.lists(st.sampled_from(pieces), max_size=9).map("".join))
    def same(text: str) -> None:
        expected = [(found.start(), found.groups()[:1]) for found in re.finditer(plain, text)]
        assert [(found.start(), found.groups()[:1]) for found in fast.finditer(text)] == expected

    same()


@given(st.lists(st.sampled_from(["http://", "https://a", "…", "...", " ", "b", "[…]", "\t"]), max_size=7).map("".join))
def test_an_address_before_an_ellipsis_is_no_cut(text: str):
    line = text.strip()
    plain = bool(editorial._PATTERNS["ellipsis"].search(line)) and not re.search(r"https?://\S*\s*…$", line)
    assert (editorial.body_status_of("news", line, "news") == "truncated") is plain
