"""Quotes of one headline are judged one by one, by rules or by the detector; a judgement is a row of the table."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelake.article import Article
from quotelake.contextomy import passages
from quotelake.contextomy import quotes as texts
from quotelake.contextomy.comparison import languages_of
from quotelake.contextomy.decide import (
    LONGEST_HEADLINE,
    MOST_QUOTES,
    decide,
    judge_headline,
    load_detector,
    threshold_of,
)
from quotelake.contextomy.features import extract
from quotelake.contextomy.judgement import Judgement, Outcome
from quotelake.contextomy.quotes import HeadlineQuote
from quotelake.lake.contracts import columns
from quotelake.quotes.extract import Row, quotes_of_document
from quotelake.settings import load_settings

SETTINGS = load_settings()
RULES = SETTINGS.contextomy
DETECTOR = load_detector(RULES)
UNDECIDED = Judgement(HeadlineQuote("We go", None), None, "left to the detector", body_quotes=2)
#: Columns of a weighed headline quote.
WEIGHED = UNDECIDED.columns() | {"evidence": 0.5, "containment_best": 0.5, "containment_union": 0.5}
CARRIED = {"evidence": -20.0}
TURNED = {"evidence": 5.0, "difference": "another statement"}
COSINE = st.none() | st.floats(-1, 1)
EVIDENCE = st.floats(-20, 20)
BODY = "“We will sail at dawn if the wind turns,” said Ana Ruiz. “The ferry is old,” said Rita Bell. Ruiz left early."
#: One headline quote each: identical, an excerpt, two for the detector, a claim, a passage, and no words.
HEADLINES = (
    "“The ferry is old”", "Bell: “We will sail at dawn”", "“We sail the old ferry at dawn”", "“Mayors eat ferries”",
    "Ferry ‘to sail at dawn’", "“Ruiz left early”", "“…”",
)  # fmt: skip
#: Columns that the job adds.
STAMPS = {
    "quote_id", "doc_id", "rule_version", "detector_version", "passage", "second_quote", "headline_start",
    "headline_end", "headline_speaker", "best_speaker", "second_speaker",
}  # fmt: skip
PIECES = ["“We will sail at dawn”", "“The ferry”", "“Ferries sink”", "‘old’", "Ruiz: we sail", "says Bell,"]
TEXT = st.lists(st.sampled_from(PIECES), max_size=4).map(" ".join)


def decided(row: Row, cosine: float | None = None, settings=RULES) -> Row:
    return decide(row, cosine, DETECTOR, settings)


def judge_rows(document: Row, quotes: list[Row]) -> list[Judgement]:
    languages = languages_of(SETTINGS, ())
    return list(judge_headline(document, quotes, settings=SETTINGS.contextomy, detector=DETECTOR, languages=languages))


def judge(headline: str, body: str = BODY) -> list[Judgement]:
    document = Article(headline, body, "en", "complete").document
    return judge_rows(document, list(quotes_of_document(document, "rules")))


def test_the_score_is_that_of_the_detector_and_low_where_a_body_quote_carries_it():
    quotes = ["We must never ever sell our old harbour", "No."]
    for headline, outcome in (("We must never sell the old harbour", Outcome.MODIFIED), ("Ferries are finished", None)):
        support = extract(headline, quotes)
        found = decided(UNDECIDED.columns() | support | {"evidence": DETECTOR.weigh(support)}, 0.6)
        assert found["score"] == round(DETECTOR.score(headline, quotes, 0.6), 6)
        assert (found["outcome"] == outcome and found["score"] < 0.2) or (outcome is None and found["score"] > 0.8)


@pytest.mark.parametrize(
    ("changed", "outcome", "alert", "said"),
    [
        # carried by body quotes
        (CARRIED | {"containment_union": 0.75}, Outcome.JOINED, None, "two body quotes"),
        (CARRIED | {"containment_union": 0.625}, Outcome.MODIFIED, None, "a body quote"),  # together too little
        (CARRIED | {"containment_best": 0.75, "containment_union": 0.875}, Outcome.MODIFIED, None, ""),
        (CARRIED | {"numbers": 0.5}, Outcome.MODIFIED, None, "no body quote has its number"),
        (CARRIED | {"speaker_match": False}, Outcome.MODIFIED, "credited_to_another", "said by another speaker"),
        (CARRIED, Outcome.MODIFIED, None, "a body quote carries it"),
        # carried by none: absent unless its source is recognised, and accused only of a difference that has a name
        ({"evidence": 5.0, "recognised": False}, Outcome.ABSENT, "absent", "stand nowhere"),
        ({"evidence": 5.0, "recognised": True}, Outcome.MODIFIED, None, "no difference is sure"),
        (TURNED | {"recognised": True}, Outcome.CONTEXTOMIZED, "altered", "another statement"),
        (TURNED | {"recognised": False}, Outcome.ABSENT, "absent", ""),
    ],
)
def test_what_the_detector_decides(changed: Row, outcome: str, alert: str | None, said: str):
    row = decided(WEIGHED | changed)
    assert (row["outcome"], row["alert"] or row["to_check"]) == (outcome, alert) and said in row["reason"]
    assert row["alert"] in (None, "credited_to_another"), "what the detector finds is to be checked"
    named = alert is not None or changed.keys() & {"numbers"} != set()
    assert ("; " in row["reason"]) == named
    assert [each.kind for each in row["differences"]] == [alert] * (alert is not None)


@given(EVIDENCE, COSINE, st.floats(0, 5), st.floats(0, 1))
def test_more_evidence_never_raises_the_score(evidence: float, cosine: float | None, more: float, closer: float):
    weaker = decided(WEIGHED | {"evidence": evidence}, cosine)
    higher = None if cosine is None else min(cosine + closer, 1)
    stronger = decided(WEIGHED | {"evidence": evidence - more}, higher)
    assert 0 <= stronger["score"] <= weaker["score"] <= 1
    assert weaker["alert"] is None or weaker["score"] >= threshold_of(RULES, DETECTOR)


def test_the_threshold_is_the_detectors_own_unless_the_settings_give_one():
    assert threshold_of(RULES, DETECTOR) == DETECTOR.threshold.value
    strict = RULES.model_copy(update={"threshold": 0.9})
    assert threshold_of(strict, DETECTOR) == 0.9
    assert DETECTOR.threshold.value <= decided(WEIGHED)["score"] < 0.9
    assert decided(WEIGHED, settings=strict)["outcome"] == Outcome.MODIFIED
    with pytest.raises(ValueError, match="not weighed"):
        decided(UNDECIDED.columns())


@given(st.sampled_from(HEADLINES) | TEXT, TEXT, COSINE)
def test_columns_are_those_of_the_table_and_candidates_there_where_no_rule_settles(
    headline: str, body: str, cosine: float | None
):
    for found in judge(headline, f"{BODY} {body}"):
        row = found.to_row()
        assert set(row) == set(columns("contextomy")) - STAMPS
        assert bool(found.candidates) == (found.outcome is None) == (found.evidence is not None)
        assert found.body_quotes >= len(found.candidates)
        if found.outcome is None:  # the nightly job decides on rows, the check of one article on judgements
            whole = replace(found, **decide(found.columns(), cosine, DETECTOR, SETTINGS.contextomy))
            by_row = decide(row | {"differences": found.differences}, cosine, DETECTOR, SETTINGS.contextomy)
            assert whole.to_row() == row | by_row | {"differences": [each._asdict() for each in by_row["differences"]]}


def test_each_group_of_columns_is_filled_where_it_applies():
    excerpt, passage, detected = (judge(HEADLINES[place])[0].columns() for place in (1, 5, 3))
    assert (excerpt["outcome"], bool(excerpt["omitted"])) == ("excerpt", True)
    assert [each.kind for each in excerpt["differences"]] == [excerpt["alert"], "condition"]
    assert BODY[excerpt["best_start"] :].startswith("We will sail") and excerpt["best_end"] > excerpt["best_start"]
    assert excerpt["speaker_match"] is False and excerpt["evidence"] is None
    assert BODY[passage["body_start"] : passage["body_end"]] == "Ruiz left early"
    assert None not in [detected[name] for name in ("coverage", "clauses", "evidence")]


@given(TEXT, TEXT)
def test_each_outermost_quote_but_colon_claims_is_judged_once_in_order_and_as_if_alone(headline: str, body: str):
    """What is computed once for all quotes of a headline must not depend on the quote that asks first."""
    document = Article(headline, f"{BODY} {body}", "en", "complete").document
    rows = list(quotes_of_document(document, "rules"))
    wanted = [row for row in rows if row["field"] == "headline" and not row["parent"] and row["kind"] != "colon_claim"]
    together = judge_rows(document, rows[::-1])
    assert [found.headline.start for found in together] == sorted(row["start"] for row in wanted)
    of_body = [row for row in rows if row["field"] == "body"]
    own = {row["quote_id"]: row for row in rows}
    assert [judge_rows(document, [own[found.headline.quote_id], *of_body]) for found in together] == [
        [found] for found in together
    ]


def test_each_text_is_read_once_for_all_rules_and_all_quotes_of_a_headline(monkeypatch: pytest.MonkeyPatch):
    calls: Counter[tuple[str, str]] = Counter()

    def counted(name: str) -> Callable[..., object]:
        read = getattr(texts, name)

        def count(text: str, *offset: int) -> object:
            calls[f"{name} {offset}", text] += 1
            return read(text, *offset)

        return count

    for name in ("fold", "sentences", "Reading"):
        count = counted(name)
        monkeypatch.setattr(texts, name, count)
        monkeypatch.setattr(passages, name, count, raising=False)
    one, other = "We will not sail at dawn", "The ferry &amp; harbour are lost"
    judge(f"Bell: “{one}”, “{other}”")
    assert set(calls.values()) == {1}
    assert {("fold ()", one), ("fold ()", BODY), ("Reading ()", BODY), ("Reading ()", other)} <= calls.keys()


def test_quotes_behind_the_bounds_are_kept_as_not_comparable():
    quote = "“The ferry is old” "
    found = judge(quote * (MOST_QUOTES + 3))
    assert [one.outcome for one in found] == ["identical"] * MOST_QUOTES + ["not_comparable"] * 3
    [late] = judge("x" * LONGEST_HEADLINE + quote)
    assert (late.outcome, late.alert) == ("not_comparable", None) and str(LONGEST_HEADLINE) in late.reason
    [at_bound] = judge("x" * (LONGEST_HEADLINE - len(quote) + 1) + quote)
    assert at_bound.outcome == "identical"


def quoted(length: int, words: str) -> str:
    """Distinct quotes of few words, as many as fit a length."""
    units, text, n = words.split(), "", 0
    while len(text) < length:
        text += f"“{units[n % len(units)]} {units[n // len(units) % len(units)]} {n}” "
        n += 1
    return text


@pytest.mark.slow
@pytest.mark.parametrize("headline", ["many quotes", "one long quote", "many ellipses", "quotes at the bounds"])
def test_a_hostile_headline_takes_linear_time(headline: str):
    titles: dict[str, Callable[[int], str]] = {
        "many quotes": lambda length: quoted(length, "we will sail the old ferry"),
        "one long quote": lambda length: f"“{'we will sail the old ferry ' * (length // 27)}”",
        "many ellipses": lambda length: f"“{'the old … ' * (length // 10)}”",
        "quotes at the bounds": lambda length: quoted(LONGEST_HEADLINE - 50, "we will sail the old ferry"),
    }
    bodies = partial(quoted, words="the ferry will never sail")
    assert_linear(lambda length: partial(judge, titles[headline](length), bodies(length)), 3_000)
