"""The bench of the readers reads whole files of every declared format."""

from pathlib import Path

import pytest

from quotelab.benchmarks.readers import RECORDS, file_of, measure, web_files
from quotelake.settings import load_settings


def test_every_generated_record_becomes_a_document():
    formats = {path.stem for path in (Path(__file__).parents[2] / "sources" / "formats").iterdir()}
    assert RECORDS.keys() == formats | {"sample_news"}
    files = {name: file_of(name, ["The mayor said “it is open” and left."], 3) for name in RECORDS}
    assert measure(files, load_settings(), 1).keys() == RECORDS.keys()


def test_every_generated_page_and_entry_becomes_a_document():
    pytest.importorskip("trafilatura", reason="the packages of quotelake[web] are not installed")
    texts = [f"The mayor said “it is open” and left, and then came number {n} of many, who said no." for n in range(9)]
    files = web_files(texts, 3)
    assert measure(files, load_settings(), 1).keys() == {"warc", "rss"}
    assert [files["warc"][0].count(b"WARC/1.1"), files["rss"][0].count(b"<item>")] == [3, 3]
