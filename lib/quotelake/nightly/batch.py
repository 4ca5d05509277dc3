"""A batch of new documents → every table behind ``documents``, in the steps of :data:`STEPS`.

First what each document says by itself: its quotes, variants and contexts. Then which variants are the same quote, and
which texts tell the same story. Then what needs vectors: the outcomes of headline quotes, and the topic variation of
the groups that the documents touch.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from pyspark.sql import DataFrame

from quotelake.nightly.annotate import (
    annotate,
    contexts_of,
    count_annotations,
    hits_of,
    quotes_of,
    texts_of,
    variants_of,
)
from quotelake.nightly.chain import Batch, Frames, Step
from quotelake.nightly.meanings import add_meanings
from quotelake.nightly.regrouping import apart, compare, keep_groups, lineage, new_variants, regroup
from quotelake.nightly.same_story import find_stories, keep_stories
from quotelake.nightly.scoring import find_uses, find_vectors, write_scores
from quotelake.spark.together import together


def process(batch: Batch, documents: DataFrame) -> None:
    """Bring every table up to date with new documents.

    Args:
        batch: what the steps work with.
        documents: rows of ``documents``, in as many partitions as the pass over their text is to have tasks.
    """
    frames = Frames(documents)
    for step in STEPS:
        step.do(batch, frames)


def _annotate(batch: Batch, frames: Frames) -> None:
    """Pass over the text, once."""
    total = _documents_left(batch)
    batch.chain.run.at("scores: finding quotes", "documents", total, in_hand=total or 0)
    frames.annotated = batch.materialise(annotate(frames.documents, batch.chain.rules))
    batch.stage.count(**count_annotations(frames.annotated))


def _documents_left(batch: Batch) -> int | None:
    """Documents this run read and has not scored yet; None where it takes up what another run read."""
    read = next((stage.counts.get("documents", 0) for stage in batch.chain.run.stages), 0)
    return max(read - batch.stage.counts.get("documents", 0), 0) or None


def _write_annotations(batch: Batch, frames: Frames) -> None:
    """Write what the documents say, and beside it compare the new variants."""
    batch.chain.run.at("scores: writing quotes and contexts")
    annotated = frames.annotated
    together(
        lambda: _compare(batch, frames),
        lambda: _find_stories(batch, frames),
        lambda: batch.append(quotes_of(annotated), "quotes"),
        lambda: batch.append_new(variants_of(annotated), "variants"),
        lambda: batch.append(contexts_of(annotated), "contexts"),
        *([partial(write_hits, batch, frames)] if batch.chain.rules.watch.texts else []),
    )


def _compare(batch: Batch, frames: Frames) -> None:
    """Find the pairs of new variants, and the groups that these make."""
    lake, rule_version = batch.lake, batch.chain.versions.rule_version
    used = contexts_of(frames.annotated).select("variant_id").dropDuplicates()
    variants = variants_of(frames.annotated).join(used, "variant_id", "left_semi")
    new = batch.materialise(new_variants(lake, variants, rule_version))
    if batch.chain.settings.reuse.compare:
        frames.compared = compare(lake, new, rule_version, batch.materialise)
    else:
        frames.compared = apart(lake, new)
    if batch.chain.settings.reuse.semantic:
        frames.compared = add_meanings(batch, frames.compared)
    frames.regrouped = regroup(lake, frames.compared, rule_version, batch.materialise)
    batch.stage.count(**frames.compared.counts, variants_moved=len(frames.regrouped.moved))


def _find_stories(batch: Batch, frames: Frames) -> None:
    """Find the copies of the new texts, and the stories that these make."""
    version = batch.chain.versions.rule_version
    frames.storied = find_stories(batch.lake, texts_of(frames.annotated), version, batch.materialise)
    batch.stage.count(**frames.storied.counts)


def _write_pairs(batch: Batch, frames: Frames) -> None:
    """Write the pairs before the groups: a batch that is taken up again has the same new variants until these are."""
    compared, changes, chain = frames.compared, frames.regrouped.changes, batch.chain
    writes: list[Callable[[], None]] = []
    if compared.counts["variants_compared"]:
        writes.append(partial(batch.append, compared.postings, "variant_postings"))
    if compared.counts["pairs"]:
        writes.append(partial(batch.append, compared.edges, "variant_edges"))
    if compared.vectors is not None:
        writes.append(partial(batch.lake.append_new, compared.vectors, "embeddings"))
    if changes:
        rows = lineage(batch.lake, changes, chain.versions.rule_version, chain.run.night)
        writes.append(partial(batch.lake.append, rows, "group_lineage", batch.txn))
    if frames.storied.counts["texts_placed"]:
        writes.append(partial(batch.append, frames.storied.edges, "story_edges"))
    together(*writes)


def write_hits(batch: Batch, frames: Frames) -> None:
    """Write the uses of watched texts; the search of the archive may have written them before."""
    hits = hits_of(frames.annotated)
    batch.stage.count(watch_hits=hits.count())
    batch.lake.append_new(hits, "watch_hits")


def _write_groups(batch: Batch, frames: Frames) -> None:
    texts = texts_of(frames.annotated)
    together(
        lambda: keep_groups(batch.lake, frames.regrouped),
        lambda: keep_stories(batch.lake, frames.storied, texts, batch.txn, again=batch.chain.rereads),
    )


#: A batch, step by step: each works with what those before it found and wrote.
STEPS: Final[tuple[Step[Callable[[Batch, Frames], None]], ...]] = (
    Step("annotations", _annotate),
    Step(
        "quotes, variants, contexts",
        _write_annotations,
        reads=(
            *("variant_groups", "variant_postings", "variants", "variant_edges"),
            *("story_texts", "story_edges", "stories"),
        ),
        writes=("quotes", "variants", "contexts", "watch_hits"),
    ),
    Step("pairs", _write_pairs, writes=("variant_edges", "variant_postings", "group_lineage", "story_edges")),
    Step("uses", find_uses, reads=("contexts", "variant_groups", "watch_hits", "stories", "story_texts", "variants")),
    Step("vectors", find_vectors, reads=("embeddings", "documents")),
    Step(
        "outcomes, topic variation, comparisons",
        write_scores,
        reads=("documents", "quotes"),
        writes=("contextomy", "topic_variation", "topic_details", "quote_comparisons", "embeddings"),
    ),
    Step("groups, stories", _write_groups, writes=("variant_groups", "stories", "story_texts")),
)
