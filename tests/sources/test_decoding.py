"""A text of any encoding gives the records it gives in UTF-8; what is not of the encoding costs its record alone."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.settings import SourceSettings
from quotelake.sources.records import Format, read_records
from quotelake.sources.streams import in_utf8

ENCODINGS = ["cp1252", "iso8859-15", "utf-16", "utf-16-le", "utf-32", "euc_kr", "shift_jis", "gb18030", "koi8-r"]


class Blocks(io.BytesIO):
    """Gives at most a few bytes at a time, so that characters are cut."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(3)


def read(data: bytes, encoding: str, format: Format = "jsonl") -> list[Any]:
    """Position and value or reason of each record."""
    records = read_records(Blocks(data), format, max_record_bytes=1000, encoding=encoding)
    return [(record.position, (record.reason and str(record.reason)) or record.value) for record in records]


@given(texts=st.lists(st.text(max_size=12), max_size=4), encoding=st.sampled_from(ENCODINGS))
def test_records_are_those_of_the_same_text_in_utf_8(texts: list[str], encoding: str):
    known = [text.encode(encoding, "ignore").decode(encoding, "ignore") for text in texts]
    lines = "".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in known)
    lines = lines.encode(encoding, "ignore").decode(encoding)
    assert read(lines.encode(encoding), encoding) == read(lines.encode(), "utf-8")


@pytest.mark.parametrize("format", ["jsonl", "json", "csv", "tsv"])
def test_every_format_of_text_is_decoded(format: Format):
    text = {
        "jsonl": '{"text": "très"}\n', "json": '[{"text": "très"}]', "csv": 'text\n"très"\n', "tsv": "text\ntrès\n",
    }[format]  # fmt: skip
    for encoding in ("cp1252", "utf-16"):
        assert read(text.encode(encoding), encoding, format) == [(0, {"text": "très"})]


@pytest.mark.parametrize("format", ["jsonl", "csv"])
def test_a_byte_that_is_not_of_the_encoding_costs_its_record_and_is_shown(format: Format):
    rows = {"jsonl": b'{"text": "a \x81 b"}\n{"text": "caf\xe9"}\n', "csv": b"text\na \x81 b\ncaf\xe9\n"}[format]
    bad, good = read_records(io.BytesIO(rows), format, max_record_bytes=1000, encoding="cp1252")
    assert (str(bad.reason), bad.detail, good.value) == ("wrong_encoding", "not cp1252", {"text": "café"})
    assert r"a \x81 b" in bad.raw


def test_bytes_that_would_be_utf_8_are_not_let_through_in_another_encoding():
    assert [what for _, what in read('{"text": "é"}\n'.encode(), "ascii")] == ["wrong_encoding"]


def test_a_character_cut_at_the_end_costs_the_last_record():
    data = '{"text": "one"}\n{"text": "two"}'.encode("utf-16-le")
    assert [what for _, what in read(data[:-1], "utf-16-le")] == [{"text": "one"}, "wrong_encoding"]


def test_a_byte_order_mark_is_no_text():
    for encoding, mark in (("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16", b"\xff\xfe")):
        body = "text\nyes\n".encode("utf-16-le" if "16" in encoding else encoding)
        assert read(mark + body, encoding, "csv") == [(0, {"text": "yes"})]


def test_utf_8_is_not_decoded_twice():
    stream = io.BytesIO(b"x")
    assert in_utf8(stream, "utf-8") is stream
    with pytest.raises(OSError, match="cannot be read from byte 5"):
        in_utf8(stream, "cp1252").seek(5)


NEWS = {"kind": "news", "fields": {"body": "text"}}


@pytest.mark.parametrize(
    ("setting", "fault"),
    [
        ({"encoding": "latin-77"}, "'latin-77' is no encoding"),
        ({"encoding": "base64"}, "is no encoding"),
        ({"encoding": "cp1252", "format": "parquet"}, "encoding is not read with format = 'parquet'"),
        ({"delimiter": ""}, "one character"),
        ({"delimiter": "\n"}, "one character"),
        ({"delimiter": ";;"}, "one character"),
        ({"quote": "''"}, "one character"),
        ({"delimiter": '"'}, "must differ"),
        ({"delimiter": ";", "format": "tsv"}, "format = 'csv', not with 'tsv'"),
    ],
)
def test_what_cannot_be_an_encoding_or_a_delimiter_is_told_when_settings_are_loaded(
    setting: dict[str, str], fault: str
):
    with pytest.raises(ValueError, match=fault):
        SourceSettings.model_validate({**NEWS, **setting})


def test_names_of_one_encoding_are_one_setting():
    named = [
        SourceSettings.model_validate({**NEWS, "encoding": name}).encoding for name in ("UTF8", "utf-8-sig", "utf_8")
    ]
    assert named == ["utf-8"] * 3
    assert SourceSettings.model_validate({**NEWS, "encoding": "latin1"}).encoding == "iso8859-1"
