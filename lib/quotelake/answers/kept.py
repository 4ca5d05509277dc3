"""What summary and page say of a whole local lake: from what the last ones kept of it, and from what was added since.

A file of the lake, :data:`FILE`, holds counts and alerts as a complete run left them. To them is added what the files
hold that were added since, read as if they were a lake of their own; so what a killed run wrote is counted once, by
the next complete one. All is read, and kept anew, where the file is gone or cannot be read, where rows were changed or
deleted since, and where other versions or views are in use: whoever deletes rows may delete the file. Imports no Spark.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Final

import duckdb

from quotelake.answers.alerts import COUNTED_BY, SHOWN, WHOLE, page_query
from quotelake.answers.kept_night import ORDER, RANKS, RUNS, NightEngine, literal
from quotelake.answers.morning import NIGHT
from quotelake.errors import InputError
from quotelake.files.outputs import whole
from quotelake.lake.local import Unsupported, files_added, no_rows
from quotelake.lake.place import is_local
from quotelake.query.ask import Answer, Ask, Engine, reader_of
from quotelake.query.catalog import view_names, view_text
from quotelake.text.ids import content_id

FILE: Final = "_report.duckdb"
#: Bytes of ``quotes``, of some 13,000 documents, above which a night shows the answers of :data:`WHOLE` as the last
#: ``quotelake report`` gave them: from there on they would be most of what summary and page read.
LARGE: Final = 4 << 20
#: Tables of which a night reads what was added.
_ADDED: Final = ("contextomy", "documents", "quotes", "story_texts", "watch_hits")
#: Views whose rows are sums over documents, and the columns that are summed.
_SUMS: Final = {
    "quote_counts": ("quotes",), "outcome_counts": ("quotes", "alerts"), "outcome_months": ("quotes", "alerts"),
    "outlet_runs": ("documents",), "watch_counts": ("uses",),
}  # fmt: skip
#: What is kept of every alert, all that its place in the list needs; ``story_id`` is the text of its article.
_NARROW: Final = (
    "quote_id, rule_version, detector_version, doc_id, native_key, updated_at, published_at, story_id, run_id, "
    "alert, severity, score"
)
#: Alerts of which all columns are kept: so many of the page, and so many by priority, one per story.
_WIDE: Final = 2 * SHOWN
#: Documents of so many days before the newest are kept, with :data:`ORDER` and their outlet.
_DAYS: Final = 30


class KeptEngine(NightEngine):
    """Answers the statements of summary and pages on a local lake.

    Args:
        root: directory of the lake.
        anew: read all, as ``quotelake report`` does.

    Raises:
        InputError: there is no lake at this place, or no run on it was ever completed.
        Unsupported: DuckDB cannot read one of the tables.
        duckdb.Error: what was kept, or a data file, cannot be read.
    """

    def __init__(self, root: str, *, anew: bool) -> None:
        super().__init__(root, kept=["headline_alerts", "topic_ranks"])
        self._path = self._root / FILE
        self._counted_by: str | None = None
        added = None if anew else self._added()
        self._and_kept = "" if added is None else "UNION ALL BY NAME SELECT * FROM kept.{}"
        for table, files in (added or {}).items():
            self._see(table, files)
        self._define("stories", no_rows("stories"))  # so that story_id is the text
        for name, counts in _SUMS.items():
            self._keep_sums(f"sum_{name}", f"SELECT * FROM {name} {self._and_kept.format(name)}", counts)
            self._define(name, f"SELECT * FROM sum_{name}")
        self._keep(
            "found",
            "SELECT h.*, d.native_key FROM headline_quotes h JOIN documents d ON d.doc_id = h.doc_id "
            "WHERE h.alert IS NOT NULL AND h.version_number = h.n_versions",
        )
        self._answer_night(None if added is None else added["documents"])
        self._find_superseded(kept=added is not None)
        self._undo(*_ADDED, "stories", "document_stories", "document_versions", "headline_quotes", "outlet_articles")
        self._undo("watch_uses")
        self._keep("now", "SELECT text_id, story_id FROM stories JOIN active_version USING (rule_version)")
        self._place_alerts()
        self._place_rates()
        self._rank_before(self._path)
        self._place_clusters(None if added is None else added["documents"])
        self._answer_whole(kept=added is not None)
        if added is None or any(added.values()):
            self._write()

    def answer(self, statement: str) -> Answer:
        """Answer one statement; where an alert comes up of which only the place was kept, from the whole lake."""
        name = self._answers.get(statement)
        found = super().answer(statement if name is None else f"SELECT * FROM {name}")
        if any(row.get("headline_quote", "") is None for row in found.rows):
            return KeptEngine(str(self._root), anew=True).answer(statement)
        return found

    def _added(self) -> dict[str, list[str]] | None:
        """Open what was kept; the files that each table got since then, or None where it does not hold any more."""
        if not self._path.exists():
            return None
        self._connection.execute(f"ATTACH {literal(self._path)} AS kept (READ_ONLY)")
        row = self._run(
            "SELECT r.table_versions FROM kept.state k JOIN active_version a USING (rule_version, detector_version) "
            f"JOIN runs r ON r.run_id = k.run_id AND r.stage = 'run' WHERE k.views = '{_views()}'"
        ).fetchone()
        if row is None:
            return None
        before, now = row[0], self._last.versions
        added = {table: files_added(self._root / table, before.get(table, -1), now.get(table, -1)) for table in _ADDED}
        found = {table: files for table, files in added.items() if files is not None}
        return found if len(found) == len(added) else None

    def _find_superseded(self, *, kept: bool) -> None:
        """Make the table ``superseded``: documents with an alert of which there is a later version; and ``numbered``.

        A kept alert is of the latest version there was, so that an added one alone can be later. Before a document with
        a new alert an archived one can come whose date is later: it is among the recent ones, or where the new one is
        older than these, or states no time of change as others of its source do, it is looked for among all.
        """
        documents = f"SELECT {ORDER}, outlet FROM documents {self._and_kept.format('recent')}"
        now = f"TIMESTAMP '{self._last.started:%Y-%m-%d %H:%M:%S}'"
        self._keep(
            "edge",
            f"SELECT max(published_at) - INTERVAL {_DAYS} DAY AS since FROM ({documents}) WHERE published_at <= {now}",
        )
        later = "greatest(coalesce(updated_at, published_at), coalesce(published_at, updated_at)) > since"
        self._keep("recent", f"SELECT {ORDER}, outlet FROM ({documents}), edge WHERE {later}")
        changing = "SELECT source FROM documents WHERE updated_at IS NOT NULL"
        self._keep("changing", f"SELECT DISTINCT source FROM ({changing} {self._and_kept.format('changing')})")
        self._keep("known", f"SELECT {ORDER} FROM documents WHERE false")
        if kept:
            asked = "SELECT native_key FROM found UNION SELECT native_key FROM articles UNION " + " UNION ".join(
                f"SELECT native_key FROM kept.{table} SEMI JOIN documents USING (native_key)"
                for table in ("alerts", "told")
            )
            for table in ("documents", "kept.alerts", "kept.told", "kept.recent"):
                self._run(f"INSERT INTO known SELECT {ORDER} FROM {table} SEMI JOIN ({asked}) USING (native_key)")
            old = self._run(
                "SELECT DISTINCT native_key FROM found, kept.edge WHERE NOT coalesce(updated_at > since OR (updated_at "
                "IS NULL AND published_at > since AND source NOT IN (SELECT source FROM kept.changing)), false)"
            ).fetchall()
            self._undo("documents")
            if old:
                listed = ", ".join(literal(key) for (key,) in old)
                self._run(f"INSERT INTO known SELECT {ORDER} FROM documents WHERE native_key IN ({listed})")
        self._undo("document_versions")
        self._define("documents", "SELECT DISTINCT * FROM known")
        self._keep("numbered", "SELECT doc_id, version_number, n_versions FROM document_versions")
        self._keep("superseded", "SELECT doc_id FROM numbered WHERE version_number < n_versions")

    def _place_alerts(self) -> None:
        """Have ``headline_quotes`` hold the alerts alone, with the stories of now; most have only what places them."""
        latest = "doc_id NOT IN (SELECT doc_id FROM superseded)"
        self._keep(
            "alerts", f"SELECT * FROM (SELECT {_NARROW} FROM found {self._and_kept.format('alerts')}) WHERE {latest}"
        )
        self._keep("wide", f"SELECT * FROM (SELECT * FROM found {self._and_kept.format('wide')}) WHERE {latest}")
        self._keep(
            "placed",
            f"""SELECT n.* REPLACE (coalesce(s.story_id, n.story_id) AS story_id), 1 AS version_number, 1 AS n_versions,
                w.* EXCEPT ({_NARROW}, version_number, n_versions)
            FROM alerts n LEFT JOIN wide w ON w.quote_id = n.quote_id LEFT JOIN now s ON s.text_id = n.story_id""",
        )
        for name in ("headline_quotes", "contextomy"):  # the page takes evidence from contextomy
            self._define(name, "SELECT * FROM placed")

    def _answer_whole(self, *, kept: bool) -> None:
        """Have the answers that need all of a large lake be those of the last report."""
        if sum(file.stat().st_size for file in (self._root / "quotes").glob("*.parquet")) <= LARGE:
            return
        [(counted_by,)] = self._run(f"SELECT {'counted_by FROM kept.state' if kept else 'NULL'}").fetchall()
        for name, statement in WHOLE.items():
            self._keep(name, f"SELECT * FROM kept.{name}" if counted_by else statement)
            self._answers[statement] = name
        self._counted_by = counted_by or self._last.run_id
        if counted_by:
            self._keep("counted_by", f"SELECT '{counted_by}' AS run_id")
            self._answers[COUNTED_BY] = "counted_by"

    def _write(self) -> None:
        """Keep what was found; a lake that this user cannot write to stays as it is."""
        shown = (
            f"SELECT quote_id FROM ({page_query(_WIDE)}) UNION SELECT quote_id FROM "
            f"(SELECT quote_id FROM headline_alerts WHERE of_story = 1 ORDER BY priority DESC, quote_id LIMIT {_WIDE})"
        )
        names = (*_SUMS, "alerts", "recent", "changing", "edge", "ranks_before", "texts")
        tables = {name: f"SELECT * FROM {name}" for name in names}
        answers = (*(f"new_{name}" for name in NIGHT), *(name for name in WHOLE if name in self._answers.values()))
        tables |= {name: f"SELECT * FROM {name}" for name in answers}
        tables["outlet_runs"] += f" WHERE run_id IN (SELECT run_id FROM run_summary WHERE nth <= {RUNS})"
        tables |= {"told": "SELECT * EXCEPT (story) FROM live", "outlet_sums": "SELECT * FROM past", "ranks": RANKS}
        tables["wide"] = f"SELECT * FROM wide WHERE quote_id IN ({shown})"
        counted_by = literal(self._counted_by) if self._counted_by else "NULL"
        tables["state"] = (
            f"SELECT {literal(self._last.run_id)} AS run_id, CAST({counted_by} AS VARCHAR) AS counted_by, "
            f"'{_views()}' AS views, rule_version, detector_version FROM active_version"
        )
        with suppress(InputError, duckdb.Error), whole(self._path) as path:
            self._connection.execute(f"ATTACH {literal(path)} AS fresh (BLOCK_SIZE 16384)")
            for name, rows in tables.items():
                self._run(f"CREATE TABLE fresh.{name} AS {rows}")
            self._connection.execute("DETACH fresh")


def _views() -> str:
    """Digest of the views: another release may count otherwise, or show other columns."""
    return content_id(*(view_text(name)[1] for name in view_names()))


def kept_reader(root: str, spark: Callable[[], Engine], *, anew: bool = False) -> Ask:
    """A function that answers the statements of summary and page by what was kept, as :class:`KeptEngine` does.

    Where DuckDB cannot read a table, it is Spark that reads the whole lake.
    """
    if is_local(root):
        for afresh in dict.fromkeys((anew, True)):
            with suppress(Unsupported, duckdb.Error):
                return cache(KeptEngine(root, anew=afresh).sql)
    return cache(reader_of(root, spark))
