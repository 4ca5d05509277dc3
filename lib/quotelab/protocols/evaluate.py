"""Measure against labels of people: prints the figures of a protocol, and writes them with --json.

    quotelab evaluate spans    --data LABELS.jsonl [--texts CORPUS.jsonl.gz] [--part test]
    quotelab evaluate speakers --data LABELS.jsonl --texts CORPUS.jsonl.gz
    quotelab evaluate headline_speakers --data LABELS.jsonl --texts CORPUS.jsonl.gz
    quotelab evaluate polnear  --data POLNEAR.jsonl.gz [--part train]
    quotelab evaluate contextomy     --data LABELLED.jsonl [--no-model]
    quotelab evaluate headlines      --data LABELS.jsonl --texts CORPUS.jsonl.gz [--part test] [--no-model]
    quotelab evaluate alerts         --data LABELS.jsonl --texts CORPUS.jsonl.gz [CORPUS …] [--no-model]
    quotelab evaluate quotecse       --data KOREAN_1600.jsonl
    quotelab evaluate quotecse_pairs --data PAIRS.jsonl [--model NAME]
    quotelab evaluate trotr          --data FOLDER [--model NAME] [--fine-tune LOSS …] [--cross-encoder MODEL]
    quotelab evaluate reuse          --data GROUPS.jsonl
    quotelab evaluate edges          --data PAIRS.jsonl --lake DIR
    quotelab evaluate trimmed        --data CORPUS/truth-trimmed.jsonl.gz
    quotelab evaluate watch          --data WATCHLIST.jsonl
    quotelab evaluate watch_spans    --data USES.tsv
    quotelab evaluate agreement      --data FOLDER|JUDGMENTS.tsv
    quotelab evaluate bws            --data ANNOTATIONS.csv
    quotelab evaluate relatedness    --data PAIRS.csv [--word-vectors FILE] [--fine-tune] [--model NAME]
    quotelab evaluate trac_lake      --data GOLD.csv --lake DIR
    quotelab evaluate context_pairs  --data PAIRS.jsonl --texts CORPUS.jsonl.gz
    quotelab evaluate shifts         --data truth-articles.jsonl.gz --texts 'news-*.jsonl.gz'

contextomy scores any labelled file by the shipped detector, with cosines of the model where it knows the language;
headlines holds outcomes and alerts on real articles against the labels of `quotelab label`;
alerts counts the alerts on all articles of the corpora and holds them against readers' labels (rows: id, start and end
of the quote in the title, labels, and in_stratum and drawn of its stratum for the weights);
quotecse trains and tests every detector over the paper's 15 splits;
quotecse_pairs compares our pair building with that of the file, by containment or with --model by its cosines;
trotr holds topic relatedness and topic variation against judged pairs of contexts, over folds that are in the folder;
reuse groups the texts of the file as a run does and compares the groups with those stated (rows: text, group, and
optionally kind, such as base, copy or truncated); edges verifies pairs of variants of a lake, which a reader judged
(rows: a, b, same);
trimmed compares the uses of quotes that outlets cut (`quotelab generate --trimmed N` writes such a file);
watch makes changed uses of the texts of a watch-list, and texts that only look like them, and searches them;
watch_spans searches texts for the passages that people marked in them (TSV as in TRoTR: context, lemma,
indices_target_token);
agreement measures how far people agree who judged pairs of contexts (files of PhiTag, as in TRoTR), and derives gold;
bws scores items that people called best or worst of four, and says how reliable the scores are;
relatedness ranks pairs of sentences by overlap, vectors, and models trained over five folds (CSV as in STR-2022);
trac_lake holds the topic variation of the watched texts of a lake against that by people (CSV: lemma, topic_variation);
context_pairs holds cosines of contexts, with the shipped topic head and without, against labels of pairs of contexts;
shifts makes quotes of contexts of a generated corpus, some with a shift of topic, and looks for the shifts.

`spark-submit jobs/evaluate.py` does the same. --data and --texts take several files and globs.
"""

import argparse
from argparse import ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from quotelab.report import Report
from quotelake.errors import InputError

if TYPE_CHECKING:
    from quotelake.embeddings.encoder import Encoder


#: Protocol → its module, and the function in it that takes the options.
PROTOCOLS: Final = {
    name: (name, "report")
    for name in (
        "spans", "polnear", "speakers", "headline_speakers", "contextomy", "headlines", "alerts", "quotecse",
        "quotecse_pairs", "trotr", "reuse", "edges", "trimmed", "watch", "watch_spans", "agreement", "bws",
        "relatedness", "trac_lake", "context_pairs", "shifts",
    )
} | {"watch_spans": ("watch", "report_spans"), "trotr": ("trotr.command", "report")}  # fmt: skip


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("protocol", choices=PROTOCOLS, metavar="PROTOCOL", help=f"one of {', '.join(PROTOCOLS)}")
    add("--data", action="extend", nargs="+", required=True, metavar="PATH", help="labelled file")
    add("--texts", action="extend", nargs="+", default=[], metavar="PATH", help="corpus that holds the labelled texts")
    add("--lake", metavar="DIR", help="edges, trac_lake: lake to read")
    add("--part", metavar="NAME", help="take only rows of this part, such as dev or test")
    add("--model", metavar="NAME", help="embedding model, as in [model] name")
    add("--word-vectors", type=Path, metavar="FILE", help="relatedness: vectors of words, as of GloVe or word2vec")
    add("--no-model", action="store_true", help="contextomy, headlines, alerts: without cosines")
    add("--json", type=Path, metavar="FILE", help="write figures and rows there")
    losses = [f"{loss}{mask}" for loss in ("contrastive", "cosent") for mask in ("", "+mask")]
    add = parser.add_argument_group("trotr, relatedness: fine-tuning (without a GPU minutes an epoch)").add_argument
    add("--fine-tune", nargs="*", choices=losses, metavar="LOSS", help=f"{', '.join(losses)}; relatedness: none named")
    add("--folds", nargs="+", type=int, metavar="N", help="folds to run (default: 1, with a GPU all)")
    add("--rates", nargs="+", type=float, metavar="R", help="learning rates (default: 2e-5, with a GPU five)")
    add("--epochs", type=int, default=5, metavar="N", help="at most (default: %(default)s)")
    add("--work", type=Path, default=Path("fine_tuned"), metavar="DIR", help="trainings, taken up again where they are")
    add("--cross-encoder", metavar="MODEL", help="a model that reads both contexts at once")


def run(options: Namespace) -> None:
    """Evaluate, print, write."""
    parser = ArgumentParser()
    configure(parser)
    check_options(options, parser)
    module, function = PROTOCOLS[options.protocol]
    report: Report = getattr(import_module(f"quotelab.protocols.{module}"), function)(options)
    print(report.as_table())
    if options.json:
        report.write(options.json)
        print(f"{len(report.rows):,} rows written to {options.json}")


#: Option → the protocols that read it; all read ``--data`` and ``--json``.
READ_BY: Final = {
    "texts": "spans speakers headline_speakers headlines alerts context_pairs shifts",
    "lake": "edges trac_lake",
    "part": "spans polnear speakers headline_speakers headlines",
    "model": "contextomy headlines alerts quotecse_pairs trotr relatedness context_pairs shifts",
    "no_model": "contextomy headlines alerts",
    "word_vectors": "relatedness",
    "fine_tune": "trotr relatedness",
    "rates": "trotr relatedness",
    "epochs": "trotr relatedness",
    "work": "trotr relatedness",
    "folds": "trotr",
    "cross_encoder": "trotr",
}


def check_options(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Refuse an option that the protocol would not read: else figures would not be of what was asked.

    Raises:
        InputError: there is one; or an option is out of its range.
    """
    if options.epochs < 1:
        raise InputError(f"--epochs {options.epochs}: must be 1 or more")
    for rate in options.rates or ():
        if not 0 < rate < float("inf"):
            raise InputError(f"--rates {rate:g}: must be above 0, such as 2e-5")
    for name, protocols in READ_BY.items():
        readers = protocols.split()
        if getattr(options, name) != parser.get_default(name) and options.protocol not in readers:
            option = f"--{name.replace('_', '-')}: {options.protocol} reads no such option"
            raise InputError(f"{option}; leave it out (it is of {', '.join(readers)})")
        if name == "lake" and options.lake is None and options.protocol in readers:
            raise InputError(f"{options.protocol}: reads a lake; give --lake DIR")


def only_file(options: argparse.Namespace, *, folders: bool = False) -> Path:
    """The one file of a protocol that reads one, with the texts in it, or the folder of one that may read a folder."""
    if len(options.data) != 1:
        raise InputError(f"{options.protocol}: reads one file that holds its texts; give one --data PATH")
    path = Path(options.data[0])
    if not path.is_file() and not (folders and path.is_dir()):
        raise InputError(f"--data {path}: found no such file; check the path")
    return path


def encoder_of(options: argparse.Namespace) -> "Encoder":
    """The encoder that is asked for, in float32; the default one if none is."""
    from quotelake.embeddings.encoder import Encoder
    from quotelake.embeddings.models import DEFAULT

    return Encoder(options.model or DEFAULT, dtype="float32")
