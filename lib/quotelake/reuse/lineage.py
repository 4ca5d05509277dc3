"""What becomes of reuse groups when new variants arrive: which were renamed, merged or split."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple


class Change(NamedTuple):
    """Variants that went from one group to another.

    Attributes:
        old_group_id: where they were.
        group_id: where they are.
        change: ``renamed`` (all of the group, under another anchor), ``merged`` (all of it, with others that were in
            other groups) or ``split`` (a part of it).
        variants: how many went.
    """

    old_group_id: str
    group_id: str
    change: str
    variants: int


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    """Compare the groups of variants; sorted.

    Args:
        before: group of each variant: of a group all variants or none.
        after: group of each of these variants now.

    >>> changes({"a": "a", "b": "b"}, {"a": "a", "b": "a"})
    [Change(old_group_id='b', group_id='a', change='merged', variants=1)]
    """
    went: dict[str, Counter[str]] = defaultdict(Counter)
    came: dict[str, set[str]] = defaultdict(set)
    for variant, old in before.items():
        went[old][after[variant]] += 1
        came[after[variant]].add(old)
    found = []
    for old, groups in went.items():
        for group, variants in groups.items():
            if group != old:
                change = "split" if len(groups) > 1 else "merged" if len(came[group]) > 1 else "renamed"
                found.append(Change(old, group, change, variants))
    return sorted(found)
