"""The saved detector: monotone, explained to the last bit, and never fed what it was not trained on."""

import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy.detector import FINGERPRINTS, Detector, load, logit, softplus
from quotelake.contextomy.features import extract
from quotelake.embeddings import models
from quotelake.errors import InputError

SHIPPED = load()
english = st.text("abest 10%.,?!", max_size=30)
korean = st.text("물가가 내렸다12%없,?!", max_size=20)


@given(st.tuples(english, st.lists(english, max_size=4), english) | st.tuples(korean, st.lists(korean), korean))
def test_more_evidence_never_raises_the_score(article):
    headline, quotes, other = article
    assert SHIPPED.score(headline, [*quotes, other]) <= SHIPPED.score(headline, quotes) + 1e-12


def test_the_shipped_detector_has_few_weights_and_none_below_nought():
    assert len(SHIPPED.terms) <= 10 and all(term.weight >= 0 for term in SHIPPED.terms.values())
    assert SHIPPED.cosine is not None and SHIPPED.cosine.weight >= 0
    average = SHIPPED.score("We go", ["They go"], SHIPPED.cosine.mean)
    assert SHIPPED.score("We go", ["They go"]) == average, "a missing cosine is an average one"
    said = ["We will rebuild the old bridge before winter", "Nobody has asked the fishermen"]
    assert SHIPPED.score("We will rebuild the bridge before winter", said) < 0.2
    assert SHIPPED.score("The harbour belongs to the bank now", said) > 0.8


@pytest.mark.parametrize(
    ("headline", "quotes"),
    [
        ("We will cut rents and fire the board", ["We will cut rents this year", "and fire the board if we must"]),
        ("세금 내리고 일자리 늘린다", ["세금을 내리고 싶다", "내년에는 일자리를 늘린다"]),
    ],
)
def test_joined_headline_quotes_are_not_contextomized(headline: str, quotes: list[str]):
    """The published detector's known error (Song et al. 2023, §6)."""
    assert SHIPPED.score(headline, ["Something else", *quotes]) < SHIPPED.threshold.value


def test_the_evidence_adds_up_to_the_score():
    article = ("We will pay 30 dollars", ["We will pay 40 dollars"])
    total = sum(row.adds for row in SHIPPED.explain(extract(*article), 0.7))
    assert SHIPPED.probability(total) == pytest.approx(SHIPPED.score(*article, 0.7))


@given(st.floats(0.001, 0.999), st.floats(0.01, 0.99))
def test_a_prior_moves_odds_by_its_own(share: float, expected: float):
    """Elkan (2001), theorem 2, in odds."""
    base = SHIPPED.prior.trained
    x = logit(share)
    odds = SHIPPED.probability(x) / (1 - SHIPPED.probability(x))
    moved = SHIPPED.with_prior(expected).probability(x)
    factor = expected / (1 - expected) * (1 - base) / base
    assert moved / (1 - moved) == pytest.approx(odds * factor, rel=1e-6)


def test_helpers_do_not_overflow():
    assert [softplus(1000), softplus(-1000)] == [1000, 0]


def test_a_detector_survives_its_file_and_a_missing_one_is_named(tmp_path: Path):
    path = tmp_path / "detector.json"
    path.write_text(SHIPPED.to_json(), "utf-8")
    assert load(path) == SHIPPED and load(path).to_json() == SHIPPED.to_json()
    with pytest.raises(InputError, match=r"no_such\.json"):
        load(Path("no_such.json"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features_version": "0"}, "train it anew"),
        ({"feature_set": "none"}, "train it anew"),
        ({"terms": {}}, "train it anew"),
        ({"clip": -1}, "field clip"),
        ({"unknown": 1}, "field unknown"),
        ({"calibration": {"a": -1, "b": 1, "c": 0, "set": "x", "n": 1}}, "field calibration.a"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, change: dict, message: str):
    path = tmp_path / "detector.json"
    path.write_text(json.dumps(json.loads(SHIPPED.to_json()) | change), "utf-8")
    with pytest.raises(InputError, match=message):
        load(path)


def test_its_version_changes_with_each_thing_it_names():
    training = SHIPPED.training.model_copy(update={"sha256": "0" * 64})
    changes = ({"feature_set": "other"}, {"features_version": "other"}, {"training": training})
    others = [SHIPPED.with_prior(0.05), *(SHIPPED.model_copy(update=change) for change in changes)]
    assert SHIPPED.version == load().version not in {other.version for other in others}


def test_a_detector_knows_a_model_by_its_files_wherever_they_lie_and_no_other_weights_by_the_name(tmp_path: Path):
    def named(model: str) -> Detector:
        """The shipped detector with its term of the cosine made for another model."""
        assert SHIPPED.cosine is not None
        return SHIPPED.model_copy(update={"cosine": SHIPPED.cosine.model_copy(update={"model": model})})

    assert {name: models.find(name, "float32").fingerprint for name in FINGERPRINTS} == FINGERPRINTS
    copied = tmp_path / "copy"
    shutil.copytree(models.locate(models.DEFAULT), copied, copy_function=os.symlink)
    assert SHIPPED.knows(models.DEFAULT) and SHIPPED.knows(str(copied))
    assert named(models.find(str(copied), "float32").fingerprint).knows(models.DEFAULT), "named by its digest"
    (copied / "sentence_bert_config.json").unlink()
    (copied / "sentence_bert_config.json").write_text('{"max_seq_length": 128}', "utf-8")
    assert not SHIPPED.knows(str(copied))
    assert not named(str(copied)).knows(str(copied)), "a name alone says nothing"
    assert not SHIPPED.model_copy(update={"cosine": None}).knows("no such model"), "without a term none is read"
