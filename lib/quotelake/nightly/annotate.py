"""Documents → quotes, contexts, headline matches and watched texts of each, in one pass over its text.

The kernels are those of the domains, run one after the other on a document, so that Spark hands a text to Python once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import islice
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, IntegerType, StringType, StructField, StructType

from quotelake.contextomy.comparison import Languages
from quotelake.contextomy.decide import Detector
from quotelake.contextomy.stage import match_schema, matches_of_document
from quotelake.lake.contracts import columns
from quotelake.lake.frames import table_schema
from quotelake.quotes.extract import quotes_of_document
from quotelake.reuse.comparisons import certain_speaker
from quotelake.reuse.stories import text_of_document
from quotelake.settings import Settings
from quotelake.spark.arrow import Row, map_rows, rows_in_arrays
from quotelake.topics.contexts import contexts_of_document
from quotelake.topics.selection import usable
from quotelake.watch.stage import WatchList, hits_of_document

#: Quotes and hits handed back to Spark at once, some 3 kB of Python objects each; a document counts as ten.
_QUOTES: Final = 4000
_DOCUMENT: Final = 10
_READ: Final = (
    "doc_id", "kind", "outlet", "author_key", "language", "headline", "body", "body_status", "native_key", "is_repost",
    "is_quote", "stated_speaker",
)  # fmt: skip
#: Month of publication of a row of ``documents``, YYYY-MM.
MONTH: Final = "date_format(published_on, 'yyyy-MM')"
#: Tables whose rows are found in a document; its headline quotes, ``matches``, are found too.
_TABLES: Final = ("quotes", "contexts", "story_texts", "watch_hits")


@dataclass(frozen=True)
class Rules:
    """Settings, detector, languages, version and watch-list that documents are annotated by."""

    settings: Settings
    detector: Detector
    languages: Languages
    rule_version: str
    watch: WatchList = field(default_factory=WatchList)


def annotate(documents: DataFrame, rules: Rules) -> DataFrame:
    """Find quotes and watched texts, cut contexts, match headlines. Grain: a document; ``doc_id``, arrays of structs.

    ``left_out`` and ``hits_left_out`` count its quotes and uses of watched texts beyond those that settings allow.
    Materialise the result of this expensive pass, then take :func:`rows_in`.
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
    numbers = [StructField(name, IntegerType()) for name in ("left_out", "hits_left_out")]
    schema = StructType([StructField("doc_id", StringType()), *arrays, *numbers])
    texts = documents.selectExpr(*_READ, f"{MONTH} AS period", "published_on AS published")
    return map_rows(texts, kernel, schema, at_once=_QUOTES, weight=_weight)


def _weight(row: Row) -> int:
    return _DOCUMENT + len(row["quotes"]) + len(row["watch_hits"])


def _quotes(document: Row, rules: Rules) -> tuple[list[Row], int]:
    """The first quotes of a document, at most ``quotes.per_document``, and how many more there are: bounds memory."""
    found = quotes_of_document(document, rules.rule_version)
    kept = list(islice(found, rules.settings.quotes.per_document))
    return kept, sum(1 for _ in found)


def annotate_document(document: Row, rules: Rules) -> list[Row]:
    """Annotate one document, given by the columns :data:`_READ` with ``period``, ``published`` → its row."""
    settings, version = rules.settings, rules.rule_version
    quotes, left_out = _quotes(document, rules)
    text = text_of_document(document, version)
    named = document | {"text_id": text["text_id"]}
    speakers = {quote["quote_id"]: certain_speaker(quote["speaker"]) for quote in quotes}
    contexts = contexts_of_document(named, quotes, version)
    hits, hits_left_out = hits_of_document(named, lambda: quotes, rules.watch, settings, version)
    matches = matches_of_document(document, quotes, settings.contextomy, rules.detector, rules.languages)
    return [
        {
            "doc_id": document["doc_id"],
            "quotes": quotes,
            "contexts": [context | {"speaker": speakers[context["quote_id"]]} for context in contexts],
            "story_texts": [text],
            "watch_hits": hits,
            "matches": list(matches),
            "left_out": left_out,
            "hits_left_out": hits_left_out,
        }
    ]


def _search(document: Row, rules: Rules) -> list[Row]:
    """Find watched texts in one document; its quotes are found only if there are any."""
    version = rules.rule_version
    quotes = cache(lambda: _quotes(document, rules)[0])
    hits, hits_left_out = hits_of_document(document, quotes, rules.watch, rules.settings, version)
    if not hits:
        return []
    text_id = text_of_document(document, version)["text_id"]
    row: Row = {"doc_id": document["doc_id"], "left_out": 0, "hits_left_out": hits_left_out}
    row |= {"quotes": [], "contexts": [], "story_texts": [], "matches": []}
    return [row | {"watch_hits": [hit | {"text_id": text_id} for hit in hits]}]


def rows_in(annotated: DataFrame, part: str) -> DataFrame:
    """Rows of a table, or headline quotes, ``matches`` (:func:`~quotelake.contextomy.stage.match_schema`)."""
    return rows_in_arrays(annotated, part, columns(part) if part in _TABLES else ())


def variants_of(annotated: DataFrame) -> DataFrame:
    """Rows of ``variants``: each canonical text once."""
    named = rows_in_arrays(annotated, "quotes").where("variant_id IS NOT NULL")
    rows = named.select("variant_id", "canonical_text", F.col("canonical_words").alias("words"))
    return rows.dropDuplicates(["variant_id"]).select(*columns("variants"))


def reused_variants_of(annotated: DataFrame) -> DataFrame:
    """Variants with a comparable use in these documents. Grain: ``variant_id``."""
    uses = rows_in_arrays(annotated, "contexts").where(usable(F.col("canonical_words")))
    return uses.select("variant_id").dropDuplicates()


def count_annotations(annotated: DataFrame) -> dict[str, int]:
    """Count documents, quotes, contexts and headline quotes; quotes left out where there are any."""
    sizes = {"quotes": "size(quotes)", "contexts": "size(contexts)", "headline_quotes": "size(matches)"}
    sums = (f"sum({size}) AS {name}" for name, size in {**sizes, "quotes_left_out": "left_out"}.items())
    [counted] = annotated.selectExpr("count(*) AS documents", *sums).collect()
    return {name: number or 0 for name, number in counted.asDict().items() if number or name != "quotes_left_out"}
