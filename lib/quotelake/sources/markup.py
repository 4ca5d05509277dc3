"""A field in HTML → its text: tags out, character references decoded, paragraphs and breaks as line breaks. Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from lxml import etree

from quotelake.text.lexicon import word_set

#: More than any article has. Broken nesting costs the square of it: 20,000 take 0.3 seconds.
MAX_TAGS: Final = 20_000
_BLOCKS: Final = word_set(
    "address article aside blockquote dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main "
    "nav ol p pre section table tr ul"
)
_UNSEEN: Final = frozenset(("script", "style", "template", "noscript", "head"))
_SPACE: Final = re.compile(r"[ \t\r\n\f]+")
#: Where a block quotation begins and ends, until its paragraphs have their marks: no text has these characters.
_BLOCK, _BLOCK_END = "\ufdd0", "\ufdd1"
_IN_BLOCK: Final = re.compile(f"{_BLOCK}([^{_BLOCK}{_BLOCK_END}]*){_BLOCK_END}")
_SIGNS: Final = {"q": ("“", "”"), "blockquote": (f"\n\n{_BLOCK}", f"{_BLOCK_END}\n\n")}
_OPENS, _DOUBLE = frozenset("\"'“‘«„"), re.compile('["“”«»„]')
#: A line in a block quotation that names its speaker: *— Ana Bell*.
_SIGNED: Final = re.compile(r"(?<![–—―-])[–—―-]++\s*+[^\W\d_]")
_EMPTY_LINES: Final = re.compile(r"\n{3,}")


class _Words:
    """Collects what the parser reports; there is no tree, whose size a hostile text could choose."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._unseen = 0

    def start(self, tag: str, _: Mapping[str, str]) -> None:
        self._unseen += tag in _UNSEEN
        self.pieces.append(_SIGNS[tag][0] if tag in _SIGNS else "\n\n" if tag in _BLOCKS else "\n" * (tag == "br"))

    def end(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN
        self.pieces.append(_SIGNS[tag][1] if tag in _SIGNS else "\n\n" * (tag in _BLOCKS))

    def data(self, text: str) -> None:
        self.pieces.append("" if self._unseen else text)

    def close(self) -> str:
        return "".join(self.pieces)


def text_of_html(html: str) -> str:
    """Text of a piece of HTML: a line break for each ``br``, an empty line between blocks. Broken HTML is read too.

    What tags mark as a quotation gets marks, see :func:`block_marks`. A ValueError: it has more than :data:`MAX_TAGS`.
    """
    if html.count("<") > MAX_TAGS:
        raise ValueError(f"HTML with more than {MAX_TAGS:,} tags")
    parser = etree.HTMLParser(target=_Words(), huge_tree=True, remove_comments=True, remove_pis=True)
    parser.feed(_SPACE.sub(" ", html))
    lines = (_SPACE.sub(" ", line).strip() for line in parser.close().split("\n"))
    text = _IN_BLOCK.sub(_marked, _EMPTY_LINES.sub("\n\n", "\n".join(lines)))
    return _EMPTY_LINES.sub("\n\n", text.replace(_BLOCK, "").replace(_BLOCK_END, "")).strip()


def _marked(block: re.Match[str]) -> str:
    texts = [text.strip() for text in block[1].split("\n\n") if text.strip()]
    return "\n\n".join(first + text + last for text, (first, last) in zip(texts, block_marks(texts), strict=True))


def block_marks(paragraphs: Sequence[str]) -> list[tuple[str, str]]:
    """Marks before and behind each paragraph of a block quotation: “ before each, ” behind the last that is quoted.

    The last paragraph may be its signature. One that begins with a mark already is as it is; one with others inside
    gets « and ».

    >>> block_marks(["We won.", "At last.", "— Ana Bell"]), block_marks(["“We won.”"])
    ([('“', ''), ('“', '”'), ('', '')], [('', '')])
    """
    last = len(paragraphs) - (2 if len(paragraphs) > 1 and _SIGNED.match(paragraphs[-1].lstrip()) else 1)
    quoted = [text.lstrip() for text in paragraphs[: last + 1]]
    if any(text[:1] in _OPENS for text in quoted):
        return [("", "")] * len(paragraphs)
    if any(_DOUBLE.search(text) for text in quoted):
        return [("«", "»") if at <= last else ("", "") for at in range(len(paragraphs))]
    return [("“" if at <= last else "", "”" if at == last else "") for at in range(len(paragraphs))]
