"""Whether summary and page say of a lake what its tables say."""

from pathlib import Path
from typing import Any

from quotelake.answers.alerts import QUERIES, page_query
from quotelake.answers.kept import KeptEngine
from quotelake.answers.morning import NIGHT
from quotelake.answers.norm import outlets_query
from quotelake.answers.trends import OUTCOMES
from quotelake.commands.summary import summary_queries
from quotelake.query.ask import DuckEngine, Engine
from quotelake.settings import load_settings

SETTINGS = load_settings().report
#: Of an alert: how many tell its story. Neither page nor file shows it.
UNSEEN = {"copies"}


def of_morning() -> list[str]:
    """Statements of the morning page, but for rates, which are exact only within days, and the ranking before."""
    outlets = f"SELECT * FROM ({outlets_query(SETTINGS)}) o ORDER BY nth, source, outlet"
    views = (*NIGHT, "run_watch_news", "watch_counts")
    return [*(f"SELECT * FROM {view} ORDER BY ALL" for view in views), OUTCOMES, outlets]


def answer(engine: Engine, statement: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in UNSEEN} for row in engine.sql(statement)]


def assert_kept_is_the_tables(root: str | Path, engine: KeptEngine | None = None, shown: int = 500) -> None:
    """Each statement of summary and page has the answer that the tables give; for the next run it is kept."""
    kept = engine or KeptEngine(str(root), anew=False)
    with DuckEngine(str(root)) as tables:
        for statement in (*summary_queries(SETTINGS).values(), *QUERIES.values(), page_query(shown), *of_morning()):
            assert answer(kept, statement) == answer(tables, statement), statement
