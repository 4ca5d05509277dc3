"""What a transcript says is its speakers': lines that name one begin a turn, and lines that only look so do not."""

import pytest

from quotelake.drafts.turns import find_turns, source_body

USUAL = "RUIZ: We lost 12 boats.\n\nAnd it was cold.\nBELL: Why?\nRUIZ: The storm."
SAID = [("RUIZ", "We lost 12 boats.\n\nAnd it was cold."), ("BELL", "Why?"), ("RUIZ", "The storm.")]


@pytest.mark.parametrize(
    "text",
    [
        USUAL,
        USUAL.replace(": ", ":\n"),
        USUAL.replace("RUIZ:", "RUIZ (mayor):"),
        USUAL.replace("RUIZ:", "  RUIZ, the mayor of all:"),
        USUAL.replace("RUIZ:", "[00:01:02] RUIZ:"),
        USUAL.replace("RUIZ:", "RUIZ (00:01):"),
        USUAL.replace(": ", "\n"),
        USUAL.replace(": ", "  00:12\n"),
    ],
)
def test_each_way_to_name_a_speaker_begins_a_turn(text: str):
    body = source_body(text, "en")
    assert [(quote.speaker and quote.speaker.head, quote.text) for quote in body.quotes] == SAID


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Title: a text\n\nNo more.", []),
        ("PIER LOST\nThe storm came.\n\nBOATS GONE\nIt rained.", []),
        ("It rained.\n\nWarning: We lost.\n\nVictims: Two", []),
        ("Update: We lost.\n\nCorrection: We won.\n\nPhotos: here", []),
        ("He said: no.\nShe said: yes.", []),
        ("ADVERTISEMENT\nBuy now\n\nMORE NEWS\nThe storm\n\nADVERTISEMENT\nMore", []),
        ("Venue: Pier\n\nThe storm came.\n\nDate: May\n\nBELL: Why?\nBELL: How?", ["Pier", "May", "Why?", "How?"]),
        ("Q: Why?\nA: Storm.\n\nIt was cold.\nQ: So?\nA: So.", ["Why?", "Storm.\n\nIt was cold.", "So?", "So."]),
    ],
)  # fmt: skip
def test_lines_that_only_look_like_turns_begin_none(text: str, expected: list[str]):
    assert [text[turn.start : turn.end] for turn in find_turns(text)] == expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ANA RUIZ: We lost.\nBELL: Why?\nBELL: How?", ["ANA RUIZ", "BELL", "BELL"]),
        ("Q: We lost.\nSpeaker 1: Why?\nSpeaker 1: How?", [None, None, None]),
        ("Venue: Town Hall\nBELL: Why?\nBELL: How?", [None, "BELL", "BELL"]),
    ],
)
def test_only_a_name_can_contradict_another(text: str, names: list[str | None]):
    assert [quote.speaker and quote.speaker.name for quote in source_body(text, "en").quotes] == names


def test_quotes_inside_a_turn_stay_and_those_across_turns_go():
    text = "RUIZ: My mother said “never again” to me. “Never\nBELL: again” is a word.\nRUIZ: Yes."
    said = [quote.text for quote in source_body(text, "en").quotes]
    assert "never again" in said and not any("Never\nBELL" in each for each in said)
