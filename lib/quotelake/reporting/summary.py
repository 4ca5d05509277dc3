"""The summary printed at the end of a run: records read, results, place of the tables, commands to try next."""

import shlex
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from quotelake.commands import command
from quotelake.lake.runs import Run, StageCounts
from quotelake.query.ask import Ask
from quotelake.reporting.alerts import QUERIES
from quotelake.reporting.console import make_table
from quotelake.settings import ReportSettings

_LONGEST = 160  # characters of a quote shown
_SPEAKERS = 5
_WATCHED = 10  # watched texts shown
_TABLES = {
    "Records in the lake, by source": (
        "SELECT source, n_files AS files, n_records AS records, n_documents AS documents, n_duplicates AS duplicates, "
        "n_rejects AS rejects, n_headline_quotes AS headline_quotes, n_text_quotes AS text_quotes FROM corpus_coverage"
    ),
    "Records that could not be used": QUERIES["rejects"],
    "Records kept without a field that could not be read": (
        "SELECT source, sum(unread_dates) AS date_unread, sum(not_numbers) AS not_a_number FROM files "
        "GROUP BY source HAVING sum(unread_dates) + sum(not_numbers) > 0 ORDER BY source"
    ),
    "Quotes by field and kind": (
        "SELECT field, kind, count(*) AS quotes FROM quotes JOIN active_version USING (rule_version) "
        "GROUP BY ALL ORDER BY field, quotes DESC, kind"
    ),
    "Most quoted people": (
        "SELECT speaker, quotes, articles, outlets, quote AS most_widely_quoted FROM most_quoted "
        f"ORDER BY quotes DESC, articles DESC, speaker LIMIT {_SPEAKERS}"
    ),
    "Quotes that several outlets use": (
        "SELECT count(DISTINCT group_id) AS quotes, count(*) AS uses, count_if(trimmed) AS trimmed, "
        "count_if(credited_otherwise) AS credited_otherwise FROM quote_versions"
    ),
    "Headline quotes by outcome": QUERIES["outcomes"],
    "Watched texts": (
        "SELECT watch_id, min(text) AS text, count(*) AS uses, count(CASE WHEN in_marks THEN 1 END) AS in_marks, "
        "count(DISTINCT doc_id) AS documents, count(DISTINCT outlet) AS outlets FROM watch_uses "
        f"GROUP BY watch_id ORDER BY uses DESC, watch_id LIMIT {_WATCHED}"
    ),
}
_RANKING = (
    "SELECT position, quote, variation, variation_low AS low, variation_high AS high, n_documents AS documents, "
    "n_distinct_contexts AS distinct_contexts FROM topic_variation_ranking WHERE period = 'all' AND status = 'ranked' "
    "ORDER BY position, group_id"
)


def summary_queries(settings: ReportSettings) -> dict[str, str]:
    """Statements of the summary, by title of the table."""
    return {**_TABLES, "alerts": _alert_query(settings.alerts), "ranking": _RANKING}


def show_summary(ask: Ask, run: Run, root: str, settings: ReportSettings, console: Console) -> None:
    """Print the summary of a run from the views of its lake.

    Args:
        ask: queries the lake, as the run left it.
        run: the run whose stages are shown.
        root: directory or address of the lake, for the commands to try next.
        settings: numbers of rows shown.
        console: where to print.
    """
    answers = {name: ask(statement) for name, statement in summary_queries(settings).items()}
    for title in _TABLES:
        if title != "Watched texts" or answers[title]:
            _show(console, title, answers[title])
    _show(console, "Headline alerts (latest versions, one per story, the gravest first)", answers["alerts"])
    ranked = answers["ranking"]
    ends = ranked if len(ranked) <= 2 * settings.ranking else ranked[: settings.ranking] + ranked[-settings.ranking :]
    _show(console, f"Reused quotes by topic variation ({len(ranked)} ranked; both ends shown)", ends)
    _show(console, "Stages", [_stage(stage) for stage in run.stages])
    _show_next(console, root)


def _alert_query(limit: int) -> str:
    return (
        "SELECT alert, priority, outlet, headline_quote, best_body_quote AS closest_body_quote, reason "
        f"FROM headline_alerts WHERE of_story = 1 ORDER BY priority DESC, quote_id LIMIT {limit}"
    )


def _stage(stage: StageCounts) -> dict[str, Any]:
    counts = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in stage.counts.items())
    return {"stage": stage.name, "seconds": round(stage.seconds, 1), "counts": counts}


def _show(console: Console, title: str, rows: Sequence[dict[str, Any]]) -> None:
    shown = [{name.replace("_", " "): _short(value) for name, value in row.items()} for row in rows]
    console.print()
    console.print(make_table(title, list(shown[0]), shown) if shown else Text(f"{title}: none"))


def _short(value: object) -> object:
    if not isinstance(value, str):
        return value
    flat = " ".join(value.split())
    return flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"


def _show_next(console: Console, root: str) -> None:
    console.print(f"\nTables: {root}", markup=False, highlight=False)
    console.print("Next, for instance:", markup=False)
    for line in next_commands(root):
        console.print("  " + line, markup=False, highlight=False, soft_wrap=True)


def next_commands(root: str) -> list[str]:
    """Commands to try on a lake, as a shell takes them; a comment says what NAME=GLOB stands for."""
    lake = shlex.quote(root)
    return [
        f'{command("query")} --lake {lake} "SELECT outlet, headline_quote, reason FROM headline_alerts"',
        f"{command('rank')} --lake {lake} --top 20",
        f"{command('score')} --lake {lake} --input NAME=GLOB   # your own files, see README.md",
    ]
