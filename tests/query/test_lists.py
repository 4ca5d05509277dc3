"""Alerts and checks: every view, count and rate means the same quotes by them, and each list is in its order."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.query.lakes import DAY, STAMP, complete, write_rows

from quotelake.answers.reviews import Review, new_reviews
from quotelake.errors import InputError
from quotelake.query.engines import DuckEngine

VERSIONS = {"rule_version": "r1", "detector_version": "d1"}
SEVERITY = {"negation": 0.9, "absent": 0.9, "hedge": 0.5, "altered": 0.7, "spliced": 0.6}
#: Headline quotes: name, article, outcome, alert, check. Of article C there is a later version, without its alert.
QUOTES = [
    ("a", "A", "excerpt", "negation", "altered"),
    ("b", "A", "absent", None, "absent"),
    ("c", "C", "excerpt", "hedge", None),
    ("d", "D", "modified", None, "spliced"),
    ("e", "E", "identical", None, None),
    ("f", "F", "claim_supported", "negation", None),  # a claim: it has an alert, and no outlet's rate counts it
    ("g", "C2", "excerpt", None, None),
]


def row_of(name: str, article: str, outcome: str, alert: str | None, check: str | None) -> dict[str, Any]:
    kinds = {"alert": alert, "check": check}
    differences = [
        {"kind": kind, "tier": tier, "severity": SEVERITY[kind], "said": "", "own": "", "phrase": kind}
        for tier, kind in kinds.items()
        if kind
    ]
    severity = differences[0]["severity"] if differences else None
    found = {"outcome": outcome, "alert": alert, "to_check": check, "severity": severity, "differences": differences}
    return {**VERSIONS, "quote_id": name, "doc_id": article, "headline_start": 1, "headline_end": 2, **found, **STAMP}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckEngine]:
    root: Path = tmp_path_factory.mktemp("lists")
    rows = [row_of(*quote) for quote in QUOTES]
    write_rows(root, "versions", [{**VERSIONS, "fingerprint": "f", **STAMP}])
    documents = [
        {
            "doc_id": doc, "native_key": doc[0], "source": "wire", "kind": "news", "outlet": "Post", "body": "Yes.",
            "headline": f"“{doc}”", "is_repost": False, "published_at": DAY.replace(hour=len(doc)), **STAMP,
        }
        for doc in dict.fromkeys(row["doc_id"] for row in rows)
    ]  # fmt: skip
    write_rows(root, "documents", documents)
    names = ("quote_id", "doc_id", "rule_version", "run_id", "ingested_at")
    quotes = [{**{name: row[name] for name in names}, "field": "headline", "text": row["quote_id"]} for row in rows]
    write_rows(root, "quotes", [{**row, "start": 1, "end": 2, "kind": "direct", "depth": 0} for row in quotes])
    write_rows(root, "contextomy", rows)
    reviews = [("a", "altered", "true"), ("d", "spliced", "false")]
    write_rows(
        root,
        "alert_reviews",
        [
            {
                "quote_id": quote,
                "alert": kind,
                "reviewer": "ann",
                "reviewed_at": DAY,
                "label": label,
                **VERSIONS,
                **STAMP,
            }
            for quote, kind, label in reviews
        ],
    )
    complete(root, "r", versions=0, documents=0, quotes=0, contextomy=0)
    with DuckEngine(str(root)) as engine:
        yield engine


def test_each_list_has_its_quotes_by_priority_with_the_kind_and_severity_of_its_own_difference(lake: DuckEngine):
    found = lake.sql("SELECT tier, kind, quote_id, severity, right_share, of_story FROM headline_findings")
    assert [(row["tier"], row["kind"], row["quote_id"], row["severity"]) for row in found] == [
        ("alert", "negation", "a", 0.9), ("alert", "negation", "f", 0.9), ("check", "absent", "b", 0.9),
        ("check", "altered", "a", 0.7), ("check", "spliced", "d", 0.6),
    ]  # fmt: skip
    assert [row["of_story"] for row in found] == [1, 1, 1, 2, 1], "numbered in each list"
    shares = [row["right_share"] for row in found]
    assert shares[:3] == [0.5] * 3 and shares[3] > 0.5 > shares[4], "verdicts on a check count for its kind"
    alerts, checks = (lake.sql(f"SELECT * FROM headline_{name}") for name in ("alerts", "checks"))
    assert [(row["alert"], row["to_check"]) for row in alerts] == [("negation", "altered"), ("negation", None)]
    assert [(row["to_check"], row["alert"]) for row in checks] == [
        ("absent", None), ("altered", "negation"), ("spliced", None),
    ]  # fmt: skip
    assert [row["quote_id"] for row in lake.sql("SELECT * FROM page_alerts")] == ["a", "f", "b", "d"], (
        "a is listed once"
    )


def test_an_alert_is_the_same_in_every_count_and_rate(lake: DuckEngine):
    def counts(statement: str) -> list[tuple[Any, ...]]:
        return [tuple(row.values()) for row in lake.sql(statement)]

    [every] = counts("SELECT count(alert), count(to_check) FROM headline_quotes")
    for view in ("outcome_counts", "outcome_months"):
        assert counts(f"SELECT sum(alerts), sum(checks) FROM {view}") == [every] == [(3, 3)], view
    results = "SELECT figure, value FROM run_changes WHERE figure IN ('alerts', 'checks') ORDER BY figure"
    assert counts(results) == [("alerts", 3), ("checks", 3)]
    assert counts("SELECT alerts, checks FROM headline_history ORDER BY version_number") == [(1, 0), (0, 0)]
    eligible = "outcome NOT LIKE 'claim%' AND version_number = 1"
    of_quotes = f"SELECT count(*), count(alert), count(to_check) FROM headline_quotes WHERE {eligible}"
    rates = "SELECT n_eligible, n_alerts, n_checks FROM outlet_rates"
    assert counts(of_quotes) == counts(rates) == [(5, 2, 3)], "of the first version of each article"
    assert counts("SELECT sum(n_eligible), sum(n_alerts), sum(n_checks) FROM outlet_months") == [(5, 2, 3)]
    assert counts("SELECT n_absent FROM outlet_rates") == [(1,)], "an outcome, on whichever list it is"


def test_precision_is_stated_per_kind_of_both_lists_with_what_it_is_a_share_of(lake: DuckEngine):
    found = lake.sql("SELECT tier, kind, n_of_kind, n_quotes, per_1000, n_reviewed, n_true FROM alert_precision")
    assert [tuple(row.values()) for row in found] == [
        ("alert", "negation", 2, 6, 2000 / 6, 0, 0), ("check", "absent", 1, 6, 1000 / 6, 0, 0),
        ("check", "altered", 1, 6, 1000 / 6, 1, 1), ("check", "spliced", 1, 6, 1000 / 6, 1, 0),
    ]  # fmt: skip


def test_a_verdict_on_a_check_is_taken_under_its_kind_and_one_on_no_list_is_refused(lake: DuckEngine):
    def verdict(quote: str, kind: str) -> list[Review]:
        return [Review(quote, kind, "bob", DAY, "true", None, *VERSIONS.values())]

    for quote, kind in (("a", "negation"), ("a", "altered"), ("b", "absent")):
        assert new_reviews(lake.sql, verdict(quote, kind)) == verdict(quote, kind)
    with pytest.raises(InputError, match="this lake has no such alert or check: b"):
        new_reviews(lake.sql, verdict("b", "altered"))
