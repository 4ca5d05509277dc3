"""One article: every quote of its headline compared with its body, by the kernels of the nightly job. No Spark."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from quotelake.contextomy.comparison import languages_of
from quotelake.contextomy.decide import Detector, decide, highest_cosine, judge_headline, load_detector
from quotelake.contextomy.judgement import Judgement
from quotelake.contextomy.quotes import HeadlineQuote
from quotelake.errors import InputError
from quotelake.lake.contracts import contract
from quotelake.quotes.extract import Row, quotes_of_document
from quotelake.settings import IngestSettings, Settings
from quotelake.sources.editorial import body_status_of, genre_of
from quotelake.text.fold import Span
from quotelake.text.ids import content_id
from quotelake.text.language import detect_language, normalise_language
from quotelake.text.words import sentences

if TYPE_CHECKING:
    import pandas as pd

#: Types of a frame's columns that may lack a value, by the type of the table's column; other columns hold objects.
_TYPES: Final = {"INT": "Int64", "BOOLEAN": "boolean", "DOUBLE": "float64"}
#: Texts to vectors of unit norm, shape (n, dimension): ``Encoder.encode``.
Encode = Callable[[Sequence[str]], npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Article:
    """What ``documents`` holds of an article, with its texts unchanged."""

    headline: str
    body: str
    language: str  #: ISO 639-1, or ``und``
    body_status: str  #: complete, truncated, live_update or unknown

    @property
    def document(self) -> Row:
        """The columns of a row of ``documents`` that quotes and judgements are made from."""
        return {"doc_id": content_id(self.headline, self.body), "kind": "news", **asdict(self)}

    def sentences_around(self, passage: Span) -> str:
        """The sentences of the body around a passage."""
        found = [each for each in sentences(self.body) if each[0] < passage[1] and passage[0] < each[1]]
        return self.body[found[0][0] : found[-1][1]].strip()


def article_of(headline: str, body: str, language: str | None, ingest: IngestSettings) -> Article:
    """The article that the nightly job would make of a record of these alone; a ``language`` of None is detected."""
    found = normalise_language(language)
    found = found or detect_language(f"{headline}\n{body}", ingest.languages, ingest.language_confidence)
    return Article(headline, body, found, body_status_of("news", body, genre_of("news", None, None, headline, None)))


def judge_article(
    article: Article, settings: Settings, encode: Encode | None = None, detector: Detector | None = None
) -> list[Judgement]:
    """Judge every quote of a headline that is compared with a body: the outermost ones, colon claims aside.

    ``encode`` is called once at most, for quotes that no rule settles, in an article of a language of the model. None:
    scores rest on strings alone, as they must where the detector was not made for the model. The detector is that of
    the settings unless given.

    >>> from quotelake.settings import load_settings
    >>> article = Article("“We can win”", "“I doubt that we can win,” said Ana Bell.", "en", "complete")
    >>> [judgement] = judge_article(article, load_settings())
    >>> judgement.outcome.value, judgement.best.by
    ('excerpt', 'Ana Bell')
    """
    document, rules = article.document, settings.contextomy
    detector = detector or load_detector(rules)
    languages = languages_of(settings, settings.model.languages if encode else ())
    quotes = list(quotes_of_document(document, rule_version=""))
    judgements = list(judge_headline(document, quotes, settings=rules, detector=detector, languages=languages))
    undecided = {one.headline.text: one.candidates for one in judgements if one.candidates}
    vectors: dict[str, npt.NDArray[np.float32]] = {}
    if encode is not None and undecided and article.language in languages.compared:
        texts = list(dict.fromkeys([*undecided, *chain.from_iterable(undecided.values())]))
        vectors = dict(zip(texts, encode(texts), strict=True))
    for place, judgement in enumerate(judgements):
        if judgement.outcome is None:
            text, candidates = judgement.headline.text, judgement.candidates
            cosine = highest_cosine(vectors[text], [vectors[each] for each in candidates]) if vectors else None
            judgements[place] = replace(judgement, **decide(judgement.columns(), cosine, detector, rules))
    return judgements


def to_frame(judgements: Iterable[Judgement] | Mapping[Any, Iterable[Judgement]]) -> "pd.DataFrame":
    """Write judgements as a frame of pandas, one row each, in their order; offsets are ``Int64``.

    Its columns are those of :meth:`~quotelake.contextomy.judgement.Judgement.as_dict`. The judgements are of one
    article; or of several by its id, which is then the first column, ``article``.

    Raises:
        InputError: something in it is no judgement.
    """
    import pandas as pd

    groups = judgements if isinstance(judgements, Mapping) else {None: judgements}
    rows = [(article, one) for article, its in groups.items() for one in (its if isinstance(its, Iterable) else [its])]
    for _, one in rows:
        if not isinstance(one, Judgement):
            found = f"judgements: expected judgements, found a {type(one).__name__}"
            raise InputError(f"{found}: give what check_article returned, or a dict of it by the id of each article")
    names = Judgement(HeadlineQuote("", None), None, "").as_dict()
    frame = pd.DataFrame([one.as_dict() for _, one in rows], columns=list(names))
    types = {column.name: column.type for column in contract("contextomy").columns}
    types |= {"headline_start": "INT", "headline_end": "INT"}
    frame = frame.astype({name: _TYPES[types[name]] for name in names if types.get(name) in _TYPES})
    if isinstance(judgements, Mapping):
        frame.insert(0, "article", pd.Index([article for article, _ in rows]))
    return frame
