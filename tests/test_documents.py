"""The documents are small, and every link in them leads somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIB = ROOT / "lib" / "quotelake"
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])
#: Declared sources that are one corpus; the others are formats, and hold whatever somebody collected.
CORPORA = {
    "us_news", "bbc", "tweets", "trotr", "synthetic", "quotebank_quotes", "quotebank_articles", "all_the_news",
    "cc_news",
}  # fmt: skip
PICTURES = [path for path in (ROOT / "docs").iterdir() if path.suffix in (".png", ".svg")]


def page(name: str) -> str:
    """Text of a page of docs."""
    return (ROOT / "docs" / f"{name}.md").read_text("utf-8")


def headings(page: Path) -> set[str]:
    """Anchors of the headings of a page, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file_and_a_heading(page: Path):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), target
        assert not anchor or anchor in headings(found), target


def test_every_page_and_picture_is_linked():
    linked = {Path(target).name for page in PAGES for target in re.findall(r"\]\(([^)#]+)", page.read_text("utf-8"))}
    assert {path.name for path in (*PAGES, *PICTURES)} - {"README.md"} <= linked


def test_the_picture_of_a_night_has_rooms_and_tables_that_exist():
    [picture] = re.findall(r"```mermaid\n(.*?)```", page("HOUSE"), re.DOTALL)
    tables = set(re.findall(r"\[\((\w+)\)\]", picture))
    rooms = set(re.findall(r"\w\[(\w+)\]", picture))
    assert tables <= {path.stem for path in (ROOT / "schemas").glob("*.sql")} and len(tables) > 9
    ours = {path.parent.name for path in LIB.glob("*/__init__.py")}
    beside = {"text", "files", "spark", "lake", "nightly", "sample", "drafts"}  # what every room uses, and no night's
    assert rooms | beside == ours and not rooms & beside


def test_documents_are_small():
    assert (ROOT / "README.md").stat().st_size <= 10_000
    assert all(path.stat().st_size <= 40_000 for path in PICTURES)
    assert sum(path.stat().st_size for path in (*PAGES, *PICTURES)) <= 185_000


def test_every_declared_corpus_and_shipped_label_file_has_its_data_statement():
    stated = set(re.findall(r"`([\w.]+)`", "".join(re.findall(r"^\| (.*?) \|", page("DATA"), re.MULTILINE))))
    labels = [path.name for path in (ROOT / "tests" / "quotelab" / "labels").glob("*.jsonl")]
    assert stated == {*CORPORA, *labels}


def test_every_declared_source_is_described():
    described = re.findall(r"^\| `(\w+)` \|", page("SOURCES"), re.MULTILINE)
    assert sorted(described) == sorted(path.stem for path in (ROOT / "conf" / "sources").glob("*.toml"))


def test_every_shipped_model_has_its_card():
    """The head's description beside its weights is a card already."""
    models = {path.name for room in ("contextomy", "topics") for path in (LIB / room).glob("default_*")}
    assert models - {"default_head.json"} == set(re.findall(r"default_[\w.]+", page("CARDS")))
