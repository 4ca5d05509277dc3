"""Adapters: ``python -m quotelab.benchmarks.adapters NAME TEXTS GROUPS OPTIONS EVENTS`` runs one tool.

``TEXTS`` and ``GROUPS`` are files of :func:`write_texts` and :func:`write_groups`. ``OPTIONS`` is a JSON object;
without options a tool has its own defaults. ``EVENTS`` is the folder for the log of a tool on Spark. Only the standard
library is imported at the start: a public tool runs in an environment that holds just that tool.
"""

import json
import os
import shutil
import struct
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

Options = dict[str, Any]
Groups = Iterable[object]


def datasketch(texts: Path, options: Options, _: str) -> Groups:
    """MinHashLSH of datasketch, by queries as its README has it; ``buckets`` links all texts of a bucket instead."""
    from datasketch import MinHash, MinHashLSH

    words = [text.lower().split() for text in read_texts(texts)]
    sets = [[each.encode() for each in shingles(text, options.get("shingle", 1))] for text in words]
    sizes = {name: options[name] for name in ("num_perm",) if name in options}
    bands = options.get("bands")
    index = MinHashLSH(**sizes, **({"params": (bands, options["num_perm"] // bands)} if bands else {}))
    hashes = list(MinHash.generator(sets, **sizes))
    for number, minhash in enumerate(hashes):
        index.insert(number, minhash)
    pairs = in_buckets(index) if options.get("buckets") else queried(index, hashes)
    # A text without words has the signature of the empty set: that it is like another one is not said.
    return (group if sets[number] else None for number, group in enumerate(components(len(sets), pairs)))


def datatrove(texts: Path, options: Options, _: str) -> Groups:
    """MinHash deduplication of datatrove without its last stage, which removes duplicates; a process for each core."""
    from datatrove.executor.local import LocalPipelineExecutor
    from datatrove.pipeline.dedup import minhash
    from datatrove.pipeline.readers import JsonlReader

    config: Any = minhash.MinhashConfig(**options)
    with tempfile.TemporaryDirectory() as folder:
        signatures, pairs, clusters = (f"{folder}/{name}" for name in ("signatures", "pairs", "clusters"))
        reader = JsonlReader(str(texts.parent), glob_pattern=texts.name)
        stages: tuple[tuple[int, list[Any]], ...] = (
            (1, [reader, minhash.MinhashDedupSignature(signatures, config)]),  # one file is one task
            (config.num_buckets, [minhash.MinhashDedupBuckets(signatures, pairs, config=config)]),
            (1, [minhash.MinhashDedupCluster(pairs, clusters, config=config, save_cluster_id=True)]),
        )
        for number, (tasks, steps) in enumerate(stages):
            workers = min(tasks, os.cpu_count() or 1)
            LocalPipelineExecutor(steps, tasks=tasks, workers=workers, logging_dir=f"{folder}/logs{number}").run()
        found = read_clusters(Path(clusters) / "000000.clusters")
    return (found.get(number) for number in range(len(read_texts(texts))))


def curator(texts: Path, options: Options, events: str) -> Groups:
    """distributed-curator, on local Spark with all cores; Spark has its defaults but for the driver's memory."""
    from distributed_curator import get_jar_path, partition_aware_deduplicate
    from pyspark.sql import SparkSession

    settings = {"spark.jars": get_jar_path(), "spark.driver.memory": "4g", "spark.ui.enabled": "false"}
    settings |= {"spark.driver.host": "localhost", "spark.eventLog.enabled": "true", "spark.eventLog.compress": "false"}
    settings |= {"spark.eventLog.rolling.enabled": "false", "spark.eventLog.dir": f"file:{events}"}
    if "num_partitions" in options:
        settings["spark.sql.shuffle.partitions"] = str(options["num_partitions"])  # as its README advises
    os.environ["PYSPARK_PYTHON"] = sys.executable  # Spark's workers need the tool too
    with tempfile.TemporaryDirectory() as checkpoints:
        settings["spark.sql.warehouse.dir"] = checkpoints
        builder = SparkSession.builder.master("local[*]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        rows = spark.read.schema("id STRING, text STRING").json(str(texts)).withColumnRenamed("id", "doc_id")
        made = partition_aware_deduplicate(spark=spark, input_df=rows, is_input_doc_id_unique=True, **options)
        groups = {row[0]: row[1] for row in made.select("doc_id", "representative_id").collect()}
        kept = spark.sparkContext._jsc.sc().getCheckpointDir()  # below a folder that the tool chooses
        shutil.rmtree(kept.get().removeprefix("file:"))
        spark.stop()
    return (groups[str(number)] for number in range(len(read_texts(texts))))


def quotelake(texts: Path, options: Options, events: str) -> Groups:
    """Our groups, in one process, or by its transforms on local Spark with all cores where ``spark`` is given."""
    if options.get("spark"):
        from quotelab.benchmarks.event_log import EVENT_LOG
        from quotelake.spark.session import get_session

        settings = {**EVENT_LOG, "spark.eventLog.dir": f"file:{events}"}
        settings["spark.driver.memory"] = options.get("memory", "4g")  # all of local Spark
        from quotelab.benchmarks.ours_spark import group

        return group(get_session("bench_reuse", **settings), texts)
    from quotelab.grouping import group_texts

    return group_texts(read_texts(texts))


ADAPTERS = {"quotelake": quotelake, "datasketch": datasketch, "datatrove": datatrove, "distributed-curator": curator}


def write_texts(texts: Iterable[str], path: Path) -> None:
    """Write texts as adapters read them: JSON Lines of ``id``, the number of the line from 0, and ``text``."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": number, "text": text}) + "\n" for number, text in enumerate(texts))


def read_texts(path: Path) -> list[str]:
    """Texts of a file of :func:`write_texts`, in order."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def write_groups(groups: Groups, path: Path) -> None:
    """Write the group of each text, a line each in order; none where a text shares its group with no other."""
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{'' if group is None else group}\n" for group in groups)


def read_groups(path: Path, texts: int) -> list[str | None]:
    """Groups of a file of :func:`write_groups`; a ValueError if there are not as many as texts."""
    with path.open(encoding="utf-8") as lines:
        groups = [line.rstrip("\n") or None for line in lines]
    if len(groups) != texts:
        raise ValueError(f"{len(groups)} groups for {texts} texts: an adapter must write one line a text")
    return groups


def shingles(words: list[str], size: int) -> list[str]:
    """Runs of so many words; of a shorter text, the text."""
    return [" ".join(words[at : at + size]) for at in range(max(1, len(words) - size + 1))] if words else []


def queried(index: Any, hashes: list[Any]) -> Iterator[tuple[int, int]]:
    """Pairs of a text and each result of its query."""
    return ((number, other) for number, minhash in enumerate(hashes) for other in index.query(minhash))


def in_buckets(index: Any) -> Iterator[tuple[int, int]]:
    """Pairs of texts that follow each other in a bucket."""
    for table in index.hashtables:
        for key in table.keys():  # noqa: SIM118 - a storage, not a dictionary
            yield from pairwise(table.get(key))


def components(items: int, pairs: Iterable[Sequence[int]]) -> list[int]:
    """Component of each item, as the least item in it, where pairs are linked.

    >>> components(5, [(0, 3), (3, 4)])
    [0, 1, 2, 0, 0]
    """
    parents = list(range(items))

    def root(item: int) -> int:
        while parents[item] != item:
            parents[item] = item = parents[parents[item]]
        return item

    for one, other in pairs:
        low, high = sorted((root(one), root(other)))
        parents[high] = low
    return [root(item) for item in range(items)]


def read_clusters(path: Path) -> dict[int, int]:
    """Cluster of each text that is in one, from datatrove's records: text and cluster, 4 bytes each."""
    return dict(struct.iter_unpack("<2I", path.read_bytes())) if path.exists() else {}


if __name__ == "__main__":
    tool, source, target, given, log = sys.argv[1:]
    write_groups(ADAPTERS[tool](Path(source), json.loads(given), log), Path(target))
