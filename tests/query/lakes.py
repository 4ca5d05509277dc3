"""Lakes written without Spark: of a few rows, as their runs left them."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
from deltalake import write_deltalake

DAY = datetime(2024, 6, 1, 12, tzinfo=UTC)
RUNS = pa.schema(
    [
        ("run_id", pa.string()), ("stage", pa.string()), ("night", pa.string()), ("seconds", pa.float64()),
        ("counts", pa.map_(pa.string(), pa.int64())), ("settings_fingerprint", pa.string()),
        ("table_versions", pa.map_(pa.string(), pa.int64())), ("ingested_at", pa.timestamp("us", "UTC")),
    ]
)  # fmt: skip


def variants(*texts: str) -> pa.Table:
    """Rows of variants without the column words, as an older contract may have left them."""
    rows = [{"variant_id": text, "canonical_text": text, "run_id": "r", "ingested_at": DAY} for text in texts]
    return pa.Table.from_pylist(rows, schema=pa.schema(
        [("variant_id", pa.string()), ("canonical_text", pa.string()), ("run_id", pa.string()),
         ("ingested_at", pa.timestamp("us", "UTC"))]
    ))  # fmt: skip


def complete(root: Path, run_id: str, stage: str = "run", **versions: int) -> None:
    row = {
        "run_id": run_id, "stage": stage, "night": None, "seconds": 1.0, "counts": [], "settings_fingerprint": "f",
        "table_versions": list(versions.items()), "ingested_at": DAY,
    }  # fmt: skip
    write_deltalake(str(root / "runs"), pa.Table.from_pylist([row], schema=RUNS), mode="append")
