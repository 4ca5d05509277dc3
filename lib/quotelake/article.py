"""One article: every quote of its headline compared with its body, by the kernels of the nightly job. No Spark."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain

import numpy as np
import numpy.typing as npt

from quotelake.contextomy.comparable import languages_of
from quotelake.contextomy.decide import Detector, decide, highest_cosine, judge_headline, load_detector
from quotelake.contextomy.judgement import Judgement
from quotelake.quotes.extract import Row, quotes_of_document
from quotelake.settings import IngestSettings, Settings
from quotelake.sources.editorial import body_status_of, genre_of
from quotelake.text.fold import Span
from quotelake.text.ids import content_id
from quotelake.text.language import detect_language, normalise_language
from quotelake.text.omissions import sentences_with

#: Texts to vectors of unit norm, shape (n, dimension): ``Encoder.encode``.
Encode = Callable[[Sequence[str]], npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Article:
    """What ``documents`` holds of an article, its texts as they stand."""

    headline: str
    body: str
    language: str  #: ISO 639-1, or ``und``
    body_status: str  #: complete, truncated, live_update or unknown

    @property
    def document(self) -> Row:
        """The columns of a row of ``documents`` that quotes and judgements are made from."""
        return {"doc_id": content_id(self.headline, self.body), "kind": "news", **asdict(self)}

    def sentences_around(self, passage: Span) -> str:
        """The sentences of the body that a passage stands in."""
        found = sentences_with(self.body, [passage])
        return self.body[found[0][0] : found[-1][1]].strip()


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


def judge_article(
    article: Article, settings: Settings, encode: Encode | None = None, detector: Detector | None = None
) -> list[Judgement]:
    """Judge every quote of a headline that is compared with a body: the outermost ones, colon claims aside.

    Args:
        article: headline and body.
        settings: detector, thresholds and languages.
        encode: called once at most: for quotes that no rule settles, in an article of a language of the model. None
            where the detector was not made for the model: the score then rests on the strings alone.
        detector: that of the settings unless given.

    >>> from quotelake.settings import load_settings
    >>> article = Article("“We can win”", "“I doubt that we can win,” said Ana Bell.", "en", "complete")
    >>> [judgement] = judge_article(article, load_settings())
    >>> judgement.outcome.value, judgement.best.by
    ('excerpt', 'Ana Bell')
    """
    document, rules = article.document, settings.contextomy
    detector = detector or load_detector(rules)
    compared = settings.model.languages if encode else ()
    quotes = list(quotes_of_document(document, rule_version=""))
    languages = languages_of(settings, compared)
    judgements = list(judge_headline(document, quotes, settings=rules, detector=detector, languages=languages))
    undecided = {one.headline.text: one.candidates for one in judgements if one.candidates}
    cosines: dict[str, float] = {}
    if encode is not None and undecided and article.language in compared:
        texts = list(dict.fromkeys([*undecided, *chain.from_iterable(undecided.values())]))
        vectors = dict(zip(texts, encode(texts), strict=True))
        for text, candidates in undecided.items():
            cosines[text] = highest_cosine(vectors[text], [vectors[each] for each in candidates])
    for place, judgement in enumerate(judgements):
        if judgement.outcome is None:
            decided = decide(judgement.columns(), cosines.get(judgement.headline.text), detector, rules)
            judgements[place] = replace(judgement, **decided)
    return judgements
