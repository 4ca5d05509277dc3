"""Keys of quotes: the match key, equal for verbatim quotes, and the canonical text, whose hash is the variant id."""

import re
import unicodedata
from typing import Final

from quotelake.quotes.entities import read_references
from quotelake.text.ids import content_id

#: Replaces ellipses and square brackets, where a writer omitted or inserted words. It has no other meaning in a
#: canonical text, since NFKC makes a typed ellipsis three full stops.
GAP: Final = "…"

#: Invisible characters: zero-width spaces and joiners, soft hyphens, direction marks, the byte order mark.
_INVISIBLE: Final = dict.fromkeys(
    [0x00AD, 0x061C, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF]
)
#: Invisible characters → nothing, marks → straight ones.
_FOLD_MARKS: Final = _INVISIBLE | str.maketrans({**dict.fromkeys("‘’‚‛ʼ＇", "'"), **dict.fromkeys("“”„‟＂〝〟«»", '"')})
#: The same, and dashes → a hyphen or a space, ellipses → full stops.
_FOLD: Final = _FOLD_MARKS | str.maketrans(
    {**dict.fromkeys("−﹣－", "-"), **dict.fromkeys("‐‑‒–—―﹘", " "), "…": "..."}
)
_DOUBLED_MARK: Final = re.compile(r"''|``")
#: Stripped from both ends of a match key.
_TERMINAL: Final = " .,;:!?…‥⋯。、，．！？；：·\"'-‐‑‒–—―−"

#: A minus or decimal point, not the end of a dash or an ellipsis.
_SIGNED: Final = re.compile(r"(?<![-.\u2010-\u2015])[-−.]\Z")
#: A letter whose case the writer adapted to the sentence: *[T]he*.
_LETTER_CASE: Final = re.compile(r"\[(\w)\](?=\w)")
_INSERTION: Final = re.compile(r"\[[^\[\]]*\]")
_ELLIPSIS: Final = re.compile(r"\.{2,}|\.(?: ?\.){2,}")
_NO_WORD: Final = re.compile(r"[^\w ]|_")
_GAPS: Final = re.compile(rf"{GAP}(?: {GAP})+")
_NUMBER_SEPARATORS: Final = frozenset(".,:/⁄'")


def match_key(text: str | None, *, is_decoded: bool = False) -> str | None:
    """Key of verbatim quotes: folds typography but no word; None if nothing is left.

    Folded are character references (unless ``is_decoded``), Unicode composition (NFC), case, invisible characters, the
    shape of marks (single and double stay different), runs of white space, and punctuation, dashes and marks at both
    ends; a minus or decimal point before a number stays. The words and all punctuation between them remain.

    >>> match_key("“We  won’t,”") == match_key("we won't")
    True
    >>> match_key("We will [not] cut") == match_key("We will cut")
    False
    """
    if not text:
        return None
    visible = text if is_decoded else read_references(text)
    plain = unicodedata.normalize("NFC", visible.translate(_FOLD_MARKS).casefold())
    folded = " ".join(_DOUBLED_MARK.sub('"', plain).split())
    key = folded.lstrip(_TERMINAL)
    cut = len(folded) - len(key)
    if key[:1].isdecimal() and _SIGNED.search(folded, 0, cut):
        key = folded[cut - 1] + key
    return key.rstrip(_TERMINAL) or None


def canonical_text(text: str | None, *, is_decoded: bool = False) -> str | None:
    """Words of a quote, folded and separated by single spaces: one text for all uses of a wording; None without words.

    Compatibility forms (NFKC), case, marks, dashes, punctuation and symbols are removed, character references decoded
    (unless ``is_decoded``). Apostrophes inside words stay, and so do the signs of numbers: separators between digits
    (1.5 is not 15), minus, decimal point or currency sign before them, per cent after them. Each run of ellipses and
    insertions in square brackets becomes one :data:`GAP`, none at the ends; *[T]he* is one word.

    >>> canonical_text("“We [the council] . . . agreed to 1.5 – not 15!”")
    'we … agreed to 1.5 not 15'
    """
    if not text:
        return None
    visible = text if is_decoded else read_references(text)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible.translate(_FOLD)).casefold())
    folded = " ".join(folded.split())
    if "[" in folded:
        folded = _INSERTION.sub(f" {GAP} ", _LETTER_CASE.sub(r"\1", folded))
    if ".." in folded or ". ." in folded:
        folded = _ELLIPSIS.sub(f" {GAP} ", folded)
    words = " ".join(_NO_WORD.sub(_keep, folded).split())
    return _GAPS.sub(GAP, words).strip(f" {GAP}") or None


def variant_id(text: str | None) -> str | None:
    """Id of the variant of a quote: the hash of its canonical text, 32 hex characters; None without words."""
    canonical = canonical_text(text)
    return None if canonical is None else content_id(canonical)


def _keep(match: re.Match[str]) -> str:
    """Replacement of a non-word character: itself inside words and numbers, else a space."""
    char, text, at = match.group(), match.string, match.start()
    category = unicodedata.category(char)
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    kept = (
        char == GAP
        or category[0] == "M"  # Vowel signs of Indic scripts are not word characters to ``re``.
        or (char == "'" and before.isalpha() and after.isalpha())
        or (char in _NUMBER_SEPARATORS and before.isdecimal() and after.isdecimal())
        or (char == "%" and before.isdecimal())
        or (char in "-." and after.isdecimal() and before in ("", " "))
        or (category == "Sc" and after.isdecimal())
    )
    return char if kept else " "
