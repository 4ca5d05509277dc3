"""What each part of the product says of a corpus, as lines whose digest is recorded.

The lines hold what tables and programs show, by the names of columns: a refactoring that changes these functions' calls
must not change a line.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
from tests.golden.corpora import Document

from quotelab.grouping import group_texts
from quotelake.article import Article, judge_article
from quotelake.commands.check import to_json
from quotelake.contextomy.comparison import languages_of
from quotelake.contextomy.decide import load_detector
from quotelake.contextomy.stage import matches_of_document
from quotelake.quotes.extract import quotes_of_document
from quotelake.quotes.keys import match_key
from quotelake.reuse.clusters import UseOf
from quotelake.reuse.comparisons import TEXTS, certain_speaker, compare, use_of
from quotelake.reuse.stories import text_of_document
from quotelake.settings import load_settings
from quotelake.topics.contexts import contexts_of_document, mask
from quotelake.topics.variation import Group, Use, to_fixed
from quotelake.watch.find import Finder

Line = dict[str, Any]
#: Components of the vectors that stand for contexts here: what is recorded is no model's.
_DIMENSIONS: Final = 16
#: Who says a quote here, by where it stands; each in a text of its own: most short excerpts stand beside the whole.
_SPEAKERS: Final = (None, "Rita Bell", "Tom Reed")
_FOUND: Final[dict[int, tuple[Document, list[Line]]]] = {}
_OFFSETS: Final = ("start", "end", "context_start", "context_end")
#: What stands beside a headline quote, so that pages need no other table.
_SHOWN: Final = (
    "headline_start", "headline_end", "headline_speaker", "best_speaker", "second_speaker", "passage", "second_quote",
)  # fmt: skip


def digest_of(part: str, documents: Sequence[Document]) -> str:
    """Digest of all that a part says of documents; floats count to six decimals."""
    hashed = hashlib.sha256()
    for line in PARTS[part](documents):
        hashed.update(json.dumps(_rounded(line), sort_keys=True, ensure_ascii=True).encode() + b"\n")
    return hashed.hexdigest()[:16]


def _quotes(documents: Sequence[Document]) -> Iterator[Line]:
    for document in documents:
        for quote in _quotes_of(document):
            yield {**quote, "match_key": match_key(quote["text"])}


def _contextomy(documents: Sequence[Document]) -> Iterator[Line]:
    settings = load_settings()
    detector = load_detector(settings.contextomy)
    for document in documents:
        if document["kind"] == "news":
            article = Article(*(document[name] for name in ("headline", "body", "language", "body_status")))
            yield json.loads(to_json(article, judge_article(article, settings, None, detector), detector))
            quotes, languages = _quotes_of(document), languages_of(settings, ())
            for row in matches_of_document(
                {**document, "doc_id": ""}, quotes, settings.contextomy, detector, languages
            ):
                yield {name: row[name] for name in _SHOWN}


def _reuse(documents: Sequence[Document]) -> Iterator[Line]:
    """Groups of quotes and how their uses differ, and the samples by which copies of a text are found."""
    quotes = [(document, quote) for document in documents for quote in _quotes_of(document)]
    said = [UseOf(quote["quote_id"], quote["start"] % 3, _SPEAKERS[quote["start"] % 3]) for _, quote in quotes]
    groups, uses = group_texts([quote["text"] for _, quote in quotes], said), defaultdict(list)
    for (document, quote), group in zip(quotes, groups, strict=True):
        yield {"text": quote["text"], "group": group}
        if group is not None and quote["kind"] == "direct" and document["kind"] == "news":
            body = document["body"] if quote["field"] == "body" else document["headline"]
            around = {"before": body[: quote["start"]][-400:], "after": body[quote["end"] :][:400]}
            speaker = certain_speaker(quote["speaker"])
            uses[group].append(use_of({**document, **quote, **around, "speaker": speaker}))
    for group in sorted(uses):
        for found in compare(uses[group], 1, 100):
            told = {"use": found.use.quote_id, "reference": found.reference.quote_id, "rows": found.rows()}
            told |= {name: getattr(found.use, name) for name in TEXTS}
            yield {**told, "others": found.credited_elsewhere, "trimmed": found.trimmed}
    for document in documents:
        yield text_of_document({**document, "published": None}, "")


def _topics(documents: Sequence[Document]) -> Iterator[Line]:
    """Contexts, and the variation of each quote over them by vectors that hash the masked text."""
    uses = defaultdict(list)
    for document in documents:
        named = document | {"text_id": document["native_key"]}
        for context in contexts_of_document(named, _quotes_of(document), ""):
            yield context
            masked = mask(document["body"], *(context[name] for name in _OFFSETS))
            uses[context["variant_id"]].append((masked, context))
    for variant, found in sorted(uses.items()):
        if len(found) > 1:
            texts = sorted({masked for masked, _ in found})
            rows = [
                Use(texts.index(masked), context["period"], context["kind"], context["outlet"], context["text_id"], 1)
                for masked, context in found
            ]
            yield {"variant": variant, **Group(to_fixed(np.stack([_vector(text) for text in texts])), rows).measure()}


def _watch(documents: Sequence[Document]) -> Iterator[Line]:
    """Hits of every fortieth quote of five words or more, without its third word, in all texts."""
    texts = sorted({quote["canonical_text"] or "" for document in documents for quote in _quotes_of(document)})
    wordings = [text.split() for text in texts if len(text.split()) >= 5][::40]
    finder = Finder([[" ".join(words[:2] + words[3:])] for words in wordings])
    for document in documents:
        for hit in finder.find(document["body"]):
            yield {"text": document["native_key"], **hit._asdict()}


def _quotes_of(document: Document) -> list[Line]:
    """Quotes of a document, found once for all parts; it is kept beside them, so that no other gets its id."""
    if id(document) not in _FOUND:
        _FOUND[id(document)] = document, list(quotes_of_document(document, rule_version=""))
    return _FOUND[id(document)][1]


def _vector(text: str) -> np.ndarray:
    seeded = np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8]))
    vector = seeded.standard_normal(_DIMENSIONS)
    return vector / np.linalg.norm(vector)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {name: _rounded(item) for name, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_rounded(item) for item in value]
    return value


PARTS: Final[dict[str, Callable[[Sequence[Document]], Iterator[Line]]]] = {
    "quotes": _quotes,
    "reuse": _reuse,
    "contextomy": _contextomy,
    "topics": _topics,
    "watch": _watch,
}
