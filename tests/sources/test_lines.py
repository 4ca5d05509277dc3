"""Lines by byte range: every line once whatever the ranges, and no line held that is too long."""

import io
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.sources import json_records as lines
from quotelake.sources.json_records import BrokenStreamError, Line, read_lines


class Blocks(io.BytesIO):
    """A stream whose reads return no more than a few bytes, and which may break at the end."""

    def __init__(self, data: bytes, most: int, breaks: bool = False) -> None:
        super().__init__(data)
        self.most, self.breaks = most, breaks

    def read(self, size: int | None = -1, /) -> bytes:
        block = super().read(self.most)
        if not block and self.breaks:
            raise OSError("Truncated compressed stream")
        return block


@given(
    data=st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r\n", b"\xff"]), max_size=40).map(b"".join),
    cuts=st.lists(st.integers(0, 60), max_size=6),
    most=st.integers(1, 70),
)
def test_any_ranges_together_give_each_line_once(data: bytes, cuts: list[int], most: int):
    whole = list(read_lines(io.BytesIO(data), limit=100))
    assert b"\n".join(line.data for line in whole) == data.removesuffix(b"\n")
    bounds = [0, *sorted({cut for cut in cuts if cut}), None]
    ranges = pairwise(bounds)
    assert [
        line for start, end in ranges for line in read_lines(Blocks(data, most), limit=100, start=start, end=end)
    ] == whole


@given(limit=st.integers(1, 12), most=st.integers(1, 30))
def test_a_long_line_is_cut_to_the_limit_and_counted_in_full(limit: int, most: int):
    found = list(read_lines(Blocks(b"123\n1234567890\n\n12345", most), limit=limit))
    assert [(line.position, line.size) for line in found] == [(0, 3), (4, 10), (15, 0), (16, 5)]
    assert [line.data for line in found] == [b"123"[:limit], b"1234567890"[:limit], b"", b"12345"[:limit]]
    assert [line.too_long for line in found] == [limit < 3, limit < 10, False, limit < 5]


def test_a_line_of_any_length_is_never_held(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lines, "BLOCK", 1000)

    class Endless(io.RawIOBase):
        left = 50_000

        def read(self, size: int = -1, /) -> bytes:
            assert size == 1000
            self.left -= 1
            return b"x" * size if self.left else b""

    (line,) = read_lines(Endless(), limit=10)  # type: ignore[arg-type]
    assert line == Line(0, b"x" * 10, 49_999_000)


def test_a_broken_stream_gives_the_lines_before_and_what_was_read_of_the_next():
    found = read_lines(Blocks(b"ab\ncde", 4, breaks=True), limit=10)
    assert next(found).data == b"ab"
    with pytest.raises(BrokenStreamError) as caught:
        next(found)
    assert caught.value.line == Line(3, b"cde", 3)
