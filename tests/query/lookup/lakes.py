"""Small lakes without Spark, as runs leave them: which quotes they hold is given use by use."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
from deltalake import write_deltalake
from tests.query.lakes import complete

from quotelake.quotes.keys import canonical_text, variant_id
from quotelake.text.ids import content_id
from quotelake.text.words import count_words

DAY = datetime(2024, 6, 1, 12, tzinfo=UTC)
STAMP = {"run_id": "r", "ingested_at": DAY}
RULES = "rules-1"
BASE = {
    "kind": "news", "outlet": "Harrow Ledger", "headline": "A day at the depot", "published_at": DAY, "field": "body",
    "native": None, "group": None, "rule_version": RULES,
}  # fmt: skip


def use(text: str, **changed: Any) -> dict[str, Any]:
    """A use of a quote in an article by itself; ``native`` names the article, ``group`` the text its group has."""
    return {**BASE, "text": text, **changed}


def make_lake(root: Path, uses: Iterable[Mapping[str, Any]], fingerprint: str = "f1", model: str = "m") -> Path:
    """Write the tables that a look-up reads, or add rows to them; then a run is complete."""
    uses = list(uses)
    rows: dict[str, list[dict[str, Any]]] = {
        "documents": _once("doc_id", map(_document, uses, count())),
        "quotes": list(map(_quote, uses, count())),
        "variants": _once("variant_id", map(_variant, uses)),
        "variant_groups": _once("variant_id", (_group(each) for each in uses if each["field"] != "headline")),
        "versions": [
            {"rule_version": RULES, "detector_version": "d", "fingerprint": fingerprint, "model": model,
             "dtype": "float32", **STAMP}
        ],
    }  # fmt: skip
    before = _version(root)
    for table, its in rows.items():
        if its:
            write_deltalake(str(root / table), pa.Table.from_pylist(its, _schema(its)), mode="append")
    complete(root, f"r{before + 1}", **({} if not uses else dict.fromkeys(rows, before + 1)))
    return root


def _once(key: str, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({row[key]: row for row in rows}.values())


def _version(root: Path) -> int:
    return len(list((root / "variants" / "_delta_log").glob("*.json"))) - 1


def _schema(rows: list[dict[str, Any]]) -> pa.Schema:
    times = {"published_at", "ingested_at"}
    kinds = {str: pa.string(), int: pa.int32(), bool: pa.bool_()}
    first = rows[0]
    return pa.schema([(n, pa.timestamp("us", "UTC") if n in times else kinds[type(first[n])]) for n in first])


def _key(each: Mapping[str, Any], number: int) -> str:
    return content_id(each["native"] or f"{each['text']}{number}{each['published_at']}")


def _doc_id(each: Mapping[str, Any], number: int) -> str:
    return content_id(_key(each, number), each["headline"], str(each["published_at"]))


def _document(each: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {
        "doc_id": _doc_id(each, number), "native_key": _key(each, number), "kind": each["kind"],
        "outlet": each["outlet"], "headline": each["headline"], "published_at": each["published_at"],
        "body": f"He said: “{each['text']}”", "url": "https://a.example/1", "is_repost": False, **STAMP,
    }  # fmt: skip


def _quote(each: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {
        "quote_id": content_id(_doc_id(each, number), each["field"]), "rule_version": each["rule_version"],
        "doc_id": _doc_id(each, number), "field": each["field"], "start": 10, "end": 10 + len(each["text"]),
        "text": each["text"], "kind": "direct", "variant_id": variant_id(each["text"]), **STAMP,
    }  # fmt: skip


def _variant(each: Mapping[str, Any]) -> dict[str, Any]:
    canonical = canonical_text(each["text"])
    assert canonical is not None
    return {
        "variant_id": variant_id(each["text"]), "canonical_text": canonical, "words": count_words(canonical), **STAMP,
    }  # fmt: skip


def _group(each: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "variant_id": variant_id(each["text"]), "rule_version": each["rule_version"],
        "group_id": variant_id(each["group"] or each["text"]), **STAMP,
    }  # fmt: skip
