"""Export views, documents and quotes for other tools: as tables of a DuckDB file, as a Parquet file each, or both.

What is whole takes the place of what is there. Times are UTC, without a time zone. The setting
report.export_duckdb names a DuckDB file that each run writes.
"""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa

from quotelake.commands.lake_access import lake_engine
from quotelake.errors import InputError
from quotelake.files.answers import write_parquet
from quotelake.files.outputs import atomic_output
from quotelake.lake.place import check_writable
from quotelake.query.catalog import columns_of, description_of, reads_of, view_names
from quotelake.query.engines import Engine
from quotelake.settings import ReportSettings


def run(arguments: Namespace) -> None:
    """Write the views that ``--views`` names, or all, to the places that ``--duckdb`` and ``--parquet`` name."""
    if arguments.duckdb is None and arguments.parquet is None:
        raise InputError("nothing to export to: give --duckdb FILE, --parquet DIR, or both")
    names = arguments.views.split(",") if arguments.views else exported()
    for name in names:
        description_of(name)  # a wrong name is refused first
    engine = exporting("export", arguments.lake, arguments.as_of)
    for export, place in ((export_duckdb, arguments.duckdb), (export_parquet, arguments.parquet)):
        if place is not None:
            print(f"{len(names)} views, {export(engine, place, names):,} bytes, written to {place}")


def exported() -> tuple[str, ...]:
    """All views, and the tables that questions about texts join them with."""
    return *view_names(), "documents", "quotes"


def exporting(job: str, root: str, as_of: str | None = None) -> Engine:
    """What answers for an export of a lake: a view that several others read is made once."""
    reads = Counter(read for view in view_names() for read in reads_of(view))
    shared = [view for view in view_names() if reads[view] > 1]
    return lake_engine(job, root, as_of, shared)


def check_target(settings: ReportSettings) -> None:
    """Refuse a file of ``report.export_duckdb`` that cannot be written, by an InputError; it stays as it is."""
    if path := settings.export_duckdb:
        check_writable(str(Path(path).parent), "report.export_duckdb")
        with _refusing(Path(path)):
            pass


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Name a file that is none of DuckDB, or open elsewhere, in an InputError: before the block, or in it."""
    try:
        if path.exists():
            duckdb.connect(path, read_only=True).close()
        yield
    except duckdb.Error as error:
        why = f"cannot be written ({str(error).partition(chr(10))[0]})"
        raise InputError(f"{path}: {why}; close it in other programs, or name another file") from None


def export_duckdb(engine: Engine, path: Path, names: Sequence[str]) -> int:
    """Write views as tables of a DuckDB file with comments, in place of the file that is there; return its bytes.

    An InputError: it cannot be written, is open for writing elsewhere, or is none of DuckDB.
    """
    # Tools bring older releases of DuckDB: from this one on, they read the file.
    connect = partial(duckdb.connect, config={"storage_compatibility_version": "v1.0.0"})
    with _refusing(path), atomic_output(path) as new, connect(new) as file:
        file.execute("BEGIN")
        for name in names:
            batches = engine.batches(f"SELECT * FROM {name}")
            file.from_arrow(batches.schema.empty_table()).create(name)
            for batch in batches:
                file.from_arrow(pa.Table.from_batches([batch])).insert_into(name)
            comments = {f'COLUMN {name}."{column}"': said for column, said in columns_of(name).items()}
            for what, said in {f"TABLE {name}": description_of(name), **comments}.items():
                file.execute(f"COMMENT ON {what} IS '{said.replace(chr(39), chr(39) * 2)}'")
        file.execute("COMMIT")
    return path.stat().st_size


def export_parquet(engine: Engine, folder: Path, names: Sequence[str]) -> int:
    """Write views as Parquet files of a folder, all before the first takes its place; return their bytes."""
    with ExitStack() as written:
        for name in names:
            batches = engine.batches(f"SELECT * FROM {name}")
            write_parquet(batches.schema, batches, written.enter_context(atomic_output(folder / f"{name}.parquet")))
    return sum((folder / f"{name}.parquet").stat().st_size for name in names)
