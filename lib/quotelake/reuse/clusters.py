"""Verified pairs → groups of one quote each, around an anchor; never by chains of pairs.

Connected pairs alone would chain: a phrase inside two long quotes would join both, and so on into giants. So first the
variants of one wording gather around anchors (star clustering, Aslam, Pelekhov and Rus 2004), then each shorter one
joins a group that contains it. Every variant is at most three verified pairs from the anchor of its group.

A short excerpt may be of the quote that contains it (*trying to cheat in the election*), or a phrase of many people
(*guilty by reason of insanity*): that depends on how many different quotes contain it, who said it and when. It never
influences grouping, and is decided anew when it or a text that contains it is used. So groups depend only on which
variants and uses there are, not on their order of arrival.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from quotelake.reuse.postings import Integers
from quotelake.reuse.verify import EXCERPT_PAIR, Pair
from quotelake.text.forms import may_be_same_person

_WORDINGS: Final = frozenset({"wording", "spelling"})

#: Values of ``variant_groups.excerpt``: it joined a group; or so many texts contain it that it is a phrase.
JOINED, PHRASE = "joined", "phrase"
#: Texts that may contain an excerpt: with more of them it is a phrase, and not looked at again [ours].
MOST_HOLDERS: Final = 50
#: Months between two uses up to which they are of one time [measured, see docs/FIGURES.md].
NEAR_MONTHS: Final = 1


class Place(NamedTuple):
    """Group of a variant (the id of its anchor), and the least variant id of its component of pairs."""

    group_id: str
    component_id: str


def group_pairs(pairs: Iterable[Pair]) -> dict[str, Place]:
    """Place every variant that is in a pair, given all pairs of some components, in any order."""
    pairs = list(pairs)
    if not pairs:
        return {}
    words = {pair.a: pair.words_a for pair in pairs} | {pair.b: pair.words_b for pair in pairs}
    near: dict[str, set[str]] = {variant: set() for variant in words}
    containers: dict[str, set[str]] = {variant: set() for variant in words}
    for pair in pairs:
        alike = pair.measure in _WORDINGS
        if alike and pair.contained != pair.a:
            near[pair.a].add(pair.b)
        if alike and pair.contained != pair.b:
            near[pair.b].add(pair.a)
        if pair.contained:
            inner, outer = pair.part_and_whole
            containers[inner].add(outer)
    anchors = _anchors_of_wordings(near, words)
    joined = _containing_groups(anchors, containers, words)
    ids = sorted(words)
    number = {variant: at for at, variant in enumerate(ids)}
    _, label = _components([number[pair.a] for pair in pairs], [number[pair.b] for pair in pairs], len(ids))
    _, first = np.unique(label, return_index=True)  # ids ascend, so the first of a component is its least
    return {variant: Place(joined[anchors[variant]], ids[first[at]]) for variant, at in zip(ids, label, strict=True)}


def _components(a: Sequence[int] | Integers, b: Sequence[int] | Integers, texts: int) -> tuple[int, Integers]:
    """Number of components of a graph of pairs, and the component of each text; texts are numbered from 0."""
    graph = coo_array((np.ones(len(a), np.int8), (a, b)), shape=(texts, texts))
    count, label = connected_components(graph, directed=False)
    return count, label


def parts_of_components(a: Integers, b: Integers, per_part: int) -> tuple[Integers, Integers]:
    """Divide pairs into parts of whole components, each full from ``per_part`` pairs on.

    ``a`` and ``b`` are the numbers of the texts of each pair. Returns the numbers of all texts, ascending, and the part
    of each.

    >>> [each.tolist() for each in parts_of_components(np.array([7, 9, 3]), np.array([8, 7, 4]), 1)]
    [[3, 4, 7, 8, 9], [0, 0, 1, 1, 1]]
    """
    numbers, ends = np.unique(np.concatenate([a, b]), return_inverse=True)
    one, other = np.split(ends, 2)
    count, label = _components(one, other, len(numbers))
    pairs = np.bincount(label[one], minlength=count)
    return numbers, ((np.cumsum(pairs) - pairs) // per_part)[label]


def _anchors_of_wordings(near: Mapping[str, set[str]], words: Mapping[str, int]) -> dict[str, str]:
    """Anchor of each variant; ``near``: variant → those of the same wording that do not contain it.

    Variants with most neighbours come first (ties: longest, then id), each takes its neighbours that are left. The
    original wording has most: each changed variant is near it but not near every other one. No text is an anchor of one
    that contains it: the words around an excerpt may say the opposite in another quote.
    """
    anchors: dict[str, str] = {}
    for variant in sorted(near, key=lambda variant: (-len(near[variant]), -words[variant], variant)):
        if variant not in anchors:
            anchors[variant] = variant
            for other in near[variant]:
                anchors.setdefault(other, variant)
    return anchors


def _containing_groups(
    anchors: Mapping[str, str], containers: Mapping[str, set[str]], words: Mapping[str, int]
) -> dict[str, str]:
    """Anchor → anchor of the group that contains it, else itself.

    Of several groups: the one with most variants that contain it, then the largest, the one with the longest anchor,
    the last id. A group that joined another takes none in: its parts are contained in the other, or cut from elsewhere.
    """
    joined: dict[str, str] = {}
    sizes = Counter(anchors.values())
    for anchor in sorted(sizes, key=lambda anchor: (-words[anchor], anchor)):
        around = Counter(anchors[outer] for outer in containers[anchor])
        possible = {other: n for other, n in around.items() if other != anchor and joined.get(other) == other}
        joined[anchor] = max(
            possible, key=lambda other: (possible[other], sizes[other], words[other], other), default=anchor
        )
    return joined


class Change(NamedTuple):
    """Variants that moved between groups, and how many.

    ``change`` is ``renamed`` (all of the group, under another anchor), ``merged`` (all of it, with variants of other
    groups) or ``split`` (a part of it).
    """

    old_group_id: str
    group_id: str
    change: str
    variants: int


def group_changes(moves: Mapping[tuple[str, str], int]) -> list[Change]:
    """Changes of groups, sorted. ``moves``: (old group, new group) → number of variants; unmoved ones are counted too.

    >>> group_changes({("a", "a"): 1, ("b", "a"): 1})
    [Change(old_group_id='b', group_id='a', change='merged', variants=1)]
    """
    moved: dict[str, dict[str, int]] = defaultdict(dict)
    came: dict[str, set[str]] = defaultdict(set)
    for (old, new), variants in moves.items():
        moved[old][new] = variants
        came[new].add(old)
    found = []
    for old, groups in moved.items():
        for group, variants in groups.items():
            if group != old:
                change = "split" if len(groups) > 1 else "merged" if len(came[group]) > 1 else "renamed"
                found.append(Change(old, group, change, variants))
    return sorted(found)


class UseOf(NamedTuple):
    """A use of a variant: id of its document's text; month from year 0 and certain speaker's full name, if known."""

    text_id: str | None
    month: int | None = None
    speaker: str | None = None


class Decision(NamedTuple):
    """The group of an excerpt, its own id where it joins none, and :data:`JOINED`, :data:`PHRASE` or None."""

    group_id: str
    excerpt: str | None


def month_of(period: str | None) -> int | None:
    """Number of a month written YYYY-MM.

    >>> month_of("2024-03") - month_of("2023-12"), month_of(None)
    (3, None)
    """
    return None if period is None else 12 * int(period[:4]) + int(period[5:])


def decide(
    pairs: Iterable[Pair], groups: Mapping[str, str], uses: Mapping[str, Collection[UseOf]]
) -> dict[str, Decision]:
    """Decide which excerpts join a group.

    ``pairs`` are all those of each excerpt; those of measure :data:`EXCERPT_PAIR` name the texts that contain it.
    ``groups`` has the group of each variant in them: of an excerpt the one that it has without joining any. ``uses``
    are those of each variant, in any order; a text that is given without documents has none.
    """
    holders: dict[str, set[str]] = defaultdict(set)
    similar: dict[str, set[str]] = defaultdict(set)
    words: dict[str, int] = {}
    for pair in pairs:
        words |= {pair.a: pair.words_a, pair.b: pair.words_b}
        if pair.measure == EXCERPT_PAIR:
            excerpt, holder = pair.part_and_whole
            holders[excerpt].add(holder)
        else:
            similar[pair.a].add(pair.b)
            similar[pair.b].add(pair.a)
    now = dict(groups)
    found: dict[str, Decision] = {}
    for excerpt in sorted(holders, key=lambda excerpt: (-words[excerpt], excerpt)):  # its holders are longer: decided
        is_alone = now[excerpt] == excerpt and all(now[other] != excerpt for other in similar[excerpt])
        is_phrase = len(holders[excerpt]) > MOST_HOLDERS
        around = {holder: now[holder] for holder in holders[excerpt]}
        group = _joined(excerpt, around, uses) if is_alone and not is_phrase else None
        found[excerpt] = Decision(group or now[excerpt], PHRASE if is_phrase else JOINED if group else None)
        now[excerpt] = found[excerpt].group_id
    return found


def _joined(excerpt: str, groups: Mapping[str, str], uses: Mapping[str, Collection[UseOf]]) -> str | None:
    """The group that an excerpt joins, given that of each text that contains it; None if it is not surely of one.

    Contained by one group, a use must be in the same text as a use of a longer text, surely by the same speaker, or at
    about the same time and not surely by another speaker; texts without uses are taken to be of one time. Contained by
    several, every use must be in the same text or by the same speaker as one of a group, and none as one of another.
    """
    excerpt_uses = uses.get(excerpt, ())
    around: dict[str, set[UseOf]] = defaultdict(set)
    for holder, group in groups.items():
        around[group].update(uses.get(holder, ()))
    sides = {group: _Side(others) for group, others in around.items()}
    if len(sides) == 1:
        [(group, side)] = sides.items()
        is_near = any(side.has_beside(use) or side.has_of_its_time(use) for use in excerpt_uses)
        return group if is_near or not excerpt_uses or not around[group] else None
    beside = {group: [side.has_beside(use) for use in excerpt_uses] for group, side in sides.items()}
    touched = [group for group, each in beside.items() if any(each)]
    return touched[0] if len(touched) == 1 and all(beside[touched[0]]) else None


class _Side:
    """Texts, months and speakers of the uses of a group, where they are known."""

    def __init__(self, uses: Iterable[UseOf]) -> None:
        uses = tuple(uses)
        self.texts = {use.text_id for use in uses} - {None}
        self.months = {use.month for use in uses} - {None}
        self.speakers = {use.speaker for use in uses if use.speaker is not None}

    def has_beside(self, use: UseOf) -> bool:
        """Whether a use is in one of the texts, or surely by one of the speakers."""
        return use.text_id in self.texts or (
            use.speaker is not None and any(may_be_same_person(use.speaker, each) for each in self.speakers)
        )

    def has_of_its_time(self, use: UseOf) -> bool:
        """Whether a use is of about the same time; never where the speakers of both sides are known."""
        if use.month is None or (use.speaker and self.speakers):
            return False
        return not self.months.isdisjoint(range(use.month - NEAR_MONTHS, use.month + NEAR_MONTHS + 1))
