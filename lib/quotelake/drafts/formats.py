"""Plain text, Markdown and HTML as paragraphs of plain text, with the line of the file that each character is in. Pure.

A block quotation without marks gets them, so that it is a quotation like any other.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from pathlib import PurePath
from typing import Final

from markdown_it import MarkdownIt

from quotelake.drafts.captions import caption_pieces, is_captions
from quotelake.drafts.turns import is_turn
from quotelake.errors import InputError
from quotelake.sources.markup import text_of_html
from quotelake.text.words import paragraphs

#: Endings of texts with markup.
HTML, MARKDOWN = (".html", ".htm", ".xhtml"), (".md", ".markdown")
#: The first word of a line or behind a tag, but for the label of a definition in Markdown.
_FIRST: Final = re.compile(r"(?:^(?![ \t]{0,3}\[[^\]]{1,80}\]:)|(?<=>))[^<>]*?[^\W\d_]++")
#: Around the number of its line, behind such a word until the markup is gone: no text has these characters.
_OPEN, _CLOSE = "\ufdd2", "\ufdd3"
_MARK: Final = re.compile(rf"{_OPEN}(\d+){_CLOSE}")
#: Characters of the lines of a text that was wrapped by hand or by an editor [ours].
_MIN_WIDTH, _MAX_WIDTH = 40, 100


@dataclass(frozen=True, slots=True)
class Plain:
    """A text without markup, and where it comes from."""

    text: str
    name: str  #: of its file, or what else to call it
    lines: Sequence[tuple[int, int]]  #: offsets in the text, and the lines of the file that begin there

    def line(self, offset: int) -> int:
        """The line of the file that a character is in, from 1."""
        return self.lines[bisect_right(self.lines, offset, key=itemgetter(0)) - 1][1]


def read_plain(raw: str, name: str) -> Plain:
    """Read a text in the format of the suffix of its name: ``.md``, ``.html``, captions, or else plain text.

    An InputError: it has more than :data:`~quotelake.sources.markup.MAX_TAGS` tags.
    """
    suffix = PurePath(name).suffix.lower()
    if is_captions(raw, suffix):
        return _joined(caption_pieces(raw), name)
    if suffix in HTML or suffix in MARKDOWN:
        return _without_markup(raw, name, is_markdown=suffix in MARKDOWN)
    return unformatted(_unwrapped(raw), name, raw)


def unformatted(text: str, name: str, raw: str | None = None) -> Plain:
    """A text without markup; ``raw`` if its lines were joined."""
    starts = [0, *(found.end() for found in re.finditer("\n", text if raw is None else raw))]
    return Plain(text, name, [(start, line) for line, start in enumerate(starts, 1)])


def _joined(pieces: Iterable[tuple[str, int]], name: str) -> Plain:
    """A text of pieces, each with its line."""
    lines, texts, size = list[tuple[int, int]](), list[str](), 0
    for piece, line in pieces:
        texts.append(piece if size else piece.lstrip())
        lines.append((size, line))
        size += len(texts[-1])
    return Plain("".join(texts).rstrip(), name, lines or ((0, 1),))


def _without_markup(raw: str, name: str, *, is_markdown: bool) -> Plain:
    lines = raw.replace(_OPEN, "").replace(_CLOSE, "").split("\n")
    marked = "\n".join(_FIRST.sub(rf"\g<0>{_OPEN}{line}{_CLOSE}", text) for line, text in enumerate(lines, 1))
    html = MarkdownIt("commonmark").enable("table").render(marked) if is_markdown else marked
    try:
        text = text_of_html(html)
    except ValueError as error:
        raise InputError(f"{name}: {error}; give the text alone, as .txt") from None
    pieces, at, line = list[tuple[str, int]](), 0, 1
    for found in _MARK.finditer(text):
        start = found.start()
        while start > at and text[start - 1].isalpha():
            start -= 1
        pieces += [(text[at:start], line), (text[start : found.start()], int(found[1]))]
        at, line = found.end(), int(found[1])
    return _joined([*pieces, (text[at:], line)], name)


def _unwrapped(text: str) -> str:
    """The text with a space for each line break inside a paragraph that was wrapped, every character in its place.

    In a wrapped paragraph no line has room for the first word of the next one.
    """
    whole, at = list[str](), 0
    for start, end in paragraphs(text):
        lines = text[start:end].split("\n")
        width = max(len(line.rstrip()) for line in lines)
        is_wrapped = _MIN_WIDTH <= width <= _MAX_WIDTH and all(
            len(one.rstrip()) + 1 + len(other.split(maxsplit=1)[0]) > width and not is_turn(other)
            for one, other in pairwise(lines)
            if other.strip()
        )
        whole += [text[at:start], text[start:end].replace("\n", " ") if is_wrapped else text[start:end]]
        at = end
    return "".join([*whole, text[at:]])
