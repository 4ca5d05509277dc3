"""What adapters share, and what each of them makes of the tool's answer. No public tool is needed."""

import ast
import struct
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelab.benchmarks.peers import adapters

ITEMS = 12
pairs = st.lists(st.tuples(st.integers(0, ITEMS - 1), st.integers(0, ITEMS - 1)), max_size=20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("contract")


@given(st.lists(st.text()))
def test_texts_come_back_as_they_were(folder: Path, texts: list[str]):
    assert adapters.write_texts(texts, folder / "texts") == len(texts)
    assert adapters.read_texts(folder / "texts") == texts


@given(st.lists(st.none() | st.integers(0, 9)))
def test_groups_come_back_and_one_too_few_is_refused(folder: Path, groups: list[int | None]):
    adapters.write_groups(groups, folder / "groups")
    expected = [None if group is None else str(group) for group in groups]
    assert adapters.read_groups(folder / "groups", len(groups)) == expected
    with pytest.raises(ValueError, match=f"{len(groups)} groups for {len(groups) + 1} texts"):
        adapters.read_groups(folder / "groups", len(groups) + 1)


class FakeIndex:
    """Stands for an index of datasketch: two tables of buckets, and queries that return what shares a bucket."""

    tables = ({b"x": [0, 2], b"y": [1], b"z": [3]}, {b"x": [0], b"y": [1], b"z": [2, 3]})

    class Table(dict):
        """A storage, which is not a dictionary there."""

    @property
    def hashtables(self) -> list["FakeIndex.Table"]:
        return [self.Table(table) for table in self.tables]

    def query(self, number: int) -> list[int]:
        return [item for table in self.tables for bucket in table.values() if number in bucket for item in bucket]


def test_buckets_and_queries_of_an_index_link_the_same_texts():
    index, expected = FakeIndex(), [0, 1, 0, 0]
    assert adapters.components(4, adapters.in_buckets(index)) == expected
    assert adapters.components(4, adapters.queried(index, [0, 1, 2, 3])) == expected


def test_adapters_need_only_the_standard_library_at_the_start():
    """The environment of a tool holds nothing else; what is needed of the tool is imported when its adapter runs."""
    tree = ast.parse(Path(adapters.__file__).read_text("utf-8"))
    nodes = [node for each in tree.body if not isinstance(each, ast.FunctionDef) for node in ast.walk(each)]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


def test_records_of_clusters_are_pairs_of_text_and_cluster(tmp_path: Path):
    path = tmp_path / "000000.clusters"
    assert adapters.read_clusters(path) == {}
    path.write_bytes(struct.pack("<4I", 3, 0, 7, 0))
    assert adapters.read_clusters(path) == {3: 0, 7: 0}
