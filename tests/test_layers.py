"""The house: what may import what. Walks the imports of every file as text, so nothing has to run."""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

LIB = Path(__file__).parents[1] / "lib"

#: Each room may import those before it in its list and nothing of the others.
ROOMS = [
    "errors", "program", "text", "files", "source_settings", "settings", "spark", "quotes", "embeddings", "lake",
    "query", "sample", "sources", "factuality", "contextomy", "reuse", "topics", "watch", "reader", "article", "drafts",
    "nightly", "answers", "pages", "cli", "__main__",
]  # fmt: skip
#: Domains that know nothing of one another.
APART = [{"contextomy", "reuse", "topics"}, {"sources", "quotes", "embeddings"}]
#: Nothing of the product imports these.
#: (``cli`` names what runs a command, and imports it when it runs.)
LEAVES = {"commands"}
#: The bench, one package beside the product: it imports the product and is never imported by it.
BENCH = "quotelab"
#: Imported by machines without Spark, and by tests that start no JVM.
PURE = [
    "errors", "program", "cli", "__main__", "text", "files", "lake.contracts", "lake.damage",
    "lake.local", "lake.place", "lake.runs", "settings", "article", "drafts",
    "factuality", "contextomy", "quotelab.labels", "embeddings.encoder", "embeddings.models", "query", "quotes",
    "reader", "topics.contexts", "topics.variation", "topics.head", "sources.records", "sources.parse", "sources.check",
    "sources.files", "sources.rejects", "sources.editorial",
    "answers", "pages", "commands.check", "commands.find", "commands.check_text",
    "quotelab.protocols.polnear", "quotelab.protocols.spans", "quotelab.protocols.speakers",
    "quotelab.benchmarks.fuzz", "quotelab.statistics",
    "quotelab.labels.label", "quotelab.protocols.headlines", "quotelab.protocols.headline_speakers",
    "quotelab.protocols.reuse", "quotelab.synthetic", "quotelab.benchmarks.walks", "reuse",
    "watch", "quotelab.protocols.watch",
    "quotelab.training.articles",
]  # fmt: skip
#: In a pure room, the files where its kernels meet Spark.
SHELLS = {"contextomy.stage", "reuse.stage", "watch.stage", "query.spark"}
#: Files that reach into Spark's Java, for what Python has no public call of: bytes, transactions and checkpoint of a
#: Delta log; small files at an address; where paths without a scheme are; counts of bytes, and kept blocks that are to
#: go; and the servers of JDBC and Spark Connect. For these the jobs need a driver of their own: Spark Connect gives no
#: Java.
JAVA = {"lake.frames", "lake.hadoop", "commands.serve", "spark.session"}
#: Rooms that read, write, keep or count frames; everywhere else a function of frames is a transform.
DRIVERS = {"spark", "lake", "query", "nightly", "answers", *LEAVES, BENCH}
#: What runs a Spark job, reads a table, writes one or keeps a frame. Lists have ``append`` too, strings ``count``, and
#: ``F.first`` is a column: only a call without arguments, or on a lake, is meant.
EFFECT = re.compile(
    r"\.(?:collect|count|first|isEmpty|show|toArrow|toPandas|toLocalIterator)\(\)"
    r"|\.(?:cache|persist|checkpoint|localCheckpoint|take|head|tail|foreach\w*|table|sql)\("
    r"|\.(?:read|readStream|rows_of|small_rows|rdd|write|writeTo|writeStream|append_new|createOrReplaceTempView)\b"
    r"|\blake\.(?:append|merge|replace|correct|delete|rewrite)\b"
)


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
    names = {name.removeprefix("quotelake.") for name in imports(path) if name.startswith("quotelake.")}
    return {room_of(name) for name in names} - {"conf", "schemas"}


def room_of(name: str) -> str:
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


def test_docstrings_name_what_there_is():
    missing = []
    for path in modules().values():
        for target in re.findall(r":\w+:`~?(quotela(?:ke|b)\.[\w.]+)`", path.read_text("utf-8")):
            *above, name = parts = target.removeprefix("quotelake.").split(".")
            if ".".join(parts) in modules():
                continue
            known = [above[:n] for n in range(len(above), 0, -1) if ".".join(above[:n]) in modules()]
            file = modules()[".".join(known[0])] if known else LIB / "quotelake" / "__init__.py"
            defined = name if not known or known[0] == above else above[len(known[0])]  # the class of a method
            if not re.search(rf"\b{defined}\b", file.read_text("utf-8")):
                missing.append(f"{path.name}: {target}")
    assert not missing


def test_no_files_import_one_another_in_a_circle():
    found = {}
    for name, path in modules().items():
        ours = {used.removeprefix("quotelake.") for used in imports(path)} & {*modules()}
        found[name] = {used for used in ours if not f"{name}.".startswith(f"{used}.")}  # nor its own package
    TopologicalSorter(found).prepare()  # fails with the names of a circle


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


def transforms() -> dict[str, list[ast.FunctionDef]]:
    """Functions of modules where one takes or returns a frame, but those whose business is to read and write."""
    functions = {
        name: [node for node in nodes(path) if isinstance(node, ast.FunctionDef)]
        for name, path in modules().items()
        if room_of(name) not in DRIVERS
    }
    signatures = {name: [ast.unparse(each).partition(":\n")[0] for each in found] for name, found in functions.items()}
    return {name: functions[name] for name in functions if "DataFrame" in "".join(signatures[name])}


def test_transforms_have_no_effects():
    named = {
        "contextomy.stage", "embeddings.embed", "reuse.stage",
        "sources.documents", "topics.score", "topics.selection", "watch.stage",
    }  # fmt: skip
    found = transforms()
    assert named <= {*found}
    faults = [(name, EFFECT.findall(ast.unparse(each))) for name, those in found.items() for each in those]
    assert [(name, effects) for name, effects in faults if effects] == []


def test_four_files_reach_into_the_java_of_spark():
    private = re.compile(r"\._(?:jvm|jdf|jc|jsc|jsparkSession|sc|gateway)\b")
    product = {name: path for name, path in modules().items() if not name.startswith(BENCH)}
    assert {name for name, path in product.items() if private.search(path.read_text("utf-8"))} == JAVA


def test_the_text_toolkit_knows_no_domain_and_no_setting():
    for name, path in modules().items():
        if name.split(".")[0] == "text":
            assert rooms_of(path) <= {"text", "errors"}, f"{name} knows {rooms_of(path)}"


#: What people do; of code these words name nothing that a newcomer could guess.
OF_PEOPLE = re.compile(
    r"(?:^|_)(?:tell|tells|told|say|says|said|own|hold|holds|held|ask|asks|asked|shown|ways?|stands?|stood|goes|went)(?:_|$)"
)


def test_names_are_guessable():
    found = set()
    for name, path in modules().items():
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not name.startswith(BENCH):
                given = [*node.args.args, *node.args.kwonlyargs] if isinstance(node, ast.FunctionDef) else []
                words = (re.sub(r"(?<=[a-z])(?=[A-Z])", "_", each) for each in (node.name, *(arg.arg for arg in given)))
                found |= {f"{name}: {each}" for each in words if OF_PEOPLE.search(each.lower())}
    assert found == set()
