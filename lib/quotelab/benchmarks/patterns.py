"""Measure how the time of each regular expression of the library grows with hostile texts.

The power says how: 1 is linear, 2 quadratic, "-" too short to measure. Exit status 1 if a pattern is more than linear
without a stated reason. Texts are of :mod:`~quotelab.benchmarks.pumping`.

Of modules that import ``re`` all values are searched for patterns: constants, containers, objects, closures and caches.
Patterns in calls (``re.sub(r"...", ...)``) are read from the source; a word stands for a local name that they escape.
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
from unittest.mock import patch

import quotelake
from quotelab.benchmarks.pumping import STEEP, worst_growth
from quotelab.report import show
from quotelake.errors import InputError

#: Methods of a pattern; if no use of a pattern is found, it is assumed to be used in the methods of ``ANY``.
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
#: Places of the flags in calls; in all others they are the third argument.
_FLAGS: Final = {"compile": 1, "sub": 4, "subn": 4, "split": 3}


class Found(NamedTuple):
    """A pattern, its place (``module:name`` or ``module:line``), and the methods used on it."""

    place: str
    pattern: re.Pattern[Any]
    uses: frozenset[str]


def find_patterns(package: ModuleType) -> tuple[list[Found], list[str]]:
    """Find the patterns of a package, each once, and the places (``module:function``) of those made while running."""
    sources: dict[str, str] = {}
    uses: dict[str, set[str]] = {}
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        spec = info.module_finder.find_spec(info.name, None)
        assert spec is not None and spec.origin is not None
        sources[info.name] = Path(spec.origin).read_text(encoding="utf-8")
        for name, method in _USE.findall(sources[info.name]):
            uses.setdefault(name, set()).add(method)
    found: dict[tuple[Any, int], Found] = {}
    unread: list[str] = []
    seen: set[int] = set()
    for name, text in sources.items():
        if not _IMPORTS_RE.search(text):
            continue
        module, tree = importlib.import_module(name), ast.parse(text)
        own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        for constant, pattern in _held(module, package.__name__, seen):
            known = found.get((pattern.pattern, pattern.flags))
            methods = frozenset(uses.get(constant, ())) or ANY
            place = f"{name}:{constant}" if known is None or constant in own else known.place
            methods |= known.uses if known else frozenset()
            found[pattern.pattern, pattern.flags] = Found(place, pattern, methods)
        for function, call, method in _calls(tree):
            made = _read(call, method, module)
            if made is not None:
                methods = frozenset({method}) if method in USES else ANY
                found.setdefault((made.pattern, made.flags), Found(f"{name}:{call.lineno}", made, methods))
            elif function:
                unread.append(f"{name}:{function}")
    return list(found.values()), unread


@contextmanager
def compiled(package: ModuleType) -> Iterator[list[Found]]:
    """Record the patterns that functions of a package compile in the block, ``module:function``, with empty caches."""
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
    with patch.object(re, "compile", noting):
        yield found


def _held(module: ModuleType, package: str, seen: set[int]) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Patterns that a module holds, each under the name of the constant that leads to it."""
    for constant, value in vars(module).items():
        pending = [] if constant.startswith("__") else [value]
        while pending:
            each = pending.pop()
            if isinstance(each, re.Pattern):
                yield constant, each
            elif id(each) not in seen and _is_ours(each, package):
                seen.add(id(each))
                if isinstance(each, FunctionType):  # its defaults and closure, but not its module
                    pending += [*(each.__defaults__ or ()), *(each.__closure__ or ()), each.__dict__]
                else:
                    pending += gc.get_referents(each)


def _is_ours(value: object, package: str) -> bool:
    if isinstance(value, dict | list | tuple | set | frozenset | CellType):
        return True
    owner = value if isinstance(value, type | FunctionType | functools._lru_cache_wrapper) else type(value)
    return str(getattr(owner, "__module__", "")).startswith(package)


def _calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call, str]]:
    """Calls of ``re.compile(...)``, ``re.sub(...)`` and so on, each with the enclosing function and the method."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]  # inner ones behind outer ones
    inside = {node: function.name for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called, _, method = ast.unparse(node.func).rpartition(".")
            if called == "re" and method in USES | {"compile"}:
                yield inside.get(node, ""), node, method


class _AnyWord(ast.NodeTransformer):
    """Puts a word in the place of each ``re.escape(...)``, whose argument may be known only at run time."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Visit a call."""
        return ast.Constant("Ruiz") if ast.unparse(node.func) == "re.escape" else self.generic_visit(node)


def _read(call: ast.Call, method: str, module: ModuleType) -> re.Pattern[Any] | None:
    """The pattern of a call; None if it depends on local names outside ``re.escape``."""
    flags = [word.value for word in call.keywords if word.arg == "flags"]
    flags += call.args[_FLAGS.get(method, 2) : _FLAGS.get(method, 2) + 1]
    parts = (_AnyWord().visit(node) for node in (call.args[0], *(flags or [ast.Constant(0)])))
    try:
        pattern, flag = (eval(ast.unparse(node), dict(vars(module))) for node in parts)
    except NameError:
        return None
    return re.compile(pattern, flag) if isinstance(pattern, str | bytes) else None


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
    for place in unread:
        print(f"not measured, made while running: {place}")
    print(f"{len(measured)} patterns, {steep} more than linear without a stated reason")
    return 1 if steep else 0
