"""Copies are found whatever was cut, changed or put before them; nothing depends on order, parts or what is new."""

import json
import random
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.reuse.copies import COLUMNS, Index, Texts
from quotelake.reuse.stories import (
    CONTAINMENT,
    JACCARD,
    LEVELS,
    LONGER,
    MIN_SHARED,
    MOST,
    at_level,
    folded_words,
    group_copies,
    sample,
    text_of_document,
)  # fmt: skip
from quotelake.reuse.verify import Pair

Row = dict[str, Any]
VOCABULARY = [f"word{number}" for number in range(2000)]


def words(n: int, seed: int) -> list[str]:
    return random.Random(seed).choices(VOCABULARY, k=n)


def text(body: list[str], kind: str = "news", native_key: str = "n") -> Row:
    """Row of ``story_texts``."""
    document = {"doc_id": "d", "kind": kind, "body": " ".join(body), "native_key": native_key, "published": None}
    return text_of_document(document, "r")


def rows_of(*texts: Row, new: bool = True) -> pa.RecordBatch:
    """Rows of ``story_texts`` as they are looked up."""
    schema = pa.schema([
        ("text_id", pa.string()), ("published", pa.date32()), ("words", pa.int32()), ("level", pa.int32()),
        ("sizes", pa.list_(pa.int32())), ("sample", pa.list_(pa.int64())), ("facts", pa.list_(pa.int64())),
        ("new", pa.bool_()),
    ])  # fmt: skip
    return pa.RecordBatch.from_pylist(
        [{name: (row | {"new": new}).get(name) for name in COLUMNS} for row in texts], schema
    )


def pairs(new: Sequence[Row], earlier: Sequence[Row] = (), window: int = 365) -> list[Row]:
    """Pairs of new texts with one another and with earlier ones."""
    index = Index(Texts.of(rows_of(*new)))
    return [
        row for rows in (rows_of(*new), rows_of(*earlier, new=False)) for row in index.pairs(rows, window).to_pylist()
    ]


def edge(one: list[str], other: list[str]) -> str | None:
    """Measure by which two texts are a pair; None if they are none."""
    return next((pair["measure"] for pair in pairs([text(one), text(other)])), None)


STORY = words(600, 1)


@pytest.mark.parametrize(
    ("copy", "measure"),
    [
        ([*words(40, 2), *STORY[50:]], "wording"),  # another lead
        (STORY[:400], "wording"),
        (STORY[:200], "containment"),  # the first third
        ([word if place % 25 else "changed" for place, word in enumerate(STORY)], "wording"),
        ([*words(300, 3), *STORY[:60], *words(300, 4)], None),  # another article that quotes a paragraph
        (words(600, 5), None),
        ([*words(1200, 6), *STORY, *words(1200, 7)], None),  # a list of briefs, which holds all of it
        (STORY[:140], None),  # less than a quarter
    ],
)
def test_copies_are_pairs_and_quoting_or_listing_an_article_is_not_copying_it(copy: list[str], measure: str | None):
    assert edge(STORY, copy) == measure


#: Sentences that a newsroom fills with towns, figures and people. The bound was chosen with the ``seen`` ones; the
#: others were looked at once, after that.
FRAMES = json.loads((Path(__file__).parent / "frames.json").read_text("utf-8"))


def reports(part: str) -> list[list[str]]:
    """Reports of each frame."""
    return [[each["frame"].format(**filling) for filling in each["reports"]] for each in FRAMES[part]]


def copies(report: str) -> list[str]:
    """What others make of a report: another first sentence, two thirds, another figure, capitals, the later part."""
    parts, (first, rest) = report.split(), report.split(". ", 1)
    return [
        f"What happened last night will be talked about for a while. {rest}",
        " ".join(parts[: 2 * len(parts) // 3]),
        report.replace("per cent", "percent").replace("1", "7", 1),
        f"{first.upper()}. {rest} Additional reporting by our correspondent in Thornby.",
        " ".join(parts[len(parts) // 4 :]),
    ]


@pytest.mark.parametrize("part", ["seen", "unseen"])
def test_reports_from_one_frame_are_other_stories_and_their_copies_are_not(part: str):
    """Protects: quotes of Calder's police and of Ebbing's are not counted as one text, nor copies as two."""
    for same in reports(part):
        assert len(pairs([text([report]) for report in same])) == 0
        for report in same:
            assert [edge([report], [copy]) for copy in copies(report)] == ["wording"] * 5


def test_the_frames_would_be_one_story_but_for_their_facts(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("quotelake.reuse.stories.MIN_FACTS", 99)
    for same in [*reports("seen"), *reports("unseen")]:
        assert len(pairs([text([report]) for report in same])) == 3


def test_two_articles_with_the_same_gallery_of_pictures_are_no_copies():
    gallery = " ".join(words(900, 8)) + " Hide Caption 1 of 9"
    bodies = [
        f"{' '.join(words(300, seed))}\n\nPhotos: {gallery}\n\n{' '.join(words(60, seed + 9))}" for seed in (1, 2)
    ]
    assert not pairs([text([body]) for body in bodies])
    assert folded_words(bodies[0]) == [*words(300, 1), *words(60, 10)]


@given(
    st.lists(
        st.sampled_from(
            [*"’“…— \n©_-A1ab½é\u0301我", "HTTPS://a.b", "RT @x: ", "Hide Caption 1 of 5", "hıde caption 2 of 5"]
        )
    )
)
def test_common_texts_are_folded_as_all_others_are(parts: list[str]):
    body = "".join(parts)
    rest = "我"  # which keeps a text from the short way of English ones
    assert [*folded_words(body), rest] == folded_words(f"{body}\n{rest}")


def test_a_text_too_short_to_judge_is_that_of_its_article_and_a_tweet_has_equal_tweets_only():
    notice = words(30, 1)
    assert [text(notice, native_key=key)["text_id"] for key in "ab"] == ["a", "b"]
    assert text(notice)["sample"] == text(notice, "tweet")["sample"] == []
    one, same = (text([*start, *notice], "tweet", key)["text_id"] for start, key in (([], "a"), (["RT", "@x:"], "b")))
    assert one == same != text(notice[:20], "tweet")["text_id"]
    assert text(STORY)["text_id"] == text(["“", *STORY, "”!"])["text_id"] != text(STORY[:-1])["text_id"]


@given(st.integers(1, 6000), st.integers(0, 9))
def test_a_sample_is_bounded_and_at_a_higher_level_that_of_a_longer_text(n: int, seed: int):
    body = words(n, seed)
    level, chosen = sample(body)
    assert len(chosen) <= MOST
    assert not level or len(chosen) > MOST // 4, "half on average"
    higher, longer = sample([*body, *words(5000, seed + 1)])
    both = max(level, higher)
    assert set(at_level(chosen, both).tolist()) <= set(at_level(longer, both).tolist())
    row = text(["x"] * 60 + body)
    assert row["sizes"] == [
        len(at_level(np.array(row["sample"], np.int64).view(np.uint64), row["level"] + k)) for k in range(LEVELS + 1)
    ]


def corpus(rng: random.Random, footer: Sequence[str]) -> list[Row]:
    """Articles, of some copies with cuts, changes and other leads, and a footer."""
    rows = []
    for seed in range(rng.randint(1, 6)):
        body = words(rng.choice([60, 200, 700, 2500]), seed)
        for _ in range(rng.randint(1, 4)):
            start, end = sorted(rng.sample(range(len(body) + 1), 2))
            cut = body if rng.random() < 0.4 else [*words(30, rng.randint(0, 9)), *body[start:end]]
            rows.append(text([*cut, *footer]))
    return list({str(row["text_id"]): row for row in rows if row["sample"]}.values())


def expected_pair(a: Row, b: Row) -> Row | None:
    """What two texts are by the definition, hash by hash."""
    a, b = sorted((a, b), key=lambda row: str(row["text_id"]))
    if LONGER * min(a["words"], b["words"]) < max(a["words"], b["words"]) or abs(a["level"] - b["level"]) > LEVELS:
        return None
    level = max(a["level"], b["level"])
    one, other = ({h for h in row["sample"] if not h & ((1 << level) - 1)} for row in (a, b))
    shared, smaller, both = len(one & other), min(len(one), len(other)), len(one | other)
    if shared < MIN_SHARED or shared < CONTAINMENT * smaller:
        return None
    part = min((len(row_hashes), row["words"], row["text_id"]) for row, row_hashes in ((a, one), (b, other)))[2]
    near = shared / both > JACCARD
    return {
        "a": a["text_id"], "b": b["text_id"], "measure": "wording" if near else "containment",
        "contained": None if near else part, "jaccard": shared / both, "containment": shared / smaller,
        "shared": shared, "words_a": a["words"], "words_b": b["words"],
    }  # fmt: skip


@given(st.randoms(use_true_random=False))
def test_pairs_are_those_of_every_new_text_with_every_other_in_any_order(rng: random.Random):
    footer = words(rng.choice([1, 60, 300]), 99)
    texts = corpus(rng, footer if rng.random() < 0.5 else [])
    cut = rng.randint(0, len(texts))
    new, earlier = texts[:cut], texts[cut:]
    found = [expected_pair(a, b) for at, a in enumerate(new) for b in texts[at + 1 :]]
    expected = sorted((pair for pair in found if pair), key=lambda pair: (pair["a"], pair["b"]))
    rng.shuffle(new)
    assert sorted(pairs(new, earlier), key=lambda pair: (pair["a"], pair["b"])) == expected


@pytest.mark.parametrize(("earlier", "near"), [(date(2024, 1, 1), True), (date(2023, 1, 1), False), (None, True)])
def test_copies_are_of_days_near_one_another_or_of_an_unknown_day(earlier: date | None, near: bool):
    one, other = text(STORY) | {"published": date(2024, 1, 31)}, text(STORY[:400]) | {"published": earlier}
    assert len(pairs([one], [other], window=30)) == near


def test_a_footer_of_very_many_texts_makes_no_pairs_to_be_looked_at(monkeypatch: pytest.MonkeyPatch):
    """400 articles, of which each shares half of its text with every other one: 80,000 pairs."""
    compared, footer = list[int](), words(150, 0)
    texts = [text([*words(160, 1000 + number), *footer]) for number in range(400)]
    comparable = Index._comparable

    def counting(index: Index, rows: Texts, one: Any, *given: Any) -> Any:
        compared.append(len(one))
        return comparable(index, rows, one, *given)

    monkeypatch.setattr(Index, "_comparable", counting)
    assert not pairs(texts[:200], texts[200:])
    assert sum(compared) < 400
    compared.clear()
    assert not pairs(texts[:1], texts[1:]), "of one new text no hash is known to be frequent"
    assert sum(compared) <= 400, "each other text is looked at once"


WORDS = {"page": 800, "PAGE": 810, "A": 400, "a": 390, "b": 380, "c": 200}


def near(one: str, other: str) -> Pair:
    a, b = sorted((one, other))
    return Pair(a, b, "wording", None, WORDS[a], WORDS[b])


def part(inner: str, outer: str) -> Pair:
    """One is a part of the other."""
    return near(inner, outer)._replace(measure="containment", contained=inner)


def stories(*pairs: Pair) -> set[frozenset[str]]:
    places = group_copies(pairs)
    return {frozenset(text for text in places if places[text].group_id == place.group_id) for place in places.values()}


COPIED = near("a", "A"), part("a", "page"), part("A", "page")
#: Two versions of a live page that contain two articles.
LIVE = near("page", "PAGE"), *(part(article, page) for article in ("a", "b") for page in ("page", "PAGE"))


@pytest.mark.parametrize(
    ("pairs", "groups"),
    [
        ([part("c", "A")], "c A"),
        ([near("a", "A"), part("c", "A"), part("c", "a")], "a A c"),
        ([part("a", "page"), part("b", "page")], "page | a | b"),  # a page of two articles
        ([*COPIED, part("b", "page")], "page | a A | b"),
        ([near("A", "page"), part("b", "page")], "A page | b"),
        (COPIED, "page a A"),
        (LIVE, "page PAGE | a | b"),
    ],
)
def test_a_cut_copy_joins_the_article_and_a_page_of_two_articles_neither(pairs: Sequence[Pair], groups: str):
    assert stories(*pairs) == {frozenset(group.split()) for group in groups.split(" | ")}


def test_all_that_a_page_connects_is_one_component():
    places = group_copies([part("a", "page"), part("b", "page")])
    assert {place.component_id for place in places.values()} == {"a"}


@given(st.lists(st.tuples(st.sampled_from("Aabc"), st.sampled_from("Aabc"), st.booleans()), max_size=9), st.randoms())
def test_the_order_of_pairs_does_not_matter(drawn: list[tuple[str, str, bool]], rng: random.Random):
    by_texts = {
        frozenset(each): part(*sorted(each, key=WORDS.__getitem__)) if contained else near(*each)
        for *each, contained in drawn
        if len(set(each)) == 2
    }
    pairs = list(by_texts.values())
    expected = group_copies(pairs)
    rng.shuffle(pairs)
    assert group_copies(pairs) == expected
