"""Measure how the time of each regular expression of the library grows with hostile texts.

The power says how: 1 is linear, 2 quadratic, "-" too short to measure. Exit status 1 if a pattern is more than linear
without a stated reason. Texts are of :mod:`~quotelab.benchmarks.pumping`.

Finds every regular expression of a package: compiled ones in its modules, and those in calls of its source.

A module is imported only if its source imports ``re``. Its values are searched for patterns: constants, containers,
objects, closures and caches. Patterns in calls (``re.sub(r"...", ...)``) are read from the source. Local names of a
function are allowed there only inside ``re.escape(...)``, where any word stands for them.
"""

import ast
import functools
import gc
import importlib
import pkgutil
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import quotelake
from quotelab.benchmarks.pumping import STEEP, worst_growth
from quotelab.report import show
from quotelake.errors import InputError

#: Methods of a pattern; if no use of a pattern is found, it is assumed to be used in the ways of ``ANY``.
USES: Final = frozenset({"search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"})
ANY: Final = frozenset({"finditer", "fullmatch"})
#: Patterns that need more than linear time, and why no text makes them slow.
BOUNDED: Final[Mapping[str, str]] = {
    "quotelake.text.words:_LAST_WORD": "reads the 20 characters before a cue",
    "quotelake.lake.contracts:_COLUMN": "reads the contracts of this package only",
    "quotelake.sources.check:_VARYING": "reads the name of one file, which stores limit to about 1,000 characters",
}
_IMPORTS_RE: Final = re.compile(r"^\s*+(?:import re|from re import)\b", re.MULTILINE)
_USE: Final = re.compile(rf"(?<!\w)(\w++)\.({'|'.join(sorted(USES))})\b")
#: Stands for a word that is known only at run time.
_WORD: Final = "Ruiz"


class Found(NamedTuple):
    """A pattern, its place (``module:name`` or ``module:line``), and the methods used on it."""

    place: str
    pattern: re.Pattern[Any]
    uses: frozenset[str]


class Unread(NamedTuple):
    """A call that makes a pattern from values known only at run time."""

    module: str
    function: str
    line: int


def modules_with_patterns(package: ModuleType) -> dict[str, ast.Module]:
    """Parse the modules of a package whose source imports ``re``, by name."""
    return {name: ast.parse(text) for name, text in _sources(package) if _IMPORTS_RE.search(text)}


def _sources(package: ModuleType) -> Iterator[tuple[str, str]]:
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        spec = info.module_finder.find_spec(info.name, None)
        if spec is not None and spec.origin is not None:
            yield info.name, Path(spec.origin).read_text(encoding="utf-8")


def find_patterns(package: ModuleType) -> tuple[list[Found], list[Unread]]:
    """Find the patterns of a package, each once, and the calls whose pattern cannot be read from the source."""
    trees = modules_with_patterns(package)
    uses = _uses(package)
    found: dict[tuple[Any, int], Found] = {}
    unread: list[Unread] = []
    held: set[int] = set()
    for name, tree in trees.items():
        module = importlib.import_module(name)
        own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        for constant, pattern in _held(module, package.__name__, held):
            known = found.get((pattern.pattern, pattern.flags))
            ways = uses.get(constant, frozenset()) or ANY
            place = f"{name}:{constant}" if known is None or constant in own else known.place
            found[pattern.pattern, pattern.flags] = Found(place, pattern, ways | (known.uses if known else frozenset()))
        for line, way, pattern in _called(tree, module):
            found.setdefault((pattern.pattern, pattern.flags), Found(f"{name}:{line}", pattern, frozenset({way})))
        if name != __name__:  # this module compiles the patterns of others
            unread += [Unread(name, function, call.lineno) for function, call in _unread(tree, module)]
    return list(found.values()), unread


@contextmanager
def compiled(package: ModuleType) -> Iterator[list[Found]]:
    """Record the patterns that functions of a package compile while the block runs, under ``module:function``.

    Its caches are emptied first, so that cached patterns are compiled again.
    """
    found: list[Found] = []
    usual = re.compile

    def noting(pattern: Any, flags: Any = 0) -> re.Pattern[Any]:
        frame = sys._getframe(1)
        module = str(frame.f_globals.get("__name__", ""))
        made = usual(pattern, flags)
        if module.startswith(f"{package.__name__}."):
            found.append(Found(f"{module}:{frame.f_code.co_name}", made, ANY))
        return made

    for name, module in list(sys.modules.items()):
        if name.startswith(f"{package.__name__}."):
            for value in vars(module).values():
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()
    re.compile = noting
    try:
        yield found
    finally:
        re.compile = usual


def _held(module: ModuleType, package: str, seen: set[int]) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Patterns that a module holds, each under the name of the constant that leads to it."""
    for constant, value in vars(module).items():
        if constant.startswith("__"):
            continue
        pending = [value]
        while pending:
            each = pending.pop()
            if isinstance(each, re.Pattern):
                yield constant, each
            elif id(each) not in seen and _is_ours(each, package):
                seen.add(id(each))
                pending += _parts(each)


def _is_ours(value: object, package: str) -> bool:
    if isinstance(value, dict | list | tuple | set | frozenset | CellType):
        return True
    owner = value if isinstance(value, type | FunctionType | functools._lru_cache_wrapper) else type(value)
    return str(getattr(owner, "__module__", "")).startswith(package)


def _parts(value: object) -> list[Any]:
    """Values that a value refers to; for a function its defaults and closure, but not its module."""
    if isinstance(value, FunctionType):
        return [*(value.__defaults__ or ()), *(value.__closure__ or ()), value.__dict__]
    return gc.get_referents(value)


def _uses(package: ModuleType) -> dict[str, frozenset[str]]:
    """Methods used on each name anywhere in the package: ``_X.search`` gives ``search`` for ``_X``."""
    uses: dict[str, set[str]] = {}
    for _, text in _sources(package):
        for name, way in _USE.findall(text):
            uses.setdefault(name, set()).add(way)
    return {name: frozenset(ways) for name, ways in uses.items()}


def _called(tree: ast.Module, module: ModuleType) -> Iterator[tuple[int, str, re.Pattern[Any]]]:
    """Patterns written in calls: (line, way of use, pattern)."""
    for _, call in _calls(tree):
        pattern = _read(call, module)
        if pattern is not None:
            assert isinstance(call.func, ast.Attribute)
            for way in [call.func.attr] if call.func.attr in USES else sorted(ANY):
                yield call.lineno, way, pattern


def _unread(tree: ast.Module, module: ModuleType) -> Iterator[tuple[str, ast.Call]]:
    return ((function, call) for function, call in _calls(tree) if function and _read(call, module) is None)


def _calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Calls of ``re.compile(...)``, ``re.sub(...)`` and so on, each with the name of the enclosing function."""
    pending: list[tuple[str, ast.AST]] = [("", tree)]
    while pending:
        function, node = pending.pop()
        if isinstance(node, ast.FunctionDef):
            function = node.name
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in USES | {"compile"}
        ):
            yield function, node
        pending += [(function, child) for child in ast.iter_child_nodes(node)]


class _AnyWord(dict[str, Any]):
    """Namespace that gives the module's values, and the same word for each local name of a function."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__()
        self.module = module

    def __missing__(self, name: str) -> Any:
        return vars(self.module).get(name, _WORD)


def _read(call: ast.Call, module: ModuleType) -> re.Pattern[Any] | None:
    """The pattern of a call; None if it depends on local names outside ``re.escape``."""
    if not call.args or not _is_readable(call.args[0], module, escaped=False):
        return None
    flags = [word.value for word in call.keywords if word.arg == "flags"]
    position = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(getattr(call.func, "attr", ""), 2)
    flags += call.args[position : position + 1]
    names = _AnyWord(module)
    pattern, flag = (_evaluate(node, names) for node in (call.args[0], flags[0] if flags else ast.Constant(0)))
    return re.compile(pattern, flag) if isinstance(pattern, str | bytes) else None


def _evaluate(node: ast.expr, names: _AnyWord) -> Any:
    return eval(compile(ast.fix_missing_locations(ast.Expression(node)), "pattern", "eval"), {}, names)


def _is_readable(node: ast.AST, module: ModuleType, escaped: bool) -> bool:
    """Whether all names of an expression are the module's, except those inside ``re.escape(...)``."""
    if isinstance(node, ast.Name) and not escaped and node.id not in vars(module):
        return False
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.escape":
        escaped = True
    return all(_is_readable(child, module, escaped) for child in ast.iter_child_nodes(node))


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--size", type=int, default=5_000, metavar="N", help="characters of the smaller texts")
    parser.add_argument("--factor", type=int, default=10, metavar="N", help="ratio of the larger size to the smaller")
    parser.add_argument("--only", default="", metavar="TEXT", help="only patterns whose place contains TEXT")


def run(options: Namespace) -> int:
    """Find, measure, print; return the exit code."""
    if options.size < 100 or options.factor < 2:
        raise InputError("--size must be 100 at least, --factor 2 at least")
    found, unread = find_patterns(quotelake)
    chosen = [each for each in found if options.only in each.place]
    measured = [(worst_growth(each.pattern, sorted(each.uses), options.size, options.factor), each) for each in chosen]
    measured.sort(key=lambda pair: (-pair[0].exponent, pair[1].place))
    rows, steep = [], 0
    for growth, each in measured:
        reason = BOUNDED.get(each.place, "")
        steep += growth.exponent > STEEP and not reason
        pump = growth.pump
        text = f"{pump.prefix[:20]!r} + {pump.unit[:20]!r} × n + {pump.suffix!r}" if pump else ""
        place, power = each.place.removeprefix("quotelake."), f"{growth.exponent:.2f}" if pump else "-"
        rows.append((place, growth.use, f"{text}  {reason}".strip(), power, f"{growth.seconds * 1e3:.2f}"))
    show("Patterns, the steepest first", ("pattern", "use", "text", "power", "ms"), rows, names=3)
    for call in unread:
        print(f"not measured, made while running: {call.module}:{call.function}, line {call.line}")
    print(f"{len(measured)} patterns, {steep} more than linear without a stated reason")
    return 1 if steep else 0
