"""Short excerpts → the group that each joins: that of the longer texts that hold it. Pure.

A short excerpt tells too little to be surely of the quote that it stands in (*trying to cheat in the election*): it may
be a phrase that many people say (*guilty by reason of insanity*). What tells the two apart is how many different quotes
hold it, who said it and when. An excerpt joins a group as a member that nothing goes by: it joins no two groups, and no
other text joins a group because of it.

A decision depends on which variants, pairs and uses there are, and on nothing else. So it is made anew when an excerpt
or a text that holds it is used, and nights in any order leave the same one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from quotelake.reuse.verify import EXCERPT_PAIR, Pair
from quotelake.text.forms import may_be_same_person

#: What ``variant_groups`` says of an excerpt: it joined a group; or so many texts hold it that it is a phrase.
JOINED, PHRASE = "joined", "phrase"
#: Texts that may hold an excerpt: with more of them it is a phrase, and not looked at again [ours].
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
    """The group of an excerpt, its own where it joins none, and :data:`JOINED`, :data:`PHRASE` or None."""

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
        pairs: all pairs of each excerpt, of any measure; those of measure :data:`EXCERPT_PAIR` say which texts hold it.
        groups: group of each variant in them: of an excerpt the one that it has without joining any.
        uses: of each variant, in any order; none of a text that is given without documents.
    """
    held: dict[str, set[str]] = defaultdict(set)
    alike: dict[str, set[str]] = defaultdict(set)
    words: dict[str, int] = {}
    for pair in pairs:
        words |= {pair.a: pair.words_a, pair.b: pair.words_b}
        if pair.measure == EXCERPT_PAIR:
            inner, outer = pair.part_and_whole
            held[inner].add(outer)
        else:
            alike[pair.a].add(pair.b)
            alike[pair.b].add(pair.a)
    now = dict(groups)
    found: dict[str, Decision] = {}
    for excerpt in sorted(held, key=lambda excerpt: (-words[excerpt], excerpt)):  # what holds it is longer: is decided
        is_alone = now[excerpt] == excerpt and all(now[other] != excerpt for other in alike[excerpt])
        group = None
        if len(held[excerpt]) <= MOST_HOLDERS and is_alone:
            group = _joined(excerpt, {holder: now[holder] for holder in held[excerpt]}, uses)
        mark = PHRASE if len(held[excerpt]) > MOST_HOLDERS else None if group is None else JOINED
        found[excerpt] = Decision(group or now[excerpt], mark)
        now[excerpt] = found[excerpt].group_id
    return found


class _Uses:
    """Some uses, by what others are compared with."""

    def __init__(self, uses: Iterable[UseOf]) -> None:
        uses = tuple(uses)
        self.texts = {use.text_id for use in uses if use.text_id is not None}
        self.months = {use.month for use in uses if use.month is not None}
        self.speakers = {use.speaker for use in uses if use.speaker is not None}

    def have(self, use: UseOf, months: int | None = None) -> bool:
        """Whether one is in the same text as a use or surely by the same speaker.

        Given ``months``, also whether one is at most so many apart, unless both speakers are known and are two people.
        """
        if use.text_id in self.texts or (
            use.speaker and any(may_be_same_person(use.speaker, one) for one in self.speakers)
        ):
            return True
        if use.month is None or months is None or (use.speaker and self.speakers):
            return False
        return not self.months.isdisjoint(range(use.month - months, use.month + months + 1))


def _joined(excerpt: str, groups: Mapping[str, str], uses: Mapping[str, Collection[UseOf]]) -> str | None:
    """The group that an excerpt joins, given that of each text that holds it; None if it is not surely of one.

    Held by one group, a use must be in the same text as a use of a longer text, surely by the same speaker, or at about
    the same time and not surely by another speaker; texts without uses are taken to be of one time. Held by several,
    every use must be in the same text or by the same speaker as one of a group, and none as one of another.
    """
    own = uses.get(excerpt, ())
    around: dict[str, list[UseOf]] = defaultdict(list)
    for holder, group in groups.items():
        around[group] += uses.get(holder, ())
    said = {group: _Uses(others) for group, others in around.items()}
    if len(said) == 1:
        [(group, others)] = said.items()
        is_near = not own or not around[group] or any(others.have(use, NEAR_MONTHS) for use in own)
        return group if is_near else None
    near = {group: [others.have(use) for use in own] for group, others in said.items()}
    touched = [group for group, those in near.items() if any(those)]
    return touched[0] if len(touched) == 1 and all(near[touched[0]]) else None
