"""The rules, in order, on literal cases."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.contextomy.judging import judge

from quotelake.contextomy.comparison import Comparison
from quotelake.contextomy.decide import judgement_of
from quotelake.contextomy.judgement import Judgement
from quotelake.contextomy.matching import match_quote
from quotelake.contextomy.quotes import Body, BodyQuote, HeadlineQuote
from quotelake.contextomy.rules import apply_rules
from quotelake.contextomy.speakers import SpeakerMention
from quotelake.settings import load_settings
from quotelake.text.fold import fold

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


#: Quotes of the tests below, and what else they change.
GERMAN = ("Wir schließen die Schule nicht",)
TWICE = ("The mill is broken", ("The mill is not broken, but many say that the mill is broken",))
TWO = ("We lost the vote in the council", "The work goes on in every street of ours")
SHE_SAID = {"narration": "She said the work"}
SHOP = {"reason": "words", "marks": "“", "before": "Firm opens “", "after": "” shop"}
BELL = SpeakerMention("Bell", "Bell", "person", None)


def said(
    headline: str,
    *quotes: str,
    kind: str = "direct",
    narration: str = "",
    status: str = "complete",
    language: str = "und",
    **changed: object,
) -> Judgement:
    """A headline quote over body quotes that nobody is named for."""
    body, placed = narration, []
    for place, quote in enumerate(quotes):
        placed.append(BodyQuote(quote, key(quote), start=len(body) + 2, quote_id=f"q{place}"))
        body += f" “{quote}”"
    own = HeadlineQuote(headline, key(headline), kind, **changed)  # type: ignore[arg-type]
    article = Body(body, status, placed, language)
    case = Comparison(own, article, match_quote(own, article))
    return judgement_of(case, apply_rules(case), SETTINGS)


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
        ("The ferry is old, never again I told my sister", {"status": "truncated"}, "body_incomplete"),
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
    changed = {"quotes": QUOTES, "before": "Captain: “", "after": "”", "narration": NARRATION} | changed
    assert said(headline, *changed.pop("quotes"), **changed).outcome == expected


@pytest.mark.parametrize(
    ("headline", "quotes", "changed", "expected", "because"),
    [
        # an excerpt, and what is left out of it
        ("We will sail at dawn", QUOTES, {}, "excerpt", ""),  # without its condition
        ("not a safe bridge", QUOTES, {}, "excerpt", ""),
        ("a safe bridge", QUOTES, {"before": "Captain: “"}, "negation", ""),
        ("새벽에 떠난다", ("우리는 새벽에 떠난다고 믿는다",), {}, "excerpt", ""),  # before a particle
        ("Wir schließen die Schule", GERMAN, {"language": "de"}, "negation", ""),
        ("Wir schließen die Schule", GERMAN, {"language": "en"}, "excerpt", ""),
        (*TWICE, {"speaker": BELL}, "reported", "“many say”"),
        (*TWICE, {}, "excerpt", ""),  # a headline that names no speaker makes it nobody's words
        (TWICE[0], (*TWICE[1], "As I said: the mill is broken"), {}, "excerpt", ""),
        ("The mill is broken", ("As they know, the mill is broken",), {}, "excerpt", ""),
        # nearly an excerpt: a negation that both have, in other words
        ("not safe in three years", ("It will not be safe in three years",), {}, None, ""),
        ("Nothing has left the old harbour", ("Not a boat has left the old harbour in winter",), {}, None, ""),
        ("The May fair is lost", ("In the end the May fair is lost",), {}, "excerpt", ""),
        ("It is no safe bridge", ("It is a safe bridge", "It is, ah, no safe bridge"), {}, None, ""),
        ("We will not sell the mill", ("We will sell it, never fear", "We won't sell the mill at all"), {}, None, ""),
        # an ellipsis between two body quotes joins them
        ("We lost the vote … the work goes on in every street", TWO, {}, "joined", ""),
        ("the work goes on … We lost the vote", TWO, {}, "joined", ""),
        ("We lost … we never slept", TWO, {}, None, ""),  # one part is in no quote
        ("work … council", TWO, {}, None, ""),  # single words stand anywhere
        # outside quotes
        ("the work goes on", ("goes on in every street",), SHE_SAID, "in_body_unquoted", "partly in a quote of it"),
        ("said the work", ("goes on in every street",), SHE_SAID, "in_body_unquoted", "in no quote of it"),
        # a few words in marks that nobody is said to utter are a claim in any marks
        ("smart", ("We are glad",), SHOP | {"kind": "claim", "marks": "'"}, "claim_unsupported", ""),
        ("smart", ("We are glad",), SHOP, "not_a_quotation", ""),
        ("smart", ("We are glad",), SHOP | {"narration": "It is a smart shop."}, "in_body_unquoted", ""),
        ("smart", ("We are glad",), SHOP | {"speaker": BELL, "before": "Bell says “", "after": "”"}, None, ""),
        ("smart", ("We are glad",), SHOP | {"before": "“", "after": "”"}, None, ""),  # it is the whole headline
    ],
)
def test_what_is_said_of_quotes(headline: str, quotes: tuple[str, ...], changed: dict, expected: str, because: str):
    found = said(headline, *quotes, **changed)
    assert (found.alert or found.outcome) == expected, found.reason
    assert because in found.reason


@pytest.mark.parametrize("body", ["We can't promise nurses a pay rise", "We can't promise the nurses here a pay rise"])
def test_the_same_words_turned_round_are_an_alert_of_a_claim_too(body: str):
    headline, kind = "We promise nurses a pay rise", "negation"
    judgement = said(headline, body)
    assert (judgement.outcome, judgement.alert, judgement.score) == ("contextomized", kind, None)
    assert said(headline, body, kind="claim").alert == kind, "a claim is no licence to say the reverse"
    assert said(headline, body, f"{headline}, they added").alert is None, "another quote says it"
    assert said(headline, body, narration=f"It turned out: {headline.lower()}.").alert is None, "the paper says it"


def test_what_is_left_out_and_the_best_quotes_are_shown():
    found = said("We will sail at dawn", *QUOTES)
    assert [QUOTES[0][start:end] for start, end in found.omitted] == ["if the wind turns. The dog stays here"]
    road = ("It is not the end of the road", "Well, this is the end of the road", "This is the end of the road")
    assert said("the end of the road", *road).best.quote_id == "q1", "the first that does not deny it"
    joined = said("We lost the vote … the work goes on in every street", *TWO)
    assert {joined.best.text, joined.second.text} == {*TWO}
    aside = said("work stops in the street", "goes on in every street", narration="She said work stops in the street.")
    assert aside.best is None, "no body quote has to do with it"
    for headline in ("The ferry is old", "The dog stays here", "Such waves I have never seen"):
        found = said(headline, *QUOTES)
        assert found.containment.in_best and found.matched and found.best is not None
        assert found.body_quotes == len(QUOTES)
    empty = said("The lighthouse keeper lied to us")
    assert (empty.best, empty.body_quotes, empty.containment.in_best) == (None, 0, None)


def test_parts_from_different_paragraphs_do_not_stand_in_the_body():
    far = "The gate is shut." + " It rained on the harbour, the town and all of the boats." * 2 + "\n\nNobody sails."
    bodies = ("The gate is shut. Nobody sails.", far)
    found = [said("The gate is shut … Nobody sails", narration=body).outcome for body in bodies]
    assert found == ["in_body_unquoted", "modified"]  # whole sentences, from two places


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
    assume(fold(headline).letters or kind != "claim")  # see test_marks_around_nothing
    found = said(headline, *quotes, kind=kind, status=status)
    if status in ("truncated", "live_update"):
        assert found.outcome not in (None, "contextomized", "no_body_quote")
    if found.outcome is None:
        assert quotes and kind == "direct" and found.best is not None
    kinds = [[each.kind for each in found.differences if each.tier == tier] for tier in ("alert", "check")]
    assert [found.alert, found.check] == [next(iter(each), None) for each in kinds]
    assert (found.severity is not None) == (kinds != [[], []])
    assert (found.outcome != "contextomized" or kinds[0]) and found.score is None
    assert found.containment is not None
    assert all(share is None or 0 <= share <= 1 for share in (found.containment.in_best, found.containment.in_union))
    assert all(0 <= start < end <= len(headline) for start, end in found.matched)
    best = "" if found.best is None else found.best.text
    assert all(0 <= start < end <= len(best) for start, end in found.omitted)
    assert said(headline, *quotes, kind=kind, status=status) == found, "the same in, the same out"


@pytest.mark.parametrize("headline", ["Ferry ‘…’ sinks", "‘…’"])
def test_marks_around_nothing_are_no_quotation(headline: str):
    assert judge(headline, "“We lost,” said Bell.").outcome == "not_a_quotation"


SALES = "January sales have failed to lift shops in the high street."


@pytest.mark.parametrize(
    ("text", "changed", "expected"),
    [
        ("fail to lift the high street shops", {}, "claim_supported"),  # goes on with the headline's sentence
        ("burn down the whole harbour town", {}, "claim_unsupported"),
        ("fail to lift shops in high street", {"marks": "“"}, "modified"),  # a source without marks
        ("burn down the high street shops", {"speaker": BELL}, None),
        ("fail to lift us in the high street", {}, "modified"),  # somebody speaks, so it is no claim
        ("We burn down the high street shops", {}, None),
    ],
)
def test_a_claim_of_the_paper_is_held_against_what_the_paper_says(text: str, changed: dict, expected: str | None):
    paper = {"reason": "words", "marks": "'", "narration": SALES} | changed
    found = said(text, "A poor month.", "We sat and waited", **paper)
    assert found.outcome == expected
    assert expected != "claim_supported" or found.passage == (0, len(f"{SALES} ")), "it shows what supports it"
