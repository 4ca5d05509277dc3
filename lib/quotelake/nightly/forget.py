"""Delete documents: they leave every table, and what they changed is computed without them.

What a request touches is written down before the first row goes, and each step can be repeated: the next run takes up a
killed one. Groups and stories that lose a member are formed anew, and groups that lose a use are scored again. The
history of the tables is deleted then if a user asked, else by the next ``maintain``.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from quotelake.contextomy.stage import texts_to_embed
from quotelake.lake.contracts import columns, contract, table_names
from quotelake.lake.runs import StageCounts, new_run
from quotelake.lake.stream import drop_others
from quotelake.lake.tables import Lake
from quotelake.nightly import forget_requests, places
from quotelake.nightly.annotate import annotate, rows_in
from quotelake.nightly.forget_past import forget_past, seal_tables
from quotelake.nightly.night import Batch, Night
from quotelake.nightly.scores import score_anew, write_comparisons
from quotelake.nightly.set_aside import annotate_or_set_aside
from quotelake.nightly.stories import TEXTS, with_changed_story
from quotelake.reuse.clusters import Place
from quotelake.sources.keyed_hashes import KINDS
from quotelake.sources.rejects import Reason
from quotelake.spark.arrow import count_rows, frame_of_table
from quotelake.spark.session import is_small, run_in_parallel, set_parallelism

_HASHES: Final = ("raw_hash", "masked_hash")


def forget_first(night: Night, score_due: Callable[[Night, StageCounts], None]) -> None:
    """Finish the deletion of a killed run, as a separate run: no night may show half of it."""
    run = new_run(night.run.settings_fingerprint, night.run.night, night.run.report)
    aside = replace(night, run=run, lake=replace(night.lake, run_id=run.run_id, started=run.started))
    forget(aside, score_due)
    aside.lake.complete(run)
    forget_past(aside)


def forget(night: Night, score_due: Callable[[Night, StageCounts], None]) -> None:
    """Delete the requested documents from all tables, not yet their past; before, process those that are due."""
    size = night.lake.bytes_of("documents")
    set_parallelism(night.lake.spark, size)
    night = replace(night, lake=replace(night.lake, small=is_small(size)))
    lake = night.lake
    with night.run.stage("forget") as stage:
        score_due(night, stage)
        night.run.set_progress("forgetting")
        request = forget_requests.pending_request(lake)
        if request["plan"]:
            _carry_out(night, stage, request["plan"])
        if request["asked"]:
            plan = _plan(night, stage, request["asked"])
            lake.storage.write(forget_requests.PENDING, json.dumps(request | {"asked": [], "plan": plan}))
            _carry_out(night, stage, plan)
        if request["purge"]:
            night.run.set_progress("forgetting: sealing the tables")
            seal_tables(lake)
            score_due(night, stage)  # the stream goes on behind what is purged


def _plan(night: Night, stage: StageCounts, entries: Sequence[forget_requests.Entry]) -> dict[str, Any]:
    """Mark the requested ids, and find the documents and all that they touch: lists of ids."""
    lake, wanted = night.lake, {kind: {v for entry in entries for v in entry.get(kind, ())} for kind in KINDS}

    def found(kind: str, values: Iterable[str]) -> list[Any]:
        others = [name for name in (*KINDS, "source") if name != kind]
        return lake.rows_of("documents", lake.ids(kind, values), others).collect() if values else []

    rows = [row for kind, values in wanted.items() for row in found(kind, values)]
    articles = {row["native_key"] for row in rows if row["url"] in wanted["url"]}
    wanted["native_key"] |= articles  # with the versions that have another address
    documents = {row["doc_id"]: row for row in [*rows, *found("native_key", articles)]}
    present = {kind: {row[kind] for row in documents.values()} for kind in KINDS}
    unknown = sum(all(present[kind].isdisjoint(values) for kind, values in entry.items()) for entry in entries)
    stage.count(asked=len(entries), not_in_the_lake=unknown, documents=len(documents))
    forget_requests.write_marks(lake, night.settings, wanted)
    sources = sorted({row["source"] for row in documents.values()})
    with night.batch(stage) as batch:
        return {"documents": sorted(documents), "sources": sources} | _touched(batch, documents) if documents else {}


def _touched(batch: Batch, documents: Iterable[str]) -> dict[str, Any]:
    """Ids of rows that documents touch; ``gone``: those that no other document uses under the active rules."""
    lake, docs = batch.lake, batch.keep(batch.lake.ids("doc_id", documents))

    def of(table: str, keys: DataFrame, *names: str) -> list[set[str]]:
        rows = lake.rows_of(table, keys, names).select(*names).distinct().collect()
        return [{row[name] for row in rows} - {None} for name in names]

    def shared(table: str, name: str, values: Iterable[str]) -> set[str]:
        rows = batch.rows_of(table, lake.ids(name, values), ["doc_id"]).join(docs, "doc_id", "left_anti")
        return {row[0] for row in rows.select(name).distinct().collect()}

    quotes, variants = of("quotes", docs, "quote_id", "variant_id")
    [texts] = of("story_texts", docs, "text_id")
    digests, *of_hits = of("watch_hits", docs, "text_digest", *_HASHES)
    ungrouped = variants - shared("contexts", "variant_id", variants)
    gone_texts = texts - shared("story_texts", "text_id", texts)
    hashes = [one | other for one, other in zip(of("contexts", docs, *_HASHES), of_hits, strict=True)]
    rules = batch.night.rules
    annotated, _ = annotate_or_set_aside(batch, lake.rows_of("documents", docs), partial(annotate, rules=rules))
    headlines = texts_to_embed(rows_in(annotated, "matches"), rules.languages.compared)
    vectors = {row[0] for row in headlines.select("text_hash").collect()}.union(*hashes)
    for name, values in zip(_HASHES, hashes, strict=True):
        vectors -= shared("contexts", name, values) | shared("watch_hits", name, values)
    same = batch.rows_of("quotes", lake.ids("variant_id", variants), ["doc_id", "text"])
    text = F.col("text")  # hashed as :func:`quotelake.text.ids.content_id` does
    hashed = F.substring(F.sha2(F.concat(F.octet_length(text).cast("string"), F.lit(":"), text), 256), 1, 32)
    vectors -= {row[0] for row in same.join(docs, "doc_id", "left_anti").select(hashed).distinct().collect()}
    of_tables = (places.VARIANTS, ungrouped), (TEXTS, gone_texts)
    members = {tables.places: _places(batch, tables, gone) for tables, gone in of_tables}
    concerned = lake.ids("variant_id", variants | members["variant_groups"].keys())
    excerpts = places.touched_excerpts(batch, concerned, concerned)
    return {
        "names": _names(batch, docs),
        "quotes": sorted(quotes),
        "digests": sorted(digests),
        "vectors": sorted(vectors),
        "gone": {
            "variants": sorted(variants - shared("quotes", "variant_id", variants)),
            "variant_groups": sorted(ungrouped),
            "stories": sorted(gone_texts),
        },
        "groups": _groups(batch, variants | excerpts),
        "places": members,
        "excerpts": sorted(excerpts),
    }


def _names(batch: Batch, docs: DataFrame) -> list[str]:
    """Names of ``speaker_aliases`` that only these documents give a speaker."""
    lake = batch.lake
    name = F.coalesce("speaker.name", "speaker.head").alias("name")
    given = lake.stored("speaker_aliases").select("name").distinct()
    given_here = batch.keep(lake.rows_of("quotes", docs, ["speaker"]).select(name).join(given, "name", "left_semi"))
    if given_here.isEmpty():
        return []
    others = lake.read("quotes").join(docs, "doc_id", "left_anti").select(name)
    return sorted(row[0] for row in given_here.join(others, "name", "left_anti").distinct().collect())


def _groups(batch: Batch, variants: Iterable[str]) -> list[str]:
    found = places.groups_of(batch, batch.lake.ids("variant_id", variants)).select("group_id").distinct()
    return sorted(row[0] for row in found.collect())


def _places(batch: Batch, tables: places.ClusterTables, texts: Iterable[str]) -> dict[str, str]:
    """Texts of the components of some texts, with the group of each."""
    ids = batch.rows_of(tables.places, batch.lake.ids(tables.member, texts), ["component_id"])
    rows = batch.rows_of(tables.places, batch.keep(ids.select("component_id").distinct()))
    return {row[0]: row[1] for row in rows.select(tables.member, tables.group).collect()}


def _carry_out(night: Night, stage: StageCounts, plan: Mapping[str, Any]) -> None:
    """Delete what a plan names, and compute anew what it touches. It can be repeated with the same result."""
    if not plan:
        return
    lake, gone = night.lake, plan["gone"]
    _drop_other_versions(night)
    of_documents = [table for table in table_names() if table != "documents" and "doc_id" in columns(table)]
    lone, texts = gone["variant_groups"], gone["stories"]
    doomed: list[tuple[str, str, Sequence[str]]] = [
        *((table, "doc_id", plan["documents"]) for table in of_documents),
        ("alert_reviews", "quote_id", plan["quotes"]),
        ("speaker_aliases", "name", plan["names"]),
        ("embeddings", "text_hash", plan["vectors"]),
        ("variants", "variant_id", gone["variants"]),
        *((table, "variant_id", lone) for table in ("variant_groups", "variant_postings")),
        *(("variant_edges", side, lone) for side in ("a", "b")),
        *(("group_lineage", name, lone) for name in ("group_id", "old_group_id")),
        ("stories", "text_id", texts),
        *(("story_edges", side, texts) for side in ("a", "b")),
    ]
    run_in_parallel(*(partial(lake.delete, *each) for each in doomed if lake.bytes_of(each[0])))
    _hide_rejects(lake, plan)
    with night.batch(stage) as batch:
        _compute_anew(batch, plan)
    lake.delete("documents", "doc_id", plan["documents"])


def _drop_other_versions(night: Night) -> None:
    """Delete the rows of inactive versions, which cannot be computed here without the documents."""
    lake, active = night.lake, night.versions
    now = {name: getattr(active, name) for name in ("rule_version", "detector_version", "fingerprint")}

    def drop(table: str) -> None:
        others = " OR ".join(f"{name} <> '{now[name]}'" for name in now if name in contract(table).key)
        lake.commit(partial(lake.delta(table).delete, others))

    tables = [table for table in table_names() if "rule_version" in contract(table).key and lake.version(table) > 0]
    dropping = partial(run_in_parallel, *(partial(drop, table) for table in tables))
    drop_others(lake.storage, "documents", active.checkpoint_id, dropping)


def _hide_rejects(lake: Lake, plan: Mapping[str, Any]) -> None:
    """Remove the texts of all rejects of the sources, as one may be a document's; and their rows of set-aside ones."""
    rejects, of_documents = lake.delta("rejects"), F.col("source").isin(*plan["sources"])
    lake.commit(partial(rejects.update, of_documents & F.col("raw").isNotNull(), {"raw": F.lit(None)}))
    named = F.regexp_extract("detail", "^document (\\w+):", 1).isin(*plan["documents"])
    lake.commit(partial(rejects.delete, of_documents & (F.col("reason") == Reason.SET_ASIDE.value) & named))


def _compute_anew(batch: Batch, plan: Mapping[str, Any]) -> None:
    """Form groups and stories that lost a member anew, and score all groups that lost a use or changed."""
    lake, version = batch.lake, batch.rule_version
    groups = {*plan["groups"], *_regroup(batch, places.VARIANTS, plan).values()}
    groups.update(plan["places"][places.VARIANTS.places].values())
    left = {*plan["excerpts"]} - {*plan["gone"]["variant_groups"]}
    excerpts = places.place_excerpts(batch, left)
    rows = places.rows_of_places(batch, places.VARIANTS, places.frame_of_placements(lake.spark, excerpts))
    number = lake.replace(rows, "variant_groups")
    lake.delete("variant_groups", "variant_id", sorted(left), version, before=number)
    groups.update(left, (each.group_id for each in excerpts))
    stories, before = _regroup(batch, TEXTS, plan), plan["places"][TEXTS.places]
    changed = sorted(text for text, story in stories.items() if story != before[text])
    digests = set(plan["digests"])
    moved, watched = with_changed_story(batch, changed)
    digests.update(watched)
    groups.update(_groups(batch, moved))
    for table in ("topic_variation", "quote_comparisons"):  # rows that newer ones replaced, too
        lake.delete(table, "group_id", sorted(groups | digests), version)
    placed = places.members_in(batch, lake.ids("group_id", groups))
    hits = batch.keep(batch.rows_of("watch_hits", lake.ids("text_digest", digests)))
    write_comparisons(batch, *score_anew(batch, placed, hits), sorted(groups))


def _regroup(batch: Batch, tables: places.ClusterTables, plan: Mapping[str, Any]) -> dict[str, str]:
    """Group of each remaining text of components, by the remaining pairs; one without pairs leaves the table."""
    lake, left = batch.lake, sorted({*plan["places"][tables.places]} - {*plan["gone"][tables.places]})
    edges = batch.keep(batch.rows_of(tables.edges, lake.ids("a", left)))
    now = {row[0]: Place(row[1], row[2]) for row in places.places_of(edges, tables, count_rows(edges)).collect()}
    lake.delete(tables.places, tables.member, left, batch.rule_version)  # older rows too: they may name what is gone
    if now:
        placed = frame_of_table(lake.spark, places.table_of_places(now))
        lake.replace(places.rows_of_places(batch, tables, placed), tables.places)
    return {text: now[text].group_id if text in now else text for text in left}
