"""A budget of alerts lets no more false alarms through than it says, and the kinds that find most come first."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contextomy.judging import SETTINGS, said_by_bell

from quotelake.article import Article, judge_article
from quotelake.contextomy.budget import Alarms, Measured, shipped
from quotelake.contextomy.differences import Kind

COUNTS = st.builds(Measured, real=st.integers(0, 20), written=st.integers(0, 50))
ALARMS = st.builds(
    Alarms,
    real=st.just(""),
    real_quotes=st.integers(20, 5000),
    written=st.just(""),
    written_headlines=st.just(50),
    kinds=st.dictionaries(st.sampled_from(list(Kind)), COUNTS, min_size=1),
)


@given(ALARMS, st.floats(0.01, 20))
def test_the_kinds_within_a_budget_cost_no_more_than_it(alarms: Alarms, per_1000: float):
    allowed = alarms.within(per_1000)
    cost = sum(found.real for kind, found in alarms.kinds.items() if kind in allowed)
    assert cost <= per_1000 * alarms.real_quotes / 1000
    assert all(kind in allowed for kind, found in alarms.kinds.items() if found.real == 0), "they cost nothing"
    assert set(Kind) - set(alarms.kinds) <= allowed


@given(ALARMS, st.floats(0.01, 20), st.floats(0.01, 20))
def test_with_all_their_cost_every_kind_is_allowed(alarms: Alarms, one: float, more: float):
    whole = 1000 * sum(found.real for found in alarms.kinds.values()) / alarms.real_quotes
    assert alarms.within(whole + one) == alarms.within(whole + one + more) == frozenset(Kind)


def test_a_kind_beyond_the_budget_is_a_note():
    body = "“They say the pier is safe,” said Tom Bell."
    assert said_by_bell("Bell: “The pier is safe”", "They say the pier is safe,").alert == "reported"
    strict = SETTINGS.contextomy.model_copy(update={"alerts_per_1000": 1e-6})
    settings = SETTINGS.model_copy(update={"contextomy": strict})
    [found] = judge_article(Article("Bell: “The pier is safe”", body, "en", "complete"), settings)
    assert found.alert is None and [(each.kind, each.tier) for each in found.differences] == [("reported", "note")]


def test_what_is_shipped_was_measured_on_each_kind_of_alerts():
    alarms, kinds = shipped(), SETTINGS.contextomy.kinds
    assert {*alarms.kinds} == {kind for kind in Kind if getattr(kinds, kind) == "alert"}
    assert alarms.real_quotes > 1000 and alarms.within(SETTINGS.contextomy.alerts_per_1000)


@pytest.mark.parametrize(
    "changed", [{"real_quotes": 0}, {"kinds": {"unknown": {"real": 1, "written": 1}}}, {"more": 1}]
)
def test_a_damaged_file_is_refused(changed: dict[str, object]):
    with pytest.raises(ValueError, match=r"real_quotes|kinds|more"):
        Alarms.model_validate_json(json.dumps({**json.loads(shipped().model_dump_json()), **changed}))
