"""Documents → uses of watched texts, each with its context; and these as uses that topic variation compares."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.lake.contracts import columns
from quotelake.settings import Settings
from quotelake.spark.arrow import Row
from quotelake.text.ids import content_id
from quotelake.topics.contexts import DESCRIBED, contexts_of_spans
from quotelake.watch.find import Finder, Hit
from quotelake.watch.lists import Watched

#: The finder this worker made last, by the digest of its list: making one of 10,000 texts takes seconds.
_made: dict[str, Finder] = {}


@dataclass(frozen=True)
class WatchList:
    """The texts that a run follows: ``given`` to this run, or else those of the lake."""

    texts: tuple[Watched, ...] = ()
    given: bool = False

    @cached_property
    def digest(self) -> str:
        """Equal for lists of the same texts in the same order."""
        return content_id(*(text.digest for text in self.texts))

    def finder(self) -> Finder:
        """The finder of the texts, made once in a worker."""
        if self.digest not in _made:
            _made.clear()
            exact = {number for number, text in enumerate(self.texts) if text.only_unchanged}
            _made[self.digest] = Finder([text.wordings for text in self.texts], exact)
        return _made[self.digest]


def hits_of_document(
    document: Row, quotes: Callable[[], Sequence[Row]], watch: WatchList, settings: Settings, rule_version: str
) -> tuple[list[Row], int]:
    """Find the watched texts in a document, of each the first ``watch.per_document`` uses: a bound on its memory.

    The content columns of ``watch_hits``, grain: a use of a watched text in a headline, body or tweet; and how many
    more uses there are. ``quotes`` gives the quotes of the document, and is called only if there is a hit.
    """
    if not watch.texts:
        return [], 0
    rows, seen, most = list[Row](), Counter[int](), settings.watch.per_document
    document = {"text_id": None, **document}
    finder = watch.finder()
    names = ("tweet",) if document["kind"] == "tweet" else ("headline", "body")
    for field in names:
        text = document["headline" if field == "headline" else "body"]
        hits = []
        for hit in finder.find(text) if text else ():
            seen[hit.entry] += 1  # of each text by itself: what is kept does not depend on the rest of the list
            hits += [hit] if seen[hit.entry] <= most else []
        if not hits:
            continue
        around = [quote for quote in quotes() if quote["field"] == field]
        for hit, context in zip(hits, _contexts(document, field, hits), strict=True):
            watched, length = watch.texts[hit.entry], hit.end - hit.start
            covered = [min(hit.end, quote["end"]) - max(hit.start, quote["start"]) for quote in around]
            same = (
                quote["quote_id"]
                for quote, shared in zip(around, covered, strict=True)
                # The same words as an outermost quote: each covers half of the other.
                if quote["depth"] == 0 and 2 * shared >= max(length, quote["end"] - quote["start"])
            )
            rows.append({
                "watch_id": watched.watch_id,
                "text_digest": watched.digest,
                "field": field,
                "rule_version": rule_version,
                "score": hit.score,
                "sure": hit.sure,
                "in_marks": max(covered, default=0) >= length,
                "quote_id": next(same, None),
                **context,
            })  # fmt: skip
    return rows, sum(max(number - most, 0) for number in seen.values())


def _contexts(document: Row, field: str, hits: Sequence[Hit]) -> Iterator[Row]:
    """The context of each hit, cut as that of a quote; a headline and a repost have none."""
    spans = [(hit.start, hit.end) for hit in hits]
    if field != "headline" and not document["is_repost"]:
        yield from contexts_of_spans(document, spans)
        return
    none = dict.fromkeys(("context_start", "context_end", "raw_hash", "masked_hash", "words_left"))
    described = {name: document[name] for name in DESCRIBED}
    status = "headline" if field == "headline" else "repost"
    yield from ({**described, "start": start, "end": end, **none, "status": status} for start, end in spans)


def watched_groups(hits: DataFrame) -> DataFrame:
    """Groups of the watched texts that ``watch_hits`` rows are sure uses of. Grain: ``variant_id``, ``group_id``."""
    ids = [F.col("text_digest").alias(name) for name in ("variant_id", "group_id")]
    return hits.where("status = 'ok' AND sure").select(*ids).dropDuplicates()


def uses_of_hits(hits: DataFrame) -> DataFrame:
    """Sure uses of ``watch_hits`` as uses that topic variation compares; the content columns of ``contexts``."""
    whole = hits.where("context_start IS NOT NULL AND sure")
    as_quote = {"variant_id": F.col("text_digest"), "direct": F.lit(True)}
    as_quote |= dict.fromkeys(("speaker", "named_speaker", "speaker_type"), F.lit(None).cast("string"))
    return whole.withColumns(as_quote).select(*columns("contexts"))
