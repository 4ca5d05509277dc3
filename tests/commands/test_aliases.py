"""Who names are: a file comes back as it was given, mistakes name their line, and one person's names are one."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable
from hypothesis import given
from hypothesis import strategies as st
from tests.query.lakes import RULES, STAMP, complete, write_rows
from tests.running import Done

from quotelake.answers.aliases import Alias, latest_aliases, read_aliases, to_csv
from quotelake.errors import InputError
from quotelake.lake.damage import CONTRACTS
from quotelake.query.engines import DuckEngine

NOW = datetime(2024, 6, 1, tzinfo=UTC)
HEAD = "name,canonical,wikidata_id\n"


def name(speaker: str, quotes: int, *, is_full: bool = False) -> dict[str, Any]:
    return {"speaker": speaker, "is_full": is_full, "quotes": quotes, "articles": quotes}


def archived(name: str, canonical: str | None, item: str | None = None, day: int = 0) -> dict[str, Any]:
    when = (NOW + timedelta(days=day)).replace(tzinfo=None)
    return {"name": name, "canonical": canonical, "wikidata_id": item, "imported_at": when}


def rows_of(text: str) -> dict[str, list[str]]:
    return {line.split(",")[0]: line.split(",")[1:] for line in text.splitlines()[1:]}


def test_names_are_listed_with_the_person_that_articles_mean_by_them():
    names = [
        name("Ana Ruiz", 9, is_full=True), name("Ruiz", 8), name("She", 7), name("the mayor", 6), name("The mayor", 6),
        name("Mayor Ruiz", 5), name("Ana B. Ruiz", 4, is_full=True), name("Leo Ruiz", 3, is_full=True), name("Ito", 2),
        name("Chair Ana Ruiz", 1, is_full=True),
    ]  # fmt: skip
    meant = [
        {"as_written": "Ruiz", "full_name": full, "quotes": n} for full, n in
        (("Ana Ruiz", 5), ("Ana B. Ruiz", 4), ("Leo Ruiz", 1))
    ]  # fmt: skip
    rows = rows_of(to_csv(names, meant, [archived("Ruiz", "Ana Ruiz", "Q7")]))
    listed = ["Ana Ruiz", "Ruiz", "Mayor Ruiz", "Ana B. Ruiz", "Leo Ruiz", "Ito", "Chair Ana Ruiz"]
    assert [*rows] == listed, "no pronoun, no description"
    assert rows["Ruiz"] == ["Ana Ruiz", "Q7", "Ana Ruiz", "0.9", "8", "8"], "two spellings of one person count together"
    assert rows["Mayor Ruiz"][:4] == ["", "", "Ana Ruiz", "0.9"], "a title is followed by the name that is known"
    assert (
        rows["Ana B. Ruiz"][2] == rows["Chair Ana Ruiz"][2] == "Ana Ruiz"
        and rows["Leo Ruiz"][2] == rows["Ito"][2] == ""
    )
    assert len(to_csv(names, meant, [], most=2).splitlines()) == 3


ANY_NAME = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=20)


@given(ANY_NAME, ANY_NAME)
def test_an_exported_file_that_nobody_changed_says_nothing_new(speaker: str, canonical: str):
    archive = [archived(f"Xu{speaker}", f"Xu{canonical}", "Q42")]
    text = to_csv([name(f"Xu{speaker}", 1)], [], archive)
    given_names, new = read_aliases(text, "x.csv", archive, NOW + timedelta(days=1))
    assert (given_names, new) == ([f"Xu{speaker}"], [])


def test_a_name_may_be_revised_withdrawn_or_have_an_item_alone():
    archive = [archived("Ruiz", "Leo Ruiz", day=9), archived("Ruiz", "Ana Ruiz"), archived("Ito", "Kenji Ito")]
    assert latest_aliases(archive)["Ruiz"].canonical == "Leo Ruiz", "the latest, in whatever order rows come"
    text = HEAD + "Ruiz,Ana Ruiz,\nIto,-,\nAna Ruiz,,Q7\nBell,,\n'=x,Xavier,\n"
    new = {alias.name: alias for alias in read_aliases(text, "x.csv", archive, NOW)[1]}
    assert new["Ruiz"].imported_at > NOW + timedelta(days=9), "so it counts, though the clock is days behind"
    assert (new["Ito"].canonical, new["Ana Ruiz"]) == (None, Alias("Ana Ruiz", "Ana Ruiz", "Q7", NOW))
    assert [*new] == ["Ruiz", "Ito", "Ana Ruiz", "=x"], "an empty row says nothing; an apostrophe was not typed"


def test_proposals_of_a_share_are_taken_where_nobody_filled_in_a_row():
    head = "name,canonical,wikidata_id,proposed,proposed_share\n"
    text = (
        head
        + "Ruiz,,,Ana Ruiz,0.97\nIto,,,Kenji Ito,0.5\nBell,Tom Bell,,Rita Bell,1.0\nOsei,,Q3,Ada Osei,1.0\n"
        + "A. Roe,,,Ada Roe,\n"
    )
    new = {alias.name: alias.canonical for alias in read_aliases(text, "x.csv", [], NOW, 0.9)[1]}
    assert new == {"Ruiz": "Ana Ruiz", "Bell": "Tom Bell", "Osei": "Osei"}
    assert "Ruiz" not in read_aliases(text, "x.csv", [], NOW)[0]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("He,Ana Ruiz,", "line 2: 'He' is another person in each article"),
        (",Ana Ruiz,", "line 2: the name is empty"),
        ("Ruiz,Ana Ruiz,\nRuiz,Leo Ruiz,", "line 3: 'Ruiz' stands in line 2 too"),
        ("Ruiz,Ana Ruiz,42", "line 2: wikidata_id '42': give Q and digits, such as Q42, or leave it empty"),
        ("Ruiz,Ana Ruiz,Q1\nRuíz,Ana Ruiz,Q2", "line 3: 'Ana Ruiz' has two Wikidata ids: Q1 by the name 'Ruiz', Q2"),
        ("Ito,Kenji Ito,Q8", "line 2: 'Kenji Ito' has two Wikidata ids: Q9 by the name 'K. Ito', Q8 by the name 'Ito'"),
        ("Ruiz,Ana,\nAna,Ana Ruiz,", "line 2: 'Ruiz' would be 'Ana', which is 'Ana Ruiz': give that"),
        ("Kenji Ito,Ken Ito,", "line 2: 'K. Ito' would be 'Kenji Ito', which is 'Ken Ito': give that"),
    ],
)  # fmt: skip
def test_every_mistake_names_its_line_and_nothing_is_read(lines: str, told: str):
    with pytest.raises(InputError) as refused:
        read_aliases(HEAD + lines, "x.csv", [archived("K. Ito", "Kenji Ito", "Q9")], NOW)
    assert str(refused.value).startswith("x.csv: nothing was read\n") and told in str(refused.value)


def make_lake(root: Path, said: list[tuple[str, str, str | None]]) -> None:
    """A lake of quotes as (document, speaker as written, full name), each quote in other words."""
    stamp = {"run_id": "r", "ingested_at": NOW, "rule_version": RULES}
    documents = [
        {"doc_id": doc, "native_key": doc, "published_at": NOW, "outlet": "Ledger", "is_repost": False} | STAMP
        for doc in sorted({doc for doc, *_ in said})
    ]
    quotes = [
        {
            "doc_id": doc, "quote_id": f"q{n}", "variant_id": f"v{n}", "text": f"text {n}", "words": 2,
            "speaker": {"text": head, "head": head, "type": "person", "name": full}, **stamp,
        }
        for n, (doc, head, full) in enumerate(said)
    ]  # fmt: skip
    versions = [{"detector_version": "d", "fingerprint": "f", "model": "m", "dtype": "float32", **stamp}]
    for table, rows in (("documents", documents), ("quotes", quotes), ("versions", versions)):
        write_rows(root, table, rows)
    complete(root, "r", documents=0, quotes=0, versions=0)


def tell(root: Path, *rows: dict[str, Any]) -> None:
    write_rows(root, "speaker_aliases", [{**row, **STAMP} for row in rows])


def test_one_person_s_names_count_together_and_nobody_else_s(tmp_path: Path):
    make_lake(tmp_path, [
        ("a", "Ana Ruiz", "Ana Ruiz"), ("a", "Ruiz", "Ana Ruiz"), ("b", "Mayor Ruiz", None),
        ("b", "Ana B. Ruiz", "Ana B. Ruiz"),
        ("c", "Mayor Ruiz", None), ("c", "Leo Ruiz", "Leo Ruiz"), ("d", "Ito", None), ("d", "she", None),
    ])  # fmt: skip

    def people() -> dict[str, tuple[int, str | None]]:
        with DuckEngine(str(tmp_path)) as engine:
            rows = engine.sql("SELECT speaker, quotes, wikidata_id FROM most_quoted")
        return {row["speaker"]: (row["quotes"], row["wikidata_id"]) for row in rows}

    assert people() == {"Ana Ruiz": (2, None), "Ana B. Ruiz": (1, None), "Leo Ruiz": (1, None)}, "of an older lake"
    tell(tmp_path, archived("Mayor Ruiz", "Ana Ruiz", "Q7"), archived("Ana B. Ruiz", "Ana Ruiz"))
    tell(tmp_path, archived("Ito", "Kenji Ito"))
    # In b the mayor is Ana Ruiz, as the other name there is hers; in c another Ruiz speaks, so it is not known who.
    assert people() == {"Ana Ruiz": (4, "Q7"), "Leo Ruiz": (1, None), "Kenji Ito": (1, None)}
    with DuckEngine(str(tmp_path)) as engine:
        rows = engine.sql("SELECT doc_id, person, wikidata_id FROM speaker_quotes WHERE speaker = 'Mayor Ruiz'")
    assert sorted(map(tuple, (row.values() for row in rows)), key=str) == [("b", "Ana Ruiz", "Q7"), ("c", None, None)]
    tell(tmp_path, archived("Ito", None, day=1), archived("Ana B. Ruiz", "Ana B. Ruiz", day=1))
    assert people() == {"Ana Ruiz": (2, "Q7"), "Ana B. Ruiz": (1, None), "Leo Ruiz": (1, None)}, "the last row counts"


def test_the_most_quoted_say_what_they_leave_out(tmp_path: Path):
    named = [("a", "Ana Ruiz", "Ana Ruiz")] * 9 + [("b", "Leo Ruiz", "Leo Ruiz"), ("b", "Kim Ito", "Kim Ito")]
    make_lake(tmp_path, [*named, ("c", "Mayor Ruiz", None), ("c", "Ruiz", None), ("c", "she", None)])
    with DuckEngine(str(tmp_path)) as engine:
        rows = engine.sql("SELECT speaker, quotes, likely_quotes, share_unknown FROM most_quoted")
    found = {row["speaker"]: (row["quotes"], row["likely_quotes"], row["share_unknown"]) for row in rows}
    assert found == {"Ana Ruiz": (9, 11, 0.214), "Leo Ruiz": (1, 1, 0.214), "Kim Ito": (1, 1, 0.214)}


@pytest.mark.spark
def test_a_file_is_imported_once_into_a_lake_that_is_older_than_the_table(
    run_job: Callable[..., Done], lake_template: Path, tmp_path: Path
):
    root, file = tmp_path / "lake", tmp_path / "names.csv"
    shutil.copytree(lake_template, root)
    shutil.rmtree(root / "speaker_aliases")
    noted = json.loads((root / CONTRACTS).read_text("utf-8"))
    (root / CONTRACTS).write_text(json.dumps({key: noted[key] for key in noted if key != "speaker_aliases"}), "utf-8")
    complete(root, "r", **{path.parent.name: 0 for path in root.glob("*/_delta_log")})
    file.write_text(HEAD + "Ruiz,Ana Ruiz,Q7\nIto,Kenji Ito,\n", "utf-8")
    given = ("name_speakers", "import", "--lake", root, "--names", file)
    done = run_job(*given)
    assert done.code == 0 and "2 names, 2 of them new or changed" in done.out, done.error
    assert "2 of the names are those of no quote of this lake, such as Ruiz" in done.out
    assert "2 names, 0 of them new or changed" in run_job(*given).out
    assert DeltaTable(str(root / "speaker_aliases")).version() == 1, "a file read twice writes nothing"
    assert "names written" in run_job("name_speakers", "export", "--lake", root, "--out", tmp_path / "out.csv").out
