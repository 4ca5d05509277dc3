"""Text read in the wrong encoding has the quotes of the text that was meant, at its own offsets."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quotelake.quotes.entities import MEANT, unescape
from quotelake.quotes.keys import canonical_text, match_key
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers

MARKED = [*"“”‘’„‚«»–—…\u00a0 \n,.", "’s ", "word", "Words ", "We won", ", Ruiz said", " '", '"']
TEXTS = st.lists(st.sampled_from(MARKED), max_size=40).map("".join)


def windows(text: str) -> str:
    """UTF-8 read as Windows-1252, undefined bytes as control characters."""
    return text.encode().decode("latin-1").translate({k: bytes([k]).decode("cp1252") for k in DEFINED})


DEFINED = sorted(set(range(128, 160)) - {0x81, 0x8D, 0x8F, 0x90, 0x9D})
READINGS = {
    "Windows-1252": windows,
    "Windows-1252, twice": lambda text: windows(windows(text)),
    "Latin-1": lambda text: text.encode().decode("latin-1"),
    "Latin-1, twice": lambda text: text.encode().decode("latin-1").encode().decode("latin-1"),
    "Windows-1252 as Latin-1": lambda text: text.encode("cp1252").decode("latin-1"),
}


@pytest.mark.parametrize("reading", READINGS)
@given(text=TEXTS)
@example(text="“We won’t – ‘ever’ – go,” said Ana Ruiz.\n“She’s late. “No.”")
def test_wrongly_read_text_has_the_quotes_of_the_right_one(reading: str, text: str):
    # Of single bytes only the commonest are read.
    meant = text.translate({ord(char): " " for char in "„‚…"}) if reading == "Windows-1252 as Latin-1" else text
    raw = READINGS[reading](meant)
    found, expected = find_quotes(raw), find_quotes(meant)
    assert [(quote.marks, quote.kind, quote.flags) for quote in found] == [
        (quote.marks, quote.kind, quote.flags) for quote in expected
    ]
    for quote, right in zip(found, expected, strict=True):
        assert raw[quote.start : quote.end] == quote.text == READINGS[reading](right.text)
        assert match_key(quote.joined) == match_key(right.joined)
        assert canonical_text(quote.text) == canonical_text(right.text)
    speakers = [one and one.text for one in find_speakers(meant, expected)]
    assert [one and one.text for one in find_speakers(raw, found)] == [
        None if text is None else READINGS[reading](text) for text in speakers
    ]


@pytest.mark.parametrize(
    "raw",
    [
        "He said: â€œWe won.â€",  # The last byte of the closing mark was dropped,
        "He said: â€œWe won.â€\ufffd",  # or replaced.
        "He said: Ã¢â‚¬Å“We won.Ã¢â‚¬Â",
        "He said: ‚ÄúWe won.‚Äù",  # Mac Roman
        "He said: â€œWe won.&rdquo;",
    ],
)
def test_other_forms(raw: str):
    assert [(quote.text, quote.flags) for quote in find_quotes(raw)] == [("We won.", ())]


@pytest.mark.parametrize("raw", ["SÃO PAULO", "â âge", "Donâ„¢t go", "PeÃ±a’s", "A “plain” text"])
def test_other_text_is_left_as_it_is(raw: str):
    assert unescape(raw) is None


def test_each_wrong_reading_is_noticed_and_none_is_a_mark_itself():
    assert [form for form in MEANT if unescape(form) is None or form in MEANT.values()] == []
