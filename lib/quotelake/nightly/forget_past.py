"""The history of tables that lost documents: old versions, exported nights and pages go, or wait for ``maintain``.

The rows are gone before (:mod:`.forget`); what is deleted here is what earlier nights left of them.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from pyspark.sql import DataFrame

from quotelake.lake.contracts import table_names
from quotelake.lake.runs import SNAPSHOTS, Run
from quotelake.lake.stream import follow
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import purge, seal
from quotelake.lake.writing import Transaction
from quotelake.nightly.forget_requests import HISTORY_DUE, PENDING, has_requests, pending_request
from quotelake.nightly.night import Night
from quotelake.nightly.versions import active
from quotelake.program import command
from quotelake.query.lookup import FOLDER as LOOKUP
from quotelake.spark.session import run_in_parallel

#: Pages of past nights.
_PAGES: Final = re.compile(r"(?:alerts|morning)(?:-.*)?\.(?:html|csv|atom|json)|_report\.duckdb")
#: Tables of earlier releases, which nothing reads any more.
_RETIRED: Final = ("topic_details",)
#: Tables without content of documents.
_WITHOUT_CONTENT: Final = ("files", "forgotten", "runs", "versions", "watch_texts")


def forget_past(night: Night) -> None:
    """Delete what shows forgotten documents, and the history of the tables or note that it is due; the run is done."""
    lake, purges = night.lake, pending_request(night.lake)["purge"]
    lake.storage.write(HISTORY_DUE, night.run.run_id)
    for folder in (LOOKUP, "morning"):
        lake.storage.delete_all(folder)
    for page in filter(_PAGES.fullmatch, lake.storage.names("")):
        lake.storage.delete(page)
    if purges:
        night.run.set_progress("forgetting the past")
        purge_tables(lake, night.run.report)
    else:
        night.run.report(f"forgotten; {command('maintain')} deletes the tables as earlier nights left them")
    lake.storage.delete(PENDING)


def purge_if_due(lake: Lake, run: Run) -> None:
    """Purge the history of tables that lost documents, in a run, unless a killed one left documents to be processed."""
    versions = active(lake)
    if lake.storage.read(HISTORY_DUE) is None or versions is None:
        return
    if has_requests(lake) or lake.unfinished(lake.last_run()):
        return run.report(f"a killed run is to be taken up first, by {command('score')}: the history stays until then")

    def unexpected(rows: DataFrame, txn: Transaction, size: int) -> None:
        raise AssertionError("documents that are not processed")

    seal_tables(lake)
    follow(lake, "documents", versions.checkpoint_id, 1 << 60, unexpected)
    lake.complete(run)  # views read the tables as the last complete run left them
    purge_tables(lake, run.report)


def seal_tables(lake: Lake) -> None:
    """Seal all tables that have or had content of documents."""
    run_in_parallel(*(partial(seal, lake, table) for table in tables_with_content(lake)))


def purge_tables(lake: Lake, report: Callable[[str], None]) -> None:
    """Delete earlier versions of sealed tables, and the exported nights."""
    run_in_parallel(*(partial(purge, lake, table) for table in tables_with_content(lake)))
    snapshots = lake.storage.names(SNAPSHOTS)
    for folder in (SNAPSHOTS, *_RETIRED):
        lake.storage.delete_all(folder)
    lake.storage.delete(HISTORY_DUE)
    gone = f", nor {len(snapshots):,} exported snapshots, which are deleted" if snapshots else ""
    report(f"forgotten; the tables as earlier nights left them can no longer be read{gone}")


def tables_with_content(lake: Lake) -> list[str]:
    """Tables that have or had rows with content of documents."""
    return [table for table in table_names() if lake.version(table) > 0 and table not in _WITHOUT_CONTENT]
