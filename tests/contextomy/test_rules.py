"""The rules, in order, on literal cases."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelake.contextomy.comparison import Comparison
from quotelake.contextomy.judgement import Judgement, Outcome
from quotelake.contextomy.quotes import Body, BodyQuote, HeadlineQuote, body_quotes
from quotelake.contextomy.rules import settle
from quotelake.contextomy.speakers import Who
from quotelake.quotes.spans import find_quotes
from quotelake.settings import load_settings

SETTINGS = load_settings().contextomy
QUOTES = (
    "We will sail at dawn if the wind turns. The dog stays here.",
    "The ferry is old",
    "It is not a safe bridge",
    "I have never seen such waves. Never again, I told my sister",
)
NARRATION = "The harbour master closed the eastern gate. Two of the crew are missing."


def key(text: str) -> str:
    """Stand-in for the key of verbatim comparison: case and terminal punctuation."""
    return text.casefold().strip(" .,!?…")


def hold(
    headline: str, *, kind: str = "direct", status: str = "complete", quotes: tuple[str, ...] = QUOTES
) -> Judgement:
    body, placed = NARRATION, []
    for place, quote in enumerate(quotes):
        placed.append(BodyQuote(quote, key(quote), start=len(body) + 2, quote_id=f"q{place}"))
        body += f" “{quote}”"
    own = HeadlineQuote(headline, key(headline), kind, before="Captain: “", after="”")
    return settle(Comparison(own, Body(body, status, placed), SETTINGS))


@pytest.mark.parametrize(
    ("headline", "changed", "expected"),
    [
        ("…", {}, "not_a_quotation"),
        # identical
        ("The ferry is old.", {}, "identical"),
        ("The ferry is old.", {"kind": "claim"}, "identical"),  # a claim in single marks that somebody said
        ("The ferry, is old", {}, "identical"),  # other marks between the same words
        # excerpt
        ("The dog stays here", {}, "excerpt"),
        ("We will sail … The dog stays", {}, "excerpt"),
        ("a safe bridge", {}, "excerpt"),
        ("ferry is old", {"kind": "claim"}, "excerpt"),
        ("The dog stay", {}, None),  # not at a word boundary
        ("The dog stays … We will sail", {}, None),  # not in this order
        ("The dog stays", {"kind": "title"}, "excerpt"),
        # no utterance
        ("Gone with the Tide", {"kind": "title"}, "not_a_quotation"),
        ("Captain Splash", {"kind": "nickname"}, "not_a_quotation"),
        ("progress", {"kind": "scare"}, "not_a_quotation"),
        # claim
        ("closed the eastern gate", {"kind": "claim"}, "claim_supported"),
        ("to close eastern gate", {"kind": "claim"}, "claim_supported"),
        ("to open airport", {"kind": "claim"}, "claim_unsupported"),
        ("to open airport", {"kind": "claim", "quotes": ()}, "claim_unsupported"),
        ("to open airport", {"kind": "claim", "status": "truncated"}, "body_incomplete"),
        # in the body, unquoted
        ("Two of the crew are missing", {}, "in_body_unquoted"),
        ("Two of the crew are missing", {"quotes": ()}, "in_body_unquoted"),
        ("Two of the crew are missing", {"status": "truncated"}, "in_body_unquoted"),
        ("The harbour … are missing", {}, "in_body_unquoted"),
        # body incomplete
        ("The lighthouse keeper lied to us", {"status": "truncated"}, "body_incomplete"),
        ("The lighthouse keeper lied to us", {"status": "live_update"}, "body_incomplete"),
        ("The lighthouse keeper lied to us", {"status": "truncated", "quotes": ()}, "body_incomplete"),
        ("The lighthouse keeper lied to us", {"status": "unknown"}, None),
        ("Such waves I have never seen", {"status": "truncated"}, "modified"),
        ("The ferry is old, never again I told my sister", {"status": "truncated"}, "joined"),
        # no body quote
        ("The lighthouse keeper lied to us", {"quotes": ()}, "no_body_quote"),
        # not comparable
        ("우리는 새벽에 떠난다", {}, "not_comparable"),
        ("We will sail at dawn", {"quotes": ("우리는 내일 떠난다",)}, "not_comparable"),
        ("2024", {}, None),  # no script of its own
        # the same words but for a negation
        ("It is a safe bridge", {}, "contextomized"),
        ("The ferry is not old", {}, "contextomized"),
        ("It is a safe bridge", {"status": "truncated"}, "body_incomplete"),  # a cut body never accuses
        # left to the detector
        ("The lighthouse keeper lied to us", {}, None),
        ("Such waves I have never seen", {}, None),
    ],
)
def test_rules(headline: str, changed: dict, expected: str | None):
    assert hold(headline, **changed).outcome == expected


def test_parts_from_different_paragraphs_do_not_stand_in_the_body():
    far = "The gate is shut." + " It rained on the harbour, the town and all of the boats." * 2 + "\n\nNobody sails."
    near = "The gate is shut. Nobody sails."
    headline = HeadlineQuote("The gate is shut … Nobody sails", "", "direct")
    found = [settle(Comparison(headline, Body(body, "complete", []), SETTINGS)).outcome for body in (near, far)]
    assert found == ["in_body_unquoted", "no_body_quote"]


def test_korean_excerpts_end_before_a_particle():
    found = hold("새벽에 떠난다", quotes=("우리는 새벽에 떠난다고 믿는다",))
    assert (found.outcome, found.alert) == (Outcome.EXCERPT, None)


def test_a_risky_excerpt_is_an_alert_that_says_why():
    found = hold("We will sail at dawn")
    assert (found.outcome, found.alert) == ("excerpt", "risky_excerpt")
    assert found.omissions.classes == ("condition",)
    assert found.reason.startswith("a condition is lost (“if the wind turns”)")
    assert [QUOTES[0][start:end] for start, end in found.omissions.spans] == ["if the wind turns. The dog stays here"]


def test_an_excerpt_is_taken_from_the_quote_that_leaves_out_least():
    quotes = ("We are not at the end of the road", "This is the end of the road", "Well, this is the end of the road")
    found = hold("the end of the road", quotes=quotes)
    assert found.best is not None and (found.best.quote_id, found.alert) == ("q1", None)


def test_a_negation_inside_the_excerpt_is_not_left_out():
    assert hold("not a safe bridge").alert is None
    assert hold("a safe bridge").alert == "risky_excerpt"


def test_a_turned_negation_is_an_alert_unless_another_quote_carries_it():
    judgement = hold("It is a safe bridge")
    assert (judgement.alert, judgement.score) == ("contextomized", 1.0)
    assert hold("It is no safe bridge", quotes=("It is a safe bridge", "It is, ah, no safe bridge")).outcome is None
    same = ("We will sell the mill, never fear", "We won't sell the mill at all")
    assert hold("We will not sell the mill", quotes=same).outcome is None


def said(headline: str, *quotes: str, kind: str = "direct", narration: str = "", **changed: object) -> Judgement:
    """A headline quote over body quotes that nobody is named for."""
    body = narration + "".join(f" “{quote}”" for quote in quotes)
    body_quotes = [
        BodyQuote(quote, key(quote), start=body.index(quote), quote_id=f"q{at}") for at, quote in enumerate(quotes)
    ]
    own = HeadlineQuote(headline, key(headline), kind, **changed)  # type: ignore[arg-type]
    return settle(Comparison(own, Body(body, "complete", body_quotes), SETTINGS))


@pytest.mark.parametrize(
    ("headline", "body", "reason"),
    [
        ("We promise a pay rise", "We can't promise a pay rise", "a negation"),
        ("The old bridge is dangerous", "The old bridge is safe", "an opposite: “safe” in the body"),
        ("We mended all eleven cables", "We mended two of the eleven cables", "an amount: “two of the eleven” in the"),
        ("We promise nurses a pay rise", "We can't promise the nurses here a pay rise", "with others between"),
    ],
)
def test_the_same_words_turned_round_are_an_alert_that_says_what_differs(headline: str, body: str, reason: str):
    judgement = said(headline, body)
    assert (judgement.outcome, judgement.alert, judgement.score) == ("contextomized", "contextomized", 1.0)
    assert reason in judgement.reason
    assert said(headline, body, kind="claim").alert == "contextomized", "a claim is no licence to say the reverse"
    assert said(headline, body, f"{headline}, they added").alert is None, "another quote says it"
    assert said(headline, body, narration=f"It turned out: {headline.lower()}.").alert is None, "the paper says it"


@pytest.mark.parametrize(
    ("headline", "body", "shown"),
    [
        ("The old pier will reopen in May", "The old pier may reopen in May, I hear", "may"),
        ("We won the mile in spring", "We could have won the mile in spring", "could"),
        ("The Old Pier May Reopen Soon", "The old pier may reopen soon, I hear", None),  # capitals do not make a month
        ("The May fair is lost", "In the end the May fair is lost", None),
        ("We can see the pier here", "We could see the pier here", None),
    ],
)
def test_a_possibility_stated_as_a_fact_is_risky(headline: str, body: str, shown: str | None):
    found = said(headline, body)
    assert found.alert == ("risky_excerpt" if shown else None)
    assert shown is None or f"a possibility becomes a fact (“{shown}”)" in found.reason
    assert said(headline, body, before="Hope grows: “").alert is None, "the headline says that it is none"


def test_what_they_say_is_not_what_the_speaker_says():
    body = "They say the mill is broken, and they are wrong"
    assert said("The mill is broken", body).outcome == "contextomized"
    assert said("The mill is broken", body, before="They lie, says Bell: “").alert is None
    assert said("The mill is broken", "As they know, the mill is broken").alert is None
    assert said("The mill is broken", "No matter what some people say, the mill is broken").alert is None
    cut = hold("The mill is broken", status="truncated", quotes=(body,))
    assert (cut.outcome, cut.alert) == ("excerpt", "risky_excerpt"), "a cut body never accuses"


def test_a_negation_in_other_words_is_none_that_is_lost():
    body = "Not a boat has left the old harbour in winter"
    assert said("Nothing has left the old harbour", body).alert is None
    assert said("It has left the old harbour", "I don't think it's left the old harbour").alert == "risky_excerpt"


def test_no_before_a_word_is_compared_with_an_article():
    assert said("There is a risk", "There is no risk if you follow the rules").outcome == "contextomized"


def test_in_other_languages_all_that_is_left_out_and_risky_is_an_alert():
    own = HeadlineQuote("Wir schließen die Schule", None, "direct", before="Bell: „", after="“")
    text = "Bell sprach: „Wir schließen die Schule nicht“"
    quote = BodyQuote("Wir schließen die Schule nicht", None, start=14)
    alerts = [settle(Comparison(own, Body(text, "complete", [quote], code), SETTINGS)).alert for code in ("de", "en")]
    assert alerts == ["risky_excerpt", None]


def test_a_negation_that_both_have_is_no_accusation_and_what_is_left_out_is_named():
    found = said("not safe in three years", "It will not be safe in three years unless we act")
    assert (found.outcome, found.alert, found.omissions.classes) == ("excerpt", "risky_excerpt", ("condition",))
    assert "but for auxiliaries and articles" in found.reason
    assert said("not safe in three years", "It will not be safe in three years").outcome is None
    plain = ("It will not be safe in three years unless we act", "It is not safe in three years, I know")
    assert said("The ferry is not safe in three years", *plain).alert is None


def test_an_excerpt_of_a_quote_that_also_says_the_reverse_is_risky():
    body = "The mill is not broken, but many say that the mill is broken"
    found = said("The mill is broken", body)
    assert (found.outcome, found.alert) == ("excerpt", "risky_excerpt")
    assert "with a negation too" in found.reason
    assert said("The mill is broken", body, "As I said: the mill is broken").alert is None


def test_an_ellipsis_between_two_body_quotes_joins_them():
    quotes = ("We lost the vote in the council", "The work goes on in every street of ours")
    found = said("We lost the vote … the work goes on in every street", *quotes)
    assert found.outcome == "joined" and found.best is not None and found.second is not None
    assert {found.best.text, found.second.text} == {*quotes}
    assert said("the work goes on … We lost the vote", *quotes).outcome == "joined"
    assert said("We lost … we never slept", *quotes).outcome is None, "one part is in no quote"
    assert said("work … council", *quotes).outcome is None, "single words stand anywhere"


def test_words_partly_in_a_quote_are_not_said_to_be_in_none():
    quotes = ("goes on in every street",)
    assert said("the work goes on", *quotes, narration="She said the work").reason.endswith("partly in a quote of it")
    found = said("work stops in the street", *quotes, narration="She said work stops in the street.")
    assert found.reason.endswith("in no quote of it") and found.best is None, "no body quote has to do with it"


@pytest.mark.parametrize("marks", ["'", "“"])
def test_a_few_words_in_marks_that_nobody_is_said_to_utter_are_a_claim_in_any_marks(marks: str):
    claim = {"kind": "claim"} if marks == "'" else {}
    changed = {"reason": "words", "marks": marks, "before": "Firm opens “", "after": "” shop", **claim}
    assert said("smart", "We are glad", **changed).outcome == ("claim_unsupported" if claim else "not_a_quotation")
    assert said("smart", "We are glad", narration="It is a smart shop.", **changed).alert is None
    if not claim:
        bell = Who("Bell", "Bell", "person", None)
        credited = {**changed, "speaker": bell, "before": "Bell says it is “", "after": "”"}
        assert said("smart", "We are glad", **credited).outcome is None, "somebody is said to utter it"
        alone = {**changed, "before": "“", "after": "”"}
        assert said("smart", "We are glad", **alone).outcome is None, "it is the whole headline"


def test_containment_is_kept_for_settled_and_unsettled():
    for headline in ("The ferry is old", "The dog stays here", "Such waves I have never seen"):
        found = hold(headline)
        assert found.best is not None and found.containment is not None
        assert found.containment.in_best and found.containment.matched
        assert found.body_quotes == len(QUOTES)
    empty = hold("The lighthouse keeper lied to us", quotes=())
    assert empty.best is None and empty.body_quotes == 0
    assert empty.containment is not None and empty.containment.in_best is None


WORD = st.sampled_from(["we", "sail", "not", "never", "if", "old", "the", "…", "may", "ferry", "우리", "?"])
WORDS = st.lists(WORD, max_size=6).map(" ".join)


@settings(max_examples=3 * settings.default.max_examples)
@given(
    WORDS | st.text(max_size=20),
    st.sampled_from(["direct", "claim", "title"]),
    st.sampled_from(["complete", "truncated", "live_update", "unknown"]),
    st.lists(WORDS | st.text(max_size=20), max_size=3),
)
def test_what_holds_for_any_article(headline: str, kind: str, status: str, quotes: list[str]):
    found = hold(headline, kind=kind, status=status, quotes=tuple(quotes))
    if status in ("truncated", "live_update"):
        assert found.outcome not in (None, "contextomized", "no_body_quote")
    if found.outcome is None:
        assert quotes and kind == "direct" and found.best is not None
    assert found.alert != "risky_excerpt" or found.outcome == "excerpt"
    assert (found.alert is not None) == (found.severity is not None)
    accused = found.outcome == "contextomized"
    assert accused == (found.alert == "contextomized") == (found.score is not None)
    held = found.containment
    assert held is not None
    assert all(
        share is None or 0 <= share <= 1 for share in (held.in_best, held.in_second, held.in_union, held.in_body)
    )
    assert all(0 <= start < end <= len(headline) for start, end in held.matched)
    best = "" if found.best is None else found.best.text
    assert all(0 <= start < end <= len(best) for start, end in found.omissions.spans)
    again = hold(headline, kind=kind, status=status, quotes=tuple(quotes))
    assert again == found, "the same in, the same out"


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["w", " ", "a b ", "? ", "?", "[", "n't", "not ", "… "])
def test_a_hostile_body_takes_linear_time(unit: str):
    def work(length: int) -> Callable[[], object]:
        body = "x " + unit * (length // len(unit)) + " y z"
        return lambda: (hold("x y … z", quotes=(body,)), hold("x y z", quotes=(body,), kind="claim"))

    assert_linear(work, 20_000)


def by_paper(text: str, reason: str = "words", marks: str = "'", speaker: Who | None = None) -> Judgement:
    """A headline quote in the marks of newspapers' claims, over a body that says the like in its own words."""
    body = "January sales have failed to lift shops in the high street. “A poor month,” said Bell. “We sat and waited”"
    quotes = [BodyQuote("A poor month,", "a poor month", start=body.index("A poor")),
              BodyQuote("We sat and waited", "we sat and waited", start=body.index("We sat"))]  # fmt: skip
    headline = HeadlineQuote(text, key(text), speaker=speaker, reason=reason, marks=marks)
    return settle(Comparison(headline, Body(body, "complete", quotes), SETTINGS))


@pytest.mark.parametrize(
    ("text", "changed", "expected"),
    [
        ("fail to lift the high street shops", {}, "claim_supported"),  # goes on with the headline's sentence
        ("burn down the whole harbour town", {}, "claim_unsupported"),
        ("Sales fail to lift high street", {}, "claim_supported"),  # the paper's own statement, and the body makes it
        ("Sales burn down the whole harbour", {}, "claim_unsupported"),  # nobody makes it
        ("fail to lift the high street shops", {"marks": "“"}, "modified"),  # a source without marks
        ("burn down the high street shops", {"speaker": Who("Bell", "Bell", "person", None)}, None),
        ("fail to lift us in the high street", {}, "modified"),  # somebody speaks, so it is no claim
        ("We burn down the high street shops", {}, None),
        ("Poor month, sat and waited", {}, "claim_unsupported"),  # what stands in quotes is nothing the body says
    ],
)
def test_a_claim_of_the_paper_is_held_against_what_the_paper_says(text: str, changed: dict, expected: str | None):
    assert by_paper(text, **changed).outcome == expected


def test_a_supported_claim_shows_the_passage_that_supports_it():
    found = by_paper("fail to lift the high street shops")
    assert found.passage == (0, len("January sales have failed to lift shops in the high street. "))


@given(st.text(st.sampled_from('“”" ab.\n'), max_size=80))
def test_narration_is_the_body_with_its_quotes_blank(body: str):
    parts = [
        BodyQuote(q.text, None, start=q.start, utterance_id=str(i)) for i, q in enumerate(find_quotes(body, "body"))
    ]
    quotes = body_quotes(parts)
    narration = Body(body, "complete", quotes).narration
    quoted = {place for quote in quotes for place in range(quote.start, quote.end)}
    assert narration.text == "".join(" " if place in quoted else letter for place, letter in enumerate(body))
