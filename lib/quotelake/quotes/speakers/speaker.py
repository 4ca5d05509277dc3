"""The speaker of a quote."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from quotelake.quotes.entities import Unescaped
from quotelake.text.lexicon import load_language


class Speaker(NamedTuple):
    """Who says a quote. Offsets count code points of the raw text.

    Attributes:
        start: first character of the noun phrase that names the speaker, with titles and roles before the name and an
            apposition after it.
        end: one past the last.
        text: ``raw[start:end]``.
        head_end: end of the phrase without the apposition; at most ``end``.
        cue_start: first character of the cue, the word or colon that reports; None where there is none.
        cue_end: one past its last.
        cue_lemma: the verb in its base form, the noun, ``according`` or ``:``.
        how: place of the speaker relative to the quote: ``before``, ``after``, ``inside`` (between two parts of one
            utterance), ``colon``, or ``continued`` (taken over from the quote before).
        type: ``person``, ``organisation``, ``document``, ``anonymous`` or ``crowd``.
        name_start: first character of the person's full name: in the phrase, or for a pronoun or surname the last
            mention before it, if nobody else can be meant; else None.
        name_end: one past its last.
        name: ``raw[name_start:name_end]``.
        rule: the rule that found the speaker, so that each can be measured; it is no column of a table.
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

    # ``_replace`` would take six times as long, for each quote.

    def inside(self) -> "Speaker":
        """The same speaker for a quote whose sentence the reporting clause interrupts."""
        return _new(Speaker, (*self[:_HOW], "inside", *self[_HOW + 1 :]))

    def continued(self, rule: str) -> "Speaker":
        """The same speaker for a later quote without a reporting clause."""
        return _new(Speaker, (*self[:_HOW], "continued", *self[_HOW + 1 : -1], f"continued: {rule}"))

    def named(self, raw: str, start: int, end: int) -> "Speaker":
        """The same speaker with ``raw[start:end]`` as the full name, and so a person, however the phrase begins."""
        return _new(Speaker, (*self[: _HOW + 1], "person", start, end, raw[start:end], self.rule))

    def in_raw(self, raw: str, read: Unescaped) -> "Speaker":
        """The same speaker with the offsets and the texts of the raw field."""

        def place(offset: int | None) -> int | None:
            return None if offset is None else read.raw(offset)

        start, end, head_end = read.raw(self.start), read.raw(self.end), read.raw(self.head_end)
        name_start, name_end = place(self.name_start), place(self.name_end)
        return self._replace(
            start=start,
            end=end,
            text=raw[start:end],
            head_end=head_end,
            cue_start=place(self.cue_start),
            cue_end=place(self.cue_end),
            name_start=name_start,
            name_end=name_end,
            name=None if self.name is None else raw[name_start:name_end],
        )


SPEAKER_TYPES: Final = ("person", "organisation", "document", "anonymous", "crowd")
_CROWD_PRONOUNS: Final = frozenset(("they", "we", "everyone"))
_UNNAMED_PRONOUNS: Final = frozenset(("another", "others", "somebody", "someone", "nobody", "one", "some", "many"))
_HOW: Final = Speaker._fields.index("how")
_new: Final = tuple.__new__


@lru_cache(maxsize=16_384)
def speaker_type(words: tuple[str, ...], code: str) -> str:
    """Tell the type of a speaker from the words of its phrase, apposition excluded.

    A name is a person unless its last word, an article or all capitals show an organisation or document. A role is a
    person (*the mayor*), or anonymous after an indefinite word (*an aide*); several people are a crowd or anonymous.

    >>> [speaker_type(tuple(name.split()), "en") for name in ("Ana Ruiz", "the Harbour Authority", "one aide")]
    ['person', 'organisation', 'anonymous']
    """
    language = load_language(code)
    if language is None or not words:
        return "person"
    lists = language.words
    low = [word.lower().removesuffix("'s").removesuffix("’s").rstrip(".") for word in words]
    if len(low) == 1 and words[0] != "US" and low[0] in lists["pronouns"]:
        return _of_pronoun(low[0])
    end = next((k for k in range(1, len(low)) if low[k] in lists["joining"] and not _in_name(words, k)), len(low))
    head = low[end - 1]
    if words[end - 1][:1].isupper() and not (end == 1 and head in lists["roles"]):
        return _of_name(words[:end], low[:end], lists)
    indefinite = low[0] in lists["indefinite"]
    if head in lists["documents"]:
        return "document"
    if head in lists["organisations"]:
        return "organisation"
    if head in lists["crowd"] and not (indefinite and head in lists["sources"]):
        return "crowd"
    if head in lists["sources"] and (indefinite or head[-1:] == "s" or head == "people"):
        return "anonymous"
    if head[-1:] == "s" and head[:-1] in lists["roles"]:
        return "anonymous"
    return "anonymous" if indefinite else "person"


def _of_pronoun(word: str) -> str:
    if word in _CROWD_PRONOUNS:
        return "crowd"
    if word in _UNNAMED_PRONOUNS:
        return "anonymous"
    return "organisation" if word == "it" else "person"


def _of_name(words: tuple[str, ...], low: list[str], lists: Mapping[str, frozenset[str]]) -> str:
    """Type of a phrase that ends in a capitalised word."""
    head = low[-1]
    plain = [word for word, raw in zip(low, words, strict=True) if raw[:1].islower()]
    if head in lists["documents"] and (len(words) > 1 or head not in lists["organisations"]):
        return "document"
    if head in lists["organisations"]:
        return "organisation"
    if low[0] == "the" and lists["roles"].isdisjoint(plain) and lists["titles"].isdisjoint(low):
        return "organisation"
    acronym = len(words) == 1 and len(head) > 1 and words[0].isupper() and "." not in words[0]
    return "organisation" if acronym else "person"


def _in_name(words: tuple[str, ...], k: int) -> bool:
    """Whether *of* is part of a name (*the Bank of Avalon*)."""
    return k + 1 < len(words) and words[k - 1][:1].isupper() and words[k + 1][:1].isupper() and words[k] == "of"
