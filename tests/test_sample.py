"""The sample corpus was written with its truth: what is planted is found, or stands here as missed, with the reason."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quotelab.benchmarks.recipes import recipes_of
from quotelake.query.engines import DuckEngine
from quotelake.quotes.keys import canonical_text
from quotelake.sample import truth

pytestmark = pytest.mark.spark

#: Planted headline quotes whose outcome or list differs: (native id, quote), and the outcome, alert and check found.
MISSED: dict[tuple[str, str], tuple[str, str | None, str | None]] = {
    # other words: that their sense is turned round is not known
    ("n038", "We would rather strike for a month than talk for a day"): ("modified", None, "altered"),
    # two words of its three in a sentence on something else
    ("n061", "We are done waiting for hot water"): ("no_body_quote", None, None),
    # half of its words stand elsewhere
    ("n069", "We intend to close a counter in each of forty-one towns"): ("modified", None, None),
}


RunSql = Callable[[str], list[dict[str, object]]]


@pytest.fixture(scope="module")
def sql(sample_lake: str) -> Iterator[RunSql]:
    """Ask the views of the scored sample by DuckDB; Spark gives the same answers (tests/query/test_engines.py)."""
    with DuckEngine(sample_lake) as engine:
        yield lambda text: engine.answer(text).rows


def test_every_planted_headline_quote_has_its_outcome(sql: RunSql):
    planted = {(row["id"], row["quote"]): row["outcome"] for row in truth("headlines_news")}
    rows = sql("SELECT native_id, headline_quote, outcome FROM headline_quotes WHERE source = 'sample_news'")
    found = {(row["native_id"], row["headline_quote"]): row["outcome"] for row in rows}
    wrong = {key: found.get(key, "not found") for key, outcome in planted.items() if found.get(key) != outcome}
    assert wrong == {key: outcome for key, (outcome, *_) in MISSED.items()}
    assert set(planted.values()) >= {"identical", "excerpt", "modified", "joined", "contextomized", "absent"}


def test_each_planted_difference_is_on_its_list_and_no_other_is(sql: RunSql):
    planted = {(row["id"], row["quote"]): (row.get("alert"), row.get("check")) for row in truth("headlines_news")}
    del planted["n007", "This will be the death of the high street"]  # corrected: lists are of the latest version
    planted |= {key: (alert, check) for key, (_, alert, check) in MISSED.items()}
    rows = sql(
        "SELECT native_id, headline_quote, alert, to_check FROM headline_quotes WHERE version_number = n_versions"
    )
    found = {(row["native_id"], row["headline_quote"]): (row["alert"], row["to_check"]) for row in rows}
    listed = {key: kinds for key, kinds in found.items() if any(kinds)}
    assert listed == {key: kinds for key, kinds in planted.items() if any(kinds)}


def test_alerts_have_a_priority_and_one_of_each_story_comes_first(sql: RunSql):
    rows = sql("SELECT quote_id, score, severity, priority, of_story FROM headline_alerts")
    for row in rows:  # without reviews, half of such alerts are right
        assert row["priority"] == pytest.approx(row["severity"] * (row["score"] or 1.0) / 2)
    assert {row["of_story"] for row in rows} >= {1}
    assert len(rows) == len({row["quote_id"] for row in rows}), "none twice"


def test_speakers_of_the_sample_are_mostly_those_written_down(sql: RunSql):
    rows = sql(
        "SELECT native_id, quote, speaker, full_name, speaker_type, as_written, field FROM speaker_quotes "
        "WHERE kind = 'direct'"
    )
    assert {row["speaker_type"] for row in rows if row["full_name"]} == {"person"}
    found = {(row["native_id"], row["quote"]): row for row in rows if row["field"] == "body"}
    told = truth("speakers_news")
    named = [line for line in told if line["speaker"]]
    given = [line for line in named if (line["id"], line["quote"]) in found]
    right = [line for line in given if str(found[line["id"], line["quote"]]["as_written"]).startswith(line["speaker"])]
    assert len(right) / len(given) > 0.9
    assert len(right) / len(named) > 0.85
    full = [line for line in right if line["full_name"]]
    names = [(found[line["id"], line["quote"]]["full_name"], line["full_name"]) for line in full]
    assert sum(not name for name, _ in names) / len(full) < 0.05
    assert sum(not str(name).endswith(expected) for name, expected in names) / len(full) < 0.1


def test_the_most_quoted_are_counted_by_latest_versions_and_different_words(sql: RunSql):
    said = sql(
        "SELECT s.full_name, s.variant_id, s.doc_id, s.outlet, s.quote FROM speaker_quotes s JOIN document_versions d "
        "ON d.doc_id = s.doc_id WHERE s.full_name IS NOT NULL AND s.variant_id IS NOT NULL AND NOT d.is_repost "
        "AND d.version_number = d.n_versions"
    )
    expected: dict[str, tuple[set[object], set[object], set[object]]] = {}
    for row in said:
        quotes, articles, outlets = expected.setdefault(str(row["full_name"]), (set(), set(), set()))
        quotes.add(row["variant_id"])
        articles.add(row["doc_id"])
        outlets.update({row["outlet"]} - {None})
    rows = sql("SELECT * FROM most_quoted")
    counted = {str(row["speaker"]): (row["quotes"], row["articles"], row["outlets"]) for row in rows}
    assert counted == {name: tuple(map(len, sets)) for name, sets in expected.items()}
    assert len(counted) == len(rows), "each person once"
    spoken = {(row["full_name"], row["quote"]) for row in said}
    assert all((row["speaker"], row["quote"]) in spoken for row in rows), "shown is a quote of that person"


def test_each_recipe_of_the_page_shows_something_of_the_sample(sql: RunSql):
    nothing = (
        "FROM quote_versions",
        "FROM watch_movers",
    )  # no outlet trims a quote that two others have; no watch-list
    for question, statement in recipes_of(Path(__file__).parents[1] / "docs" / "QUERIES.md"):
        assert bool(sql(statement)) != any(view in statement for view in nothing), question


def test_every_planted_reuse_is_one_group_with_all_its_uses(sql: RunSql):
    uses = sql("SELECT group_id, quote, native_id FROM quote_uses WHERE direct")
    by_use = defaultdict(set)
    for row in uses:
        by_use[row["group_id"]].add(row["native_id"])
    for line in [*truth("reuse_news"), *truth("reuse_tweets")]:
        expected = set(line["ids"]) - set(line.get("reposts", []))
        assert expected in by_use.values(), line["quote"]


def test_lines_on_many_topics_rank_above_lines_on_few(sql: RunSql):
    groups = sql(
        "SELECT coalesce(g.group_id, variant_id) AS group_id, n.canonical_text FROM variants n "
        "LEFT JOIN variant_groups g USING (variant_id)"
    )
    names = {str(row["canonical_text"]): str(row["group_id"]) for row in groups}
    ranked = sql("SELECT group_id, position FROM topic_variation_ranking WHERE period = 'all' AND status = 'ranked'")
    positions = {str(row["group_id"]): int(str(row["position"])) for row in ranked}
    placed: dict[str, list[int]] = {"many": [], "few": []}
    for line in [*truth("reuse_news"), *truth("reuse_tweets")]:
        position = positions.get(names[canonical_text(line["quote"]) or ""])
        if position is not None:
            placed[line["topics"]].append(position)
    assert len(placed["many"]) >= 5 and len(placed["few"]) >= 5
    assert max(placed["many"]) < min(placed["few"])


def test_versions_duplicates_and_rejects_are_counted_and_authors_are_hashed(sql: RunSql):
    news, tweets = truth("documents_news"), truth("documents_tweets")
    versions = {row["native_id"]: row["n_versions"] for row in sql("SELECT * FROM document_versions")}
    assert {native_id: versions[native_id] for native_id, _ in news["corrected"]} == dict(news["corrected"])
    counted = sql("SELECT sum(duplicates) AS n FROM files")[0]["n"]
    assert counted == len(news["duplicates"]) + len(tweets["duplicates"])
    reasons = Counter(str(row["reason"]) for row in sql("SELECT reason FROM rejects"))
    assert reasons == Counter([reason for _, reason in news["broken"]] + [reason for _, reason in tweets["rejects"]])
    authors = [str(row["author_key"]) for row in sql("SELECT author_key FROM documents WHERE kind = 'tweet'")]
    assert len(authors) > 200 and all(len(author) == 64 for author in authors)
