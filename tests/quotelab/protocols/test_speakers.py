"""Protocol speakers: what becomes of each case, with a resolver that is told what to say."""

from types import SimpleNamespace
from typing import Any

import pytest

from quotelab.protocols import speakers as speakers_protocol
from quotelab.protocols.speakers import same_name
from quotelab.report import Report

TEXT = "Ana B. Ruiz met Leo Park. “We won,” she said. “Twice.” Ruiz left."
PRONOUN = (TEXT.index("she"), TEXT.index("she") + 3)
LABELS = {"text": TEXT, "content": [[26, 35]], "pronoun": PRONOUN, "names": [[0, 11]], "surname": [55, 59]}


def speaker(name: str | None = None, start: int = PRONOUN[0], end: int = PRONOUN[1]) -> SimpleNamespace:
    """A speaker at the pronoun, resolved to the first place of ``name``."""
    at = None if name is None else TEXT.index(name)
    return SimpleNamespace(
        start=start, end=end, name=name, name_start=at, name_end=None if at is None else at + len(name)
    )


@pytest.fixture
def evaluate(jsonl, monkeypatch: pytest.MonkeyPatch):
    """Evaluate one case for speakers given to the two quotes of :data:`TEXT`."""

    def run(speakers: list[Any], **labels: Any) -> Report:
        monkeypatch.setattr(speakers_protocol, "find_speakers", lambda text, quotes, mode, language: speakers)
        return speakers_protocol.evaluate([str(jsonl({**LABELS, **labels}))])

    return run


RUIZ, PARK = speaker("Ana B. Ruiz"), speaker("Leo Park")
CASES = {"correct": [[RUIZ, None]], "wrong": [[PARK, None], [speaker("Ruiz"), None]], "refused": [[speaker(), None]]}
CASES["no_speaker"] = [[None, None], [speaker("Ana B. Ruiz", start=0, end=11), None], [None, RUIZ]]


@pytest.mark.parametrize(("speakers", "outcome"), [(each, name) for name, some in CASES.items() for each in some])
def test_outcome_of_a_case(evaluate, speakers: list[Any], outcome: str):
    report = evaluate(speakers)
    assert report.rows[0]["outcome"] == outcome
    counts = {name: report.figures[name] for name in ("cases", "resolved", "correct", "refused", "no_speaker")}
    expected = {"cases": 1, "resolved": outcome in ("correct", "wrong"), outcome: 1}
    assert counts == {name: expected.get(name, 0) for name in counts}


def test_one_wrong_name_among_several_quotes_is_wrong_and_a_surname_alone_right_without_a_full_name(evaluate):
    for speakers, accuracy in (([RUIZ, RUIZ], 1), ([RUIZ, PARK], 0), ([speaker(), RUIZ], 1)):
        assert evaluate(speakers, content=[[26, 35], [46, 54]]).figures["accuracy"] == accuracy
    for given, accuracy in ((PARK, 0), (speaker("Ruiz"), 1)):
        assert evaluate([given, None], names=[]).figures["accuracy"] == accuracy


def test_refusals_do_not_touch_the_accuracy(jsonl, monkeypatch: pytest.MonkeyPatch):
    told = iter([RUIZ, speaker(), speaker(), None])
    monkeypatch.setattr(speakers_protocol, "find_speakers", lambda *_: [next(told), None])
    figures = speakers_protocol.evaluate([str(jsonl(*[LABELS] * 4))]).figures
    assert figures["accuracy"] == 1 and figures["refusal_rate"] == pytest.approx(2 / 3)


def test_what_is_wrong_and_what_has_no_full_name_is_told(evaluate):
    assert evaluate([PARK, None]).rows[0]["resolved_to"] == [16, 24]
    assert evaluate([speaker(), None], names=[]).figures["refused_without_name"] == 1


SAME_NAMES = [("ANA RUIZ", "Ana Ruiz"), ("Ana Ruiz", "Ana Maria B. Ruiz"), ("Ana Ruiz’s", "Ana Ruiz")]
SAME_NAMES += [("Sen. Ana Ruiz", "Ana Ruiz"), ("former Mayor Ana Ruiz", "Ana Ruiz Jr.")]
OTHER_NAMES = [("Leo Ruiz", "Ana Ruiz"), ("Ana Park", "Ana Ruiz"), ("Ruiz", "Ana Ruiz"), ("Prince", "King"), ("", "")]
OTHER_NAMES += [("Larry King", "Larry Page")]


@pytest.mark.parametrize(("one", "other"), [*SAME_NAMES, *OTHER_NAMES])
def test_names_are_compared_by_first_and_last_word(one: str, other: str):
    assert same_name(one, other) is ((one, other) in SAME_NAMES) is same_name(other, one)
