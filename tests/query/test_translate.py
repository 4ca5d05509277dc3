"""What the allowlist lets through, and what goes to Spark. No Spark is needed to say so."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.lake.contracts import table_names
from quotelake.lake.local import Unsupported
from quotelake.query.catalog import view_names, view_text
from quotelake.query.comparing import COMPARING
from quotelake.query.errors import UnknownName
from quotelake.query.kinds import Kind, table_columns
from quotelake.query.over_rows import OVER_ROWS
from quotelake.query.rules import COMPARISONS, SPECIAL
from quotelake.query.translate import Translated, translate
from quotelake.query.values import VALUES


def columns_of(name: str) -> dict[str, Kind] | None:
    if name in table_names():
        return table_columns(name)
    if name in view_names():
        return {key: kind for key, kind in translated(name).columns.items() if kind is not None}
    return None


def translated(view: str) -> Translated:
    return translate(view_text(view)[1], columns_of)


def test_every_special_entry_of_the_allowlist_has_one_function_that_determines_its_kind():
    functions = [*COMPARING, *VALUES, *OVER_ROWS]
    assert sorted(map(str, functions)) == sorted(map(str, {*COMPARISONS, *SPECIAL}))


@pytest.mark.parametrize("view", view_names())
def test_every_shipped_view_is_on_the_allowlist(view: str):
    assert None not in translated(view).columns.values()


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("SELECT embed_text(headline) FROM documents", "embed_text"),
        ("SELECT * FROM delta.`/lake/quotes`", "as a table"),
        ("SELECT * FROM read_parquet('/etc/passwd')", ""),
        ("SELECT * FROM nowhere", "no table or view"),
        ("OPTIMIZE delta.`/lake/quotes`", ""),
        ("DELETE FROM quotes", ""),
        ("DROP TABLE quotes", ""),
        ("DESCRIBE quotes", ""),
        ("SELECT 1; SELECT 2", "one query"),
        ("SELECT", ""),
        # Spark's quotient of a decimal is a decimal, whose digits DuckDB does not know.
        ("SELECT 100.0 * count(*) AS x FROM quotes", "decimal"),
        ("SELECT round(words) AS x FROM quotes", "ROUND"),
        ("SELECT collect_list(kind) AS x FROM quotes", "collect_list"),
        ("SELECT flags[0] AS x FROM quotes", "element"),
        ("SELECT words FROM quotes WHERE words = text", "comparison"),
        ("SELECT coalesce(words, text) AS x FROM quotes", "one value of"),
        ("SELECT words FROM quotes UNION SELECT text FROM quotes", "UNION"),
        ("SELECT text FROM quotes WHERE text LIKE '50\\%'", "backslash"),
        ("SELECT text FROM quotes WHERE words", "truth"),
        ("SELECT lag(text) OVER (ORDER BY words) FROM quotes", "name for the column"),
        ("SELECT q.* FROM quotes q JOIN documents d USING (doc_id)", "USING"),
        ("SELECT sum(words) OVER (ORDER BY words RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM quotes", "range"),
        ("SELECT current_date AS d", ""),
        ("SELECT stddev(words) AS s FROM quotes", "STDDEV"),
        ("SELECT CAST(score AS INT) AS s FROM contextomy", "CAST"),
        ("SELECT count(DISTINCT doc_id, kind) AS n FROM quotes", "several"),
        ("SELECT text FROM quotes TABLESAMPLE (10 ROWS)", ""),
        ("SELECT field, count(*) AS n FROM quotes GROUP BY field WITH ROLLUP", ""),
        ("SELECT text FROM quotes ORDER BY words LIMIT 1 + 1", "LIMIT"),
    ],
)
def test_what_is_not_known_to_be_equal_goes_to_spark(statement: str, reason: str):
    with pytest.raises(Unsupported) as refused:
        translate(statement, columns_of)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT nope FROM quotes",
        "SELECT q.nope FROM quotes q",
        "SELECT speaker.nope FROM quotes",
        "SELECT count(*) AS n FROM quotes WHERE n > 1",  # a column of the SELECT itself is not known to WHERE
        "SELECT text FROM (SELECT words FROM quotes) q",
        "SELECT text FROM quotes ORDER BY nope",
    ],
)
def test_a_column_that_there_is_not_is_said_without_spark(statement: str):
    with pytest.raises(UnknownName, match=r"no (column|field)"):
        translate(statement, columns_of)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("SELECT headlin FROM documents", "line 1, character 8: no column headlin; did you mean headline?"),
        (
            "SELECT 'é\n😀',\n\n\tq.speaker.nam\nFROM quotes q",
            "line 4, character 2: no field nam; did you mean name?",
        ),
        (
            "SELECT text FROM quotes -- all\nWHERE xyzzy = 'a'",
            "line 2, character 7: no column xyzzy; the nearest names are: ",
        ),
        (" SELEC 1", "line 1, character 2: no statement begins with SELEC; did you mean SELECT?"),
        ("selectt 1 FORM x", "line 1, character 1: no statement begins with selectt; did you mean SELECT?"),
        ("SELECT q.texte FROM quotes q, documents d", "line 1, character 8: no column q.texte; did you mean text?"),
    ],
)
def test_a_wrong_name_is_told_with_its_place_and_the_nearest_names(statement: str, told: str):
    with pytest.raises(UnknownName) as refused:
        translate(statement, columns_of)
    said = str(refused.value)
    assert said.startswith(f"the statement failed at {told}") and said.count(",") <= 3, "a few names, never all"


@given(st.text(max_size=60))
def test_any_text_is_translated_or_refused(text: str):
    with suppress(Unsupported, UnknownName):
        translate(f"SELECT {text} FROM quotes", columns_of)


def test_it_is_said_what_a_statement_reads():
    found = translate("WITH documents AS (SELECT * FROM rejects) SELECT 1 AS a FROM documents, files", columns_of)
    assert found.reads == {"rejects", "files"}, "a name of its own hides the table"
