"""Measure the same night on archives of growing size: the cost should depend on the new records only.

The input, by default the sample corpus, is split. The last N records (N: 30, or 5 % if that is more) are the measured
night, the N before them an earlier night, and the rest is scored as the archive. A larger archive is made of copies of
the scored tables with other ids, texts and vectors, so that it need not be scored. Each night is a run of
`spark-submit jobs/score_corpus.py` on a copy of the lake; the median of each figure counts.

CPU and bytes read are of all processes. Bytes are those passed to `read` calls, from disk or cache, and include the
JVM's files and data sent between processes: the difference to 1x is due to the archive.

Where strace is installed, one more night at each size shows what is read of each table: from the least and the largest
archive, how many bytes an archived record adds, and a new one. A night of 10,000 records on ten million is modelled.
"""

import math
import random
import re
import shutil
import string
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, Final

from delta.tables import DeltaTable
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructField, StructType

from quotelab.benchmarks import night_steps
from quotelab.benchmarks.corpora import Inputs, hold_back, parse_numbers, read_lines, write_lines
from quotelab.benchmarks.cost import measure
from quotelab.benchmarks.event_log import EVENT_LOG
from quotelab.benchmarks.load import (
    FIGURES,
    add_arguments,
    environment,
    figures_of,
    inputs_of,
    score,
    score_arguments,
)
from quotelab.report import positive, progress, show, write_json
from quotelake.lake.contracts import columns, contract, table_names
from quotelake.lake.runs import new_run
from quotelake.lake.stream import follow
from quotelake.lake.tables import Lake
from quotelake.lake.upkeep import HISTORY
from quotelake.nightly.versions import active
from quotelake.settings import load_settings
from quotelake.spark.session import get_session

#: A night of 30 records may hold many of the few broken ones: no reason to end the measurement.
_BROKEN: Final = "ingest.reject_share=1"
#: Ids and hashes: replaced by other hexadecimal digits.
IDS: Final = {
    "doc_id", "native_key", "author_key", "quote_id", "parent", "utterance_id", "variant_id", "group_id",
    "best_quote_id", "second_quote_id", "file_id", "raw_hash", "masked_hash", "text_hash",
    "a", "b", "contained", "component_id", "text_id", "story_id",
    "text_digest", "reference_quote_id", "reference_doc_id",
}  # fmt: skip
#: Names from the input: marked at their end.
NAMES: Final = {"native_id", "url", "path", "conversation_id", "reply_to_id", "quoted_id", "watch_id"}
#: Texts, and the struct that holds texts.
TEXTS: Final = {
    "headline", "body", "text", "match_key", "canonical_text", "speaker", "others_speaker", "raw", "section", "byline",
    "passage", "second_quote", "headline_speaker", "best_speaker", "second_speaker", "named_speaker", "before", "after",
}  # fmt: skip
VECTORS: Final = {"vector"}
_SPOKEN: Final = ("text", "head", "name")  # of the struct speaker
_FILE_BYTES: Final = 128 << 20  # about what compacting a table leaves
#: A file a thread, so that no line is broken by that of another thread.
_TRACE: Final = ("strace", "-ff", "--seccomp-bpf", "-qqq", "-y", "-s", "0", "-e", "trace=read,pread64", "-o")
_READ: Final = re.compile(r"(?:read|pread64)\(\d+<(.*?)>.* = (\d+)$")
_COMMITS: Final = "*/_delta_log/*.json"
_MODEL: Final = (10_000, 10_000_000)  # records of a night, and of its archive
#: Least work of Spark and Delta with which a night is compared.
_PLAIN: Final = """import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
for number in range(10):
    spark.range(100).write.format("delta").mode("append").save(sys.argv[1])
"""
_LETTERS: Final = string.ascii_lowercase + string.ascii_uppercase + string.digits


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add_arguments(parser)
    add = parser.add_argument
    add("--factors", type=parse_numbers, default=(1, 10, 100), help="sizes of the archive (default: 1,10,100)")
    add("--night", type=positive, metavar="N", help="records of the night (default: 30, or 5 %% if more)")
    add("--steps", action="store_true", help="one more night on the archive: jobs, CPU and commits of its steps")
    add("--rounds", type=positive, default=3, help="nights at each size (default: 3)")


def run(options: Any) -> None:
    """Score an archive, multiply it by each factor, measure the same night on each, print the table."""
    lines = read_lines(inputs_of(options), load_settings(options.config))
    count = options.night or max(30, sum(map(len, lines.values())) // 20)
    rest, tonight = hold_back(lines, count)
    archive, last_night = hold_back(rest, count)
    records = sum(map(len, rest.values()))
    figures: dict[int, dict[str, float]] = {}
    tables: dict[int, Counter[str]] = {}
    with tempfile.TemporaryDirectory(prefix="bench_night_", dir=options.work) as folder:
        work = Path(folder)
        before, night = write_lines(last_night, work / "before"), write_lines(tonight, work / "night")
        progress("scoring the archive")
        score(options, work / "lake", write_lines(archive, work / "archive"), _BROKEN)
        for factor in options.factors:
            progress(f"{factor}x: writing the archive, and a night before")
            lake = work / f"lake_{factor}"
            shutil.copytree(work / "lake", lake)
            if factor > 1:
                with ProcessPoolExecutor(1, get_context("spawn")) as pool:  # so that its JVM ends
                    pool.submit(_multiply, str(lake), factor).result()
            score(options, lake, before, _BROKEN)  # the measured night must not pay what only the first one does
            rounds = []
            for number in range(options.rounds):
                progress(f"{factor}x: night {number + 1} of {options.rounds}")
                shutil.copytree(lake, work / "copy")
                rounds.append(figures_of(score(options, work / "copy", night, _BROKEN)))
                shutil.rmtree(work / "copy")
            if options.steps and factor == options.factors[0]:
                progress(f"{factor}x: a night whose steps are named")
                shutil.copytree(lake, work / "copy")
                show_night(options, work / "copy", night)
                shutil.rmtree(work / "copy")
            if shutil.which("strace"):
                progress(f"{factor}x: a night that is traced")
                score(options, lake, night, _BROKEN, under=[*_TRACE, str(work / "trace")])
                tables[records * factor] = bytes_by_table(work.glob("trace.*"), lake)
            figures[factor] = {name: median(each[name] for each in rounds) for name in FIGURES}
            shutil.rmtree(lake)
    least, *others = figures
    columns = ("figure", *(f"{factor}x" for factor in figures), *(f"{factor}x : {least}x" for factor in others))
    rows = []
    for name in FIGURES:
        ratios = (f"{figures[factor][name] / figures[least][name]:.2f}" for factor in others)
        rows.append((name, *(f"{each[name]:,.1f}" for each in figures.values()), *ratios))
    show(f"A night of {count:,} records on an archive of {records:,}, and on larger ones", columns, rows)
    if len(tables) > 1:
        show_model(tables, count)
    write_json(options.json, {"night": count, "archive": records, "figures": figures, "tables": tables})


def show_night(options: Any, lake: Path, night: Inputs) -> None:
    """Run a night and print its steps."""
    events, phases, before = lake / "_events", lake / "_phases.json", set(lake.glob(_COMMITS))
    events.mkdir()
    log = (f"--conf={name}={value}" for name, value in {**EVENT_LOG, "spark.eventLog.dir": f"file:{events}"}.items())
    command = ("spark-submit", *log, night_steps.__file__, *score_arguments(options, lake, night, _BROKEN))
    spent = measure(command, env=environment() | {night_steps.PHASES: str(phases)})
    night_steps.show_steps(events, phases, len({*lake.glob(_COMMITS)} - before))
    (lake / "_plain.py").write_text(_PLAIN, "utf-8")
    plain = measure(("spark-submit", str(lake / "_plain.py"), str(lake / "_plain")), env=environment())
    again = score(options, lake, night, _BROKEN)
    others = f"of the night {spent.cpu:.1f} s; of the same again, with nothing new, {again.cpu:.1f} s"
    progress(f"CPU of a plain session that appends ten times: {plain.cpu:.1f} s; {others}")


def bytes_by_table(traces: Iterable[Path], lake: Path) -> Counter[str]:
    """Bytes read of each table of a lake, its log included, and of the files beside them; the traces are removed."""
    found = Counter[str]()
    for trace in traces:
        with trace.open(errors="replace") as lines:
            for path, number in (match.groups() for line in lines if (match := _READ.match(line))):
                if path.startswith(f"{lake}/"):
                    found[path.removeprefix(f"{lake}/").partition("/")[0]] += int(number)
        trace.unlink()
    return found


def show_model(tables: Mapping[int, Counter[str]], count: int) -> None:
    """Print bytes read of each table by archived records, what one of these adds, and the modelled night."""
    least, *between, most = tables
    night, archive = _MODEL
    slopes = {name: (tables[most][name] - tables[least][name]) / (most - least) for name in tables[most]}
    rests = {name: max(tables[least][name] - least * slope, 0) for name, slope in slopes.items()}
    order = [*sorted(slopes, key=lambda name: -slopes[name]), "all"]
    slopes["all"], rests["all"] = sum(slopes.values()), sum(rests.values())
    read = {size: each | Counter(all=each.total()) for size, each in tables.items()}
    rows = []
    for name in order:
        modelled = f"{(slopes[name] * archive + rests[name] / count * night) / 1e6:,.0f}"
        found = (f"{each[name] / 1e6:,.2f}" for each in read.values())
        rows.append((name, *found, f"{slopes[name]:,.1f}", f"{rests[name] / count:,.0f}", modelled))
    columns = (*(f"{each:,}" for each in tables), "bytes/archived", "bytes/new", f"{night:,} on {archive:,}")
    show("MB read of each table, by archived records", ("table", *columns), rows)
    for size in between:
        by_formula = slopes["all"] * size + rests["all"]
        progress(f"{size:,} archived: by the formula {by_formula / read[size]['all']:.3f} of what was read")


def _multiply(lake: str, factor: int) -> None:
    spark = get_session("bench_night", spark__driver__memory="2g")
    spark.sparkContext.setLogLevel("ERROR")
    multiply(spark, lake, factor)
    spark.stop()


def multiplied_tables() -> tuple[str, ...]:
    """Tables that grow with the archive: all but those of history, and ``files``."""
    return tuple(table for table in table_names() if table not in HISTORY or table == "files")


def multiply(spark: SparkSession, root: str | Path, times: int) -> None:
    """Multiply the archive of a lake with a complete run by ``times``.

    Copy ``k`` of a row has other ids, consistent in all tables. Its texts are written with permuted letters and its
    vectors are rotated, so that compression cannot exploit the copies; lengths, offsets and cosines stay the same. No
    copy shares a quote with another. Views show the copies, and no later run processes them as new.
    """
    run = new_run("multiplied", f"times {times}", lambda line: None)
    lake = Lake(spark, str(root), run.run_id, run.started)
    versions = active(lake)
    assert versions is not None, f"{root} holds no lake with a complete run"
    with run.stage("multiply"):
        for table in multiplied_tables():
            detail = DeltaTable.forPath(spark, lake.path(table)).detail().select("sizeInBytes").first()
            files = math.ceil((times - 1) * (detail["sizeInBytes"] if detail else 0) / _FILE_BYTES)
            if files:
                lake.append(copies(lake.read(table), table, times, files), table)
    # The copies are scored already: an empty pass of the stream moves its checkpoint past them.
    follow(lake, "documents", versions.checkpoint_id, 1 << 60, lambda rows, txn, size: None)
    lake.complete(run)


def copies(rows: DataFrame, table: str, times: int, files: int = 1) -> DataFrame:
    """Copies 1 to ``times - 1`` of every row, with the content columns; ordered, in files, as clustering would."""
    copies_made = [(k, alphabet(k), float(k)) for k in range(1, times)]
    small = rows.sparkSession.createDataFrame(copies_made, "copy INT, alphabet STRING, angle DOUBLE")
    many = rows.crossJoin(F.broadcast(small))
    made = many.select(*(_copied(rows.schema[name]).alias(name) for name in columns(table)))
    by = contract(table).sorted_by or contract(table).key[0]
    return made.repartitionByRange(files, by).sortWithinPartitions(by)


def alphabet(copy: int) -> str:
    """Permutation of letters and digits for copy ``copy``: small letters, capitals and digits each among themselves."""
    order = random.Random(copy)
    parts = (string.ascii_lowercase, string.ascii_uppercase, string.digits)
    return "".join("".join(order.sample(part, len(part))) for part in parts)


def _copied(field: StructField) -> Column:
    name, column = field.name, F.col(field.name)
    if name in IDS:
        digest = F.sha2(F.concat(column, F.lit(":"), F.col("copy").cast("string")), 256)
        return digest.substr(F.lit(1), F.length(column))
    if name in NAMES:
        return F.concat(column, F.lit("~"), F.col("copy").cast("string"))
    if name == "speaker" and isinstance(field.dataType, StructType):
        for part in _SPOKEN:
            column = column.withField(part, _respelled(F.col(f"{name}.{part}")))
        return column
    if name in TEXTS:
        return _respelled(column)
    return _turned(column) if name in VECTORS else column


def _respelled(text: Column) -> Column:
    return F.call_function("translate", text, F.lit(_LETTERS), F.col("alphabet"))


def _turned(vector: Column) -> Column:
    """Rotate pairs of neighbouring coordinates by the copy's angle: lengths and cosines in a copy stay the same."""
    cosine, sine = F.cos("angle"), F.sin("angle")

    def turn(value: Column, place: Column) -> Column:
        even = place % 2 == 0
        other = F.get(vector, F.when(even, place + 1).otherwise(place - 1))  # NULL for the last one of an odd number
        turned = cosine * value + F.when(even, -sine).otherwise(sine) * other
        return F.coalesce(turned, value).cast("float")

    return F.transform(vector, turn)
