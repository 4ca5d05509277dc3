"""One article alone is judged as the nightly job judges it, and the model is asked only for what strings leave open."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from deltalake import DeltaTable as RustTable
from hypothesis import given
from hypothesis import strategies as st

from quotelake.article import Article, judge_article
from quotelake.contextomy.judgement import Outcome
from quotelake.embeddings.encoder import Encoder
from quotelake.settings import load_settings

SETTINGS = load_settings()
BODY = "“We will not cut the wages of nurses,” said Ana Reyes. “The ward stays open,” she added. Nobody objected."


def article(headline: str, body: str = BODY) -> Article:
    return Article(headline, body, "en", "complete")


def counting_encoder() -> tuple[list[list[str]], Callable[[Sequence[str]], npt.NDArray[np.float32]]]:
    """The texts of each call, and an encoder whose unit vectors point one way, so that every cosine is 1."""
    calls: list[list[str]] = []

    def encode(texts: Sequence[str]) -> npt.NDArray[np.float32]:
        calls.append(list(texts))
        return np.tile(np.array([1.0, 0.0], dtype=np.float32), (len(texts), 1))

    return calls, encode


def test_the_model_is_called_once_for_quotes_that_no_rule_settles_and_lowers_their_score():
    calls, encode = counting_encoder()
    headline = article("“The ward stays open”, “Doctors deserve the sack”")
    settled, weighed = judge_article(headline, SETTINGS, encode)
    assert settled.outcome is Outcome.IDENTICAL
    [texts] = calls
    assert "Doctors deserve the sack" in texts and settled.headline.text not in texts
    _, alone = judge_article(headline, SETTINGS)
    assert (weighed.cosine_best, alone.cosine_best, alone.outcome) == (1.0, None, Outcome.ABSENT)
    assert alone.score is not None and weighed.score is not None and weighed.score < alone.score


@pytest.mark.parametrize(
    ("headline", "quotes"),
    [
        ("Ward reopens", []),
        ("Nurse: We must never close the ward", []),
        ("", []),
        ("“They told me ‘the ward stays open’ twice”", ["They told me ‘the ward stays open’ twice"]),
    ],
)
def test_only_outermost_quotes_of_a_headline_s_own_are_judged(headline: str, quotes: list[str]):
    calls, encode = counting_encoder()
    assert [one.headline.text for one in judge_article(article(headline), SETTINGS, encode)] == quotes
    assert quotes or not calls, "the model is not loaded"


@given(st.text("“”\"'‘’ abn't.?\n한국", max_size=80), st.text("“”\"'‘’ abn't.?\n한국", max_size=200))
def test_any_article_is_judged_and_what_matched_stays_inside_its_quote(headline: str, body: str):
    for judgement in judge_article(article(headline, body), SETTINGS):
        assert judgement.outcome is not None
        size, columns = len(judgement.headline.text), judgement.columns()
        assert all(0 <= start < end <= size for start, end in columns["matched"])
        if columns["omitted"]:
            assert judgement.best is not None
            assert columns["omitted"][-1][1] <= len(judgement.best.text)


@pytest.mark.spark
def test_every_headline_of_the_sample_is_judged_as_by_the_nightly_job(sample_lake: str):
    def rows(table: str) -> list[dict[str, object]]:
        return RustTable(f"{sample_lake}/{table}").to_pyarrow_table().to_pylist()

    documents = {row["doc_id"]: row for row in rows("documents")}
    starts = {row["quote_id"]: (row["doc_id"], row["start"]) for row in rows("quotes")}
    expected = {starts[row["quote_id"]]: row for row in rows("contextomy")}
    dtype = rows("versions")[0]["dtype"]
    encoder = Encoder(dtype=str(dtype), threads=1)
    found = {}
    for doc_id, row in documents.items():
        if row["kind"] == "tweet" or row["headline"] is None:
            continue
        one = Article(row["headline"], row["body"], row["language"], row["body_status"])
        for judgement in judge_article(one, SETTINGS, encoder.encode):
            found[doc_id, judgement.headline.start] = judgement.to_row()
    assert found.keys() == expected.keys()
    for key, row in found.items():
        columns = row.keys() - {"best_quote_id", "second_quote_id"}  # ids hash the id of the document
        assert {name: row[name] for name in columns} == {name: expected[key][name] for name in columns}
