"""Pairs: which quote is positive, which negative, what is left out, and what is read of a lake."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.running import Done

from quotelab.training.quotecse import articles
from quotelab.training.quotecse.articles import (
    PARTS,
    QuotedArticle,
    Status,
    assign,
    build_pairs,
    by_containment,
    part_of,
    read_articles,
)
from quotelake.errors import InputError

ARTICLE = QuotedArticle("k", "a", "The bridge stays shut", ("The bridge stays shut.", "We will pay.", "Ask the mayor"))
COSINES = st.lists(st.floats(-1, 1), min_size=2, max_size=30)


@given(COSINES, st.text(max_size=5), st.integers(0, 3), st.integers(0, 12))
def test_the_positive_is_most_similar_and_the_negative_another_quote(
    cosines: list[float], key: str, seed: int, epoch: int
):
    positive, negative = assign(cosines, key, seed, epoch)
    assert cosines[positive] == max(cosines)
    assert negative != positive and 0 <= negative < len(cosines)


def test_negatives_are_drawn_evenly_and_anew_by_seed_and_epoch():
    drawn = np.bincount([assign([0.0, 0.9, 0.1, 0.2], str(key))[1] for key in range(3000)], minlength=4)
    assert drawn[1] == 0 and drawn[[0, 2, 3]].min() > 900
    first = [assign([0.9] + [0.0] * 9, str(key), 0, 1)[1] for key in range(50)]
    assert first != [assign([0.9] + [0.0] * 9, str(key), 0, 2)[1] for key in range(50)]
    assert first != [assign([0.9] + [0.0] * 9, str(key), 1, 1)[1] for key in range(50)]
    assert first == [assign([0.9] + [0.0] * 9, str(key), 0, 1)[1] for key in range(50)]


def test_what_gives_no_pair_is_counted():
    few, unlike = QuotedArticle("k", "a", "Shut", ("Shut",)), QuotedArticle("u", "a", "oooo", ARTICLE.body_quotes)
    pairs, counts = build_pairs([few, unlike, ARTICLE], unit, 0.98)
    assert counts == {Status.BUILT: 1, Status.FEW_QUOTES: 1, Status.UNLIKE: 1}
    [pair] = pairs
    assert (pair.key, pair.positive, pair.negative) == ("k", *assign([1.0, 0.0, 0.0], "k"))


def test_containment_needs_no_encoder():
    similarities = by_containment("bridge stays shut", ["We will pay.", "Our bridge stays shut today.", "shut"])
    assert int(np.argmax(similarities)) == 1 and similarities[1] == 1.0 and similarities[0] < 0.2


def test_parts_are_80_10_10_of_articles():
    counts = [[part_of(str(article)) for article in range(5000)].count(part) for part in PARTS]
    assert counts[0] / 5000 == pytest.approx(0.8, abs=0.02)
    assert counts[1] / 5000 == pytest.approx(0.1, abs=0.015)


def test_articles_of_a_file(tmp_path: Path):
    path = tmp_path / "articles.jsonl"
    path.write_text(
        json.dumps({"headline_quote": "We won", "body_quotes": ["We won", "we won!", "They lost"]}), "utf-8"
    )
    (article,) = read_articles(path)
    assert article.body_quotes == ("We won", "They lost"), "a quote that only marks set apart is no negative"


@pytest.mark.parametrize("row", ['{"headline_quote": "a"}', '{"headline_quote": 1, "body_quotes": []}', "[]", "{"])
def test_a_row_of_another_form_is_named(tmp_path: Path, row: str):
    path = tmp_path / "articles.jsonl"
    path.write_text('{"headline_quote": "a", "body_quotes": []}\n' + row, "utf-8")
    with pytest.raises(InputError, match="line 2"):
        read_articles(path)


def unit(texts: Sequence[str]) -> np.ndarray:
    """Unit vectors of letters: no meaning, but alike for alike words."""
    counts = np.array([[text.casefold().count(letter) + 0.01 for letter in "abehinorstuwy"] for text in texts])
    return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


def test_articles_of_a_lake_have_the_quotes_of_utterances(monkeypatch: pytest.MonkeyPatch):
    said = [("q1", "d0", "headline", "The bridge stays shut"), ("q2", "d0", "body", "The bridge stays shut.")]
    said += [
        ("q3", "d0", "body", "the bridge STAYS shut"),
        ("q4", "d0", "body", "We will pay."),
        ("q5", "d1", "headline", "Boats"),
    ]
    rows = [dict(zip(("quote_id", "doc_id", "field", "text"), row, strict=True), native_key=row[1]) for row in said]
    asked: list[str] = []

    class Engine:
        def __init__(self, lake: str) -> None: ...

        def __enter__(self) -> "Engine":
            return self

        def __exit__(self, *_: object) -> None: ...

        def answer(self, statement: str) -> SimpleNamespace:
            asked.append(statement)
            return SimpleNamespace(rows=rows)

    monkeypatch.setattr(articles, "DuckEngine", Engine)
    found = articles.articles_of_lake("lake", ["s"], ["en"])
    assert found == [
        QuotedArticle("q1", "d0", "The bridge stays shut", ("The bridge stays shut.", "We will pay.")),
        QuotedArticle("q5", "d1", "Boats", ()),
    ]
    assert "d.source IN ('s') AND d.language IN ('en')" in asked[0]


@pytest.mark.parametrize(
    ("option", "value"),
    [("--minimum", "nan"), ("--head-rate", "nan"), ("--encoder-rate", "-1"), ("--temperature", "inf")],
)
def test_numbers_out_of_range_are_refused(lab: Callable[..., Done], tmp_path: Path, option: str, value: str):
    done = lab("train quotecse", "--pairs", tmp_path / "absent.jsonl", "--out", tmp_path / "out", f"{option}={value}")
    assert done.code == 2 and option in done.error and "must be" in done.error
