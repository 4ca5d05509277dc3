"""The chain: files → documents → quotes, watched texts → contextomy, topic variation. Each stage once, in this order.

New files of ``documents`` are scored in batches: each is noted in a checkpoint of the lake, and its writes name it. So
the next run goes on where a killed one stopped, and the same run again finds nothing to do.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from functools import partial

from pyspark.sql import DataFrame

from quotelake.contextomy.comparison import compared_languages, languages_of
from quotelake.contextomy.decide import Detector, load_detector
from quotelake.contextomy.stage import score_headlines, texts_to_embed
from quotelake.embeddings import models
from quotelake.errors import InputError
from quotelake.lake.lease import take_lease
from quotelake.lake.page_state import state_before_run
from quotelake.lake.runs import RECOVERED, LastRun, Run, StageCounts
from quotelake.lake.stream import check_remembered, follow, others_are_ahead
from quotelake.lake.tables import Lake
from quotelake.lake.writing import Transaction
from quotelake.nightly import forget_requests, intake, scores
from quotelake.nightly.annotate import Rules, annotate, reused_variants_of, rows_in, variants_of
from quotelake.nightly.forget import forget, forget_first
from quotelake.nightly.forget_past import forget_past
from quotelake.nightly.groups import find_groups, members_of, write_groups, write_pairs
from quotelake.nightly.night import Batch, Night
from quotelake.nightly.set_aside import annotate_or_set_aside, places_set_aside, retry_set_aside
from quotelake.nightly.stories import find_stories, with_changed_story, write_stories
from quotelake.nightly.versions import Versions, active, must_activate, versions_of
from quotelake.nightly.watching import follow_list, list_to_follow, write_hits
from quotelake.settings import Settings, Which
from quotelake.sources.files import COUNTS, PROBLEM_COUNTS, InputFile
from quotelake.spark.arrow import column_of
from quotelake.spark.session import bytes_moved, is_small, run_in_parallel, set_parallelism, tasks_for
from quotelake.topics.head import representation_of
from quotelake.watch.lists import Watched, list_of


def score_corpus(
    lake: Lake,
    run: Run,
    settings: Settings,
    files: Sequence[InputFile],
    *,
    activate: bool = False,
    reread: Collection[str] = (),
    watched: Sequence[Watched] | None = None,
    retry: bool = False,
    forget_request: forget_requests.ForgetRequest | None = None,
    read_again: Which | None = None,
) -> list[str]:
    """Read new files, and bring every table up to date with them, stage by stage; missing tables are made.

    Args:
        lake: where the tables are.
        run: collects the counts of each stage, and is written last.
        settings: those of the run.
        files: all input files (:func:`quotelake.nightly.intake.find_inputs`), read before or not.
        activate: compute the whole archive anew if rules or model changed, instead of refusing.
        reread: sources of which every input file is read again, whatever was read of it before.
        watched: the watch-list; None: that of the settings, or where they have none, that of the last run.
        retry: process documents again that were set aside.
        forget_request: what to delete, beside what records of the inputs ask for.
        read_again: headline quotes that the model of the settings reads though another one has read them.

    Returns:
        A complaint about each source of whose records more were rejected or undated than it may have.

    Raises:
        DamageError: tables of the lake are damaged, or the secret of its authors is missing.
    """
    if watched is None:
        watched = list_of(settings.watch.texts) or None
    # Faults of model and detector are errors before anything is written.
    models.locate(settings.model.name or models.DEFAULT)
    detector = load_detector(settings.contextomy)
    with take_lease(lake.storage, run.run_id, settings.run, run.report), lake.reporting_damage():
        last = lake.check()  # not before: another first run may be making the tables
        now = latest_start(run, last)
        intake.check_author_key(lake, settings)
        run.measured = bytes_moved
        run.set_progress("making the tables")
        lake.create()
        state_before_run(lake.storage, [each.run_id for each in lake.complete_runs()])
        before = active(lake)
        night = _night(lake, run, settings, detector, watched, before, now)
        activating = must_activate(lake, before, night.versions, activate=activate)
        check_remembered(lake, "documents", night.versions.checkpoint_id, written="quotes")
        if forget_requests.has_requests(lake) and before is not None:
            if before != night.versions:
                raise InputError(f"{lake.root}: documents are being forgotten: start once without --activate before")
            forget_first(night, score_due)
        if forget_request is not None:
            sources = {*settings.sources, *(row["source"] for row in lake.small_rows("files", ["source"]))}
            secret = forget_requests.secret_of(lake.root, settings)
            forget_requests.add_requests(lake, forget_requests.entries_of(forget_request, sources, secret))
        killed = lake.unfinished(last)
        with run.stage("documents") as stage:
            todo = intake.due(lake, files, night.settings, reread)  # another run may have read some meanwhile
            stage.count(files=len(todo.new), files_read_before=len(files) - len(todo.new))
            counts = intake.read_files(night, todo, stage)
        nothing = dict.fromkeys((*COUNTS, *PROBLEM_COUNTS), 0)  # of a source without a new file
        run.sources.update({file.source: nothing for file in files})
        run.sources.update(counts)
        if not scores.scores_are_whole(night, before):
            with run.stage("rescored") as stage:
                scores.rescore(night, stage)
        if night.rules.watch.texts or night.rules.watch.given:
            with run.stage("watched") as stage:
                follow_list(night, stage)
        with run.stage("scores") as stage:
            score_due(night, stage)
            if retry:
                retry_set_aside(night, stage, process)
            intake.correct_dates(night, todo, stage, process)
        forgets = forget_requests.has_requests(lake)
        if forgets:
            forget(night, score_due)
        if settings.reader.url:
            from quotelake.nightly.readings import read_headlines  # brings a client of HTTP

            with run.stage("readings") as stage:
                read_headlines(night, stage, read_again)
        run.set_progress("completing")
        if killed:
            with run.stage(RECOVERED) as stage:
                stage.count(**killed)
        if activating:
            lake.append(lake.frame([vars(night.versions)], "versions"), "versions")
        lake.complete(run)
        if forgets:
            forget_past(night)
        return intake.complaints(lake, todo, counts, night.settings)


def latest_start(run: Run, last: LastRun | None) -> datetime:
    """The later start of a run, which may have waited, and the last complete one; warns if the clock went back."""
    if last is None:
        return run.started
    before, now = last.started.replace(tzinfo=UTC), datetime.now(UTC)
    if now < before:
        run.report(
            f"the clock went back: by it, it is {now:%Y-%m-%d %H:%M} UTC, and the last run, {last.run_id}, started at "
            f"{before:%Y-%m-%d %H:%M}; runs are ordered by their commits, so only times in the tables may be wrong"
        )
    return max(run.started, before)


def _night(
    lake: Lake, run: Run, settings: Settings, detector: Detector, watched: Sequence[Watched] | None,
    before: Versions | None, now: datetime,
) -> Night:  # fmt: skip
    """The night of a run; ``before`` are the active versions of the lake."""
    model = settings.model.name or models.DEFAULT
    dtype = before.dtype if settings.model.dtype == "auto" and before is not None else settings.model.dtype
    found = models.find(model, dtype)
    languages = languages_of(settings, compared_languages(settings, detector, model))
    representation = representation_of(settings.topics, model)
    counts = bool(languages.compared)
    versions = versions_of(settings, detector, found, cosines_count=counts, representation=representation.name)
    watch = list_to_follow(lake, watched, (before or versions).rule_version)
    rules = Rules(settings, detector, languages, versions.rule_version, watch)
    rereads = others_are_ahead(lake.storage, "documents", versions.checkpoint_id)
    return Night(lake, run, settings, rules, versions, representation, now, rereads, places_set_aside(lake))


def score_due(night: Night, stage: StageCounts) -> None:
    """Process the documents that the versions of the run have not processed."""
    most, identity = night.settings.run.score_bytes, night.versions.checkpoint_id
    process_batch = partial(_process_batch, night, stage)
    follow(night.lake, "documents", identity, most, process_batch, rereads=night.rereads)


def _process_batch(night: Night, stage: StageCounts, documents: DataFrame, txn: Transaction, size: int) -> None:
    """Process a batch of so many bytes, in tasks by its size."""
    spark = night.lake.spark
    archive = max(map(night.lake.bytes_of, ("contexts", "story_texts", "variant_postings")))
    set_parallelism(spark, size, archive, passed_over=archive)
    tasks = tasks_for(spark, size)
    if tasks > 1:  # as they come, one file of documents is one task, however many articles it holds
        documents = documents.repartition(tasks, "doc_id")
    with night.batch(stage, txn, small=is_small(size)) as batch:
        process(batch, documents)


def process(batch: Batch, documents: DataFrame) -> None:
    """Bring every table behind ``documents`` up to date with new ones, which have a partition for each task.

    First each document by itself: quotes, variants and contexts. Then groups of variants that are one quote, and of
    texts that are copies. Then what needs vectors: outcomes of headline quotes, and topic variation of touched groups.
    """
    night, rules = batch.night, batch.night.rules
    # Documents this run read and has not scored yet; 0 where it takes up what another run read.
    read = next((stage.counts.get("documents", 0) for stage in night.run.stages), 0)
    left = max(read - batch.stage.counts.get("documents", 0), 0)
    night.run.set_progress("scores: finding quotes", "documents", left or None, in_hand=left)
    annotated, counts = annotate_or_set_aside(batch, documents, partial(annotate, rules=rules))
    batch.stage.count(**counts)

    night.run.set_progress("scores: writing quotes and contexts")
    texts = rows_in(annotated, "story_texts")
    uses = rows_in(annotated, "contexts")
    variants, used = batch.keep(variants_of(annotated)), uses.select("variant_id")
    groups, stories, *_ = run_in_parallel(
        lambda: find_groups(batch, batch.keep(variants.join(used, "variant_id", "left_semi")), uses),
        lambda: find_stories(batch, texts),
        lambda: batch.append(rows_in(annotated, "quotes"), "quotes"),
        lambda: batch.append(variants, "variants", new=True),
        lambda: batch.append(uses, "contexts"),
        lambda: write_hits(batch, annotated),
    )
    run_in_parallel(lambda: write_pairs(batch, groups), lambda: batch.append(stories.edges, "story_edges", new=True))

    night.run.set_progress("scores: looking up earlier uses")
    moved_variants, moved_watched = with_changed_story(batch, stories.changed)
    moved = batch.lake.ids("variant_id", moved_variants)
    reused = reused_variants_of(annotated).unionByName(moved).dropDuplicates()
    members = batch.keep(members_of(batch, groups, reused))
    contexts = batch.keep(batch.rows_of("contexts", column_of(members, "variant_id")))
    compared, owners, changed = contexts, members, {*groups.changed}
    if rules.watch.texts:
        changed |= {*moved_watched}
        hits, watched = scores.watched_uses(batch, annotated, moved_watched)
        compared, owners = contexts.select(*hits.columns).unionByName(hits), members.unionByName(watched)
    sampled, counted = scores.choose_uses(batch, compared, owners, stories)
    matches = rows_in(annotated, "matches")
    headlines = texts_to_embed(matches, rules.languages.compared)
    vectors, new_vectors, masked = scores.find_vectors(batch, sampled, headlines)

    def write_topics_of_groups() -> None:
        of_moved = members.join(moved, "variant_id", "left_semi").select("group_id") if moved_variants else None
        every = changed.union(row[0] for row in (of_moved.distinct().collect() if of_moved else ()))
        scores.write_topics(batch, sampled, counted, vectors, masked, sorted(every))

    versions = {"rule_version": batch.rule_version, "detector_version": night.versions.detector_version}
    outcomes = score_headlines(
        matches, vectors, night.settings.contextomy, rules.detector, languages=rules.languages.compared, **versions
    )
    writes: list[Callable[[], object]] = [
        lambda: batch.append(outcomes, "contextomy"),
        write_topics_of_groups,
        lambda: scores.write_comparisons(batch, contexts, members, groups.changed),
    ]
    if new_vectors is None:
        night.run.set_progress("scores: deciding")
    else:  # the progress of the embedding is still shown: Spark works on it within these writes
        # Outside the batch's transaction: a batch that is taken up again finds other texts missing.
        writes.append(partial(batch.lake.append_new, new_vectors, "embeddings"))
    run_in_parallel(*writes)
    run_in_parallel(lambda: write_groups(batch, groups), lambda: write_stories(batch, stories, texts))
