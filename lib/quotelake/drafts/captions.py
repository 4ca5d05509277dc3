"""Captions of video as plain text: what is spoken, without numbers, times and styles. Pure.

WebVTT (https://www.w3.org/TR/webvtt1), SubRip, SubViewer, the lines that transcribers such as Whisper print, and those
that players of video let people copy: each with its time, or below it.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import Final

from quotelake.drafts.turns import TIME, is_turn

#: The line before a caption; of transcribers, the caption stands behind it.
_TIMES: Final = re.compile(
    rf"\[{TIME} *--> *{TIME}\](?P<text>.*)|{TIME}[ \t]*(?:-->|,)[ \t]*{TIME}(?:[ \t].*)?", re.DOTALL
)
_COPIED: Final = re.compile(rf"{TIME}(?:[ \t]+(?P<text>.*))?", re.DOTALL)
_VOICE: Final = re.compile(r"<v(?:\.[^ \t>]{0,40})?[ \t]+([^>\n]{1,60})>")
_TAG: Final = re.compile(r"</?[a-z0-9:.][^<>\n]{0,60}>|\{\\[^{}\n]{1,40}\}", re.IGNORECASE)
#: Another person speaks.
_TURN: Final = re.compile(r">>>?[ \t]*")
SUFFIXES: Final = (".vtt", ".srt", ".sbv")
#: Lines of times from which a text of any name has captions.
_LEAST: Final = 2


def is_captions(raw: str, suffix: str) -> bool:
    """Whether a text is one of captions, by the suffix of its file, or by its lines."""
    lines = [line.strip() for line in raw.splitlines() if line.strip()]
    timed, copied = (sum(map(bool, map(pattern.fullmatch, lines))) for pattern in (_TIMES, _COPIED))
    return suffix in SUFFIXES or timed >= max(_LEAST, len(lines) // 5) or copied >= max(2 * _LEAST, len(lines) // 2)


def caption_pieces(raw: str) -> Iterator[tuple[str, int]]:
    """Yield what captions say, in pieces with the line that each is from, in order; empty lines between speakers.

    A line that repeats the one before is left out, as captions that scroll show each twice.
    """
    is_inside, before, voice = False, "", ""
    form = _TIMES if any(map(_TIMES.fullmatch, map(str.strip, raw.splitlines()))) else _COPIED
    for number, line in enumerate(raw.splitlines(), 1):
        found = form.fullmatch(line.strip())
        if found is not None and found["text"] is None:
            is_inside = True
            continue
        if not line.strip():
            is_inside = False
        spoken = found["text"] if found is not None else line if is_inside else ""
        named = _VOICE.search(spoken)
        text = " ".join(unescape(_TAG.sub("", _VOICE.sub("", spoken))).split())
        if not text or text == before:
            continue
        before = text
        if named is not None and named[1] != voice:
            voice = named[1]
            yield f"\n\n{voice}: ", number
        begins = _TURN.match(text)
        yield ("\n\n" if begins or is_turn(text) else "") + text[begins.end() if begins else 0 :] + " ", number
