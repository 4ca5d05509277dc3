"""Documents → what each says by itself, in one pass over the text: quotes, contexts, headline matches, watched texts.

The kernels are those of the domains; here they are run one behind the other while a document is in the worker's hands,
so that a text passes from Spark to Python once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, IntegerType, StringType, StructField, StructType

from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.decide import Detector
from quotelake.contextomy.stage import match_schema, matches_of_document
from quotelake.lake.contracts import columns
from quotelake.lake.tables import table_schema
from quotelake.quotes.extract import quotes_of_document
from quotelake.reuse.stories.texts import text_of_document
from quotelake.settings import Settings, TopicSettings
from quotelake.spark.arrow import Row, map_rows
from quotelake.topics.contexts import contexts_of_document
from quotelake.topics.selection import usable
from quotelake.watch.stage import WatchList, hits_of_document

#: Documents handed back to Spark at once: each carries its quotes and contexts, some 50 kB of Python objects.
_DOCUMENTS = 200
_READ = (
    "doc_id", "kind", "outlet", "author_key", "language", "headline", "body", "body_status", "native_key", "is_repost",
)  # fmt: skip


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

    It is the expensive pass over the text: materialise it, then take :func:`quotes_of`, :func:`variants_of`,
    :func:`contexts_of`, :func:`matches_of`, :func:`texts_of` and :func:`hits_of`.

    Args:
        documents: rows of ``documents``.
        rules: what they are annotated by.
    """
    return _annotated(documents, partial(annotate_document, rules=rules))


def search(documents: DataFrame, rules: Rules, watch: WatchList) -> DataFrame:
    """Find watched texts and nothing else. Grain and columns as of :func:`annotate`; only documents with hits.

    Args:
        documents: rows of ``documents``.
        rules: what they are annotated by.
        watch: what is searched for, in the place of the list of ``rules``.
    """
    return _annotated(documents, partial(_search, rules=replace(rules, watch=watch)))


def _annotated(documents: DataFrame, kernel: Callable[[Row], list[Row]]) -> DataFrame:
    quote = StructType([*table_schema("quotes").fields]).add("canonical_text", StringType())
    parts = {
        "quotes": quote.add("canonical_words", IntegerType()),
        "contexts": StructType([*table_schema("contexts").fields]).add("canonical_words", IntegerType()),
        "matches": match_schema(),
        "texts": table_schema("story_texts"),
        "hits": table_schema("watch_hits"),
    }
    arrays = [StructField(name, ArrayType(part)) for name, part in parts.items()]
    schema = StructType([StructField("doc_id", StringType()), *arrays])
    texts = documents.select(*_READ, F.date_format("published_at", "yyyy-MM").alias("period"))
    return map_rows(texts, kernel, schema, at_once=_DOCUMENTS)


def annotate_document(document: Row, rules: Rules) -> list[Row]:
    """Annotate one document.

    Args:
        document: the columns :data:`_READ`, and ``period``, its month.
        rules: what it is annotated by.

    Returns:
        One row, of the columns that :func:`annotate` has.
    """
    settings, version = rules.settings, rules.rule_version
    quotes = list(quotes_of_document(document, version))
    text = text_of_document(document, version)
    named = document | {"text_id": text["text_id"]}
    contexts = contexts_of_document(named, quotes, settings.contexts, version)
    matches = matches_of_document(document, quotes, settings.contextomy, rules.detector, rules.languages)
    hits = hits_of_document(named, lambda: quotes, rules.watch, settings.contexts, version)
    found = {"quotes": quotes, "contexts": list(contexts), "matches": list(matches), "hits": list(hits)}
    return [{"doc_id": document["doc_id"], **found, "texts": [text]}]


def _search(document: Row, rules: Rules) -> list[Row]:
    @cache
    def quotes() -> list[Row]:
        return list(quotes_of_document(document, rules.rule_version))

    @cache
    def text_id() -> str:
        return str(text_of_document(document, rules.rule_version)["text_id"])

    found = hits_of_document(document, quotes, rules.watch, rules.settings.contexts, rules.rule_version)
    hits = [hit | {"text_id": text_id()} for hit in found]
    nothing: dict[str, list[Row]] = {"quotes": [], "contexts": [], "matches": [], "texts": []}
    return [{"doc_id": document["doc_id"], **nothing, "hits": hits}] if hits else []


def quotes_of(annotated: DataFrame) -> DataFrame:
    """Rows of ``quotes``."""
    return _rows(annotated, "quotes").select(*columns("quotes"))


def variants_of(annotated: DataFrame) -> DataFrame:
    """Rows of ``variants``: each canonical text once."""
    named = _rows(annotated, "quotes").where("variant_id IS NOT NULL")
    rows = named.select("variant_id", "canonical_text", F.col("canonical_words").alias("words"))
    return rows.dropDuplicates(["variant_id"]).select(*columns("variants"))


def contexts_of(annotated: DataFrame) -> DataFrame:
    """Rows of ``contexts``."""
    return _rows(annotated, "contexts").select(*columns("contexts"))


def reused_variants_of(annotated: DataFrame, settings: TopicSettings) -> DataFrame:
    """Variants of which these documents hold a use that can be compared. Grain: ``variant_id``."""
    uses = _rows(annotated, "contexts").where(usable(F.col("canonical_words"), settings))
    return uses.select("variant_id").dropDuplicates()


def matches_of(annotated: DataFrame) -> DataFrame:
    """Headline quotes as strings left them. Grain: a headline quote; :func:`match_schema`."""
    return _rows(annotated, "matches")


def hits_of(annotated: DataFrame) -> DataFrame:
    """Rows of ``watch_hits``."""
    return _rows(annotated, "hits").select(*columns("watch_hits"))


def texts_of(annotated: DataFrame) -> DataFrame:
    """Rows of ``story_texts``."""
    return _rows(annotated, "texts").select(*columns("story_texts"))


def count_annotations(annotated: DataFrame) -> dict[str, int]:
    """Count documents, quotes, contexts and headline quotes."""
    sizes = {"quotes": F.size("quotes"), "contexts": F.size("contexts"), "headline_quotes": F.size("matches")}
    counted = annotated.agg(
        F.count("*").alias("documents"), *(F.sum(size).alias(name) for name, size in sizes.items())
    ).first()
    assert counted is not None  # an aggregate without groups has one row
    return {name: int(number or 0) for name, number in counted.asDict().items()}


def _rows(annotated: DataFrame, part: str) -> DataFrame:
    row: Column = F.explode(part).alias("row")
    return annotated.select(row).select("row.*")
