"""Token ids do not depend on which of the two packages makes them, and one that is wrong is found out and not used."""

import gzip
import json
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from quotelake.embeddings import models, tokens
from quotelake.embeddings.tokens import Tokenise, flat, tokeniser

FILE = models.locate(models.DEFAULT) / "tokenizer.json"
WORDS = st.sampled_from(
    ["don't", "re-elected", "[SEP]", "##ing", "Ünïted", "大統領", "한국", "👩‍👩‍👧", "\u200d", "w" * 101]
)
TEXT = st.text(max_size=60) | st.lists(WORDS | st.text(max_size=9), max_size=30).map(" ".join)


@pytest.fixture(scope="module")
def both() -> tuple[Tokenise, Tokenise]:
    pytest.importorskip("nanotoken", reason="the extra gpu is not installed")
    return tokens.by_tokenizers(FILE), tokens.by_nanotoken(FILE)


def assert_equal(both: tuple[Tokenise, Tokenise], texts: Sequence[str], max_length: int) -> None:
    for one, other in zip(*(tokenise(texts, max_length) for tokenise in both), strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype


@hypothesis_settings(max_examples=200)
@given(texts=st.lists(TEXT, max_size=5), max_length=st.integers(3, 40))
def test_both_packages_give_any_text_the_same_ids_and_cut_the_same(
    both: tuple[Tokenise, Tokenise], texts: list[str], max_length: int
):
    assert_equal(both, texts, max_length)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tweets/tweets_60k.jsonl.gz", "contextomy/korean_1600.jsonl"])
def test_both_packages_give_real_texts_the_same_ids(
    name: str, both: tuple[Tokenise, Tokenise], data: Callable[[str], Path]
):
    path = data(name)
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as file:
        records = [json.loads(line) for line in file]
    texts = [text for each in records for text in (each.get("text"), each.get("headline_quote")) if text]
    texts += [text for each in records for text in each.get("body_quotes", ())]
    assert len(texts) > 4000
    for max_length in (16, 256):
        assert_equal(both, texts, max_length)


def wrong(texts: Sequence[str], max_length: int, parallel: bool | None) -> SimpleNamespace:
    ids = flat([[101, 102]] * len(texts), [False] * len(texts))
    return SimpleNamespace(ids=ids.ids, offsets=ids.starts)


@pytest.mark.parametrize(
    ("fake", "said"),
    [
        (None, ""),
        (SimpleNamespace(), "no attribute 'set_cache_entries'"),
        (
            SimpleNamespace(
                set_cache_entries=int,
                Tokenizer=lambda _: SimpleNamespace(backend=SimpleNamespace(suffix_ids=[0]), encode_batch=wrong),
            ),
            "Arrays are not equal",
        ),
    ],
)
def test_a_nanotoken_that_is_missing_changed_or_wrong_is_not_used(
    fake: object, said: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setitem(sys.modules, "nanotoken", fake)  # None: as where it is not installed
    with caplog.at_level(logging.WARNING):
        found = tokeniser(FILE)(["Two words"], 10)
    assert found.ids.tolist() == [101, 2048, 2616, 102]
    assert (said in caplog.text and "without nanotoken" in caplog.text) if said else not caplog.text
