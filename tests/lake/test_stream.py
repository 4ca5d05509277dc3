"""Checkpoints that were dropped are never taken for those that come after them."""

from pathlib import Path

from quotelake.lake.place import CHECKPOINTS, Files
from quotelake.lake.stream import checkpoint_name, drop_others


def test_a_dropped_checkpoint_begins_anew_under_another_name_however_often(tmp_path: Path):
    files, rows = Files(tmp_path), list[int]()
    for name in ("documents-now", "documents-old", "documents-older", "quotes-old"):
        files.write(f"{CHECKPOINTS}/{name}/offsets/0", "x")
    drop_others(files, "documents", "now", lambda: rows.append(len(files.names(CHECKPOINTS))))
    assert rows == [5], "rows go before the folders, by which a killed run knows that it has not ended"
    assert sorted(files.names(CHECKPOINTS)) == ["documents-now", "dropped.json", "quotes-old"]
    names = [checkpoint_name(files, "documents", each) for each in ("now", "old", "new")]
    assert names == ["documents-now", "documents-old-1", "documents-new"]
    files.write(f"{CHECKPOINTS}/documents-old/offsets/0", "left by a run that was killed while it dropped it")
    drop_others(files, "documents", "now", rows.clear)
    assert checkpoint_name(files, "documents", "old") == "documents-old-1"
    files.write(f"{CHECKPOINTS}/documents-old-1/offsets/0", "x")
    drop_others(files, "documents", "now", rows.clear)
    assert checkpoint_name(files, "documents", "old") == "documents-old-2"
    drop_others(files, "documents", "old", rows.clear)
    assert sorted(files.names(CHECKPOINTS)) == ["dropped.json", "quotes-old"]
    assert checkpoint_name(files, "documents", "now") == "documents-now-1"
