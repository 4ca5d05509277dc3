"""The uses of one quote by several outlets held against its fullest wording, and against one another. Pure.

The reference of a group is the use with the most words; of several the one whose variant, then text, then id comes
first. So neither counts nor the order of arrival decide. Outlets count once however often they use a quote. Copies of
one story count as often as outlets have them: a story id, once there is one, takes the place of the outlet here.

Every wording is compared with the reference, and with so many wordings of others as the settings say: those that most
outlets use, of as many the ones whose hash comes first. So time grows with the number of wordings, not with its square.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Final

from quotelake.quotes.keys import GAP, canonical_text
from quotelake.reuse.differences import Alignment, Difference, align, is_carried
from quotelake.reuse.trimming import bears, has_instead, is_said_beside, same_sentence
from quotelake.text.fold import fold
from quotelake.text.ids import content_id
from quotelake.text.people import may_be_one, name_words

#: Characters of an article that are looked at on each side of a use.
AROUND: Final = 400
#: A quotation mark inside a quote: some of its words are somebody else's.
_INNER: Final = re.compile(r"[“„«\"‘]|(?<!\w)'(?=\w)")
#: A name with such letters is two names run together by the page it was read from.
_RUN_TOGETHER: Final = re.compile(r"[a-z]{4}[A-Z]")


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a quote by an outlet.

    Attributes:
        quote_id: the quote that is this use.
        article: the same for all versions of an article.
        outlet: who publishes it.
        variant_id: variant of the text.
        words: words of the variant.
        text: the quote as used, without its marks.
        before: the article's text before it, as far as it is looked at.
        after: the same behind it.
        speaker: full name, where the article surely credits the quote to this person.
    """

    quote_id: str
    article: str
    outlet: str
    variant_id: str
    words: int
    text: str
    before: str = ""
    after: str = ""
    speaker: str | None = None


def certain_speaker(speaker: Mapping[str, Any] | None) -> str | None:
    """Full name of a speaker, if the attribution itself names the person: no pronoun, nobody taken over.

    Args:
        speaker: the struct of that name in ``quotes``.

    >>> bell = {"text": "Mayor Bell", "type": "person", "name": "Rita Bell", "how": "after"}
    >>> certain_speaker(bell), certain_speaker(bell | {"text": "she"}), certain_speaker(bell | {"how": "continued"})
    ('Rita Bell', None, None)
    """
    if speaker is None or speaker["type"] != "person" or speaker["name"] is None or speaker["how"] == "continued":
        return None
    name = name_words(speaker["name"])
    if len(name) < 2 or name[-1] not in name_words(speaker["text"]) or _RUN_TOGETHER.search(speaker["name"]):
        return None
    return str(speaker["name"])


def use_of(row: Mapping[str, Any]) -> Use:
    """A use from its row: ``quote_id``, ``native_key``, ``outlet``, ``variant_id``, ``text``, ``before``, ``after``,
    and the struct ``speaker``.
    """
    canonical = canonical_text(row["text"]) or ""
    return Use(
        quote_id=row["quote_id"],
        article=row["native_key"],
        outlet=row["outlet"],
        variant_id=row["variant_id"],
        words=sum(word != GAP for word in canonical.split()),
        text=row["text"],
        before=row["before"],
        after=row["after"],
        speaker=certain_speaker(row["speaker"]),
    )


def mentions(use: Use, name: str) -> bool:
    """Whether a use may be credited to somebody in passing: by the surname in its sentence, or in a quote within it."""
    surname = name_words(name)[-1]
    texts = [*same_sentence(use.before, use.after), *([use.text] if _INNER.search(use.text) else [])]
    return any(word.startswith(surname) for text in texts for word in fold(text).words)


#: Words in a row, and their characters, that two uses must share to be surely of one utterance: what is shorter is said
#: by many people [ours: read on real news, where *I've never seen anything like this in my …* is two people's].
SHARED_WORDS: Final = 8
SHARED_CHARACTERS: Final = 45
#: Names credited with one quote beyond which it is a phrase that many say, and nobody is credited otherwise [ours].
MANY: Final = 12
_WORD: Final = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was found about a use.

    Attributes:
        use: the use.
        reference: the fullest use of the group.
        differences: from the reference, each with the number of other outlets that carry what is omitted; 0 where
            nothing risky is, or its article tells it beside the use.
        others: full name that most other outlets give, where they surely credit another person; else None.
        trimmed: something risky is omitted that enough other outlets carry.
    """

    use: Use
    reference: Use
    differences: tuple[tuple[Difference, int], ...]
    others: str | None
    trimmed: bool

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


def compare(uses: Sequence[Use], least_carriers: int, wordings: int) -> list[Comparison]:
    """Compare the uses of a group.

    Args:
        uses: one or more; the comparisons have their order.
        least_carriers: outlets, beside that of a use, that must carry what it omits for it to be trimmed.
        wordings: texts that each text is compared with: those of most outlets, then by hash.
    """
    reference = min(uses, key=lambda use: (-use.words, use.variant_id, use.text, use.quote_id))
    by_text = defaultdict[str, list[Use]](list)
    for use in uses:
        by_text[use.text].append(use)
    outlets = {text: len({use.outlet for use in its}) for text, its in by_text.items()}
    first = sorted(by_text, key=lambda text: (-outlets[text], content_id(text)))
    aligned = {text: align(reference.text, text) for text in first}
    group = _Group(reference, wordings, {text: by_text[text] for text in first}, aligned)
    found = []
    for use in uses:
        counted = tuple((each, group.carriers(use, each)) for each in group.aligned[use.text].differences)
        trimmed = any(outlets >= least_carriers for _, outlets in counted)
        found.append(Comparison(use, reference, counted, group.others(use), trimmed))
    return found


@dataclass(frozen=True)
class _Group:
    """What uses are compared with; what was found once is kept for the other uses.

    Attributes:
        reference: the fullest use.
        wordings: texts of other outlets, the first ones, that each text is compared with; of a speaker as many.
        by_text: all uses by their text, in the order in which texts are compared.
        aligned: each text of the group beside the reference.
    """

    reference: Use
    wordings: int
    by_text: Mapping[str, Sequence[Use]]
    aligned: Mapping[str, Alignment]
    known: dict[Difference, set[str]] = field(default_factory=dict)
    shared: dict[tuple[str, str, int], bool] = field(default_factory=dict)
    by_name: dict[tuple[str, str], set[str]] = field(default_factory=dict)

    def carriers(self, use: Use, omission: Difference) -> int:
        """Other outlets that have what a use omits and say it of what it keeps; 0 if its article has it too."""
        text = self.reference.text
        if not self._are_one(use, self.reference) or not bears(text, omission):
            return 0
        if has_instead(use.text, omission, self.aligned[use.text].differences):
            return 0
        if is_said_beside(text, omission, use.before, use.after):
            return 0
        if any(is_carried(omission, self.aligned[text]) for text in self.by_article[use.article]):
            return 0
        outlets = self.carrying(omission)
        return len(outlets) - (use.outlet in outlets)

    def carrying(self, omission: Difference) -> set[str]:
        """Outlets that have what is omitted; looked up once for all uses of one text."""
        if omission not in self.known:
            texts = [text for text in islice(self.by_text, self.wordings) if is_carried(omission, self.aligned[text])]
            self.known[omission] = {use.outlet for text in texts for use in self.by_text[text]}
        return self.known[omission]

    @cached_property
    def by_article(self) -> dict[str, set[str]]:
        """Texts of the uses of each article."""
        found = defaultdict[str, set[str]](set)
        for text, uses in self.by_text.items():
            for use in uses:
                found[use.article].add(text)
        return found

    def others(self, use: Use) -> str | None:
        """The name that most other outlets give, if the use credits another person and no other outlet its person."""
        if use.speaker is None or len(self.credited) > MANY:
            return None
        named = dict[str, int]()
        for name in self.credited:
            outlets = self.crediting(use.text, name)
            others = len(outlets) - (use.outlet in outlets)
            if others and (may_be_one(use.speaker, name) or frozenset((use.speaker, name)) in self.doubts):
                return None
            if others:
                named[name] = others
        return min(named, key=lambda name: (-named[name], name), default=None)

    def crediting(self, text: str, name: str) -> set[str]:
        """Outlets that credit a text, or one that shares enough words with it, to a name."""
        if (text, name) not in self.by_name:
            texts = self.credited[name]
            shared = [
                other
                for other in islice(texts, self.wordings)
                if self._share(text, other, SHARED_WORDS, SHARED_CHARACTERS)
            ]
            self.by_name[text, name] = {outlet for other in shared for outlet in texts[other]}
        return self.by_name[text, name]

    @cached_property
    def credited(self) -> dict[str, dict[str, set[str]]]:
        """Outlets by the name that they surely credit the quote to, and by their text."""
        found = defaultdict[str, dict[str, set[str]]](lambda: defaultdict(set))
        for text, uses in self.by_text.items():
            for use in uses:
                if use.speaker is not None:
                    found[use.speaker][text].add(use.outlet)
        return found

    @cached_property
    def doubts(self) -> set[frozenset[str]]:
        """Pairs of names of which the sentence of a use credited to one has the other."""
        names = list(self.credited)
        return {
            frozenset((use.speaker, name))
            for uses in self.by_text.values()
            for use in uses
            if use.speaker is not None
            for name in names
            if name != use.speaker and mentions(use, name)
        }

    def _are_one(self, one: Use, other: Use) -> bool:
        """Whether two uses surely are of one utterance: by the words they share, of one speaker by fewer."""
        same = one.speaker is not None and other.speaker is not None and may_be_one(one.speaker, other.speaker)
        few = (5, 20) if same else (SHARED_WORDS, SHARED_CHARACTERS)
        return self._share(one.text, other.text, *few)

    def _share(self, one: str, other: str, least_words: int, least_characters: int) -> bool:
        """Whether two texts share so many words of the reference in a row, with so many characters."""
        key = one, other, least_words
        if key not in self.shared:
            runs = self._runs(one, other)
            self.shared[key] = any(n >= least_words and size >= least_characters for n, size in runs)
        return self.shared[key]

    def _runs(self, one: str, other: str) -> Iterator[tuple[int, int]]:
        """Words and characters of the runs of words of the reference that two texts share, as they grow."""
        both = set(self.aligned[other].kept)
        words = start = end = 0
        for word in self.aligned[one].kept:
            if word not in both:
                continue
            joined = words and not _WORD.search(self.reference.text, end, word[0])
            words, start = (words + 1, start) if joined else (1, word[0])
            end = word[1]
            yield words, end - start
