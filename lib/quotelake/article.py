"""One article: every quote of its headline held against its body, by the kernels of the nightly job. Pure, no Spark."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quotelake.contextomy.comparable import languages_of
from quotelake.contextomy.decide import Detector, decide, highest_cosine, load_detector
from quotelake.contextomy.judge import MatchedQuote, match_headline_quotes
from quotelake.contextomy.judgement import Match
from quotelake.contextomy.quotes import BodyQuote
from quotelake.quotes.extract import Row, quotes_of_document
from quotelake.settings import IngestSettings, Settings
from quotelake.sources.body_status import body_status_of
from quotelake.sources.genre import genre_of
from quotelake.text.fold import Span
from quotelake.text.ids import content_id
from quotelake.text.language import detect_language, normalise_language
from quotelake.text.omissions import sentences_with

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

    @property
    def document(self) -> Row:
        """The columns of a row of ``documents`` that quotes and matches are made from."""
        return {
            "doc_id": content_id(self.headline, self.body),
            "kind": "news",
            "headline": self.headline,
            "body": self.body,
            "language": self.language,
            "body_status": self.body_status,
        }


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
    """A quote as a headline or body has it, and who said it.

    Attributes:
        text: from ``start`` to ``end``, without marks.
        start: offset in the headline or body, in code points.
        end: one past its last character.
        kind: see :data:`quotelake.quotes.kinds.KINDS`.
        speaker: the struct of that name in ``quotes``; None where the text names nobody.
    """

    text: str
    start: int
    end: int
    kind: str
    speaker: Row | None

    @property
    def by(self) -> str | None:
        """The speaker as the view ``headline_quotes`` names them.

        The head, with the full name in brackets if it is elsewhere; without a known full name, the whole phrase, whose
        apposition may name them.
        """
        if self.speaker is None:
            return None
        head, name = self.speaker["head"], self.speaker["name"]
        if name is None:
            return str(self.speaker["text"])
        return str(head) if name in head else f"{head} ({name})"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A headline quote with its match, and the body quotes this rests on, or the sentences of the passage outside."""

    headline: Said
    match: Match
    best: Said | None
    second: Said | None
    passage: str | None = None


def judge_article(
    article: Article, settings: Settings, encode: Encode | None = None, detector: Detector | None = None
) -> list[Judgement]:
    """Judge every quote of a headline that is held against a body: the outermost ones, colon claims aside.

    Args:
        article: headline and body.
        settings: detector, thresholds and languages.
        encode: called once at most: for quotes that no rule settles, in an article of a language of the model. None
            where the detector was not made for the model: the score then rests on the strings alone.
        detector: that of the settings unless given.

    >>> from quotelake.settings import load_settings
    >>> article = Article("“We can win”", "“I doubt that we can win,” said Ana Bell.", "en", "complete")
    >>> [judgement] = judge_article(article, load_settings())
    >>> judgement.match.outcome.value, judgement.best.by
    ('excerpt', 'Ana Bell')
    """
    document = article.document
    quotes = list(quotes_of_document(document, rule_version=""))
    detector = detector or load_detector(settings.contextomy)
    compared = settings.model.languages if encode else ()
    matched = list(
        match_headline_quotes(
            document,
            quotes,
            settings=settings.contextomy,
            detector=detector,
            languages=languages_of(settings, compared),
        )
    )
    cosines = _cosines(matched, encode if article.language in compared else None)
    judgements = []
    for one in matched:
        match = decide(one.match, cosines.get(one.quote["text"]), detector, settings.contextomy)
        best, second = (_utterance(quote, quotes, article.body) for quote in (match.best, match.second))
        judgements.append(
            Judgement(_said(one.quote), match, best, second, _sentences_with(match.passage, article.body))
        )
    return judgements


def _said(quote: Row) -> Said:
    return Said(quote["text"], quote["start"], quote["end"], quote["kind"], quote["speaker"])


def _utterance(quote: BodyQuote | None, quotes: Sequence[Row], body: str) -> Said | None:
    """A body quote as the body has it: to the end of its last part, the reporting clauses between them included."""
    if quote is None:
        return None
    first = next(row for row in quotes if row["quote_id"] == quote.quote_id)
    if quote.end == first["end"]:
        return _said(first)
    speakers = (row["speaker"] for row in quotes if row["utterance_id"] == first["utterance_id"])
    speaker = next((speaker for speaker in speakers if speaker is not None), None)
    return Said(body[quote.start : quote.end], quote.start, quote.end, first["kind"], speaker)


def _sentences_with(passage: Span | None, body: str) -> str | None:
    """The sentences of a body that a passage stands in."""
    if passage is None:
        return None
    held = sentences_with(body, [passage])
    return body[held[0][0] : held[-1][1]].strip()


def _cosines(matched: Sequence[MatchedQuote], encode: Encode | None) -> dict[str, float]:
    """Highest cosine of each unsettled headline quote with its candidates, by its text; empty without a model."""
    unsettled = [one for one in matched if one.candidates]
    if encode is None or not unsettled:
        return {}
    headline_quotes = [one.quote["text"] for one in unsettled]
    texts = list(dict.fromkeys([*headline_quotes, *(text for one in unsettled for text in one.candidates)]))
    vectors = dict(zip(texts, encode(texts), strict=True))
    return {
        one.quote["text"]: highest_cosine(vectors[one.quote["text"]], [vectors[text] for text in one.candidates])
        for one in unsettled
    }
