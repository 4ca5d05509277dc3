"""The chain: files → documents → quotes, watched texts → contextomy, topic variation. Each stage once, in this order.

Spark's own engine drives it: ``documents`` is a stream, each batch is remembered in a checkpoint of the lake, and every
write inside a batch names it. So a run that was killed is taken up where it stopped, and the same run again finds
nothing to do.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Final

from pyspark.sql import DataFrame

from quotelake.contextomy.comparable import compared_languages, languages_of
from quotelake.contextomy.decide import Detector, load_detector
from quotelake.embeddings import models
from quotelake.lake.guard import check, translating_errors
from quotelake.lake.lease import hold
from quotelake.lake.runs import Run, StageCounts
from quotelake.lake.stream import check_remembered, follow
from quotelake.lake.tables import Lake, Transaction
from quotelake.nightly.annotate import Rules
from quotelake.nightly.batch import STEPS, process
from quotelake.nightly.chain import Batch, Chain, Step
from quotelake.nightly.complaints import complaints
from quotelake.nightly.corrections import correct_dates
from quotelake.nightly.intake import Intake, check_author_key, due, listed, read_files
from quotelake.nightly.rescoring import STAGE as RESCORED
from quotelake.nightly.rescoring import is_due, rescore
from quotelake.nightly.versions import active, admit, flip, others_are_ahead, versions_of, versions_to_use
from quotelake.nightly.watching import STAGE as WATCHED
from quotelake.nightly.watching import follow_list, list_to_follow
from quotelake.settings import Settings
from quotelake.sources.check import check_mapping
from quotelake.spark.materialise import Materialised
from quotelake.spark.session import fit, tasks_for
from quotelake.topics.representation import representation_of
from quotelake.watch.lists import Watched, list_of


def score_corpus(
    lake: Lake,
    run: Run,
    settings: Settings,
    inputs: Sequence[tuple[str, str]],
    *,
    activate: bool = False,
    reread: Collection[str] = (),
    watched: Sequence[Watched] | None = None,
) -> list[str]:
    """Read new files, and bring every table up to date with them: the stages of :data:`STAGES`, one after the other.

    Args:
        lake: where the tables are; made if they are not there.
        run: told what each stage did, and written last.
        settings: those of the run.
        inputs: (name of a source in the settings, glob of its files).
        activate: compute the whole archive anew if rules or model changed, instead of refusing.
        reread: sources of which every input file is read again, whatever was read of it before.
        watched: the watch-list; None: that of the settings, or where they have none, that of the last run.

    Returns:
        A complaint about each source of whose records more were rejected or undated than it may have.

    Raises:
        DamageError: tables of the lake are damaged, or the secret of its authors is gone; nothing was written, unless
            it shows only when they are read.
    """
    if watched is None:
        watched = list_of(settings.watch.texts) or None
    files = listed(lake, inputs, reread)
    with translating_errors(lake):
        unread = due(lake, files, settings, reread).files
    for warning in check_mapping(unread, settings):
        run.say(warning)
    models.locate(_model(settings))  # what is wrong with the input or a model is said before anything is written
    detector = load_detector(settings.contextomy)
    with hold(lake.storage, run.run_id, settings.run, run.say), translating_errors(lake):
        check(lake)  # not before: another first run may be making the tables
        check_author_key(lake, settings)
        run.at("making the tables")
        lake.create()
        chain, activating = _chain(lake, run, settings, detector, watched, activate=activate)
        check_remembered(lake, "documents", chain.versions.checkpoint_id, written="quotes")
        intake = Intake(files, reread)
        for stage in STAGES:
            if stage.name == WATCHED and not (chain.rules.watch.texts or chain.rules.watch.given):
                continue
            if stage.name == RESCORED and not is_due(chain):
                continue
            with run.stage(stage.name) as told:
                stage.do(chain, intake, told)
        run.at("completing")
        if activating:
            flip(lake, chain.versions)
        run.complete(lake)
        return complaints(lake, intake, settings)


def _model(settings: Settings) -> str:
    return settings.model.name or models.DEFAULT


def _chain(
    lake: Lake, run: Run, settings: Settings, detector: Detector, watched: Sequence[Watched] | None, *, activate: bool
) -> tuple[Chain, bool]:
    """What every stage works with, and whether its versions become the active ones when all stages are done."""
    model, before = _model(settings), active(lake)
    dtype = before.dtype if settings.model.dtype == "auto" and before is not None else settings.model.dtype
    found = models.find(model, dtype)
    languages = languages_of(settings, compared_languages(settings, detector, model))
    representation = representation_of(settings.topics, model)
    cosines_count = bool(languages.compared)
    versions, differences = versions_to_use(
        before,
        lambda numbers: versions_of(
            settings, detector, found.fingerprint, model, found.dtype, cosines_count=cosines_count,
            representation=representation.name, numbers=numbers,
        ),
        activate=activate,
    )  # fmt: skip
    for difference in differences:
        run.say(f"rows of before stay as they are, though for new documents {difference} (--activate: for all)")
    activating = admit(lake, before, versions, activate=activate)
    watch = list_to_follow(lake, watched, (before or versions).rule_version)
    rules = Rules(settings, detector, languages, versions.rule_version, watch)
    rereads = others_are_ahead(lake, "documents", versions.checkpoint_id)
    return Chain(lake, run, settings, rules, versions, representation, rereads), activating


def _score_documents(chain: Chain, intake: Intake, stage: StageCounts) -> None:
    """New ``documents`` → every table behind them, in batches that a checkpoint of the lake remembers."""

    def take(documents: DataFrame, txn: Transaction) -> None:
        spark, size = documents.sparkSession, _batch_size(chain, intake)
        fit(spark, size)
        tasks = tasks_for(spark, size)
        if tasks > 1:  # as they come, one file of documents is one task, however many articles it holds
            documents = documents.repartition(tasks, "doc_id")
        with Materialised() as materialise:
            process(Batch(chain, txn, stage, materialise, chain.lake.within(spark)), documents)

    follow(chain.lake, "documents", chain.versions.checkpoint_id, chain.settings.run.score_bytes, take)
    if intake.undated:
        correct_dates(chain, intake, stage)


def _batch_size(chain: Chain, intake: Intake) -> int:
    """About how many bytes of documents a batch holds: those of the new files, or where older ones are due too, of all.

    A small batch in many tasks, or a large one in few, would take many times as long.
    """
    older_are_due = chain.rereads or not intake.new_bytes
    due = chain.lake.bytes_of("documents") if older_are_due else intake.new_bytes
    return min(due, chain.settings.run.score_bytes)


#: The chain, stage by stage; the steps of a batch within the second stage are :data:`quotelake.nightly.batch.STEPS`.
STAGES: Final[tuple[Step[Callable[[Chain, Intake, StageCounts], None]], ...]] = (
    Step("documents", read_files, reads=("files", "documents", "rejects"), writes=("documents", "rejects", "files")),
    Step(
        RESCORED,
        rescore,
        reads=("variants", "variant_groups", "contexts", "watch_hits", "stories", "embeddings", "documents"),
        writes=("topic_variation", "topic_details", "embeddings"),
    ),
    Step(
        WATCHED,
        follow_list,
        reads=("watch_texts", "documents", "watch_hits", "contexts", "embeddings"),
        writes=("watch_hits", "watch_texts", "topic_variation", "topic_details", "embeddings"),
    ),
    Step(
        "scores",
        _score_documents,
        reads=tuple(dict.fromkeys(["documents", *(table for step in STEPS for table in step.reads)])),
        # The last two are written where files are read again, whose dates could not be read.
        writes=(*(table for step in STEPS for table in step.writes), "documents", "files"),
    ),
)
