"""Measure against labels of people: prints the figures of a protocol, and writes them with --json.

    quotelab evaluate spans    --data LABELS.jsonl [--texts CORPUS.jsonl.gz] [--part test]
    quotelab evaluate speakers --data LABELS.jsonl --texts CORPUS.jsonl.gz
    quotelab evaluate headline_speakers --data LABELS.jsonl --texts CORPUS.jsonl.gz
    quotelab evaluate polnear  --data POLNEAR.jsonl.gz [--part train]
    quotelab evaluate contextomy     --data LABELLED.jsonl [--no-model]
    quotelab evaluate headlines      --data LABELS.jsonl --texts CORPUS.jsonl.gz [--part test] [--no-model]
    quotelab evaluate alerts         --data LABELS.jsonl --texts CORPUS.jsonl.gz [CORPUS …] [--no-model]
    quotelab evaluate quotecse       --data KOREAN_1600.jsonl
    quotelab evaluate trotr          --data FOLDER [--model NAME]
    quotelab evaluate reuse          --data GROUPS.jsonl
    quotelab evaluate edges          --data PAIRS.jsonl --lake DIR
    quotelab evaluate trimmed        --data CORPUS/truth-trimmed.jsonl.gz
    quotelab evaluate watch          --data WATCHLIST.jsonl
    quotelab evaluate watch_spans    --data USES.tsv
    quotelab evaluate agreement      --data FOLDER|JUDGMENTS.tsv
    quotelab evaluate bws            --data ANNOTATIONS.csv
    quotelab evaluate relatedness    --data PAIRS.csv [--model NAME]
    quotelab evaluate trac_lake      --data GOLD.csv --lake DIR
    quotelab evaluate context_pairs  --data PAIRS.jsonl --texts CORPUS.jsonl.gz
    quotelab evaluate shifts         --data truth-articles.jsonl.gz --texts 'news-*.jsonl.gz'

contextomy scores any labelled file by the shipped detector, with cosines of the model where it knows the language;
headlines holds outcomes and alerts on real articles against the labels of `quotelab label`;
alerts counts the alerts on all articles of the corpora and holds them against readers' labels (rows: id, start and end
of the quote in the title, labels, and in_stratum and drawn of its stratum for the weights);
quotecse trains and tests every detector over the paper's 15 splits;
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

from argparse import ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from quotelab.report import Report
from quotelake.errors import InputError

if TYPE_CHECKING:
    from quotelake.embeddings.encoder import Encoder

#: Protocol → the options that it reads beside ``--data`` and ``--json``.
PROTOCOLS: Final = {
    "spans": "texts part", "polnear": "part", "speakers": "texts part", "headline_speakers": "texts part",
    "contextomy": "model no_model", "headlines": "texts part model no_model", "alerts": "texts model no_model",
    "quotecse": "", "trotr": "model", "reuse": "", "edges": "lake", "trimmed": "", "watch": "", "watch_spans": "",
    "agreement": "", "bws": "", "relatedness": "model", "trac_lake": "lake", "context_pairs": "texts model",
    "shifts": "texts model",
}  # fmt: skip


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("protocol", choices=PROTOCOLS, metavar="PROTOCOL", help=f"one of {', '.join(PROTOCOLS)}")
    add("--data", action="extend", nargs="+", required=True, metavar="PATH", help="labelled file")
    add("--texts", action="extend", nargs="+", default=[], metavar="PATH", help="corpus that holds the labelled texts")
    add("--lake", metavar="DIR", help="edges, trac_lake: lake to read")
    add("--part", metavar="NAME", help="take only rows of this part, such as dev or test")
    add("--model", metavar="NAME", help="embedding model, as in [model] name")
    add("--no-model", action="store_true", help="contextomy, headlines, alerts: without cosines")
    add("--json", type=Path, metavar="FILE", help="write figures and rows there")


def run(options: Namespace) -> None:
    """Evaluate, print, write."""
    _check_options(options)
    module = import_module(f"quotelab.protocols.{options.protocol}")
    if hasattr(module, "report"):
        report: Report = module.report(options)
    else:
        read = PROTOCOLS[options.protocol].split()
        data = options.data if "texts" in read else only_file(options)
        report = module.evaluate(data, **{name: getattr(options, name) for name in read})
    print(report.as_table())
    if options.json:
        report.write(options.json)
        print(f"{len(report.rows):,} rows written to {options.json}")


def _check_options(options: Namespace) -> None:
    """Refuse an option that the protocol would not read: else figures would not be of what was asked."""
    read = PROTOCOLS[options.protocol].split()
    for name in ("texts", "lake", "part", "model", "no_model"):
        if getattr(options, name) and name not in read:
            readers = ", ".join(protocol for protocol, names in PROTOCOLS.items() if name in names.split())
            option = f"--{name.replace('_', '-')}: {options.protocol} reads no such option"
            raise InputError(f"{option}; leave it out (it is of {readers})")
    if "lake" in read and options.lake is None:
        raise InputError(f"{options.protocol}: reads a lake; give --lake DIR")


def only_file(options: Namespace, *, folders: bool = False) -> Path:
    """The one file of a protocol that reads one, with the texts in it, or the folder of one that may read a folder."""
    if len(options.data) != 1:
        raise InputError(f"{options.protocol}: reads one file that holds its texts; give one --data PATH")
    path = Path(options.data[0])
    if not path.is_file() and not (folders and path.is_dir()):
        raise InputError(f"--data {path}: found no such file; check the path")
    return path


def encoder_of(options: Namespace) -> "Encoder":
    """The encoder that is asked for, in float32; the default one if none is."""
    from quotelake.embeddings.encoder import Encoder
    from quotelake.embeddings.models import DEFAULT

    return Encoder(options.model or DEFAULT, dtype="float32")
