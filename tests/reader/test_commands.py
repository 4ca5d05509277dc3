"""A reader in commands and in Python: what is sent, what is printed, and what its failure changes: nothing."""

import json
from pathlib import Path

import pytest
from tests.reader.stand_in import BODY, GOOD, HEADLINE, Reply, answer, data_of, stand_in

from quotelake import check_text
from quotelake.cli import run_command
from quotelake.settings import load_settings

FAIR = "Bell: “The council meets on Monday”"
TALK = "RUIZ: We will rebuild the pier if the council agrees, which it never did."
DRAFT = "“We will rebuild the pier if the council agrees,” said Ruiz."


@pytest.fixture
def article(tmp_path: Path) -> Path:
    path = tmp_path / "article.txt"
    path.write_text(BODY, "utf-8")
    return path


def check(*words: object) -> int | None:
    return run_command("quotelake.commands.check", "check", [*map(str, words), "--set", "reader.model=m"])


def test_check_sends_headline_and_article_where_it_is_told_and_prints_what_counts(
    article: Path, capsys: pytest.CaptureFixture[str]
):
    words = ("--headline", HEADLINE, "--body", article, "--no-model")
    with stand_in(GOOD) as server:
        check(*words)
        assert server.requests == [] and "read this article" not in capsys.readouterr().out, "nothing without --reader"
        assert check(*words, "--reader", server.url) == 3
        [request] = server.requests
        assert data_of(request) == {
            "headline": HEADLINE,
            "between_marks": "We can win this year",
            "complete": True,
            "article": BODY,
        }
        said = "m read this article and says: misleading; negation; She doubts it.; “I doubt that we can win”"
        assert said in " ".join(capsys.readouterr().out.split())
        check(*words, "--json", "--reader", server.url)
        [reading] = json.loads(capsys.readouterr().out)["readings"]
    assert (reading["verdict"], reading["words"]) == ("misleading", ["I doubt that we can win"])


def test_a_reader_that_fails_or_finds_it_fair_changes_no_status(article: Path, capsys: pytest.CaptureFixture[str]):
    for headline, status in ((HEADLINE, 3), ("Bell meets “the council”", 0)):
        for reply in (Reply(status=401), Reply(answer("fair", "The council meets on Monday", kind=None))):
            with stand_in(reply) as server:
                assert check("--headline", headline, "--body", article, "--no-model", "--reader", server.url) == status
    assert "m gave no answer that counts: status 401" in capsys.readouterr().out


def test_what_only_the_model_finds_is_something_to_look_at(article: Path, capsys: pytest.CaptureFixture[str]):
    made_up = GOOD._replace(text=answer("misleading", "nobody expects a vote", kind="half"))
    for reply, status in ((made_up, 3), (GOOD._replace(text=answer("misleading", "she hates every vote")), 0)):
        with stand_in(reply) as server:
            words = ("--headline", "Bell meets “the council”", "--body", article, "--no-model", "--reader", server.url)
            assert check(*words) == status
    assert "she hates every vote" not in capsys.readouterr().out


def test_quotations_of_a_draft_are_read_with_the_source_that_has_them(tmp_path: Path):
    settings = load_settings(overrides=["reader.model=m"])
    reply = Reply(answer("misleading", "which it never did", kind="half", sentence="It never agreed."))
    with stand_in(reply) as server:
        [one] = check_text(DRAFT, [TALK], reader=server.url, settings=settings)
        [plain] = check_text(DRAFT, [TALK], settings=settings)
        assert len(server.requests) == 1
    assert one.reading is not None and one.reading.words == ("which it never did",)
    assert one.is_flagged and not plain.is_flagged and plain.reading is None
    assert data_of(server.requests[0])["between_marks"] == "We will rebuild the pier if the council agrees,"


def test_a_missing_model_is_named(article: Path):
    with pytest.raises(Exception, match=r"reader\.model: name the model"):
        run_command(
            "quotelake.commands.check", "check",
            ["--headline", HEADLINE, "--body", str(article), "--no-model", "--reader", "http://127.0.0.1:9/v1"],
        )  # fmt: skip
