"""The judgement of the only quote of a headline, by the shipped settings and without a model."""

import pytest

from quotelake.article import Article, judge_article
from quotelake.contextomy.judgement import Judgement
from quotelake.settings import load_settings

SETTINGS = load_settings()


def judge(headline: str, body: str) -> Judgement:
    """Judge one article in English."""
    [judgement] = judge_article(Article(headline, body, "en", "complete"), SETTINGS)
    return judgement


def said_by_bell(headline: str, said: str) -> Judgement:
    """Judge a headline on what Bell says; a text that names him is the whole body."""
    return judge(headline, said if "Bell" in said or "BELL" in said else f"“{said}” said Tom Bell of the council.")


def wrong(*case: object, because: str):
    """A case that the code gets wrong."""
    return pytest.param(*case, marks=pytest.mark.xfail(strict=True, reason=because))
