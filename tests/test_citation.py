"""CITATION.cff can be read by those who make citations of it, and says of program and papers what the others say."""

import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml

import quotelake

ROOT = Path(__file__).parents[1]
#: Keys of version 1.2.0 of the format that are used here; another one is a slip of the pen.
KEYS = {"cff-version", "message", "type", "title", "abstract", "version", "license", "authors", "references"}
NEEDED = {"cff-version", "message", "title", "authors"}
PAPER = {"type", "title", "authors", "collection-title", "publisher", "start", "end", "year", "doi"}
BIBTEX = resources.files("quotelake.commands").joinpath("templates", "cite.bib.j2").read_text("utf-8")


@pytest.fixture(scope="module")
def cited() -> dict[str, Any]:
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def test_it_has_the_form_of_cff(cited: dict[str, Any]):
    assert cited["cff-version"] == "1.2.0" and NEEDED <= set(cited) <= KEYS and cited["type"] == "software"
    assert all(set(author) == {"name"} for author in cited["authors"])
    for paper in cited["references"]:
        assert {"type", "title", "authors"} <= set(paper) <= PAPER and paper["type"] == "conference-paper"
        assert all(set(author) == {"family-names", "given-names"} for author in paper["authors"])
        assert re.fullmatch(r"10\.\d{4,}/\S+", paper.get("doi", "10.0000/none")) and isinstance(paper["year"], int)


def test_version_and_licence_are_those_of_the_program(cited: dict[str, Any]):
    assert cited["version"] == quotelake.__version__
    name, version = re.findall(r"(Apache) License\s+Version (\S+),", (ROOT / "LICENSE").read_text("utf-8"))[0]
    assert cited["license"] == f"{name}-{version}"
    assert f'license="{cited["license"]}"' in (ROOT / "setup.py").read_text("utf-8")


def test_readme_names_the_same_papers_and_the_command_prints_them(cited: dict[str, Any]):
    readme = " ".join((ROOT / "README.md").read_text("utf-8").partition("## Sources")[2].split())
    for paper in cited["references"]:
        assert f"- {', '.join(author['family-names'] for author in paper['authors'])}: *" in readme
        names = " and ".join(f"{author['family-names']}, {author['given-names']}" for author in paper["authors"])
        plain = BIBTEX.replace("{TRoTR}", "TRoTR")
        assert f"author = {{{names}}},\n  title = {{{paper['title']}}}," in plain
        for value in (paper["collection-title"], str(paper["year"]), paper.get("doi", "")):
            assert f"{{{value}}}" in plain or not value
        assert ("start" not in paper) or f"pages = {{{paper['start']}--{paper['end']}}}" in plain
    assert BIBTEX.count("@inproceedings") == len(cited["references"])
