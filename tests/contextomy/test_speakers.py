"""Right words, wrong speaker: said only where it is sure."""

from collections.abc import Callable

import pytest
from tests.growth import assert_linear

from quotelake.article import Article, judge_article
from quotelake.contextomy.speakers import Who, same_speaker
from quotelake.settings import load_settings

BODY = (
    "Mayor Ana Ruiz met Councillor Rita Bell on Friday. Later Ruiz left, and Bell stayed with the Republicans. "
    "One Republican came late."
)


def person(head: str, name: str | None = None, text: str | None = None) -> Who:
    return Who(text or head, head, "person", name)


RUIZ, BELL = person("Ana Ruiz", "Ana Ruiz", "Mayor Ana Ruiz"), person("Rita Bell", "Rita Bell", "Councillor Rita Bell")
SHE = person("she", "Rita Bell")


@pytest.mark.parametrize(
    ("headline", "body", "expected"),
    [
        (person("Ruiz"), RUIZ, True),
        (person("Mayor"), RUIZ, True),  # the role the body calls her by
        (person("Ruiz"), BELL, False),
        (person("Ruiz"), SHE, None),  # whom a pronoun means is not sure enough
        (person("Rita Bell"), RUIZ, False),
        (person("Carl Ruiz"), RUIZ, None),  # the same surname, another first name
        (person("Mayor"), BELL, None),  # a role may be anybody's
        (person("Ruiz"), person("she"), None),  # the body names nobody
        (person("He"), RUIZ, None),
        (person("Oduya"), RUIZ, None),  # not in the body at all: perhaps another spelling
        (person("Republicans"), RUIZ, None),  # many
        (Who("Harbour Board", "Harbour Board", "organisation", None), RUIZ, None),  # somebody speaks for it
        (None, RUIZ, None),
    ],
)
def test_said_only_where_sure(headline: Who | None, body: Who, expected: bool | None):
    assert same_speaker(headline, body, BODY) is expected


def test_two_names_that_the_body_puts_side_by_side_may_be_one():
    body = "Ana Ruiz, whom the coast calls Bell, spoke. Bell left."
    assert same_speaker(person("Bell"), RUIZ, body) is None


@pytest.mark.parametrize(
    ("headline", "expected"),
    [("Ruiz: “The bridge is safe”", True), ("Bell: “The bridge is safe”", False), ("“The bridge is safe”", None)],
)
def test_a_match_says_that_another_speaker_said_the_quote(headline: str, expected: bool | None):
    body = "“The bridge is safe,” said Mayor Ana Ruiz. “I doubt it,” said Councillor Rita Bell. Bell voted no."
    [judgement] = judge_article(Article(headline, body, "en", "complete"), load_settings())
    assert (judgement.outcome, judgement.speaker_match) == ("identical", expected)


def test_of_two_who_say_the_same_the_one_the_headline_names_is_the_best_quote():
    body = "“We lost,” said Councillor Rita Bell. Mayor Ana Ruiz agreed. “We lost,” said Ana Ruiz."
    [judgement] = judge_article(Article("Ruiz: “We lost”", body, "en", "complete"), load_settings())
    assert judgement.best is not None and judgement.best.by == "Ana Ruiz"
    assert judgement.speaker_match is True


@pytest.mark.slow
def test_thousands_who_say_the_same_are_judged_in_time_that_grows_with_the_body():
    settings = load_settings()

    def work(n: int) -> Callable[[], object]:
        body = " ".join(f"“We pay for it,” said Bob Name{place} Ruiz." for place in range(n))
        one = Article("Carl Bell: “We pay for it”", f"{body} Bell left.", "en", "complete")
        return lambda: list(judge_article(one, settings))

    assert_linear(work, 400)
