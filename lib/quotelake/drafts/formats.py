"""Plain text, Markdown and HTML as paragraphs of plain text, with the line of the file that each character is in. Pure.

A block quotation without marks gets them, so that it is a quotation like any other.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from itertools import chain, groupby, pairwise
from operator import itemgetter
from pathlib import PurePath
from typing import Final

from markdown_it import MarkdownIt

from quotelake.drafts.captions import caption_pieces, is_captions
from quotelake.drafts.turns import is_turn
from quotelake.sources.markup import block_marks
from quotelake.text.lexicon import word_set
from quotelake.text.words import paragraphs

#: Tags that do not end a paragraph, and those whose content nobody reads.
_INLINE: Final = word_set(
    "a abbr b bdi bdo cite code data del dfn em font i img ins kbd mark q s samp small span strong sub sup time u var "
    "wbr"
)
_UNREAD: Final = word_set("script style template noscript title svg")
#: Endings of texts with markup.
HTML, MARKDOWN = (".html", ".htm", ".xhtml"), (".md", ".markdown")
_SPACE: Final = re.compile(r"\s+")
#: Attribute of a block of Markdown: its first line.
_LINE: Final = "data-quotelake-line"
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
    """Read a text in the format of the suffix of its name: ``.md``, ``.html``, captions, or else plain text."""
    suffix = PurePath(name).suffix.lower()
    if is_captions(raw, suffix):
        return _joined(caption_pieces(raw), name)
    if suffix in HTML:
        return _Html(raw).plain(name)
    if suffix in MARKDOWN:
        return _Html(_rendered(raw)).plain(name)
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


class _Html(HTMLParser):
    """Reads HTML as paragraphs, each with the number of its block quotation (0: none) and its pieces by line."""

    def __init__(self, raw: str) -> None:
        super().__init__(convert_charrefs=True)
        self._unread = self._shift = self._depth = self._block = 0
        self._pieces: list[tuple[str, int]] = []
        self._paragraphs: list[tuple[int, list[tuple[str, int]]]] = []
        # Behind the last > there is no tag, which the library would take long to notice.
        marked, sign, rest = raw.rpartition(">")
        self.feed(marked + sign)
        self.close()
        self.handle_data(unescape(rest))
        self._end()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a paragraph, or a quotation."""
        line = dict(attrs).get(_LINE) or ""
        if line.isdecimal():
            self._shift = int(line) - self.getpos()[0]
        self._unread += tag in _UNREAD
        self._handle_tag(tag, "“", 1)

    def handle_endtag(self, tag: str) -> None:
        """End them."""
        self._unread = max(0, self._unread - (tag in _UNREAD))
        self._handle_tag(tag, "”", -1)

    def handle_data(self, data: str) -> None:
        """Add to the paragraph: characters of a line, or of several from this one on."""
        for number, part in enumerate([] if self._unread else data.split("\n")):
            flat = _SPACE.sub(" ", part if number == 0 else f" {part}")
            if not self._pieces or self._pieces[-1][0].endswith(" "):
                flat = flat.lstrip(" ")
            if flat:
                self._pieces.append((flat, self.getpos()[0] + self._shift + number))

    def _handle_tag(self, tag: str, sign: str, depth: int) -> None:
        if tag == "q":
            self.handle_data(sign)
        elif tag not in _INLINE:
            self._end(depth if tag == "blockquote" else 0)

    def _end(self, depth: int = 0) -> None:
        """End the paragraph, and go into (1) or out of (-1) a block quotation."""
        if self._pieces:
            self._paragraphs.append((self._block if self._depth else 0, self._pieces))
            self._pieces = []
        self._block += depth > 0 and self._depth == 0
        self._depth = max(0, self._depth + depth)

    def plain(self, name: str) -> Plain:
        """The text of all paragraphs."""
        groups = ((block, [pieces for _, pieces in its]) for block, its in groupby(self._paragraphs, key=itemgetter(0)))
        marked = chain.from_iterable(_marked(its) if block else its for block, its in groups)
        return _joined(chain.from_iterable([*pieces, ("\n\n", pieces[-1][1])] for pieces in marked), name)


def _marked(of_block: list[list[tuple[str, int]]]) -> Iterator[list[tuple[str, int]]]:
    """The paragraphs of a block quotation within marks."""
    marks = block_marks(["".join(text for text, _ in pieces) for pieces in of_block])
    for pieces, (opening, closing) in zip(of_block, marks, strict=True):
        yield [(opening, pieces[0][1]), *pieces[:-1], (pieces[-1][0].rstrip() + closing, pieces[-1][1])]


def _rendered(raw: str) -> str:
    """Markdown as HTML, in which each block has its line as an attribute."""
    markdown = MarkdownIt("commonmark").enable("table")
    tokens = markdown.parse(raw)
    for token in tokens:
        if token.map and token.type == "html_block":
            token.content = f'<wbr {_LINE}="{token.map[0] + 1}">{token.content}'
        elif token.map:
            token.attrSet(_LINE, str(token.map[0] + 1))
    rendered: str = markdown.renderer.render(tokens, markdown.options, {})
    return rendered


def _unwrapped(text: str) -> str:
    """The text with a space for each line break inside a paragraph that was wrapped, every character in its place.

    In a wrapped paragraph no line has room for the first word of the next one.
    """
    whole = []
    at = 0
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
