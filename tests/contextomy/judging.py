"""The judgement of the only quote of a headline, by the shipped settings and without a model."""

from quotelake.article import Article, judge_article
from quotelake.contextomy.judgement import Judgement
from quotelake.settings import load_settings

SETTINGS = load_settings()


def judge(headline: str, body: str) -> Judgement:
    """Judge one article in English."""
    [judgement] = judge_article(Article(headline, body, "en", "complete"), SETTINGS)
    return judgement
