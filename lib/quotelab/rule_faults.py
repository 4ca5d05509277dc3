"""How many small faults in rules the tests catch: each is put into a copy of the library, whose tests then run.

    python -m quotelab.rule_faults [--count 30] [--seed 1]

A fault is one changed operator, constant or negation of a file of rules, drawn by hash. It counts as caught if a test
of the room or golden output fails. Prints each fault and the share that was caught.
"""

import argparse
import ast
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
#: Rooms of rules and kernels; files that need Spark are tested elsewhere.
ROOMS: Final = ("contextomy", "quotes", "reuse", "sources", "text", "topics", "watch")
_ENDLESS: Final = 900  # seconds; the tests of a room take one or two minutes, and some faults make a loop endless
_OPPOSITES: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def faults_of(tree: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Expressions of a file, and what stands there with a fault."""
    for node in ast.walk(tree):
        changed: ast.expr | None = None
        if isinstance(node, ast.Compare) and type(node.ops[0]) in _OPPOSITES:
            ops = [_OPPOSITES[type(node.ops[0])](), *node.ops[1:]]
            changed = ast.Compare(node.left, ops, node.comparators)  # type: ignore[arg-type]
        elif isinstance(node, ast.BoolOp):
            changed = ast.BoolOp(_OPPOSITES[type(node.op)](), node.values)  # type: ignore[arg-type]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            changed = node.operand
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value:
            changed = ast.Constant(node.value * 2)  # type: ignore[operator]
        if changed is not None and isinstance(node, ast.expr):
            yield node, f"({ast.unparse(changed)})"


def with_fault(source: str, node: ast.expr, changed: str) -> str:
    """The source of a file with one expression replaced; its offsets are those of bytes."""
    lines = source.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: (node.end_lineno or node.lineno) - 1])) + (node.end_col_offset or 0)
    whole = source.encode()
    return (whole[:start] + changed.encode() + whole[end:]).decode()


def drawn(count: int, seed: int) -> list[tuple[Path, ast.expr, str]]:
    """The faults that are tried, by a hash of the seed, the room and what is changed."""
    found = []
    for path in sorted(path for room in ROOMS for path in (ROOT / "lib" / "quotelake" / room).rglob("*.py")):
        for node, changed in faults_of(ast.parse(path.read_text("utf-8"))):
            named = f"{seed} {path.relative_to(ROOT)} {node.lineno} {node.col_offset}"
            found.append((hashlib.sha256(named.encode()).hexdigest(), path, node, changed))
    return [entry[1:] for entry in sorted(found, key=lambda entry: entry[0])[:count]]


def is_caught(library: Path, room: str) -> bool:
    """Whether a test of the room, or golden output, fails with the library at a path."""
    environment = {**os.environ, "PYTHONPATH": str(library)}
    for tests in (f"tests/{room}", "tests/golden"):
        command = ["pytest", "-x", "-q", "-p", "no:cacheprovider", tests, "-m", "not (spark or process or slow)"]
        try:
            done = subprocess.run(
                [sys.executable, "-m", *command], cwd=ROOT, env=environment, capture_output=True, timeout=_ENDLESS
            )
        except subprocess.TimeoutExpired:
            return True
        if done.returncode:
            return True
    return False


def main() -> None:
    """Try each fault and print what became of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    caught = 0
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "lib"
        shutil.copytree(ROOT / "lib", library, ignore=shutil.ignore_patterns("__pycache__"))
        for path, node, changed in drawn(options.count, options.seed):
            copy, source = library / path.relative_to(ROOT / "lib"), path.read_text("utf-8")
            copy.write_text(with_fault(source, node, changed), "utf-8")
            seen = is_caught(library, path.relative_to(ROOT / "lib" / "quotelake").parts[0])
            copy.write_text(source, "utf-8")
            caught += seen
            place, before = f"{path.relative_to(ROOT)}:{node.lineno}", " ".join(ast.unparse(node).split())
            print("caught" if seen else "MISSED", place, before[:60], "→", changed[:60], flush=True)
    print(f"{caught} of {options.count} caught")


if __name__ == "__main__":
    main()
