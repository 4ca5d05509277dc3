"""The reference that `make docs` writes names every table, view, column and setting, and says what each is."""

import doctest
import re
import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from quotelake.errors import ContractError, SettingsError
from quotelake.lake.contracts import contract, table_names
from quotelake.query.catalog import columns_of, view_names
from quotelake.settings import Settings
from quotelake.source_settings import SourceSettings

ROOT = Path(__file__).parents[1]
_SPEC = spec_from_file_location("write_docs", ROOT / "jobs" / "write_docs.py")
assert _SPEC is not None and _SPEC.loader is not None
write_docs = sys.modules["write_docs"] = module_from_spec(_SPEC)
_SPEC.loader.exec_module(write_docs)
base_toml, read_notes = write_docs.base_toml, write_docs.read_notes
settings_page, tables_page = write_docs.settings_page, write_docs.tables_page


def test_the_job_writes_both_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "argv", ["write_docs.py", "--out", str(tmp_path)])
    assert write_docs.main() == 0
    assert (tmp_path / "TABLES.md").read_text("utf-8") == tables_page()
    assert (tmp_path / "SETTINGS.md").read_text("utf-8") == settings_page()


def sections(page: str) -> dict[str, str]:
    return dict(part.partition("\n")[::2] for part in re.split(r"^##+ ", page, flags=re.MULTILINE)[1:])


def test_every_table_and_view_has_a_section_with_its_columns():
    written = sections(tables_page())
    columns = {name: [column.name for column in contract(name).columns] for name in table_names()}
    columns |= {name: list(columns_of(name)) for name in view_names()}
    for name in view_names():
        noted = re.findall(r"^--   (\w+):", (ROOT / f"schemas/views/{name}.sql").read_text("utf-8"), re.MULTILINE)
        assert {*noted} <= {*columns[name]}, f"{name}: a comment on a column that it does not have"
    assert written.keys() - {"Tables", "Views"} == columns.keys()
    for name, expected in columns.items():
        assert re.findall(r"^\| `(\w+)`", written[name], re.MULTILINE) == expected


def test_every_section_of_the_settings_has_its_keys():
    written = sections(settings_page())
    models = {name: info.annotation for name, info in Settings.model_fields.items() if name != "sources"}
    assert written.keys() == {*models, "sources.NAME"}
    for name, model in {**models, "sources.NAME": SourceSettings}.items():
        assert re.findall(r"^\| `(\w+)`", written[name], re.MULTILINE) == list(model.model_fields)


@pytest.mark.parametrize(
    ("pattern", "rest", "said"),
    [
        (r"per_document = 5000 +# quotes kept .*", "per_document = 5000", r"these are: quotes\.per_document$"),
        (r"#   satire_outlets: names .*", "", r"these are: sources\.NAME\.satire_outlets$"),
        (r"split_bytes.*", "", r"ingest\.split_bytes"),
    ],
)
def test_a_setting_without_a_comment_or_that_is_not_in_the_file_is_named(pattern: str, rest: str, said: str):
    text, number = re.subn(f"^{pattern}$", rest, base_toml(), flags=re.MULTILINE)
    assert number == 1
    with pytest.raises(SettingsError, match=said):
        settings_page(text)


def test_what_has_no_comment_in_a_table_or_view_is_named(monkeypatch: pytest.MonkeyPatch):
    found = contract("quotes")
    silent = replace(found, columns=(replace(found.columns[0], comment=""), *found.columns[1:]))
    monkeypatch.setattr(write_docs, "contract", lambda name: silent if name == "quotes" else contract(name))
    monkeypatch.setattr(write_docs, "view_text", lambda name: ("" if name == "quote_uses" else "One row.", "SELECT 1"))
    monkeypatch.setattr(
        write_docs, "columns_of", lambda name: {"speaker": ""} if name == "speaker_quotes" else {"doc_id": "An id."}
    )
    with pytest.raises(ContractError, match=r"are: quotes\.quote_id, quote_uses, speaker_quotes\.speaker$"):
        tables_page()


def test_defaults_and_ranges_are_those_of_the_settings_and_rows_have_as_many_cells_as_their_header():
    page = settings_page()
    assert "| `threshold` | `detector` or number, more than 0, less than 1 |" in page
    assert '| `languages` | list of text | `["en"]` |' in page
    assert "| `kind` | one of news, tweet | must be given |" in page
    for text in (tables_page(), page):
        for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
            assert len({line.replace("\\|", "").count("|") for line in table.splitlines()}) == 1, table


def test_comments_above_beside_and_below_a_key_are_all_kept():
    notes = read_notes('# File.\n\n# Of a.\n[a]\n# Above.\nx = "a # b"   # beside\n        # below\ny = 1\n')
    assert notes == write_docs.Notes(["File."], {"a": ["Of a."]}, {"a.x": "beside Above. below", "a.y": ""})
    assert doctest.testmod(write_docs).failed == 0
