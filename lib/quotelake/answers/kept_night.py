"""What the morning page says of a local lake, by what a night added and what ``_report.duckdb`` kept: the night's own
counts, rates of outlets, and the ranking before.

Rates are sums over stories. Stories with an article of the last days are kept article by article, because a copy or
another version may still come; the others are kept as sums. Imports no Spark.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import duckdb

from quotelake.answers.morning import BEFORE, NIGHT, RANKED_FIRST
from quotelake.lake.local import make_view
from quotelake.query.ask import DuckEngine
from quotelake.query.catalog import columns_of

#: Columns that the order of versions needs.
ORDER: Final = "doc_id, native_key, updated_at, published_at, run_id"
#: Runs of which the documents of each outlet are kept: more than any norm is made of.
RUNS: Final = 400
#: Statement for the ranking of now, by the versions that it is comparable within.
RANKS: Final = (
    "SELECT group_id, position, rule_version, fingerprint, representation FROM topic_ranks "
    "WHERE period = 'all' AND status = 'ranked'"
)
#: Statement for the topics of quotes, each with the place of its most typical use.
_TOPICS: Final = (
    "SELECT group_id, n_sampled, part.n_contexts AS n_contexts, part.words AS words, part.typical.doc_id AS doc_id, "
    "part.typical.context_start AS context_start, part.typical.context_end AS context_end FROM (SELECT group_id, "
    "n_sampled, unnest(clusters) AS part FROM topic_details JOIN active_version "
    "USING (rule_version, fingerprint, representation))"
)
_SUMMED: Final = ("outlet", "month", "rule_version", "detector_version")


class NightEngine(DuckEngine):
    """Keeps tables in its connection, and puts them in the place of tables and views of the lake."""

    _and_kept: str
    #: Table that holds the answer, by statement.
    _answers: dict[str, str]

    def _answer_night(self, added: Sequence[str] | None) -> None:
        """Answer :data:`NIGHT` and keep the articles that rates are made of, while only added rows are seen.

        What was kept of this run itself is its answer. Earlier uses of the quotes of added articles are looked up in
        ``quote_comparisons``, and their outlets among the recent documents or else in ``documents``.

        Args:
            added: files that ``documents`` got; None: all is read.
        """
        self._answers = {BEFORE: "places_before"}
        self._keep(
            "articles", "SELECT o.*, d.updated_at, d.run_id FROM outlet_articles o JOIN documents d USING (doc_id)"
        )
        known = added is not None and self._run("SELECT run_id FROM kept.state").fetchall() == [(self._last.run_id,)]
        for name in NIGHT:
            if added and name == "run_spread":
                self._join_earlier_uses()
            self._keep(f"new_{name}", f"SELECT * FROM {f'kept.new_{name}' if known else name}")
            self._define(name, f"SELECT * FROM new_{name}")
        if added:
            self._undo("quote_comparisons")
            self._see("documents", added)

    def _join_earlier_uses(self) -> None:
        """Have ``documents`` hold those of all uses of the quotes that added articles share with other outlets."""
        columns = f"{ORDER}, outlet"
        touched = "SELECT group_id FROM quote_comparisons SEMI JOIN documents USING (doc_id)"
        used = f"SELECT group_id, quote_id, doc_id, rule_version FROM quote_comparisons WHERE group_id IN ({touched})"
        self._keep("touched", used)
        earlier = "SELECT DISTINCT doc_id FROM touched ANTI JOIN documents USING (doc_id)"
        self._keep("earlier", f"SELECT {columns} FROM documents")
        self._keep("missing", f"SELECT doc_id FROM ({earlier}) ANTI JOIN kept.recent USING (doc_id)")
        self._run(f"INSERT INTO earlier SELECT {columns} FROM kept.recent SEMI JOIN ({earlier}) USING (doc_id)")
        if ids := self._run("SELECT doc_id FROM missing").fetchall():
            self._undo("documents")
            listed = ", ".join(literal(one) for (one,) in ids)
            self._run(f"INSERT INTO earlier SELECT {columns} FROM documents WHERE doc_id IN ({listed})")
        self._define("documents", "SELECT * FROM earlier")
        self._define("quote_comparisons", "SELECT * FROM touched")

    def _place_rates(self) -> None:
        """Have ``outlet_sums`` hold sums of all articles; tables ``live`` and ``past`` are what is kept of them."""
        version = "coalesce(v.version_number, t.version_number) AS version_number"
        self._keep(
            "told",
            f"SELECT t.* REPLACE ({version}), coalesce(s.story_id, t.story_id) AS story FROM "
            f"(SELECT * FROM articles {self._and_kept.format('told')}) t LEFT JOIN numbered v ON v.doc_id = t.doc_id "
            "LEFT JOIN now s ON s.text_id = t.story_id",
        )
        recent = "SELECT story FROM told SEMI JOIN recent USING (doc_id)"
        self._keep("live", f"SELECT * FROM told WHERE story IN ({recent})")
        ended = "SELECT * FROM told WHERE doc_id NOT IN (SELECT doc_id FROM live)"
        counts = [name for name in columns_of("outlet_sums") if name not in _SUMMED]
        for name, rows, and_kept in (
            ("past", ended, self._and_kept.format("outlet_sums")),
            ("rates", "SELECT * FROM live", "UNION ALL BY NAME SELECT * FROM past"),
        ):
            self._define("outlet_articles", f"SELECT * REPLACE (story AS story_id) FROM ({rows})")
            self._keep_sums(name, f"SELECT * FROM outlet_sums {and_kept}", counts)
            self._undo("outlet_sums")
        self._define("outlet_sums", "SELECT * FROM rates")

    def _place_clusters(self, added: Sequence[str] | None) -> None:
        """Have ``topic_clusters`` say which topics a quote has without reading the archive; table ``texts`` is kept.

        Of the first quotes of the ranking it has a typical use of each topic, from added articles and what was kept:
        one in an article of before comes with the next report that reads all.

        Args:
            added: files that ``documents`` got; None: all is read.
        """
        ranked = f"SELECT group_id FROM topic_ranks WHERE period = 'all' AND position <= {RANKED_FIRST}"
        self._keep(
            "typical", f"SELECT doc_id, context_start, context_end FROM ({_TOPICS}) WHERE group_id IN ({ranked})"
        )
        if added is not None:
            self._see("documents", added)
        context = "substring(d.body, t.context_start + 1, t.context_end - t.context_start) AS context"
        found = f"SELECT t.doc_id, t.context_start, {context} FROM typical t JOIN documents d ON d.doc_id = t.doc_id"
        known = self._and_kept.format("texts")
        self._keep("texts", f"SELECT DISTINCT * FROM ({found} {known}) SEMI JOIN typical USING (doc_id, context_start)")
        self._undo("documents", "topic_clusters")
        self._define("topic_clusters", f"SELECT * FROM ({_TOPICS}) LEFT JOIN texts USING (doc_id, context_start)")

    def _rank_before(self, path: Path) -> None:
        """Make the table ``ranks_before``: the ranking that the run before left, by the versions of now; or empty."""
        self._keep("ranks_before", f"SELECT * FROM ({RANKS}) WHERE false")
        with suppress(duckdb.Error):  # a file that cannot be read, or of an earlier release
            if not self._and_kept and path.exists():
                self._connection.execute(f"ATTACH IF NOT EXISTS {literal(path)} AS kept (READ_ONLY)")
            [(run_id,)] = self._connection.execute("SELECT run_id FROM kept.state").fetchall()
            table = "ranks_before" if run_id == self._last.run_id else "ranks"
            self._connection.execute(
                f"INSERT INTO ranks_before SELECT * FROM kept.{table} SEMI JOIN active_version "
                "USING (rule_version, fingerprint, representation)"
            )
        self._keep("places_before", "SELECT group_id, position FROM ranks_before")

    def _see(self, table: str, files: Sequence[str]) -> None:
        """Have a table of the lake hold only the rows of some of its files."""
        make_view(self._root, table, None, self._connection, files)
        self._made.add(table)

    def _keep(self, name: str, rows: str) -> None:
        self._run(f"CREATE TEMP TABLE {name} AS {rows}")

    def _keep_sums(self, name: str, rows: str, counts: Iterable[str]) -> None:
        """Keep rows that are equal but for some counts as one row with the sums of these."""
        sums = ", ".join(f"CAST(sum({count}) AS BIGINT) AS {count}" for count in counts)
        self._keep(name, f"SELECT * EXCEPT ({', '.join(counts)}), {sums} FROM ({rows}) GROUP BY ALL")

    def _define(self, name: str, rows: str) -> None:
        """Have a table or view of the lake be something else."""
        self._undo(name)
        self._run(f"CREATE TEMP VIEW {name} AS {rows}")
        self._made.add(name)

    def _undo(self, *names: str) -> None:
        for name in names:
            self._connection.execute(f"DROP VIEW IF EXISTS {name}")
            self._made.discard(name)


def literal(text: object) -> str:
    """A text in DuckDB's SQL."""
    return "'" + str(text).replace("'", "''") + "'"
