"""What strace wrote of a night, and what a larger night is expected to read."""

from collections import Counter
from pathlib import Path

import pytest

from quotelab.benchmarks.night import bytes_by_table, show_model

TRACE = """\
openat(AT_FDCWD</w>, "/w/lake/quotes/a.parquet", O_RDONLY) = 7</w/lake/quotes/a.parquet>
pread64(7</w/lake/quotes/a.parquet>, ""..., 4096, 0) = 4096
read(7</w/lake/quotes/_delta_log/00000000000000000001.json>, ""..., 8192) = 100
read(8</w/lake/_report.duckdb>, ""..., 8192) = 8
read(7</w/lake_10/quotes/a.parquet>, ""..., 4096) = 4096
read(9<pipe:[99448492]>, ""..., 4) = 4
read(7</w/lake/quotes/a.parquet>, 0x7f, 16) = -1 EISDIR (Is a directory)
read(9<pipe:[99448492]>, """


def test_bytes_of_the_lake_are_counted_by_table(tmp_path: Path):
    for number in (1, 2):
        (tmp_path / f"trace.{number}").write_text(TRACE, "utf-8")
    found = bytes_by_table(tmp_path.glob("trace.*"), Path("/w/lake"))
    assert found == {"quotes": 2 * 4196, "_report.duckdb": 16}
    assert not [*tmp_path.iterdir()]


def test_a_larger_night_is_modelled_from_two_sizes_and_checked_at_a_third(capsys: pytest.CaptureFixture[str]):
    sizes = {100: 3_000, 200: 5_100, 1_000: 21_000}
    show_model({size: Counter(quotes=read, runs=50) for size, read in sizes.items()}, count=10)
    said = capsys.readouterr()
    [quotes] = [line for line in said.out.splitlines() if "quotes" in line]
    cells = [cell.strip() for cell in quotes.replace("│", "|").split("|")]
    assert cells[-4:-1] == ["20.0", "100", "201"], "20 bytes an archived record, 1,000 of the night's ten records"
    assert "200 archived: by the formula 0.981" in said.out + said.err
