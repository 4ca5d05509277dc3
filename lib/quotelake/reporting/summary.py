"""The summary of a run a person reads at its end: what came in, what was found, where it lies, what to try next."""

from collections.abc import Sequence

from pyspark.sql import Row
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quotelake.runs import Run, Stage
from quotelake.settings import ReportSettings
from quotelake.tables import Lake
from quotelake.views import register

_LONGEST = 160  # characters of a quote shown


def show_summary(lake: Lake, run: Run, settings: ReportSettings, console: Console) -> None:
    """Print the summary of a run from the views of its lake."""
    register(lake)
    sql = lake.spark.sql
    coverage = sql("SELECT * FROM corpus_coverage").collect()
    counts = ["n_files", "n_records", "n_documents", "n_duplicates", "n_rejects", "n_headline_quotes", "n_text_quotes"]
    _table(console, "Records in the lake, by source", ["source", *counts], coverage)
    rejects = sql("SELECT source, reason, count(*) AS n FROM rejects GROUP BY ALL ORDER BY source, n DESC").collect()
    _table(console, "Records that could not be used", ["source", "reason", "n"], rejects)
    kinds = sql(
        "SELECT field, kind, count(*) AS n FROM quotes JOIN active_version USING (rule_version) "
        "GROUP BY ALL ORDER BY field, n DESC"
    ).collect()
    _table(console, "Quotes by field and kind", ["field", "kind", "n"], kinds)
    outcomes = sql(
        "SELECT outcome, count(*) AS n, count(alert) AS alerts FROM headline_quotes "
        "GROUP BY ALL ORDER BY n DESC, outcome"
    ).collect()
    _table(console, "Headline quotes by outcome", ["outcome", "n", "alerts"], outcomes)
    for alert in ("contextomized", "risky_excerpt"):
        found = sql(
            f"SELECT * FROM headline_alerts WHERE alert = '{alert}' ORDER BY score DESC NULLS LAST, quote_id "
            f"LIMIT {settings.alerts}"
        ).collect()
        _alerts(console, alert, found)
    _ranking(console, lake, settings.ranking)
    _table(console, "Stages", ["stage", "seconds", "counts"], [_stage(stage) for stage in run.stages])
    _next(console, lake.root)


def _alerts(console: Console, alert: str, rows: Sequence[Row]) -> None:
    table = Table(title=f"Headline alerts: {alert} (latest versions, highest score first)", title_justify="left")
    for name in ("score", "outlet", "headline quote", "closest body quote", "why"):
        table.add_column(name, overflow="fold")
    for row in rows:
        score = "" if row["score"] is None else f"{row['score']:.2f}"
        quotes = (_short(row["headline_quote"]), _short(row["best_body_quote"]))
        table.add_row(score, Text(row["outlet"] or ""), *map(Text, quotes), Text(row["reason"]))
    _print(console, table, rows, f"Headline alerts: no {alert}")


def _ranking(console: Console, lake: Lake, size: int) -> None:
    ranked = lake.spark.sql("SELECT * FROM topic_variation_ranking WHERE period = 'all' AND status = 'ranked'")
    rows = ranked.orderBy("position", "group_id").collect()
    kept = rows if len(rows) <= 2 * size else [*rows[:size], *rows[-size:]]
    names = ["position", "variation", "variation_low", "variation_high", "n_documents", "n_distinct_contexts", "quote"]
    _table(console, f"Reused quotes by topic variation ({len(rows)} ranked; both ends shown)", names, kept)


def _stage(stage: Stage) -> dict[str, object]:
    counts = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in stage.counts.items())
    return {"stage": stage.name, "seconds": stage.seconds, "counts": counts}


def _next(console: Console, root: str) -> None:
    console.print(f"\nTables: {root}", markup=False, highlight=False)
    console.print("Next, for instance:", markup=False)
    for command in (
        f'spark-submit jobs/query.py --lake {root} "SELECT outlet, headline_quote, reason FROM headline_alerts"',
        f"spark-submit jobs/rank_topics.py --lake {root} --top 20",
        f"spark-submit jobs/score_corpus.py --lake {root} --input NAME=GLOB   # your own files, see README.md",
    ):
        console.print("  " + command, markup=False, highlight=False, soft_wrap=True)


def _table(console: Console, title: str, names: Sequence[str], rows: Sequence[Row | dict[str, object]]) -> None:
    table = Table(title=title, title_justify="left")
    for name in names:
        table.add_column(name.removeprefix("n_").replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(row[name])) for name in names))
    _print(console, table, rows, f"{title}: none")


def _print(console: Console, table: Table, rows: Sequence[object], nothing: str) -> None:
    console.print()
    console.print(table if rows else Text(nothing))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else _short(str(value))


def _short(text: str | None) -> str:
    flat = " ".join((text or "").split())
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"
