"""Run the quotation kernel on hostile inputs, and count crashes and wrong offsets.

    .venv/bin/python jobs/fuzz_quotes.py [--inputs N] [--seed N] [--texts CORPUS.jsonl[.gz] …] [--processes N]

Inputs are mutated real text (of the sample corpus unless --texts names others), splices of two texts, random marks, and
random code points, with character references, surrogates, control and combining characters and line breaks of all
kinds. Most are short; one in 200 is up to 20,000 characters long. The same seed, corpus and number of inputs give the
same inputs, whatever the number of processes. If any input fails, the exit status is 1 and failing inputs are written
to a file.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

from quotelab.benchmarks.fuzz import Tally, fuzz
from quotelake.errors import InputError, exit_with
from quotelake.files.jsonl import find_paths, read_texts
from quotelake.sample import sample_path

KEPT = 1000  # most failing inputs written


def main() -> int:
    """Fuzz, print, write what failed; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--texts", action="extend", nargs="+", default=[], metavar="PATH", help="JSONL: title, text")
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)), metavar="N")
    parser.add_argument(
        "--failures", type=Path, metavar="FILE", help="file for failing inputs (default: a temporary file)"
    )
    options = parser.parse_args()
    if options.inputs < 1 or options.processes < 1:
        raise InputError("--inputs and --processes must be 1 at least")
    names = options.texts or [sample_path("news.jsonl"), sample_path("tweets.jsonl")]
    corpora = [read_texts(path) for path in find_paths(names, "--texts")]
    started = time.monotonic()
    total = Tally()
    for tally in fuzz(corpora, options.inputs, options.seed, options.processes):
        total.add(tally)
        if total.inputs * 20 // options.inputs > (total.inputs - tally.inputs) * 20 // options.inputs:
            spent = time.monotonic() - started
            print(f"{total.inputs:>11,} inputs, {len(total.failures)} failures, {spent:,.0f} s", flush=True)
    figures = {
        "inputs": total.inputs,
        "crashes": total.count("crash"),
        "wrong offsets": total.count("offsets"),
        "seconds": round(time.monotonic() - started),
        "seed": options.seed,
        "characters": total.characters,
        "quotes found": total.quotes,
        "speakers found": total.speakers,
    }
    print("\n".join(f"{name:<15}{value:>15,}" for name, value in figures.items()))
    if total.failures:
        path = options.failures or Path(tempfile.gettempdir()) / f"fuzz_quotes_seed_{options.seed}.jsonl"
        # JSON escapes lone surrogates, which no encoding can write.
        path.write_text("".join(json.dumps(failure) + "\n" for failure in total.failures[:KEPT]), "ascii")
        print(f"{min(KEPT, len(total.failures)):,} failing inputs written to {path}")
    return 1 if total.failures else 0


if __name__ == "__main__":
    exit_with(main)
