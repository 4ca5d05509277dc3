"""The documents are small, and every link in them leads somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])
PICTURES = [path for path in (ROOT / "docs").iterdir() if path.suffix in (".png", ".svg")]


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


def test_documents_are_small():
    assert (ROOT / "README.md").stat().st_size <= 10_000
    assert all(path.stat().st_size <= 40_000 for path in PICTURES)
    assert sum(path.stat().st_size for path in (*PAGES, *PICTURES)) <= 165_000
