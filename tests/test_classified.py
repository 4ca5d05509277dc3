"""Whatever changes a result changes a version: each setting, data file and module of the rules is classified."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from quotelake.compare import cues, ngrams, tiling
from quotelake.quotes import headline_lexicon, keys, kinds
from quotelake.reuse import words as reuse_words
from quotelake.settings import Settings
from quotelake.versions import content
from quotelake.versions.classified import COSTS, FILES, MODULES, SETTINGS, SHARED, Decides
from quotelake.versions.content import class_of, digest_of, plain

ROOT = Path(__file__).parents[1]
LIB = ROOT / "lib" / "quotelake"
#: The pass over a text begins here.
PASS = ("annotate", "reuse.groups", "topics.score", "topics.contexts_stage", "topics.selection")

words = st.text("abc", max_size=3)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | words | words.map(re.compile),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3) | st.frozensets(words),
    max_leaves=6,
)


def names_of(model: type[BaseModel], before: str = "") -> Iterator[str]:
    """Dotted names of all settings below a section; ``*`` for the names that users give."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if get_origin(kind) is dict and isinstance(get_args(kind)[1], type):
            name, kind = f"{name}.*", get_args(kind)[1]
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from names_of(kind, f"{before}{name}.")
        else:
            yield f"{before}{name.removesuffix('.*')}"


def test_every_setting_is_classified_once_and_nothing_else_is():
    assert sorted(names_of(Settings)) == sorted(SETTINGS)


def data_files() -> list[str]:
    """Every file of the package that is no code, from its root; ``conf`` and ``schemas`` ship inside it."""
    found = [*(LIB.rglob("*")), *(file for part in ("conf", "schemas") for file in (ROOT / part).rglob("*"))]
    kept = [file for file in found if file.is_file() and file.suffix not in (".py", ".pyc")]
    return [file.relative_to(LIB if LIB in file.parents else ROOT).as_posix() for file in kept]


def fits(file: str, pattern: str) -> bool:
    return file.count("/") == pattern.count("/") and PurePosixPath(file).match(pattern)


def test_every_data_file_is_classified_once_and_every_class_has_a_file():
    files = data_files()
    assert {file: [p for p in FILES if fits(file, p)] for file in files if sum(fits(file, p) for p in FILES) != 1} == {}
    assert {pattern for pattern in FILES if not any(fits(file, pattern) for file in files)} == set()


def imported(name: str) -> set[str]:
    """Modules of the package that a module imports, by its text; a package counts with all of its modules."""
    path = LIB.joinpath(*name.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not path.is_file():
        return set()  # a name inside a module
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("quotelake"):
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
    return {module.removeprefix("quotelake").lstrip(".") for module in found} - {""}


def test_every_module_that_the_pass_over_a_text_runs_through_is_classified():
    waiting, seen = set(PASS), set()
    while waiting:
        seen |= waiting
        waiting = {module for name in waiting for module in imported(name)} - seen
    assert {"quotes.speakers.find", "compare.cues", "text"} <= seen
    assert {name for name in seen if class_of(name) is None} == set()


def test_what_the_groups_are_computed_by_is_part_of_the_version_of_the_rules():
    waiting = {f"reuse.{path.stem}" for path in (LIB / "reuse").glob("*.py")}
    seen: set[str] = set()
    while waiting:
        seen |= waiting
        waiting = {module for name in waiting for module in imported(name)} - seen
    used = {
        name
        for name in seen
        if class_of(name) is Decides.DETECTOR and LIB.joinpath(*name.split(".")).with_suffix(".py").is_file()
    }
    assert used == set(SHARED[Decides.RULES])


def test_every_name_in_the_tables_is_there():
    for name in MODULES:
        assert LIB.joinpath(*name.split(".")).is_dir() or LIB.joinpath(*name.split(".")).with_suffix(".py").is_file()
    for constant in COSTS:
        module, _, name = constant.rpartition(".")
        assert name in (LIB.joinpath(*module.split(".")).with_suffix(".py")).read_text("utf-8"), constant


DIGESTED = (Decides.RULES, Decides.DETECTOR)


def fresh(decides: Decides) -> str:
    """Digest computed anew."""
    return digest_of.__wrapped__(decides)


@pytest.mark.parametrize(
    ("module", "name", "value", "changed"),
    [
        (headline_lexicon, "HEADLINE_LABELS", headline_lexicon.HEADLINE_LABELS | {"rumour"}, {Decides.RULES}),
        (kinds, "_LOWER", re.compile(kinds._LOWER.pattern, re.IGNORECASE), {Decides.RULES}),
        (kinds, "_MAX_CLAIM_WORDS", kinds._MAX_CLAIM_WORDS + 1, {Decides.RULES}),
        (keys, "_FOLD_COMMON", keys._FOLD_COMMON[::-1], {Decides.RULES}),
        (cues, "ANSWERS", cues.ANSWERS | {"nope"}, {Decides.RULES, Decides.DETECTOR}),
        (cues, "HEDGE", {**cues.HEDGE, "en": ("perhaps",)}, {Decides.RULES, Decides.DETECTOR}),
        (tiling, "SHORTEST", tiling.SHORTEST + 1, {Decides.DETECTOR}),
        (reuse_words, "COMMON", reuse_words.COMMON + 1, {Decides.RULES}),
        (ngrams, "_SEARCHED", ngrams._SEARCHED * 2, set()),
    ],
)
def test_an_edited_word_list_pattern_or_bound_is_a_new_version(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, value: Any, changed: set[Decides]
):
    before = {decides: fresh(decides) for decides in DIGESTED}
    monkeypatch.setattr(module, name, value)
    assert {decides for decides in DIGESTED if fresh(decides) != before[decides]} == changed


@pytest.mark.parametrize(
    ("file", "old", "new", "changes"),
    [
        ("en.toml", "# English rules", "# The English rules", False),
        ("en.toml", 'add = "added ', 'add = "added superadded ', True),
        ("ko.toml", "", "", False),
        ("xx.toml", "", '[cues.say]\nsay = "xx"\n[words]\n', True),
    ],
)
def test_an_edited_or_a_new_lexicon_is_a_new_version_but_a_comment_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str, old: str, new: str, changes: bool
):
    before = fresh(Decides.RULES)
    folder = Path(shutil.copytree(LIB / "quotes" / "languages", tmp_path / "languages"))
    text = (folder / file).read_text("utf-8") if (folder / file).exists() else ""
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1) if old else text + new, "utf-8")
    files = content.resources.files
    monkeypatch.setattr(
        content.resources, "files", lambda package: folder if package.endswith("languages") else files(package)
    )
    assert (fresh(Decides.RULES) != before) == changes


@pytest.mark.process
def test_another_process_finds_the_same_digests():
    code = "from quotelake.versions.content import *; print(digest_of(Decides.RULES), digest_of(Decides.DETECTOR))"
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert told.stdout.split() == [digest_of(decides) for decides in DIGESTED]


@given(values, values)
def test_constants_are_told_apart_by_their_values_alone(one: Any, other: Any):
    same = type(one) is type(other) and one == other
    assert not same or plain(one) == plain(other)
    assert plain(frozenset("abc")) == plain(frozenset("cba"))


def test_a_constant_of_no_plain_value_is_refused_for_its_digest_would_change_with_every_process():
    with pytest.raises(TypeError, match="text, numbers, patterns"):
        plain({"a": object()})
