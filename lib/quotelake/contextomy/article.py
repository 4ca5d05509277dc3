"""One article: every quote of its headline held against its body, by the kernels of the nightly job. Pure, no Spark."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quotelake.contextomy.detector import Detector, decide, load_detector, weigh
from quotelake.contextomy.evidence import BodyQuote, HeadlineQuote
from quotelake.contextomy.match import Match
from quotelake.contextomy.outcomes import settle
from quotelake.quotes.keys import match_key
from quotelake.quotes.spans import Quote, find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers
from quotelake.settings import ContextomySettings

#: Texts to vectors of unit norm, shape (n, dimension): ``Encoder.encode``.
Encode = Callable[[Sequence[str]], npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Article:
    """What ``documents`` holds of an article.

    Attributes:
        headline: title as it stands.
        body: text as it stands.
        language: ISO 639-1, or ``und``.
        body_status: complete, truncated, live_update or unknown.
    """

    headline: str
    body: str
    language: str
    body_status: str


@dataclass(frozen=True, slots=True)
class Said:
    """A quote and who said it, None where the text names nobody."""

    quote: Quote
    speaker: Speaker | None

    @property
    def by(self) -> str | None:
        """The speaker as the text names them, the full name in brackets where that stands elsewhere."""
        if self.speaker is None:
            return None
        text, name = self.speaker.text, self.speaker.name
        return text if name is None or name in text else f"{text} ({name})"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A headline quote with its outcome and evidence, and the body quotes these rest on."""

    headline: Said
    match: Match
    best: Said | None
    second: Said | None


def judge_article(
    article: Article, settings: ContextomySettings, encode: Encode | None = None, detector: Detector | None = None
) -> list[Judgement]:
    """Judge every quote of a headline that is held against a body: the outermost ones, colon claims aside.

    Args:
        article: headline and body.
        settings: detector and thresholds.
        encode: called once at most, and only for quotes that no rule settles; None where the model does not know the
            language: the score then rests on the strings alone.
        detector: that of the settings unless given.

    >>> from quotelake.settings import load_settings
    >>> article = Article("“We can win”", "“I doubt that we can win,” said Ana Bell.", "en", "complete")
    >>> [judgement] = judge_article(article, load_settings().contextomy)
    >>> judgement.match.outcome.value, judgement.best.by
    ('excerpt', 'Ana Bell')
    """
    own = _said(article.headline, "headline", article.language)
    theirs = _said(article.body, "body", article.language)
    headline_quotes = [said for said in own if said.quote.depth == 0 and said.quote.kind != "colon_claim"]
    body_quotes = [
        BodyQuote(str(place), said.quote.text, match_key(said.quote.joined)) for place, said in enumerate(theirs)
    ]
    detector = detector or load_detector(settings)
    texts = [quote.text for quote in body_quotes]
    settled = [
        weigh(_settle(said.quote, article, body_quotes, settings), said.quote.text, texts, detector)
        for said in headline_quotes
    ]
    unsettled = [said.quote.text for said, match in zip(headline_quotes, settled, strict=True) if match.outcome is None]
    cosines = _cosines(unsettled, texts, encode)
    judgements = []
    for said, match in zip(headline_quotes, settled, strict=True):
        decided = decide(match, cosines.get(said.quote.text), detector, settings)
        best, second = (
            None if place is None else theirs[int(place)] for place in (decided.best_quote_id, decided.second_quote_id)
        )
        judgements.append(Judgement(said, decided, best, second))
    return judgements


def _said(text: str, field: str, language: str) -> list[Said]:
    quotes = find_quotes(text, field)
    speakers = find_speakers(text, quotes, field, language)
    return [Said(quote, speaker) for quote, speaker in zip(quotes, speakers, strict=True)]


def _settle(quote: Quote, article: Article, body_quotes: Sequence[BodyQuote], settings: ContextomySettings) -> Match:
    headline = HeadlineQuote(quote.text, match_key(quote.joined), quote.kind)
    return settle(headline, article.body, article.body_status, body_quotes, settings)


def _cosines(texts: Sequence[str], candidates: Sequence[str], encode: Encode | None) -> dict[str, float]:
    """Highest cosine of each text with a candidate, rounded as the table holds it; empty without a model."""
    if encode is None or not texts or not candidates:
        return {}
    every = list(dict.fromkeys([*texts, *candidates]))
    vectors = dict(zip(every, encode(every).astype(np.float64), strict=True))
    theirs = np.array([vectors[text] for text in candidates])
    return {text: round(float((theirs @ vectors[text]).max()), 6) for text in texts}
