"""Compare the uses of one quote by several outlets with its fullest wording, and with one another. Pure.

The reference of a group is the use with the most words, then the first variant, text and id. An outlet counts once
however often it uses a quote. Every wording is compared with the reference, and with :data:`WORDINGS` of others.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from typing import Any, Final

from quotelake.quotes.keys import GAP, canonical_text
from quotelake.reuse.differences import Difference, align, article_has_omission, is_carried, same_sentence
from quotelake.text.fold import fold
from quotelake.text.forms import may_be_same_person, name_words
from quotelake.text.ids import content_id

#: Characters of an article that are read on each side of a use.
AROUND: Final = 400
#: What is read of a use beside its row of ``contexts``; rows of ``quote_comparisons`` have it, so it is cut once.
TEXTS: Final = ("text", "before", "after", "language")
#: Least common run of two uses, in words and characters, to be surely of one utterance: shorter matches are common
#: phrases [ours: read on real news, where *I've never seen anything like this in my …* is from two people].
MIN_RUN: Final = (8, 45)
#: The same for two uses by one speaker.
MIN_RUN_OF_SPEAKER: Final = (5, 20)
#: Names credited with one quote from which it counts as a common phrase without a right speaker [ours].
MAX_NAMES: Final = 12
#: Outlets, beside that of a use, that must carry what it omits for it to be trimmed [ours].
CARRIERS: Final = 2
#: Wordings of a quote that each other one is compared with, those of most outlets first: bounds the time [ours].
WORDINGS: Final = 100
#: A quotation mark inside a quote: some of its words are somebody else's.
_INNER: Final = re.compile(r"[“„«\"‘]|(?<!\w)'(?=\w)")
#: Two names that a page ran together.
_RUN_TOGETHER: Final = re.compile(r"[a-z]{4}[A-Z]")
_WORD: Final = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a quote by an outlet: its text without marks, and :data:`AROUND` characters on each side."""

    quote_id: str
    article: str  #: the same for all versions of an article
    outlet: str
    variant_id: str
    words: int  #: of the variant
    text: str
    before: str = ""
    after: str = ""
    language: str = "en"  #: of its document, in ISO 639-1, or ``und``
    speaker: str | None = None  #: see :func:`certain_speaker`


def certain_speaker(speaker: Mapping[str, Any] | None) -> str | None:
    """Full name of a speaker of ``quotes`` if the attribution itself names the person: no pronoun, none continued."""
    if speaker is None or speaker["type"] != "person" or speaker["name"] is None or speaker["how"] == "continued":
        return None
    name = name_words(speaker["name"])
    if len(name) < 2 or name[-1] not in name_words(speaker["text"]) or _RUN_TOGETHER.search(speaker["name"]):
        return None
    return str(speaker["name"])


def use_of(row: Mapping[str, Any]) -> Use:
    """A use from a row with the other columns of a :class:`Use`, and ``native_key`` of its article."""
    same = ("quote_id", "outlet", "variant_id", "text", "before", "after", "language", "speaker")
    words = sum(word != GAP for word in (canonical_text(row["text"]) or "").split())
    return Use(article=row["native_key"], words=words, **{name: row[name] for name in same})


@dataclass(frozen=True, slots=True)
class Comparison:
    """A use compared with the reference, the fullest use of the group."""

    use: Use
    reference: Use
    #: From the reference, each with the number of other outlets that carry the omitted words; 0 if these are no risk or
    #: the article has them beside the use.
    differences: tuple[tuple[Difference, int], ...]
    credited_elsewhere: str | None  #: name that most other outlets give, if they surely credit another person
    trimmed: bool  #: something risky is omitted that enough other outlets carry

    def rows(self) -> list[dict[str, Any]]:
        """The differences as the column of that name in ``quote_comparisons``."""
        text, whole = self.use.text, self.reference.text
        return [
            {
                "kind": one.kind.value,
                "start": one.span[0],
                "end": one.span[1],
                "words": text[slice(*one.span)],
                "reference_start": one.reference[0],
                "reference_end": one.reference[1],
                "reference_words": whole[slice(*one.reference)],
                "cue": None if one.cue is None else whole[slice(*one.cue)],
                "outlets": outlets,
            }
            for one, outlets in self.differences
        ]


def compare(uses: Sequence[Use], least_carriers: int = CARRIERS, wordings: int = WORDINGS) -> list[Comparison]:
    """Compare the uses of a group, one or more, in their order. See :data:`CARRIERS` and :data:`WORDINGS`."""
    group, found = _Group(uses, wordings), []
    for use in uses:
        counted = tuple((each, group.carriers(use, each)) for each in group.aligned[use.text].differences)
        trimmed = any(outlets >= least_carriers for _, outlets in counted)
        found.append(Comparison(use, group.reference, counted, group.credited_elsewhere(use), trimmed))
    return found


class _Group:
    """Texts, outlets and speakers of a group; results by text are cached for its other uses."""

    def __init__(self, uses: Sequence[Use], wordings: int) -> None:
        self.reference = min(uses, key=lambda use: (-use.words, use.variant_id, use.text, use.quote_id))
        self.wordings = wordings
        by_text = defaultdict[str, list[Use]](list)
        self.by_article = defaultdict[str, set[str]](set)
        #: Credited name → text → outlets.
        self.credited = defaultdict[str, dict[str, set[str]]](lambda: defaultdict(set))
        for use in uses:
            by_text[use.text].append(use)
            self.by_article[use.article].add(use.text)
        outlets = {text: len({use.outlet for use in its}) for text, its in by_text.items()}
        first = sorted(by_text, key=lambda text: (-outlets[text], content_id(text)))
        self.by_text = {text: by_text[text] for text in first}
        self.aligned = {text: align(self.reference.text, text, self.reference.language) for text in first}
        for text, its in self.by_text.items():
            for use in its:
                if use.speaker is not None:
                    self.credited[use.speaker][text].add(use.outlet)
        self.carrying = cache(self._carrying)
        self.crediting = cache(self._crediting)
        self.share = cache(self._share)

    def carriers(self, use: Use, omission: Difference) -> int:
        """Other outlets that carry the words a use omits; 0 if its article has them too."""
        text, whole, speaker = self.reference.text, self.reference, use.speaker
        by_one = speaker is not None and whole.speaker is not None and may_be_same_person(speaker, whole.speaker)
        if (
            not self.share(use.text, text, MIN_RUN_OF_SPEAKER if by_one else MIN_RUN)
            or article_has_omission(text, omission, use.before, use.text, use.after, use.language)
            or any(is_carried(omission, self.aligned[text]) for text in self.by_article[use.article])
        ):
            return 0
        outlets = self.carrying(omission)
        return len(outlets) - (use.outlet in outlets)

    def _carrying(self, omission: Difference) -> set[str]:
        texts = [text for text in islice(self.by_text, self.wordings) if is_carried(omission, self.aligned[text])]
        return {use.outlet for text in texts for use in self.by_text[text]}

    def credited_elsewhere(self, use: Use) -> str | None:
        """The name that most other outlets give, if the use credits another person and no other outlet its person."""
        if use.speaker is None or len(self.credited) > MAX_NAMES:
            return None
        named = dict[str, int]()
        for name in self.credited:
            outlets = self.crediting(use.text, name)
            others = len(outlets) - (use.outlet in outlets)
            if others and (may_be_same_person(use.speaker, name) or frozenset((use.speaker, name)) in self._doubts):
                return None
            if others:
                named[name] = others
        return min(named, key=lambda name: (-named[name], name), default=None)

    def _crediting(self, text: str, name: str) -> set[str]:
        """Outlets that credit a text, or one with a common run, to a name."""
        texts = self.credited[name]
        shared = [other for other in islice(texts, self.wordings) if self.share(text, other, MIN_RUN)]
        return {outlet for other in shared for outlet in texts[other]}

    @cached_property
    def _doubts(self) -> set[frozenset[str]]:
        """Pairs of names: a use that surely credits one has the surname of the other, around it or in a quote in it."""
        found = set[frozenset[str]]()
        surnames = {name: name_words(name)[-1] for name in self.credited}
        for use in (use for uses in self.by_text.values() for use in uses):
            if use.speaker is None:
                continue
            texts = [*same_sentence(use.before, use.after), *([use.text] if _INNER.search(use.text) else [])]
            words = [word for text in texts for word in fold(text).words]
            named = (name for name, surname in surnames.items() if any(word.startswith(surname) for word in words))
            found |= {frozenset((use.speaker, name)) for name in named if name != use.speaker}
        return found

    def _share(self, one: str, other: str, least: tuple[int, int]) -> bool:
        """Whether two texts have a common run of the reference of at least so many words and characters."""
        both = set(self.aligned[other].kept)
        words = start = end = 0
        for word in self.aligned[one].kept:
            if word not in both:
                continue
            joined = words and not _WORD.search(self.reference.text, end, word[0])
            words, start = (words + 1, start) if joined else (1, word[0])
            end = word[1]
            if words >= least[0] and end - start >= least[1]:
                return True
        return False
