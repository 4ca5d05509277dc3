"""Hostile texts for a pattern, made from its parse tree, and how the pattern's time grows with their length.

A pattern becomes slow at a repeat, if it can begin or continue there in many ways before it fails. So a text consists
of a match of what precedes a repeat, then matches of the repeated part, thousands of times, then an end that fails.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from math import inf, log
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

#: Characters tried for each class, beside those that the pattern names.
_USUAL: Final = "a1A _\n-.,'’(“[…=:@<é가\u0301\x00\u2003"
_CATEGORIES: Final = {
    _constants.CATEGORY_DIGIT: "1", _constants.CATEGORY_SPACE: " \n", _constants.CATEGORY_WORD: "a_",
}  # fmt: skip
_REPEATS: Final = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_CHARACTERS: Final = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)
#: Ends at which a match fails: none, a control character, one on another line, one after a space.
_SUFFIXES: Final = ("", "\x00", "\n\x00", " \x00")
#: Repeats with a larger upper bound count as unbounded.
_MANY: Final = 200
#: Most groups of characters tried, of those that a pattern distinguishes; and most of them tried in alternating pairs.
_CLASSES, _ALTERNATING = 14, 6
#: Size of the first text. Up to ``_SLOWLY`` times that, sizes grow by a quarter only: exponential time explodes fast.
_FEW, _SLOWLY = 12, 5
#: Shorter times are not compared: they are mostly overhead of the call and the clock.
_SHORTEST: Final = 2e-4
#: Seconds that no linear pattern needs for 150 characters, and that no linear function of the library needs.
PATTERN, FUNCTION = 5e-4, 0.05
#: Longer times are measured once: noise is a small part of them.
_LONG: Final = 0.1
#: A larger exponent counts as more than linear: 1 is linear, 2 quadratic; memory effects add a little to long texts.
STEEP: Final = 1.5
#: Most times that a steep growth is measured again, because another process may have disturbed it.
_AGAIN: Final = 4

Text = Callable[[int], str | bytes]


class Pump(NamedTuple):
    """A text of any size: a prefix, a repeated unit, a suffix."""

    prefix: str
    unit: str
    suffix: str

    def of(self, size: int) -> str:
        """Make the text, about ``size`` characters long."""
        return self.prefix + self.unit * (size // len(self.unit)) + self.suffix


class Growth(NamedTuple):
    """How the time of one call grows: exponent of the size, the text, and the method of the pattern."""

    exponent: float
    seconds: float
    size: int
    use: str
    pump: Pump | None


class _Repeat(NamedTuple):
    before: str
    item: str
    atoms: list[Any]


def runner(pattern: re.Pattern[Any], use: str) -> Callable[[Any], object]:
    """A call of a method of a pattern; methods that search repeatedly through the text all run as ``finditer``."""
    if use in ("search", "match", "fullmatch"):
        return getattr(pattern, use)  # type: ignore[no-any-return]
    return lambda text: sum(1 for _ in pattern.finditer(text))


def pumps(pattern: re.Pattern[Any]) -> list[Pump]:
    """Make the hostile texts of a pattern.

    >>> sorted({pump.unit for pump in pumps(re.compile(r"\\(a+b"))})[:3]
    [' (', '(', '(a']
    """
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = _parser.parse(text, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
    repeats: list[_Repeat] = []
    whole = _sample(tree, "", repeats)
    ignore = bool(pattern.flags & re.IGNORECASE)
    classes = _representatives([atom for repeat in repeats for atom in repeat.atoms], whole, ignore)
    made: dict[Pump, None] = {}
    for repeat in repeats or [_Repeat("", whole, [])]:
        inside = [c for c in classes if any(_fits(atom, c, ignore) for atom in repeat.atoms)] or classes
        units = [*inside, repeat.item, *map("".join, permutations(inside[:_ALTERNATING], 2))]
        units += [repeat.item + c for c in classes if c not in inside]
        units += [repeat.before, f" {repeat.before}", *(repeat.before + c for c in inside[:_ALTERNATING])]
        for unit in filter(None, units):
            for prefix in {repeat.before: None, "": None}:
                for suffix in _SUFFIXES:
                    made[Pump(prefix, unit, suffix)] = None
    return list(made)


def _sample(tree: Any, before: str, repeats: list[_Repeat]) -> str:
    """A short text that the nodes match, ignoring look-arounds; appends each unbounded repeat to ``repeats``."""
    made = ""
    for kind, value in tree:
        if kind in _CHARACTERS:
            made += next(_matching([(kind, value)]), "a")
        elif kind in _REPEATS:
            least, most, item = value
            inner = _sample(item, before + made, repeats)
            if most > _MANY:
                repeats.append(_Repeat(before + made, inner, list(_atoms(item))))
            made += inner * max(least, 1 if most > _MANY else 0)
        elif kind is _constants.SUBPATTERN:
            made += _sample(value[3], before + made, repeats)
        elif kind is _constants.ATOMIC_GROUP:
            made += _sample(value, before + made, repeats)
        elif kind is _constants.BRANCH:
            branches = [_sample(branch, before + made, repeats) for branch in value[1]]
            made += branches[0]
        elif kind in (_constants.ASSERT, _constants.ASSERT_NOT) and value[0] > 0:
            _sample(value[1], before + made, repeats)
    return made


def _atoms(tree: Any) -> Iterator[Any]:
    """All literals and character classes in nodes."""
    for kind, value in tree:
        if kind in _CHARACTERS:
            yield kind, value
        elif kind in _REPEATS:
            yield from _atoms(value[2])
        elif kind is _constants.SUBPATTERN:
            yield from _atoms(value[3])
        elif kind is _constants.ATOMIC_GROUP:
            yield from _atoms(value)
        elif kind is _constants.BRANCH:
            for branch in value[1]:
                yield from _atoms(branch)


def _representatives(atoms: Sequence[Any], whole: str, ignore: bool) -> list[str]:
    """One character for each set of atoms that a character can match; those that match most atoms first."""
    atoms = atoms[:200]
    found: dict[tuple[bool, ...], str] = {}
    for character in [*_USUAL, *whole[:50], *(c for atom in atoms for c in _named(atom))]:
        found.setdefault(tuple(_fits(atom, character, ignore) for atom in atoms), character)
    return [found[key] for key in sorted(found, key=sum, reverse=True)][:_CLASSES]


def _named(atom: Any) -> Iterator[str]:
    kind, value = atom
    if kind is _constants.LITERAL or kind is _constants.NOT_LITERAL:
        yield chr(value)
    elif kind is _constants.IN:
        for inner, what in value[:20]:
            if inner is _constants.RANGE:
                yield chr(what[0])
            elif inner is _constants.CATEGORY:
                yield from _CATEGORIES.get(what, "")
            elif inner is _constants.LITERAL:
                yield chr(what)


def _matching(atoms: Sequence[Any]) -> Iterator[str]:
    for atom in atoms:
        for character in (*_named(atom), *_USUAL):
            if _fits(atom, character, False):
                yield character


def _fits(atom: Any, character: str, ignore: bool) -> bool:
    """Whether a literal or a class matches a character."""
    if ignore and (character.lower(), character.upper()) != (character, character):
        return any(_fits(atom, each, False) for each in (character.lower()[:1], character.upper()[:1]))
    kind, value = atom
    point = ord(character)
    if kind is _constants.ANY:
        return character != "\n"
    if kind is not _constants.IN:
        return (point == value) is (kind is _constants.LITERAL)
    negated = value[0][0] is _constants.NEGATE
    for inner, what in value:
        if (
            (inner is _constants.LITERAL and what == point)
            or (inner is _constants.RANGE and what[0] <= point <= what[1])
            or (inner is _constants.CATEGORY and _in_category(what, character))
        ):
            return not negated
    return negated


def _in_category(category: Any, character: str) -> bool:
    name = str(category).removeprefix("CATEGORY_")
    is_in = {"DIGIT": character.isdigit(), "SPACE": character.isspace()}.get(
        name.removeprefix("NOT_"), character.isalnum() or character == "_"
    )
    return is_in is not name.startswith("NOT_")


def growth(
    run: Callable[[Any], object], texts: Sequence[Text], size: int, factor: int = 4, patience: float = PATTERN
) -> tuple[float, float, int]:
    """The worst growth of a call over several texts: (exponent, seconds, index of the text).

    All texts are measured at ``size``, and the three slowest again at ``factor`` times that size, three times each; the
    least time counts. A text that is slow while it is short is not made longer: with an exponential pattern the call
    would never end.

    Args:
        run: the call.
        texts: functions from a size to a text of about that size.
        size: characters of the smaller texts.
        factor: ratio of the larger size to the smaller.
        patience: seconds after which a text of 150 characters counts as slow; in proportion for longer ones.
    """
    times = [_careful(run, text, size, patience) for text in texts]
    worst = (0.0, 0.0, 0)
    for index in sorted(range(len(texts)), key=lambda at: times[at][1] / times[at][0], reverse=True)[:3]:
        reached, _ = times[index]
        low, high = (reached, reached * factor) if reached == size else (reached // 2, reached)
        exponent, long = _exponent(run, texts[index], low, high)
        for _ in range(_AGAIN):
            if exponent <= STEEP:
                break
            exponent, long = min((exponent, long), _exponent(run, texts[index], low, high))
        worst = max(worst, (exponent, long, index))
    return worst


def _careful(run: Callable[[Any], object], text: Text, size: int, patience: float) -> tuple[int, float]:
    """Measure at growing sizes up to ``size``, or until the text is slow: (size reached, seconds)."""
    step = _FEW
    while True:
        step = min(step, size)
        took = _seconds(run, text(step))
        if step == size or took > patience * max(1, step / 150):
            return step, took
        step = step * 5 // 4 if step < _SLOWLY * _FEW else step * 4


def _exponent(run: Callable[[Any], object], text: Text, low: int, high: int) -> tuple[float, float]:
    short, long = _least(run, text(low)), _least(run, text(high))
    return (log(long / short) / log(high / low) if long > _SHORTEST else 0.0), long


def _least(run: Callable[[Any], object], text: str | bytes) -> float:
    least = inf
    for _ in range(3):
        least = min(least, _seconds(run, text))
        if least > _LONG:
            break
    return least


def _seconds(run: Callable[[Any], object], text: str | bytes) -> float:
    begin = time.thread_time()
    run(text)
    return max(time.thread_time() - begin, 1e-9)


def worst_growth(pattern: re.Pattern[Any], uses: Sequence[str], size: int, factor: int = 4) -> Growth:
    """The worst growth of a pattern over its hostile texts and the methods used on it.

    >>> slow, fixed = (worst_growth(re.compile(p), ["search"], 1000).exponent for p in (r"\\s+x", r"(?<!\\s)\\s++x"))
    >>> slow > 1.5 > fixed
    True
    """
    made = pumps(pattern)
    encode = isinstance(pattern.pattern, bytes)
    texts: list[Text] = [(lambda n, p=p: p.of(n).encode()) if encode else p.of for p in made]  # type: ignore[misc]
    worst = Growth(0.0, 0.0, 0, "", None)
    for use in dict.fromkeys(use if use in ("search", "match", "fullmatch") else "finditer" for use in uses):
        exponent, seconds, index = growth(runner(pattern, use), texts, size, factor)
        if exponent > worst.exponent:
            worst = Growth(exponent, seconds, size * factor, use, made[index])
    return worst
