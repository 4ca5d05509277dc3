"""After a purge no file of a table tells of rows that are gone, and all who read the table go on."""

import os
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from tests.conftest import TEST_TIME
from tests.lake.rows import contents, hexes, ids, variants

from quotelake.lake.runs import Run
from quotelake.lake.stream import follow
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import purge, seal_followed
from quotelake.query.engines import DuckEngine


@pytest.mark.spark
def test_no_file_tells_of_what_is_gone_and_streams_and_readers_go_on(lake: Lake):
    root, seen = Path(lake.root), list[list[str]]()

    def follow_on() -> None:
        follow(lake, "variants", "v", 1 << 30, lambda rows, txn: seen.append(sorted(r[0] for r in rows.collect())))

    def telling() -> list[str]:
        traces = [text.encode() for text in (*gone, "purple umbrellas")]
        return [path.name for path, data in contents(root) if any(trace in data for trace in traces)]

    gone, kept, later = (hexes(name, 1) for name in ("gone", "kept", "later"))
    lake.append(variants(lake, *gone, text="purple umbrellas"), "variants")
    lake.append(variants(lake, *kept, text="green kettles"), "variants")
    follow_on()
    lake.delete("variants", "variant_id", gone)
    stray = root / "variants" / "part-stray.parquet"
    stray.write_bytes(b"purple umbrellas")
    os.utime(stray, (4e9, 4e9))  # by a clock that was ahead
    names = telling()
    assert {name[-8:] for name in names} >= {".parquet", "001.json", "003.json"}, "a file, what it held, and the delete"
    before = lake.version("variants")
    seal_followed(lake, "variants", follow_on)
    lake.complete(Run("purged", TEST_TIME, "f", None, print))
    purge(lake, "variants")
    assert telling() == []
    assert ids(lake) == kept
    with pytest.raises(PySparkException):
        lake.read("variants", before).collect()
    lake.check(thorough=True)
    with DuckEngine(lake.root) as duck:
        assert duck.answer("SELECT variant_id FROM variants").rows == [{"variant_id": kept[0]}]
    lake.append(variants(lake, *later), "variants")
    follow_on()
    assert [rows for rows in seen if rows] == [sorted(gone + kept), later]
