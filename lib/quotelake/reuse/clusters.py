"""Verified pairs → groups of one quote each, around an anchor; never by chains of pairs.

Connected pairs alone would chain: a phrase inside two long quotes would join both, and so on into giants. So first the
variants of one wording gather around anchors (star clustering, Aslam, Pelekhov and Rus 2004), then each shorter one
joins a group that contains it. Every variant is at most three verified pairs from the anchor of its group.

Groups depend only on which variants there are, not on their counts or order of arrival. When new ones arrive,
:func:`group_changes` lists the groups that were renamed, merged or split.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from quotelake.quotes.keys import canonical_text
from quotelake.reuse.excerpts import UseOf, decide
from quotelake.reuse.postings import Integers, postings_of
from quotelake.reuse.verify import EXCERPT_PAIR, Pair, pairs_within
from quotelake.reuse.words import tokenize
from quotelake.text.ids import content_id

_WORDINGS: Final = frozenset({"wording", "spelling"})


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


def group_texts(texts: Sequence[str], uses: Sequence[UseOf] = ()) -> list[str | None]:
    """``group_id`` of each text as a run gives it, without Spark; None for a text without words.

    ``uses`` are the use of each text, or empty: then a short excerpt joins the only group whose texts contain it.

    >>> one, same, other = group_texts(["“We won!”", "we won", "We lost"])
    >>> one == same, one == other
    (True, False)
    """
    canonical = {text: canonical_text(text) for text in texts}
    ids = {folded: content_id(folded) for folded in canonical.values() if folded is not None}
    words = {variant: tokenize(folded) for folded, variant in ids.items()}
    pairs = list(pairs_within(postings_of(list(words), list(words.values())), words))
    places = group_pairs(pair for pair in pairs if pair.measure != EXCERPT_PAIR)
    groups = {variant: places[variant].group_id if variant in places else variant for variant in words}
    used: dict[str, set[UseOf]] = defaultdict(set)
    for text, use in zip(texts, uses, strict=bool(uses)):
        if folded := canonical[text]:
            used[ids[folded]].add(use)
    groups |= {excerpt: found.group_id for excerpt, found in decide(pairs, groups, used).items()}
    return [None if (folded := canonical[text]) is None else groups[ids[folded]] for text in texts]


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
