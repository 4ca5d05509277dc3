"""Pairs of sentences with scores, in the format of STR-2022; all texts here were written for this test."""

from pathlib import Path

import pytest

from quotelab.protocols.relatedness import SentencePair, read_sentence_pairs
from quotelake.errors import InputError

PAIR = SentencePair("STS", 'The cat said "no".', "A dog, too, was there", 0.25)


@pytest.mark.parametrize(
    "content",
    [
        'Index,SourceID,SubsetID,PairID,Text,Score\n0,STS,low,p1,"The cat said ""no"".\nA dog, too, was there",0.25\n',
        '\ufeffScore,text,pairid,SOURCEID,SubsetID\r\n0.25,"The cat said ""no"".\r\nA dog, too, was there",p1,STS,low',
        'PairID;DocID;SubsetID;Text;Score\np1;STS;low;"The cat said ""no"".\\nA dog, too, was there";0.25\n\n',
    ],
)  # fmt: skip
def test_a_pair_is_read_as_exports_differ(tmp_path: Path, content: str):
    (tmp_path / "str.csv").write_bytes(content.encode())
    assert read_sentence_pairs(tmp_path / "str.csv") == [PAIR]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Text\na\n", "str.csv, line 1: found the columns Text; name columns Text, Score"),
        ('Text,Score\n"a\nb",0.5\nc,0.5\n', "str.csv, line 4: found 1 sentences in Text"),
        ('Text,Score\n"a\nb",1.5\n', "line 3: found the score 1.5; give one from 0 to 1"),
        ('Text,Score\n"a\nb",much\n', "line 3: found 'much'; give a number"),
        ("Text,Score\n", "str.csv: found no pair"),
    ],
)
def test_a_wrong_row_is_named_with_file_and_line(tmp_path: Path, content: str, expected: str):
    (tmp_path / "str.csv").write_text(content, "utf-8")
    with pytest.raises(InputError) as caught:
        read_sentence_pairs(tmp_path / "str.csv")
    assert expected in str(caught.value)
