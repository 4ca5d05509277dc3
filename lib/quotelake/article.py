"""One article: every quote of its headline held against its body, by the kernels of the nightly job. Pure, no Spark."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quotelake.contextomy.comparable import languages_of
from quotelake.contextomy.containment import BodyQuote, HeadlineQuote
from quotelake.contextomy.decide import Detector, decide, load_detector, weigh
from quotelake.contextomy.match import Match
from quotelake.contextomy.rules import settle
from quotelake.contextomy.same_speaker import Who
from quotelake.contextomy.utterances import Part, body_quotes
from quotelake.language import detect_language, normalise_language
from quotelake.quotes.keys import match_key
from quotelake.quotes.spans import Quote, find_quotes
from quotelake.quotes.speakers import Speaker, find_speakers
from quotelake.settings import IngestSettings, Settings
from quotelake.sources.body_status import body_status_of
from quotelake.sources.genre import genre_of

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


def article_of(headline: str, body: str, language: str | None, ingest: IngestSettings) -> Article:
    """Make of a headline and a body what the nightly job would make of a record that states no more.

    Args:
        headline: title as it stands.
        body: text as it stands.
        language: ISO 639-1 code, or None to detect it.
        ingest: the languages to tell apart.
    """
    found = normalise_language(language)
    found = found or detect_language(f"{headline}\n{body}", ingest.languages, ingest.language_confidence)
    return Article(headline, body, found, body_status_of("news", body, genre_of("news", None, None, headline, None)))


@dataclass(frozen=True, slots=True)
class Said:
    """A quote and who said it, None where the text names nobody."""

    quote: Quote
    speaker: Speaker | None

    @property
    def by(self) -> str | None:
        """The speaker as the view ``headline_quotes`` names them: the head, the full name in brackets if elsewhere."""
        if self.speaker is None:
            return None
        text, name = self.speaker.text, self.speaker.name
        head = text[: self.speaker.head_end - self.speaker.start]
        return head if name is None or name in text else f"{head} ({name})"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A headline quote with its outcome and evidence, and the body quotes these rest on."""

    headline: Said
    match: Match
    best: Said | None
    second: Said | None


def judge_article(
    article: Article, settings: Settings, encode: Encode | None = None, detector: Detector | None = None
) -> list[Judgement]:
    """Judge every quote of a headline that is held against a body: the outermost ones, colon claims aside.

    Args:
        article: headline and body.
        settings: detector, thresholds and languages.
        encode: called once at most, and only for quotes that no rule settles; None where the model does not know the
            language: the score then rests on the strings alone.
        detector: that of the settings unless given.

    >>> from quotelake.settings import load_settings
    >>> article = Article("“We can win”", "“I doubt that we can win,” said Ana Bell.", "en", "complete")
    >>> [judgement] = judge_article(article, load_settings())
    >>> judgement.match.outcome.value, judgement.best.by
    ('excerpt', 'Ana Bell')
    """
    own = [said for said in _said(article.headline, "headline", article.language) if _is_judged(said.quote)]
    every = _said(article.body, "body", article.language)
    theirs = body_quotes(_part(place, said) for place, said in enumerate(every))
    detector = detector or load_detector(settings.contextomy)
    texts = [quote.text for quote in theirs]
    languages = languages_of(settings, settings.model.languages if encode else ())
    rest = (article.body, article.body_status, theirs, settings.contextomy, article.language, languages)
    settled = [
        weigh(settle(_headline_quote(said, article.headline), *rest), said.quote.text, texts, detector) for said in own
    ]
    unsettled = [said.quote.text for said, match in zip(own, settled, strict=True) if match.outcome is None]
    cosines = _cosines(unsettled, [quote.said for quote in theirs], encode)
    by_id = {quote.quote_id: quote for quote in theirs}
    judgements = []
    for said, match in zip(own, settled, strict=True):
        decided = decide(match, cosines.get(said.quote.text), detector, settings.contextomy)
        best, second = (
            None if quote_id is None else _utterance(by_id[quote_id], every, article.body)
            for quote_id in (decided.best_quote_id, decided.second_quote_id)
        )
        judgements.append(Judgement(said, decided, best, second))
    return judgements


def _said(text: str, field: str, language: str) -> list[Said]:
    quotes = find_quotes(text, field)
    speakers = find_speakers(text, quotes, field, language)
    return [Said(quote, speaker) for quote, speaker in zip(quotes, speakers, strict=True)]


def _is_judged(quote: Quote) -> bool:
    return quote.depth == 0 and quote.kind != "colon_claim"


def _headline_quote(said: Said, headline: str) -> HeadlineQuote:
    quote = said.quote
    return HeadlineQuote(
        text=quote.text,
        match_key=match_key(quote.joined),
        kind=quote.kind,
        reason=quote.reason,
        marks=quote.marks,
        speaker=_who(said.speaker),
        around=f"{headline[: quote.start]} {headline[quote.end :]}",
    )


def _part(place: int, said: Said) -> Part:
    quote = said.quote
    key = match_key(quote.joined)
    return Part(str(place), str(quote.utterance), quote.start, quote.text, key, _who(said.speaker))


def _who(speaker: Speaker | None) -> Who | None:
    if speaker is None:
        return None
    return Who(speaker.text, speaker.text[: speaker.head_end - speaker.start], speaker.type, speaker.name)


def _utterance(quote: BodyQuote, every: Sequence[Said], body: str) -> Said:
    """A body quote as the body has it: to the end of its last part, the reporting clauses between them included."""
    first = every[int(quote.quote_id)]
    if quote.end == first.quote.end:
        return first
    parts = [said for said in every if said.quote.utterance == first.quote.utterance]
    speaker = next((said.speaker for said in parts if said.speaker is not None), None)
    return Said(first.quote._replace(end=quote.end, text=body[quote.start : quote.end]), speaker)


def _cosines(texts: Sequence[str], candidates: Sequence[str], encode: Encode | None) -> dict[str, float]:
    """Highest cosine of each text with a candidate, rounded as the table holds it; empty without a model."""
    if encode is None or not texts or not candidates:
        return {}
    every = list(dict.fromkeys([*texts, *candidates]))
    vectors = dict(zip(every, encode(every).astype(np.float64), strict=True))
    theirs = np.array([vectors[text] for text in candidates])
    return {text: round(float((theirs @ vectors[text]).max()), 6) for text in texts}
