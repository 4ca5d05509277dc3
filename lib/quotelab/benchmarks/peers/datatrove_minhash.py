"""Adapter: the four stages of MinHash deduplication of datatrove, with a process for each core.

The last stage, which removes duplicates, is not run: the third one writes the clusters, which are the groups.
"""

import os
import struct
import tempfile
from pathlib import Path
from typing import Any

from quotelab.benchmarks.peers.contract import adapter_parser, given, read_texts, write_groups


def main() -> None:
    """Group the texts."""
    from datatrove.pipeline.dedup.minhash import MinhashConfig

    parser = adapter_parser(__doc__)
    parser.add_argument("--n-grams", type=int, help="words of a shingle")
    parser.add_argument("--num-buckets", type=int)
    parser.add_argument("--hashes-per-bucket", type=int)
    options = parser.parse_args()
    config = MinhashConfig(**given(options, "n_grams", "num_buckets", "hashes_per_bucket"))
    with tempfile.TemporaryDirectory() as folder:
        run_stages(options.texts, config, folder)
        clusters = read_clusters(Path(folder) / "clusters" / "000000.clusters")
    write_groups((clusters.get(number) for number in range(len(read_texts(options.texts)))), options.groups)


def run_stages(texts: Path, config: Any, folder: str) -> None:
    """Write signatures, pairs of each bucket, and clusters."""
    from datatrove.executor.local import LocalPipelineExecutor
    from datatrove.pipeline.dedup.minhash import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupSignature
    from datatrove.pipeline.readers import JsonlReader

    signatures, pairs, clusters = (f"{folder}/{name}" for name in ("signatures", "pairs", "clusters"))
    buckets: int = config.num_buckets
    stages = (
        # One file of texts is one task: it cannot be split.
        (1, [JsonlReader(str(texts.parent), glob_pattern=texts.name), MinhashDedupSignature(signatures, config)]),
        (buckets, [MinhashDedupBuckets(signatures, pairs, config=config)]),
        (1, [MinhashDedupCluster(pairs, clusters, config=config, save_cluster_id=True)]),
    )
    for number, (tasks, steps) in enumerate(stages):
        workers = min(tasks, os.cpu_count() or 1)
        LocalPipelineExecutor(steps, tasks=tasks, workers=workers, logging_dir=f"{folder}/logs{number}").run()


def read_clusters(path: Path) -> dict[int, int]:
    """Cluster of each text that is in one, from the records of the third stage: text and cluster, 4 bytes each."""
    return dict(struct.iter_unpack("<2I", path.read_bytes())) if path.exists() else {}


if __name__ == "__main__":
    main()
