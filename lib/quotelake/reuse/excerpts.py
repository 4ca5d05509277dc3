"""Short excerpts → the group that each joins: that of the longer texts that contain it. Pure.

A short excerpt says too little to be surely of the quote that contains it (*trying to cheat in the election*): it may
be a phrase of many people (*guilty by reason of insanity*). What distinguishes the two is how many different quotes
contain it, who said it and when. An excerpt never influences grouping: it connects no two groups, and no other text
joins a group because of it.

A decision depends on which variants, pairs and uses there are, and on nothing else. It is made anew when an excerpt or
a text that contains it is used, so nights in any order leave the same one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from quotelake.reuse.verify import EXCERPT_PAIR, Pair
from quotelake.text.forms import may_be_same_person

#: Values of ``variant_groups.excerpt``: it joined a group; or so many texts contain it that it is a phrase.
JOINED, PHRASE = "joined", "phrase"
#: Texts that may contain an excerpt: with more of them it is a phrase, and not looked at again [ours].
MOST_HOLDERS: Final = 50
#: Months between two uses up to which they are of one time [measured, see docs/FIGURES.md].
NEAR_MONTHS: Final = 1


class UseOf(NamedTuple):
    """A use of a variant: id of the document's text, month counted from year 0, and full name of the certain speaker.

    The last two are None where they are not known.
    """

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

    Args:
        pairs: all pairs of each excerpt; those of measure :data:`EXCERPT_PAIR` name the texts that contain it.
        groups: group of each variant in them: of an excerpt the one that it has without joining any.
        uses: of each variant, in any order; none of a text that is given without documents.
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
