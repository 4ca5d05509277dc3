"""Lakes written without Spark, as their runs left them: of a few rows, or with quotes that are given use by use."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import duckdb
import pyarrow as pa
from deltalake import write_deltalake

from quotelake.lake.local import no_rows
from quotelake.quotes.keys import canonical_text, variant_id
from quotelake.text.ids import content_id
from quotelake.text.words import count_words

DAY = datetime(2024, 6, 1, 12, tzinfo=UTC)
STAMP = {"run_id": "r", "ingested_at": DAY}
Mode = Literal["append", "overwrite"]


def rows_of(table: str, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Rows of some columns of a table, with the types of its contract."""
    time, types = pa.timestamp("us", "UTC"), duckdb.sql(no_rows(table)).to_arrow_table().schema
    fields = [types.field(name) for name in rows[0]]
    schema = pa.schema([each.with_type(time) if pa.types.is_timestamp(each.type) else each for each in fields])
    return pa.Table.from_pylist([*rows], schema)


def write_rows(root: Path, table: str, rows: Sequence[Mapping[str, Any]], mode: Mode = "append") -> None:
    write_deltalake(str(root / table), rows_of(table, rows), mode=mode)


def variants(*texts: str) -> pa.Table:
    """Rows of variants without the column words, as an older contract may have left them."""
    return rows_of("variants", [{"variant_id": text, "canonical_text": text, **STAMP} for text in texts])


def complete(
    root: Path,
    run_id: str,
    stage: str = "run",
    night: str | None = None,
    counts: Mapping[str, int] | None = None,
    **versions: int,
) -> None:
    row = {
        "run_id": run_id, "stage": stage, "night": night, "seconds": 1.0, "counts": [*(counts or {}).items()],
        "settings_fingerprint": "f",
        "table_versions": list(versions.items()), "ingested_at": DAY,
    }  # fmt: skip
    write_rows(root, "runs", [row])


RULES = "rules-1"
BASE = {
    "kind": "news", "outlet": "Harrow Ledger", "headline": "A day at the depot", "published_at": DAY, "field": "body",
    "native": None, "group": None, "rule_version": RULES,
}  # fmt: skip


def use(text: str, **changed: Any) -> dict[str, Any]:
    """A use of a quote in an article by itself; ``native`` names the article, ``group`` the text its group has."""
    return {**BASE, "text": text, **changed}


def make_lake(
    root: Path, uses: Sequence[Mapping[str, Any]], fingerprint: str = "f1", model: str = "m", *, ends: bool = True
) -> Path:
    """Write the tables that a look-up reads, or add rows to them; then, unless told otherwise, a run is complete."""
    rows: dict[str, dict[str, dict[str, Any]]] = {
        "documents": {}, "quotes": {}, "variants": {}, "variant_groups": {},
        "versions": {"": {"rule_version": RULES, "detector_version": "d", "fingerprint": fingerprint, "model": model,
                          "dtype": "float32", **STAMP}},
    }  # fmt: skip
    for number, each in enumerate(uses):
        text, headline, date = each["text"], each["headline"], each["published_at"]
        key = content_id(each["native"] or f"{text}{number}{date}")
        doc, variant, rules = content_id(key, headline, str(date)), variant_id(text), each["rule_version"]
        rows["documents"][doc] = {
            "doc_id": doc, "native_key": key, "kind": each["kind"], "outlet": each["outlet"], "headline": headline,
            "published_at": date, "body": f"He said: “{text}”", "url": "https://a.example/1", "is_repost": False,
            **STAMP,
        }  # fmt: skip
        rows["quotes"][str(number)] = {
            "quote_id": content_id(doc, each["field"]), "rule_version": rules, "doc_id": doc, "field": each["field"],
            "start": 10, "end": 10 + len(text), "text": text, "kind": "direct", "variant_id": variant, **STAMP,
        }  # fmt: skip
        canonical = canonical_text(text) or ""
        rows["variants"][variant] = {
            "variant_id": variant, "canonical_text": canonical, "words": count_words(canonical), **STAMP,
        }  # fmt: skip
        if each["field"] != "headline":
            group = variant_id(each["group"] or text)
            rows["variant_groups"][variant] = {
                "variant_id": variant, "rule_version": rules, "group_id": group, **STAMP,
            }  # fmt: skip
    version = len(list((root / "variants" / "_delta_log").glob("*.json")))
    for table, by_key in rows.items():
        if its := list(by_key.values()):
            write_rows(root, table, its)
    if ends:
        complete(root, f"r{version}", **(dict.fromkeys(rows, version) if uses else {}))
    return root
