"""The house: what may import what. Walks the imports of every file as text, so nothing has to run."""

import ast
from functools import cache
from pathlib import Path

import pytest

LIB = Path(__file__).parents[1] / "lib"

#: Each room may import those before it in its list and nothing of the others.
ROOMS = [
    "errors", "commands", "text", "files", "settings", "spark", "quotes", "embeddings", "lake", "query", "sample",
    "sources", "contextomy", "reuse", "topics", "watch", "article", "nightly", "cli", "__main__",
]  # fmt: skip
#: Domains that know nothing of one another.
APART = [{"contextomy", "reuse", "topics"}, {"sources", "quotes", "embeddings"}]
#: Nothing of the product imports these.
#: (``cli`` names what runs a command, and imports it when it runs.)
LEAVES = {"reporting"}
#: The bench, one package beside the product: it imports the product and is never imported by it.
BENCH = "quotelab"
#: Imported by machines without Spark, and by tests that start no JVM.
PURE = [
    "errors", "commands", "cli", "__main__", "text", "files", "lake.contracts", "lake.damage", "lake.local",
    "lake.place", "lake.runs", "settings", "article", 
    "contextomy", "quotelab.labels", "embeddings.encoder", "embeddings.models", "query", "quotes",
    "topics.contexts", "topics.variation", "topics.head", "sources.records", "sources.parse", "sources.check",
    "sources.files", "sources.rejects", "sources.editorial",
    "reporting.additions", "reporting.alerts", "reporting.marking", "reporting.page",
    "reporting.ranking", "reporting.reviews", "reporting.check", "reporting.find", 
    "quotelab.protocols.polnear", "quotelab.protocols.spans", "quotelab.protocols.speakers",
    "quotelab.benchmarks.fuzz", "quotelab.statistics",
    "quotelab.labels.label", "quotelab.protocols.headlines", "quotelab.protocols.headline_speakers",
    "quotelab.protocols.reuse", "quotelab.synthetic", "quotelab.benchmarks.walks", "reuse",
    "watch", "quotelab.protocols.watch",
    "quotelab.training.articles",
]  # fmt: skip
#: In a pure room, the files where its kernels meet Spark.
SHELLS = {"contextomy.stage", "reuse.stage", "watch.stage", "query.spark"}
#: Rooms that read, write, keep or count frames; everywhere else a function of frames is a transform.
DRIVERS = {"spark", "lake", "query", "nightly", *LEAVES, BENCH}
#: Methods that run a Spark job, read a table, write one or keep a frame.
EFFECTS = {
    "collect", "count", "first", "take", "head", "tail", "scalar", "isEmpty", "show", "foreach", "foreachPartition",
    "toArrow", "toPandas", "toLocalIterator",
    "read", "readStream", "rows_of", "small_rows", "table", "sql", "load", "parquet", "rdd",
    "write", "writeTo", "writeStream", "save", "saveAsTable", "insertInto", "foreachBatch", "append", "append_new",
    "merge", "replace", "correct", "delete", "rewrite", "createOrReplaceTempView",
    "cache", "persist", "checkpoint", "localCheckpoint",
}  # fmt: skip
#: Makers of Python values: what they return has no table behind it.
_VALUES = {"list", "dict", "set", "str", "bytes", "tuple", "sorted", "open", "deque", "Counter", "defaultdict"}


@cache
def modules() -> dict[str, Path]:
    """Every file by its dotted name: under quotelake for the product, with the name of its package for the bench."""
    named = {
        ".".join(path.relative_to(LIB).with_suffix("").parts).removesuffix(".__init__"): path
        for package in ("quotelake", BENCH)
        for path in (LIB / package).rglob("*.py")
    }
    return {name.removeprefix("quotelake."): path for name, path in named.items() if name != "quotelake"}


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
    names = {name.removeprefix("quotelake.") for name in imports(path) if name.startswith("quotelake.")}
    return {room_of(name) for name in names} - {"conf", "schemas"}


def room_of(name: str) -> str:
    """Room of a module."""
    return name.split(".")[0]


def test_every_room_has_its_place():
    assert {name.split(".")[0] for name in modules()} <= {*ROOMS, *LEAVES, BENCH}


@pytest.mark.parametrize("name", sorted(modules()))
def test_imports_go_one_way(name: str):
    room = room_of(name)
    if room == BENCH:
        return
    assert not any(used.split(".")[0] == BENCH for used in imports(modules()[name])), "the bench imports the product"
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
        ours = {module.removeprefix("quotelake.") for module in used}
        waiting += [found for module in ours if (found := modules().get(module)) and found not in seen]


def functions(path: Path) -> list[ast.FunctionDef]:
    """Functions of a file, those within others included."""
    return [node for node in nodes(path) if isinstance(node, ast.FunctionDef)]


def transforms() -> list[str]:
    """Modules with a function that takes or returns a frame, but those whose business is to read and write."""
    return sorted(
        name
        for name, path in modules().items()
        if name.split(".")[0] not in DRIVERS
        and any(
            each is not None and "DataFrame" in ast.unparse(each)
            for node in functions(path)
            for each in (node.returns, *(given.annotation for given in (*node.args.args, *node.args.kwonlyargs)))
        )
    )


def effects(function: ast.FunctionDef, imported: set[str]) -> set[str]:
    """Attributes of :data:`EFFECTS` in a function on what may be a frame, table or session.

    Lists have ``append`` too, strings ``count``, and ``F.first`` is a column: not meant are modules, Python literals,
    and names that a function binds to a Python value or annotates as one. Of anything else an effect is assumed.
    """
    values, others = set(imported), set[str]()
    for node in ast.walk(function):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            kind, name = ast.unparse(node.annotation), getattr(node, "arg", None) or ast.unparse(node.target)
            (values if kind.split("[")[0] in {*_VALUES, "Row", "Sequence", "Mapping"} else others).add(name)
        elif isinstance(node, ast.Assign):
            (values if is_value(node.value, set()) else others).update(ast.unparse(target) for target in node.targets)
    found = (node for node in ast.walk(function) if isinstance(node, ast.Attribute) and node.attr in EFFECTS)
    return {node.attr for node in found if not is_value(node.value, values - others)}


def is_value(node: ast.expr, plain: set[str]) -> bool:
    """Whether an expression is surely a module or a Python value."""
    if isinstance(node, ast.Name):
        return node.id in plain
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _VALUES
    literals = (ast.Constant, ast.JoinedStr, ast.List, ast.Dict, ast.Set, ast.Tuple)
    return isinstance(node, (*literals, ast.ListComp, ast.DictComp, ast.SetComp))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("df.select('a').first()", {"first"}),
        ("spark.read.load('x')", {"read", "load"}),
        ("df.write.format('delta').save('x')", {"write", "save"}),
        ("lake.append(df, 'quotes')", {"append"}),
        ("rows = df.where('a')\n    rows.count()", {"count"}),
        ("rows = []\n    rows = df\n    rows.append(1)", {"append"}),
        ("count = df.count", {"count"}),
        ("rows: list[int] = []\n    rows.append(1)", set()),
        ("rows = [1]\n    rows.append(1)", set()),
        ("return F.count('*'), np.save, 'abc'.count('a'), word.count('a')", set()),
    ],
)
def test_effects_are_told_from_methods_of_python_values(body: str, expected: set[str]):
    code = f"def f(df: DataFrame, lake: Lake, spark: SparkSession, word: str):\n    {body}\n"
    assert effects(ast.parse(code).body[0], {"F", "np"}) == expected


def test_transforms_have_no_effects():
    named = {
        "contextomy.stage", "embeddings.embed", "reuse.stage",
        "sources.documents", "sources.read", "topics.score", "topics.selection", "watch.stage",
    }  # fmt: skip
    assert named <= set(transforms())
    found = []
    for name in transforms():
        path = modules()[name]
        imports_of = [node for node in nodes(path) if isinstance(node, ast.Import)]
        imported = {alias.asname or alias.name for node in imports_of for alias in node.names} | {"F"}
        found += [(name, function.name, effects(function, imported)) for function in functions(path)]
    assert [each for each in found if each[2]] == []


def test_the_text_toolkit_knows_no_domain_and_no_setting():
    for name, path in modules().items():
        if name.split(".")[0] == "text":
            assert rooms_of(path) <= {"text", "errors"}, f"{name} knows {rooms_of(path)}"


def test_one_file_of_contextomy_knows_spark():
    inside = {name: path for name, path in modules().items() if name.split(".")[0] == "contextomy"}
    assert {name for name, path in inside.items() if any(used.startswith("pyspark") for used in imports(path))} == {
        "contextomy.stage"
    }
