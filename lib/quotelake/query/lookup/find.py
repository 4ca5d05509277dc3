"""Where has this been said before: the known quotes nearest to a text, group by group, with their uses."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from quotelake.errors import InputError
from quotelake.query.ask import Ask, Rows
from quotelake.query.lookup.known import Known, read_counts, read_uses
from quotelake.query.lookup.meaning import Close, Meanings, Vectors
from quotelake.query.lookup.wording import Near, Wordings, size_of
from quotelake.quotes.keys import canonical_text

#: Score from which a quote is found. Two texts of six words that differ in two of them have .67.
LEAST: Final = 0.6
#: Words of the longest text that is looked up: longer than any quote of news, and a page of text is a mistake.
MOST_WORDS: Final = 600

_Placed = TypeVar("_Placed", Near, Close)


class Found(NamedTuple):
    """A group of known quotes that is near to the text."""

    group_id: str
    quote: str
    """Canonical text of the variant nearest to the text."""
    variant_id: str
    how: str
    """``same``: the same wording; ``longer``: the text is a part of the quote; ``shorter``: the quote is a part of the
    text; ``near``: some words differ; ``meaning``: other words with a similar meaning."""
    score: float
    """The greater of wording and meaning."""
    wording: float
    """0 to 1, see :mod:`quotelake.query.lookup.wording`."""
    meaning: float | None
    """Cosine of the vectors, -1 to 1; None where the quote has no vector."""
    variants: list[str]
    """Canonical texts of the group."""
    uses: int
    """Quotes of these texts in headlines, bodies and tweets."""
    documents: int
    """Articles and tweets with such a quote; the versions of one article count once."""
    outlets: int
    first: Mapping[str, Any]
    """The earliest use; see :func:`quotelake.query.lookup.known.read_uses`."""
    listed: Sequence[Mapping[str, Any]]
    """Uses in the order of their dates, one per article or tweet, the first use among them."""


class Candidate(NamedTuple):
    """A known text with both measures."""

    near: Near
    meaning: float | None

    @property
    def score(self) -> float:
        """The greater of wording and meaning."""
        return max(self.near.wording, self.meaning or 0.0)


class Lookup:
    """Looks texts up in a lake, as the last complete run left it.

    Args:
        ask: queries the lake.
        known: its texts.
        meanings: vectors of its texts of at least :data:`~quotelake.query.lookup.wording.LEAST_WORDS` words; None:
            texts are looked up by wording only.
        embed: returns the vector of a text; needed with ``meanings``.
    """

    def __init__(
        self, ask: Ask, known: Known, meanings: Meanings | None = None, embed: Callable[[str], Vectors] | None = None
    ) -> None:
        self._ask, self._known = ask, known
        self._wordings = Wordings(known.texts, known.group_numbers)
        self._meanings, self._embed = meanings, embed

    def find(self, text: str, top: int = 10, least: float = LEAST, uses: int | None = 3) -> list[Found]:
        """Find the groups of known quotes nearest to a text, the nearest first.

        Args:
            text: what is looked up, with or without quotation marks.
            top: groups found at most.
            least: least score of a group.
            uses: uses listed of each group; None: all.

        Raises:
            InputError: the text holds no word, or more than :data:`MOST_WORDS`.
        """
        canonical = _canonical(text)
        best = self._best_of_groups(self._candidates(canonical, top, least), top)
        if not best:
            return []
        groups = [self._known.groups[candidate.near.position] for candidate in best]
        counts = read_counts(self._ask, groups)
        listed = read_uses(self._ask, groups, None if uses is None else max(uses, 1))  # the first one is told anyway
        return [
            self._found(canonical, candidate, least, counts[group], listed[group], uses)
            for candidate, group in zip(best, groups, strict=True)
        ]

    def _candidates(self, canonical: str, top: int, least: float) -> list[Candidate]:
        """Texts among which are those of the best groups: the best by wording and the best by meaning."""
        near = self._of_first_groups(self._wordings.nearest(canonical, least, top), top)
        if self._meanings is None or self._embed is None:
            return [Candidate(each, None) for each in near]
        vector = self._embed(canonical)
        close = self._of_first_groups(self._close(vector, top, least), top)
        positions = {each.position for each in close} - {each.position for each in near}
        near += self._wordings.measure(canonical, sorted(positions))
        meanings = self._meanings.measure(vector, [each.position for each in near])
        return [Candidate(each, meaning) for each, meaning in zip(near, meanings, strict=True)]

    def _close(self, vector: Vectors, top: int, least: float) -> list[Close]:
        """Texts closest in meaning, of at least ``top`` groups if so many are close enough."""
        assert self._meanings is not None
        most = 4 * top
        while True:
            close = self._meanings.nearest(vector, most)
            enough = [each for each in close if each.meaning >= least]
            groups = {self._known.groups[each.position] for each in enough}
            if len(enough) < most or len(groups) >= top:  # fewer than asked for: there are no more
                return enough
            most *= 4

    def _of_first_groups(self, ordered: Sequence[_Placed], top: int) -> list[_Placed]:
        """Those of the first ``top`` groups."""
        first = list(dict.fromkeys(self._known.groups[each.position] for each in ordered))[:top]
        return [each for each in ordered if self._known.groups[each.position] in set(first)]

    def _best_of_groups(self, candidates: Sequence[Candidate], top: int) -> list[Candidate]:
        ordered = sorted(candidates, key=lambda each: (-each.score, -each.near.wording, each.near.position))
        best: dict[str, Candidate] = {}
        for candidate in ordered:
            best.setdefault(self._known.groups[candidate.near.position], candidate)
        return list(best.values())[:top]

    def _found(
        self, canonical: str, candidate: Candidate, least: float, counts: Mapping[str, Any],
        listed: Rows, uses: int | None,
    ) -> Found:  # fmt: skip
        at = candidate.near.position
        group = self._known.groups[at]
        members = (self._known.group_numbers == self._known.group_numbers[at]).nonzero()[0]
        return Found(
            group, self._known.texts[at], self._known.ids[at], _how(canonical, self._known.texts[at], candidate, least),
            candidate.score, candidate.near.wording, candidate.meaning, [self._known.texts[each] for each in members],
            counts["uses"], counts["documents"], counts["outlets"], listed[0], [*listed][:uses],
        )  # fmt: skip


def _canonical(text: str) -> str:
    # A lone surrogate, from input that is not UTF-8, has no place in a tokenizer.
    canonical = canonical_text(text.encode("utf-8", "replace").decode())
    if canonical is None:
        raise InputError("the text to look up holds no word")
    words = size_of(canonical)
    if words > MOST_WORDS:
        raise InputError(f"the text to look up has {words:,} words, at most {MOST_WORDS} are looked up: give one quote")
    return canonical


def _how(canonical: str, quote: str, candidate: Candidate, least: float) -> str:
    if canonical == quote:
        return "same"
    if candidate.near.wording < least:
        return "meaning"
    if candidate.near.changes > 0:
        return "near"
    known, asked = size_of(quote), size_of(canonical)
    return "longer" if known > asked else "shorter" if known < asked else "near"
