"""Documents → what each says by itself, in one pass over the text: quotes, contexts, headline matches, watched texts.

The kernels are those of the domains; here they are run one behind the other while a document is in the worker's hands,
so that a text passes from Spark to Python once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, IntegerType, StringType, StructField, StructType

from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.decide import Detector
from quotelake.contextomy.stage import match_schema, matches_of_document
from quotelake.lake.contracts import columns
from quotelake.lake.frames import table_schema
from quotelake.quotes.extract import quotes_of_document
from quotelake.reuse.stories import text_of_document
from quotelake.settings import Settings, TopicSettings
from quotelake.spark.arrow import Row, map_rows
from quotelake.topics.contexts import contexts_of_document
from quotelake.topics.selection import usable
from quotelake.watch.stage import WatchList, hits_of_document

#: Documents handed back to Spark at once: each carries its quotes and contexts, some 50 kB of Python objects.
_DOCUMENTS: Final = 200
_READ: Final = (
    "doc_id", "kind", "outlet", "author_key", "language", "headline", "body", "body_status", "native_key", "is_repost",
)  # fmt: skip
#: What is found in a document: rows of tables, and beside them its headline quotes, ``matches``.
_TABLES: Final = ("quotes", "contexts", "story_texts", "watch_hits")


@dataclass(frozen=True)
class Rules:
    """What documents are annotated by."""

    settings: Settings
    detector: Detector
    languages: Languages
    rule_version: str
    watch: WatchList = field(default_factory=WatchList)


def annotate(documents: DataFrame, rules: Rules) -> DataFrame:
    """Find quotes and watched texts, cut contexts, match headlines. Grain: a document; ``doc_id``, arrays of structs.

    It is the expensive pass over the text: materialise it, then take :func:`rows_in` and :func:`variants_of`.
    """
    return _annotated(documents, partial(annotate_document, rules=rules))


def search(documents: DataFrame, rules: Rules, watch: WatchList) -> DataFrame:
    """Find the texts of ``watch`` and nothing else. Grain and columns as of :func:`annotate`; documents with hits."""
    return _annotated(documents, partial(_search, rules=replace(rules, watch=watch)))


def _annotated(documents: DataFrame, kernel: Callable[[Row], list[Row]]) -> DataFrame:
    parts = {name: StructType([*table_schema(name).fields]) for name in _TABLES} | {"matches": match_schema()}
    parts["quotes"] = parts["quotes"].add("canonical_text", StringType()).add("canonical_words", IntegerType())
    parts["contexts"] = parts["contexts"].add("canonical_words", IntegerType())
    arrays = [StructField(name, ArrayType(part)) for name, part in parts.items()]
    schema = StructType([StructField("doc_id", StringType()), *arrays])
    texts = documents.select(*_READ, F.date_format("published_at", "yyyy-MM").alias("period"))
    return map_rows(texts, kernel, schema, at_once=_DOCUMENTS)


def annotate_document(document: Row, rules: Rules) -> list[Row]:
    """Annotate one document: the columns :data:`_READ` and ``period``, its month → one row of :func:`annotate`."""
    settings, version = rules.settings, rules.rule_version
    quotes = list(quotes_of_document(document, version))
    text = text_of_document(document, version)
    named = document | {"text_id": text["text_id"]}
    return [
        {
            "doc_id": document["doc_id"],
            "quotes": quotes,
            "contexts": list(contexts_of_document(named, quotes, settings.contexts, version)),
            "story_texts": [text],
            "watch_hits": list(hits_of_document(named, lambda: quotes, rules.watch, settings.contexts, version)),
            "matches": list(
                matches_of_document(document, quotes, settings.contextomy, rules.detector, rules.languages)
            ),
        }
    ]


def _search(document: Row, rules: Rules) -> list[Row]:
    """Find watched texts in one document; its quotes are only looked for if there are any."""
    version = rules.rule_version
    quotes = cache(lambda: list(quotes_of_document(document, version)))
    hits = list(hits_of_document(document, quotes, rules.watch, rules.settings.contexts, version))
    if not hits:
        return []
    text_id = text_of_document(document, version)["text_id"]
    nothing: dict[str, list[Row]] = {"quotes": [], "contexts": [], "story_texts": [], "matches": []}
    return [{"doc_id": document["doc_id"], **nothing, "watch_hits": [hit | {"text_id": text_id} for hit in hits]}]


def rows_in(annotated: DataFrame, part: str) -> DataFrame:
    """Rows of ``quotes``, ``contexts``, ``story_texts`` or ``watch_hits``.

    Or of ``matches``, the headline quotes as strings left them: :func:`~quotelake.contextomy.stage.match_schema`.
    """
    return _part(annotated, part).select(*(columns(part) if part in _TABLES else "*"))


def variants_of(annotated: DataFrame) -> DataFrame:
    """Rows of ``variants``: each canonical text once."""
    named = _part(annotated, "quotes").where("variant_id IS NOT NULL")
    rows = named.select("variant_id", "canonical_text", F.col("canonical_words").alias("words"))
    return rows.dropDuplicates(["variant_id"]).select(*columns("variants"))


def reused_variants_of(annotated: DataFrame, settings: TopicSettings) -> DataFrame:
    """Variants of which these documents hold a use that can be compared. Grain: ``variant_id``."""
    uses = _part(annotated, "contexts").where(usable(F.col("canonical_words"), settings))
    return uses.select("variant_id").dropDuplicates()


def count_annotations(annotated: DataFrame) -> dict[str, int]:
    """Count documents, quotes, contexts and headline quotes."""
    sizes = {"quotes": F.size("quotes"), "contexts": F.size("contexts"), "headline_quotes": F.size("matches")}
    counted = annotated.agg(
        F.count("*").alias("documents"), *(F.sum(size).alias(name) for name, size in sizes.items())
    ).first()
    assert counted is not None  # an aggregate without groups has one row
    return {name: int(number or 0) for name, number in counted.asDict().items()}


def _part(annotated: DataFrame, name: str) -> DataFrame:
    return annotated.select(F.explode(name).alias("row")).select("row.*")
