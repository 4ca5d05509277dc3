"""The bench of the readers reads whole files of every declared format."""

from pathlib import Path

from quotelab.benchmarks.readers import RECORDS, file_of, measure
from quotelake.settings import load_settings


def test_every_generated_record_becomes_a_document():
    formats = {path.stem for path in (Path(__file__).parents[2] / "sources" / "formats").iterdir()}
    assert RECORDS.keys() == formats | {"sample_news"}
    files = {name: file_of(name, ["The mayor said “it is open” and left."], 3) for name in RECORDS}
    assert measure(files, load_settings(), 1).keys() == RECORDS.keys()
