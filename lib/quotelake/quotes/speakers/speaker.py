"""The speaker of a quote."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from quotelake.quotes import lexicon as en


class Speaker(NamedTuple):
    """Who says a quote. Offsets count code points of the raw text.

    Attributes:
        start: first character of the noun phrase of the speaker, with titles, roles and apposition.
        end: one past the last.
        text: ``raw[start:end]``.
        head_end: end of the phrase without the apposition; at most ``end``.
        cue_start: first character of the cue, the word or colon that reports; None if there is none.
        cue_end: one past its last.
        cue_lemma: the verb in its base form, the noun, ``according`` or ``:``.
        how: place of the speaker relative to the quote: ``before``, ``after``, ``inside`` (between two parts of one
            utterance), ``colon``, or ``continued`` (taken over from the quote before).
        type: ``person``, ``organisation``, ``document``, ``anonymous`` or ``crowd``.
        name_start: first character of the person's full name: in the phrase, or the last mention before a pronoun or
            surname that can mean nobody else; else None.
        name_end: one past its last.
        name: ``raw[name_start:name_end]``.
        rule: the rule that found the speaker; no column of a table.
    """

    start: int
    end: int
    text: str
    head_end: int
    cue_start: int | None
    cue_end: int | None
    cue_lemma: str | None
    how: str
    type: str
    name_start: int | None = None
    name_end: int | None = None
    name: str | None = None
    rule: str = ""

    def moved(self, text: str, place: Callable[[int], int]) -> "Speaker":
        """The same speaker in another form of the text; ``place`` maps the offsets."""
        names = ("start", "end", "head_end", "cue_start", "cue_end", "name_start", "name_end")
        offsets: dict[str, Any] = {n: None if (at := getattr(self, n)) is None else place(at) for n in names}
        moved = self._replace(**offsets)
        name = None if self.name is None else text[moved.name_start : moved.name_end]
        return moved._replace(text=text[moved.start : moved.end], name=name)


SPEAKER_TYPES: Final = ("person", "organisation", "document", "anonymous", "crowd")
_CROWD_PRONOUNS: Final = frozenset(("they", "we", "everyone"))
_UNNAMED_PRONOUNS: Final = frozenset(("another", "others", "somebody", "someone", "nobody", "one", "some", "many"))


@lru_cache(maxsize=16_384)
def speaker_type(words: tuple[str, ...]) -> str:
    """Type of an English speaker by the words of its phrase, apposition excluded.

    A name is a person unless its last word, an article or all capitals show an organisation or document. A role is a
    person (*the mayor*), or anonymous after an indefinite word (*an aide*); several people are a crowd or anonymous.

    >>> [speaker_type(tuple(name.split())) for name in ("Ana Ruiz", "the Harbour Authority", "one aide")]
    ['person', 'organisation', 'anonymous']
    """
    low = [word.lower().removesuffix("'s").removesuffix("’s").rstrip(".") for word in words]
    if len(low) == 1 and words[0] != "US" and low[0] in en.PRONOUNS:
        if low[0] in _CROWD_PRONOUNS:
            return "crowd"
        if low[0] in _UNNAMED_PRONOUNS:
            return "anonymous"
        return "organisation" if low[0] == "it" else "person"
    end = next((k for k in range(1, len(low)) if low[k] in en.JOINING and not _in_name(words, k)), len(low))
    head = low[end - 1]
    if words[end - 1][:1].isupper() and not (end == 1 and head in en.ROLES):
        return _of_name(words[:end], low[:end])
    indefinite = low[0] in en.INDEFINITE
    if head in en.DOCUMENTS:
        return "document"
    if head in en.ORGANISATIONS:
        return "organisation"
    if head in en.CROWD and not (indefinite and head in en.SOURCES):
        return "crowd"
    if head in en.SOURCES and (indefinite or head[-1:] == "s" or head == "people"):
        return "anonymous"
    roles = head[-1:] == "s" and head[:-1] in en.ROLES
    return "anonymous" if indefinite or roles else "person"


def _of_name(words: tuple[str, ...], low: list[str]) -> str:
    """Type of a phrase that ends in a capitalised word."""
    head = low[-1]
    if head in en.DOCUMENTS and (len(words) > 1 or head not in en.ORGANISATIONS):
        return "document"
    lower = [word for word, raw in zip(low, words, strict=True) if raw[:1].islower()]
    if low[0] == "the" and en.ROLES.isdisjoint(lower) and en.TITLES.isdisjoint(low):
        return "organisation"
    acronym = len(words) == 1 and len(head) > 1 and words[0].isupper() and "." not in words[0]
    return "organisation" if acronym or head in en.ORGANISATIONS else "person"


def _in_name(words: tuple[str, ...], k: int) -> bool:
    """Whether *of* is part of a name (*the Bank of Avalon*)."""
    return k + 1 < len(words) and words[k - 1][:1].isupper() and words[k + 1][:1].isupper() and words[k] == "of"
