"""The house: what may import what. Walks the imports of every file as text, so nothing has to run."""

import ast
from functools import cache
from pathlib import Path

import pytest

LIB = Path(__file__).parents[1] / "lib" / "quotelake"

#: Each room may import those before it in its list and nothing of the others.
ROOMS = [
    "errors", "text", "jsonl", "contracts", "settings", "environment", "installation", "session", "arrow",
    "materialise", "together", "reading", "lake", "sample", "jobs", "language", "sources", "quotes", "embeddings",
    "compare", "detector", "contextomy", "reuse", "topics", "article", "annotate", "worker_daemon", "versions",
    "batch", "pipeline", "labels",
]  # fmt: skip
#: Domains that know nothing of one another.
APART = [{"contextomy", "reuse", "topics"}, {"sources", "quotes", "embeddings"}]
#: Nothing imports these.
LEAVES = {"reporting", "training", "evaluation"}
#: Imported by machines without Spark, and by tests that start no JVM.
PURE = [
    "errors", "text", "contracts", "settings", "language", "article", "together", "compare", "detector", "labels",
    "lake.keyfilter", "embeddings.encoder", "embeddings.batching", "embeddings.models", "embeddings.bert",
    "embeddings.plain", "embeddings.general", "reading", "quotes", "contextomy", "topics.contexts",
    "topics.variation", "sources.records", "sources.parse", "reporting.alerts", "reporting.cells",
    "reporting.ranking", "reporting.labelling", "reporting.marking", "reporting.page", "reporting.reviews",
    "reporting.judgements", "evaluation.polnear", "evaluation.spans", "evaluation.resolution", "evaluation.metrics",
    "evaluation.fuzz", "evaluation.agreement", "evaluation.drawing", "evaluation.headlines",
    "training.quotecse.baseline", "training.quotecse.perceptron",
]  # fmt: skip
#: In a pure room, the one file where its kernels meet Spark.
SHELLS = {"contextomy.stage"}
#: Only these may write a table or keep a frame; transforms are handed what they need.
EFFECTS = {"lake.tables", "lake.stream", "materialise"}


@cache
def modules() -> dict[str, Path]:
    """Dotted name under quotelake of every file."""
    return {
        ".".join(path.relative_to(LIB).with_suffix("").parts).removesuffix(".__init__"): path
        for path in LIB.rglob("*.py")
        if path != LIB / "__init__.py"
    }


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Syntax of a file: parsed once for all tests."""
    return list(ast.walk(ast.parse(path.read_text("utf-8"))))


@cache
def imports(path: Path) -> frozenset[str]:
    """Modules a file imports, those inside functions included."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return frozenset(found)


def rooms_of(path: Path) -> set[str]:
    """Rooms of ours that a file imports."""
    return {name.split(".")[1] for name in imports(path) if name.startswith("quotelake.")} - {"conf", "schemas"}


def test_every_room_has_its_place():
    assert {name.split(".")[0] for name in modules()} <= {*ROOMS, *LEAVES}


@pytest.mark.parametrize("name", sorted(modules()))
def test_imports_go_one_way(name: str):
    room = name.split(".")[0]
    used = rooms_of(modules()[name]) - {room}
    if room in LEAVES:
        assert not used & (LEAVES - {room})
        return
    assert not used & LEAVES, "nothing imports a leaf"
    later = {other for other in used if ROOMS.index(other) > ROOMS.index(room)}
    assert not later, f"{room} stands before {later}"
    for domains in APART:
        if room in domains:
            assert not used & domains, f"{room} and {used & domains} know nothing of one another"


@pytest.mark.parametrize("name", PURE)
def test_pure_modules_import_no_spark(name: str):
    below = {each for each in modules() if f"{each}.".startswith(f"{name}.")} - SHELLS
    assert below, f"there is no {name}"
    waiting, seen = [modules()[each] for each in below], set()
    while waiting:
        current = waiting.pop()
        seen.add(current)
        used = imports(current)
        assert not any(module.split(".")[0] in ("pyspark", "delta", "py4j") for module in used), current
        ours = {module.removeprefix("quotelake.") for module in used if module.startswith("quotelake.")}
        waiting += [found for module in ours if (found := modules().get(module)) and found not in seen]


@pytest.mark.parametrize("name", sorted(set(modules()) - EFFECTS))
def test_transforms_have_no_effects(name: str):
    calls = {
        node.func.attr
        for node in nodes(modules()[name])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    assert not calls & {"persist", "cache", "saveAsTable", "insertInto", "foreachBatch", "localCheckpoint"}
