"""Nights in any order leave the pairs, groups and stories that one run leaves, and those that the texts have by
themselves; the scores of quotes follow when stories merge."""

import json
import random
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.classic.dataframe import DataFrame
from tests.nightly.batches import batch_of

from quotelab.grouping import group_texts
from quotelab.synthetic.texts import everyday, mixed
from quotelake.files.jsonl import json_lines
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import digest, digests
from quotelake.nightly import places as places_module
from quotelake.nightly.groups import Groups, find_groups, members_of, write_groups, write_pairs
from quotelake.nightly.night import Batch
from quotelake.nightly.stories import find_stories, write_stories
from quotelake.quotes.keys import canonical_text, variant_id
from quotelake.reuse.stage import near_days, sampled_uses
from quotelake.reuse.stories import text_of_document
from quotelake.settings import load_settings
from quotelake.text.ids import content_id

pytestmark = pytest.mark.spark

GROUPS = ("variant_edges", "variant_groups", "variant_postings")
STORIES = ("story_edges", "stories", "story_texts")
BRIDGE = (
    "carry every stone of the old bridge up the hill",
    "every stone of the old bridge up the hill before",
    "We shall carry every stone of the old bridge up the hill before the winter comes",
)
LONG_AGO, NOW = date(2019, 3, 1), date(2024, 3, 1)


def content(lake: Lake, tables: Sequence[str]) -> dict[str, tuple[int, str]]:
    return {table: digest(lake, table) for table in tables}


def context(text: str, **changes: Any) -> dict[str, Any]:
    """A use of a text, in a document and a month that are drawn by its hash; of such a row some columns are changed."""
    drawn = random.Random(text)
    return {
        "variant_id": variant_id(text), "rule_version": "1", "direct": True, "status": "ok", "words_left": 9,
        **dict.fromkeys(("doc_id", "raw_hash", "masked_hash", "quote_id", "native_key"), content_id(text)),
        **dict.fromkeys(("start", "context_start"), 0), **dict.fromkeys(("end", "context_end"), 1),
        "text_id": f"t{drawn.randrange(60)}", "period": drawn.choice((None, "2024-01", "2024-02", "2024-06")),
        "speaker": drawn.choice((None, "Rita Bell", "Tom Reed")),
    } | changes  # fmt: skip


def variants_of(lake: Lake, texts: Sequence[str]) -> DataFrame:
    """Rows of ``variants`` for the texts that have a canonical one."""
    named = {variant: text for each in texts if (variant := variant_id(each)) and (text := canonical_text(each))}
    rows = [{"variant_id": each, "canonical_text": text, "words": len(text.split())} for each, text in named.items()]
    return lake.frame(rows, "variants")


def night_of_quotes(
    lake: Lake,
    texts: Sequence[str],
    number: int,
    partitions: int = 2,
    contexts: Sequence[dict[str, Any]] = (),
    *,
    small: bool = False,
) -> None:
    variants = variants_of(lake, texts).repartition(partitions)
    with batch_of(lake, number, small=small) as batch:
        uses = lake.frame(contexts or [context(text) for text in texts if variant_id(text)], "contexts")
        groups = find_groups(batch, variants, uses)
        batch.lake.append_new(variants, "variants")
        batch.lake.append_new(uses, "contexts")
        write_pairs(batch, groups)
        write_groups(batch, groups)


@pytest.mark.slow
def test_groups_of_nights_in_any_order_and_on_any_partitions_leave_what_one_run_leaves(
    new_lake: Callable[[str], Lake], monkeypatch: pytest.MonkeyPatch
):
    quotes = [use.text for made in (mixed(150), everyday(250)) for use in made]
    quotes += [" ".join(text.split()[at % 5 : at % 5 + 5]) for at, text in enumerate(quotes[150:])]
    full = new_lake("full")
    night_of_quotes(full, quotes, 0)
    whole = content(full, GROUPS)
    assert whole["variant_edges"][0] > 100
    joined = full.read("variant_groups").where("excerpt = 'joined'").count()
    contained = full.read("variant_edges").where("measure = 'excerpt'").select("contained").distinct().count()
    assert 50 < joined < contained - 50, "some short excerpts join a group, and some do not"
    with monkeypatch.context() as patch:
        patch.setattr("quotelake.nightly.groups._VARIANTS_PER_PART", 100)
        patch.setattr("quotelake.nightly.places._ON_DRIVER", 0)
        patch.setattr("quotelake.nightly.places._PER_PART", 20)
        collected = list[str]()
        to_arrow = DataFrame.toArrow
        patch.setattr(DataFrame, "toArrow", lambda df: collected.extend(df.columns) or to_arrow(df))
        dealt = new_lake("dealt")
        for number in range(2):
            night_of_quotes(dealt, quotes[number::2], number, 4)
        assert content(dealt, GROUPS) == whole, "compared and placed part by part by Spark, not on the driver"
        assert "a" in collected and "measure" not in collected, "the driver holds two numbers a pair, and no pair"
    nights, shuffled = new_lake("nights"), random.Random(1).sample(quotes, len(quotes))
    for number, partitions in enumerate((1, 8, 40)):
        night_of_quotes(nights, shuffled[number::3], number, partitions)
    assert content(nights, GROUPS) == whole
    alone = new_lake("alone")
    night_of_quotes(alone, quotes, 0, contexts=[context("of another quote")])
    groups = {row["variant_id"]: row["group_id"] for row in alone.read("variant_groups").collect()}
    for text, group in zip(quotes, group_texts(quotes), strict=True):
        assert groups.get(variant_id(text), variant_id(text)) == group


WHOLE = "The council will close the harbour road for repairs until the first week of November"
PART = "close the harbour road for repairs until the first week"
OTHER = "The council should never have sold the ferries to a company nobody had heard of"
HOLDER = "They will try it, and they will continue trying to cheat in the election, as the mayor knows very well"
EXCERPT = "trying to cheat in the election"


@pytest.fixture(scope="module")
def nights(shared_lake: Lake) -> Lake:
    """Three nights, two on the driver and one by Spark, whose quotes have nothing to do with those of other tests."""
    unknown = {"speaker": None}
    uses = [
        [context(PART), context(OTHER), context(EXCERPT, text_id="a", period="2024-01", **unknown)],
        [context(PART), context(HOLDER, text_id="b", period="2024-07", **unknown)],
        [context(WHOLE), context(HOLDER, doc_id="c", text_id="a", period="2024-08")],
    ]
    for number, texts in enumerate(((PART, OTHER, EXCERPT), (PART, HOLDER), (WHOLE, HOLDER)), 1):
        night_of_quotes(shared_lake, texts, number, contexts=uses[number - 1], small=number != 2)
        if number == 2:
            assert shared_lake.read("group_lineage").isEmpty(), "said half a year later by who knows whom"
    return shared_lake


def placed(lake: Lake, *texts: str) -> list[tuple[str, str | None]]:
    """Group of each text, and whether it joined the group as a short excerpt."""
    rows = {row["variant_id"]: row for row in lake.read("variant_groups").collect()}
    alone = {variant_id(text): {"group_id": variant_id(text), "excerpt": None} for text in texts}
    return [
        ((alone | rows)[variant_id(text)]["group_id"], (alone | rows)[variant_id(text)]["excerpt"]) for text in texts
    ]


def changes(lake: Lake) -> set[tuple[str, str, str, int]]:
    rows = lake.read("group_lineage").select("old_group_id", "group_id", "change", "variants").collect()
    return set(map(tuple, rows))


@pytest.mark.slow
@pytest.mark.crash
def test_a_longer_quote_of_a_later_night_takes_the_group_over_and_the_change_is_kept(nights: Lake):
    assert placed(nights, PART, WHOLE, OTHER) == [(variant_id(text), None) for text in (WHOLE, WHOLE, OTHER)]
    assert (variant_id(PART), variant_id(WHOLE), "renamed", 1) in changes(nights)


@pytest.mark.slow
@pytest.mark.crash
def test_a_short_excerpt_joins_the_only_quote_that_holds_it_until_another_one_holds_it(nights: Lake):
    excerpt, holder = variant_id(EXCERPT), variant_id(HOLDER)
    assert placed(nights, EXCERPT) == [(holder, "joined")], "a known quote is used again, beside the excerpt"
    with batch_of(nights, 9, small=True) as batch:
        used = nights.read("variants").where(F.col("variant_id") == excerpt)
        groups = find_groups(batch, used, nights.frame([context(EXCERPT)], "contexts"))
        members = {row["variant_id"] for row in members_of(batch, groups, used.select("variant_id")).collect()}
    assert members == {excerpt, holder}, "a new use of the excerpt is scored with those of the quote"
    another = "I saw nobody there who was trying to cheat in the election of our board"
    night_of_quotes(nights, [another], 4, contexts=[context(another, text_id="a")], small=True)
    assert placed(nights, EXCERPT) == [(excerpt, None)]
    assert {(excerpt, holder, "merged", 1), (holder, excerpt, "split", 1)} <= changes(nights)


@pytest.mark.slow
@pytest.mark.crash
def test_a_variant_that_another_run_places_meanwhile_stays_new_and_is_a_member_once(
    nights: Lake, monkeypatch: pytest.MonkeyPatch
):
    """As one that is also known, it would be in its group twice, and each of its uses counted twice."""
    *shorter, longer = BRIDGE
    night_of_quotes(nights, [longer], 5, small=True)
    places = places_module.place

    def place_after_another_run(batch: Batch, *rest: Any) -> DataFrame:
        monkeypatch.undo()
        night_of_quotes(nights, shorter, 7, small=True)
        return places(batch, *rest)

    monkeypatch.setattr(places_module, "place", place_after_another_run)
    bridge = sorted(str(variant_id(text)) for text in BRIDGE)
    with batch_of(nights, 6) as batch:
        found = find_groups(batch, variants_of(nights, shorter))
        assert sorted(row[0] for row in found.placed.collect()) == bridge
        assert found.rows is None and not found.changes
        members = nights.read("variant_groups").where(F.col("variant_id").isin(bridge)).select("variant_id", "group_id")
        of_this_run = members.where(F.col("variant_id") == bridge[0])
        groups = Groups(None, None, None, of_this_run, [])
        # All are asked for: one is of this run, and the group of the others is in the table.
        listed = sorted(map(tuple, members_of(batch, groups, members.select("variant_id")).collect()))
    assert listed == [(each, variant_id(longer)) for each in bridge]


@pytest.mark.slow
@pytest.mark.crash
def test_without_the_setting_no_pair_by_excerpt_is_kept(nights: Lake):
    """With it, the test before this one has one."""
    with batch_of(nights, 8) as batch:
        batch.night.settings = load_settings(overrides=["reuse.excerpts=false"])
        quotes = ("Nobody but our ferryman sings of the green lamp at noon", "sings of the green lamp")
        assert find_groups(batch, variants_of(nights, quotes)).edges is None


def night_of_articles(lake: Lake, documents: Sequence[dict[str, Any]], number: int, partitions: int) -> None:
    texts = lake.frame([text_of_document(document, "1") for document in documents], "story_texts")
    with batch_of(lake, number) as batch:
        stories = find_stories(batch, texts.repartition(partitions))
        batch.append(stories.edges, "story_edges", new=True)
        write_stories(batch, stories, texts)


def retold(body: str, rng: random.Random) -> list[str]:
    """What other outlets print of an article: it again, without its end, with another lead, edited."""
    paragraphs = body.split("\n\n")
    words = [word if rng.random() > 0.02 else "edited" for word in body.split(" ")]
    lead = "Officials said on Tuesday that more would be known by the end of the week, and declined to say more."
    cut = paragraphs[: len(paragraphs) * 2 // 3]
    return [body.upper(), "\n\n".join(cut), "\n\n".join([lead, *paragraphs[2:]]), " ".join(words)]


def real_articles(data: Callable[[str], Path]) -> list[dict[str, Any]]:
    """Real articles, some of them retold, and pages that hold two of them."""
    bodies = [article["text"] for _, article in json_lines(data("news/us_news_quoted_2k.jsonl.gz"))][:60]
    rng = random.Random(7)
    copies = [copy for body in bodies[:20] for copy in retold(body, rng)]
    pages = [f"{one}\n\n{other}" for one, other in zip(bodies[:10], bodies[30:40], strict=True)]
    again = [f"{body}\n\nThis article was printed before." for body in bodies[45:48]]
    published = {45: LONG_AGO, 46: LONG_AGO, 47: LONG_AGO} | dict.fromkeys(range(150, 154), NOW) | {152: None}
    return [
        {
            "doc_id": f"d{number}", "kind": "news", "native_key": f"n{number}", "body": body,
            "published": published.get(number, NOW),
        }
        for number, body in enumerate([*bodies, *copies, *pages, *again, bodies[46]])
    ]  # fmt: skip


@pytest.mark.slow
def test_stories_of_nights_in_any_order_and_on_any_partitions_leave_what_one_run_leaves(
    new_lake: Callable[[str], Lake], data: Callable[[str], Path]
):
    articles = real_articles(data)
    full = new_lake("full")
    night_of_articles(full, articles, 0, 2)
    whole = content(full, STORIES)
    placed = full.read("story_texts").join(full.read("stories").select("text_id", "story_id"), "text_id", "left")
    found = placed.select("doc_id", F.coalesce("story_id", "text_id")).collect()
    story_of = [story for _, story in sorted((int(doc[1:]), story) for doc, story in found)]
    kept = [sum(story_of[60 + 4 * n + copy] == story_of[n] for n in range(20)) for copy in range(4)]
    assert kept[0] == 20 and min(kept) >= 18, "of 20 copies of each kind, few are changed too much"
    assert len(set(story_of[:60])) == 60, "no page joins two articles"
    assert story_of[150] != story_of[45], "published years apart"
    assert story_of[151] == story_of[46], "the old text was published again now"
    assert story_of[152] == story_of[47], "an undated copy may be of any day"
    years = new_lake("years")
    for number, is_old in enumerate((True, False)):
        night = [article for article in articles if (article["published"] == LONG_AGO) == is_old]
        night_of_articles(years, night, number, 1)
    assert content(years, STORIES) == whole
    samples = years.read("story_texts")
    read, both, every = (
        set(near_days(samples, days, 365).inputFiles()) for days in ([NOW], [LONG_AGO, NOW], [NOW, None])
    )
    assert read < both == every == set(samples.inputFiles()), "the files of the other night are not read"
    nights, shuffled = new_lake("nights"), random.Random(1).sample(articles, len(articles))
    for number, partitions in enumerate((8, 1)):
        night_of_articles(nights, shuffled[number::2], number, partitions)
    assert content(nights, STORIES) == whole


def test_of_a_quote_of_very_many_uses_as_many_are_compared_and_the_same_in_any_order(spark: SparkSession):
    rows = [("many", f"q{number}") for number in range(9)] + [("few", "q9")]
    one, other = (
        sorted(map(tuple, sampled_uses(spark.createDataFrame(given, "group_id STRING, quote_id STRING"), 3).collect()))
        for given in (rows, rows[::-1])
    )
    assert one == other
    assert [(group, nth) for group, _, nth in one if group == "few"] == [("few", 1)]
    assert sorted(nth for group, _, nth in one if group == "many") == [1, 2, 3, 4], "one tells of more"


@pytest.mark.slow
def test_a_quote_loses_its_score_when_a_later_article_shows_that_its_uses_are_copies(
    score: Callable[..., Lake], tmp_path: Path
):
    """Of the first two every 36th word is another one, and they have the quote in their third paragraph."""
    rng, inputs = random.Random(5), list[tuple[str, str]]()
    words = [f"term{rng.randrange(900)}" for _ in range(600)]
    for number, first in enumerate((3, 21, None)):
        edited = [f"other{at}" if at % 36 == first else word for at, word in enumerate(words)]
        paragraphs = [" ".join(edited[at : at + 60]).capitalize() + "." for at in range(0, 600, 60)]
        if first is not None:
            paragraphs[2] += " “Nobody told the council that the harbour would close this winter,” said Ana Ruiz."
        record = {"id": f"a{number}", "outlet": f"Outlet {number}", "published": "2024-03-01"}
        record |= {"title": f"Harbour report {number}", "text": "\n\n".join(paragraphs)}
        (tmp_path / f"{number}.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
        inputs.append(("sample_news", str(tmp_path / f"{number}.jsonl")))
    before = score(tmp_path / "nights", inputs[:2])
    assert {row["n_stories"] for row in before.read("topic_variation").collect()} == {2}
    lake = score(tmp_path / "nights", inputs[2:])
    assert len({row["story_id"] for row in lake.read("stories").collect()}) == 1
    assert lake.read("topic_variation").isEmpty()
    full, both = digests(score(tmp_path / "full", inputs[::-1])), digests(lake)
    assert both.pop("embeddings")[0] > full.pop("embeddings")[0], "the first night needed vectors that one run does not"
    assert both == full
