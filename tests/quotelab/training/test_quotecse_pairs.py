"""Pairs: which quote is positive, which negative, what is left out, and that Spark builds the same as the kernel."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.running import Done

from quotelab.training.quotecse.articles import (
    PARTS,
    Pair,
    QuotedArticle,
    digest,
    part_of,
    read_articles,
    read_pairs,
    without_copies,
    write_pairs,
)
from quotelab.training.quotecse.assign import Status, assign, build, by_containment, by_cosine
from quotelake.errors import InputError

JOB = Path(__file__).parents[3] / "jobs" / "train_quotecse.py"
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


def test_what_gives_no_pair_is_said():
    one = QuotedArticle("k", "a", "Shut", ("Shut",))
    assert build(one, ()) is Status.FEW_QUOTES
    assert build(ARTICLE, (0.7499, 0.1, 0.1)) is Status.UNLIKE
    pair = build(ARTICLE, (0.75, 0.1, 0.1))
    assert isinstance(pair, Pair) and pair.positive == 0 and pair.similarity == 0.75


def test_containment_needs_no_encoder():
    similarities = by_containment("bridge stays shut", ["We will pay.", "Our bridge stays shut today.", "shut"])
    assert int(np.argmax(similarities)) == 1 and similarities[1] == 1.0 and similarities[0] < 0.2


def test_parts_are_80_10_10_of_articles():
    counts = [[part_of(str(article)) for article in range(5000)].count(part) for part in PARTS]
    assert counts[0] / 5000 == pytest.approx(0.8, abs=0.02)
    assert counts[1] / 5000 == pytest.approx(0.1, abs=0.015)


def test_a_syndicated_copy_is_kept_once_and_order_does_not_count():
    pair = Pair("b", "1", "We won", ("We won", "They lost"), 0, 1, 0.9)
    copy = Pair("a", "2", *(getattr(pair, name) for name in Pair.__slots__[2:]))
    other = Pair("c", "3", "We lost", ("We lost", "They won"), 0, 1, 0.9)
    assert [kept.key for kept in without_copies([pair, other, copy])] == ["a", "c"]
    assert digest([pair, other]) == digest([other, pair]) != digest([pair])


def test_files_of_articles_and_pairs(tmp_path: Path):
    path = tmp_path / "articles.jsonl"
    rows = [{"headline_quote": "We won", "body_quotes": ["We won", "we won!", "They lost"], "label": 0}]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (article,) = read_articles(path)
    assert article.body_quotes == ("We won", "They lost"), "a quote that only marks set apart is no negative"
    assert read_articles(path, labelled=True)[0].body_quotes == tuple(rows[0]["body_quotes"])
    pair = build(article, (0.9, 0.1))
    assert isinstance(pair, Pair)
    write_pairs([pair], tmp_path / "pairs.jsonl")
    assert read_pairs(tmp_path / "pairs.jsonl") == [pair]


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


@pytest.mark.spark
def test_spark_builds_the_pairs_of_the_kernel(spark):
    from quotelab.training.quotecse.pairs import build_pairs, collect, quoted_articles, texts_to_embed

    from quotelake.text.ids import content_id

    documents = spark.createDataFrame(
        [(f"d{n}", f"n{n}", "news" if n < 4 else "tweet", "s" if n < 3 else "t", "en") for n in range(5)],
        "doc_id STRING, native_key STRING, kind STRING, source STRING, language STRING",
    )
    said = [
        ("d0", "headline", 0, "The bridge stays shut", "direct", 0),
        ("d0", "body", 40, "We will pay.", "direct", 0),
        ("d0", "body", 10, "The bridge stays shut.", "direct", 0),
        ("d0", "body", 60, "the bridge STAYS shut", "direct", 0),
        ("d0", "body", 80, "The Tempest", "title", 0),
        ("d0", "body", 90, "stays", "direct", 1),
        ("d1", "headline", 0, "to buy boats", "claim", 0),
        ("d1", "body", 0, "We buy boats", "direct", 0),
        ("d2", "headline", 0, "Nobody has seen it", "direct", 0),
        ("d2", "body", 0, "ii", "direct", 0),
        ("d2", "body", 9, "uu", "direct", 0),
        ("d3", "headline", 0, "Of another source", "direct", 0),
        ("d4", "headline", 0, "A tweet", "direct", 0),
    ]
    quotes = spark.createDataFrame(
        [
            (content_id(doc, field, start), doc, field, start, start + len(text), text, kind, depth, None, None)
            for doc, field, start, text, kind, depth in said
        ],
        "quote_id STRING, doc_id STRING, field STRING, start INT, end INT, text STRING, kind STRING, depth INT, "
        "match_key STRING, variant_id STRING",
    )
    articles = quoted_articles(documents, quotes, sources=["s"], languages=["en"])
    texts = texts_to_embed(articles).collect()
    assert len({row["text_hash"] for row in texts}) == len(texts) == 6, "an article without a pair is not embedded"
    vectors = spark.createDataFrame(
        [(row["text_hash"], unit([row["text"]])[0].tolist()) for row in texts], "text_hash STRING, vector ARRAY<FLOAT>"
    )
    pairs, counts = collect(build_pairs(articles, vectors, minimum=0.75, seed=3))
    assert counts == {Status.BUILT: 1, Status.FEW_QUOTES: 1, Status.UNLIKE: 1}
    article = QuotedArticle(
        content_id("d0", "headline", 0), "n0", "The bridge stays shut", ("The bridge stays shut.", "We will pay.")
    )
    similarities = by_cosine(unit)(article.headline_quote, article.body_quotes)
    assert pairs == [build(article, similarities, 0.75, 3)]


@pytest.mark.parametrize(
    ("option", "value"),
    [("--minimum", "nan"), ("--head-rate", "nan"), ("--encoder-rate", "-1"), ("--temperature", "inf")],
)
def test_numbers_out_of_range_are_refused(run_job: Callable[..., Done], tmp_path: Path, option: str, value: str):
    done = run_job(JOB, "--pairs", tmp_path / "absent.jsonl", "--out", tmp_path / "out", f"{option}={value}")
    assert done.code == 2 and option in done.error and "must be" in done.error
