"""Hostile texts for a pattern, made from its parse tree, and how the pattern's time grows with their length.

A pattern becomes slow at a repeat, if it can begin or continue there in many ways before it fails. So a text consists
of a match of what precedes a repeat, then matches of the repeated part, thousands of times, then an end that fails.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from math import log
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

#: Characters tried for each class, beside those that the pattern names.
_USUAL: Final = "a1A _\n-.,'’(“[…=:@<é가\u0301\x00\u2003"
_REPEATS: Final = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
_CHARACTERS: Final = (_constants.LITERAL, _constants.NOT_LITERAL, _constants.IN, _constants.ANY)
#: Ends at which a match fails: none, a control character, one on another line, one after a space.
_SUFFIXES: Final = ("", "\x00", "\n\x00", " \x00")
_MANY: Final = 200  # repeats with a larger upper bound count as unbounded
#: Most groups of characters tried, of those that a pattern distinguishes; and most of them tried in alternating pairs.
_CLASSES, _ALTERNATING = 14, 6
#: Size of the first text. Up to ``_SLOWLY`` times that, sizes grow by a quarter only: exponential time explodes fast.
_FEW, _SLOWLY = 12, 5
_SHORTEST: Final = 2e-4  # shorter times are not compared: they are mostly overhead of the call and the clock
#: Seconds that no linear pattern needs for 150 characters, and that no linear function of the library needs.
PATTERN, FUNCTION = 5e-4, 0.05
_LONG: Final = 0.1  # longer times are measured once: noise is a small part of them
#: A larger exponent counts as more than linear: 1 is linear, 2 quadratic; memory effects add a little to long texts.
STEEP: Final = 1.5
_AGAIN: Final = 4  # most times that a steep growth is measured again, because another process may have disturbed it

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
    use: str
    pump: Pump | None


Matcher = Callable[[str], object]


class _Repeat(NamedTuple):
    """What precedes an unbounded repeat, a match of the repeated part, and its literals and character classes."""

    before: str
    item: str
    atoms: list[Matcher]


def pumps(pattern: re.Pattern[Any]) -> list[Pump]:
    """Make the hostile texts of a pattern."""
    repeats, whole, candidates = _Sampler(pattern).sampled()
    atoms = [atom for repeat in repeats for atom in repeat.atoms][:200]
    found: dict[tuple[bool, ...], str] = {}  # one character for each set of atoms that a character can match
    for character in candidates + whole[:50]:
        found.setdefault(tuple(bool(fits(character)) for fits in atoms), character)
    classes = [found[key] for key in sorted(found, key=sum, reverse=True)][:_CLASSES]
    made: dict[Pump, None] = {}
    for repeat in repeats or [_Repeat("", whole, [])]:
        inside = [c for c in classes if any(fits(c) for fits in repeat.atoms)] or classes
        units = [*inside, repeat.item, *map("".join, permutations(inside[:_ALTERNATING], 2))]
        units += [repeat.item + c for c in classes if c not in inside]
        units += [repeat.before, f" {repeat.before}", *(repeat.before + c for c in inside[:_ALTERNATING])]
        for unit in filter(None, units):
            for prefix in {repeat.before: None, "": None}:
                for suffix in _SUFFIXES:
                    made[Pump(prefix, unit, suffix)] = None
    return list(made)


class _Sampler:
    """Reads the parse tree of a pattern."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        in_bytes = isinstance(pattern.pattern, bytes)
        self._state = _parser.State()
        self._state.flags = pattern.flags & ~re.UNICODE if in_bytes else pattern.flags
        text = pattern.pattern.decode("latin-1") if in_bytes else pattern.pattern
        self._tree = _parser.parse(text, self._state.flags)
        named = (c for _, value in _atoms(self._tree) for c in _named(value))
        self._candidates = "".join(dict.fromkeys([*_USUAL, *named]))
        self._repeats: list[_Repeat] = []

    def sampled(self) -> tuple[list[_Repeat], str, str]:
        """Unbounded repeats, a short text that the pattern matches, and characters to try."""
        whole = self._sample(self._tree, "")
        return self._repeats, whole, self._candidates

    def _sample(self, tree: Any, before: str) -> str:
        """A short text that the nodes match, ignoring look-arounds; keeps each unbounded repeat."""
        made = ""
        for kind, value in tree:
            samples = [self._sample(part, before + made) for part in _parts(value)]
            if kind in _CHARACTERS:
                fits = self._matcher(kind, value)
                made += next((c for c in (*_named(value), *self._candidates) if fits(c)), "a")
            elif kind in _REPEATS:
                least, most, item = value
                if most > _MANY:
                    atoms = [self._matcher(*atom) for atom in _atoms(item)]
                    self._repeats.append(_Repeat(before + made, samples[0], atoms))
                made += samples[0] * max(least, 1 if most > _MANY else 0)
            elif samples and kind not in (_constants.ASSERT, _constants.ASSERT_NOT):
                made += samples[0]
        return made

    def _matcher(self, kind: Any, value: Any) -> Matcher:
        """Says whether a literal or a class matches a character."""
        node = _parser.SubPattern(self._state, [(kind, value)])
        return _compiler.compile(node, self._state.flags).fullmatch  # type: ignore[no-any-return]


def _parts(value: Any) -> list[Any]:
    """Parts of a node that have nodes themselves."""
    if isinstance(value, _parser.SubPattern):
        return [value]
    return [part for each in value for part in _parts(each)] if isinstance(value, tuple | list) else []


def _atoms(tree: Any) -> Iterator[tuple[Any, Any]]:
    """All literals and character classes in nodes."""
    for kind, value in tree:
        if kind in _CHARACTERS:
            yield kind, value
        for part in _parts(value):
            yield from _atoms(part)


def _named(value: Any) -> Iterator[str]:
    """Characters that a literal or a class names; the first of a range."""
    for kind, what in value[:20] if isinstance(value, list) else [(_constants.LITERAL, value)]:
        if kind in (_constants.LITERAL, _constants.RANGE) and what is not None:
            yield chr(what[0] if kind is _constants.RANGE else what)


def growth(
    run: Callable[[Any], object], texts: Sequence[Text], size: int, factor: int = 4, patience: float = PATTERN
) -> tuple[float, float, int]:
    """The worst growth of a call over several texts: (exponent, seconds, index of the text).

    All texts are measured at ``size`` characters, the three slowest again at ``factor`` times that size. A text that
    takes ``patience`` seconds a 150 characters is slow, and not made longer: with an exponential pattern the call would
    never end.
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
    first = _seconds(run, text)
    return first if first > _LONG else min(first, _seconds(run, text), _seconds(run, text))


def _seconds(run: Callable[[Any], object], text: str | bytes) -> float:
    begin = time.thread_time()
    run(text)
    return max(time.thread_time() - begin, 1e-9)


def worst_growth(pattern: re.Pattern[Any], uses: Sequence[str], size: int, factor: int = 4) -> Growth:
    """The worst growth of a pattern over its hostile texts and the methods used on it.

    Methods that search repeatedly through the text all run as ``finditer``.

    >>> slow, fixed = (worst_growth(re.compile(p), ["search"], 1000).exponent for p in (r"\\s+x", r"(?<!\\s)\\s++x"))
    >>> slow > 1.5 > fixed
    True
    """
    made = pumps(pattern)
    encode = isinstance(pattern.pattern, bytes)
    texts: list[Text] = [(lambda n, p=p: p.of(n).encode()) if encode else p.of for p in made]  # type: ignore[misc]
    once = ("search", "match", "fullmatch")
    worst = Growth(0.0, 0.0, "", None)
    for use in dict.fromkeys(use if use in once else "finditer" for use in uses):
        run = getattr(pattern, use) if use in once else lambda text: sum(1 for _ in pattern.finditer(text))
        exponent, seconds, index = growth(run, texts, size, factor)
        if exponent > worst.exponent:
            worst = Growth(exponent, seconds, use, made[index])
    return worst
