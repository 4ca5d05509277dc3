"""Measure against labels of people: prints the figures of a protocol, and writes them with --json.

    quotelab evaluate PROTOCOL --data PATH [PATH …] [--texts CORPUS.jsonl.gz …] [--json FILE]

--data and --texts take several files and globs. `spark-submit jobs/evaluate.py` does the same.
"""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import quotelake
from quotelab.report import Report
from quotelake.contextomy.comparison import compared_languages
from quotelake.contextomy.decide import load_detector
from quotelake.embeddings.encoder import Encoder
from quotelake.embeddings.models import DEFAULT
from quotelake.errors import InputError
from quotelake.settings import load_settings

#: Protocol → what it reads by ``--data``, and the options that it reads beside this and ``--json``.
PROTOCOLS: Final = {
    "spans": ("LABELS.jsonl: text, mode, spans", "texts part"),
    "polnear": ("ARTICLES.jsonl: text, attributed_spans, attributions", "part"),
    "attributed": ("ARTICLES.jsonl: text, split, annotations of type, quote, speaker", "part language"),
    "speakers": ("LABELS.jsonl: content, pronoun, names", "texts part"),
    "headline_speakers": ("LABELS.jsonl: quote, speakers", "texts part"),
    "contextomy": ("LABELLED.jsonl: headline_quote, body_quotes, label", "model no_model"),
    "headlines": ("LABELS.jsonl, as `quotelab label` writes it", "texts part model no_model"),
    "alerts": ("LABELS.jsonl: id, start, end, labels, in_stratum, drawn", "texts model no_model"),
    "headlines_written": (
        "HEADLINES.jsonl: id, headline, label, second, kind, optionally set and body",
        "texts part reader readings",
    ),
    "drafts": ("CORPUS.jsonl: id, title, text; parts dev and test are its halves", "part"),
    "quotecse": ("LABELLED.jsonl: headline_quote, body_quotes, label", ""),
    "trotr": ("FOLDER with uses.tsv, instances.tsv, judgments.tsv, folds.json.gz", "model fine_tune cross work"),
    "reuse": ("GROUPS.jsonl: text, group, optionally kind, such as base, copy or truncated", ""),
    "edges": ("PAIRS.jsonl: a, b, same", "lake"),
    "trimmed": ("truth-trimmed.jsonl.gz, as `quotelab generate --trimmed N` writes it", ""),
    "watch": ("WATCHLIST.jsonl", ""),
    "watch_spans": ("USES.tsv: context, lemma, indices_target_token", ""),
    "agreement": ("FOLDER, or judgments.tsv, as PhiTag writes it", ""),
    "bws": ("ANNOTATIONS.csv: Item1 to Item4, BestItem, WorstItem", ""),
    "relatedness": ("PAIRS.csv: Text, Score, optionally SourceID", "model fine_tune work"),
    "trac_lake": ("GOLD.csv: lemma, topic_variation", "lake"),
    "pages": ("FOLDER with the pages and gold.jsonl: file, headline, body, optionally outlet, url", ""),
    "context_pairs": ("PAIRS.jsonl: a, b, labels", "texts model"),
    "shifts": ("truth-articles.jsonl.gz of a generated corpus, with its articles by --texts", "texts model"),
}
#: Options that a protocol cannot do without.
NEEDED: Final = {
    **dict.fromkeys(("edges", "trac_lake"), "--lake DIR"),
    **dict.fromkeys(("alerts", "shifts"), "--texts CORPUS.jsonl.gz"),
}


def configure(parser: ArgumentParser) -> None:
    """Add the arguments; the help says of each protocol what the first paragraph of its module does."""
    lines = ["protocols:"]
    for name, (data, options) in PROTOCOLS.items():
        summary = Path(__file__).with_name(f"{name}.py").read_text("utf-8").split('"""', 2)[1].partition("\n\n")[0]
        given = " ".join(f"[--{option.replace('_', '-')}]" for option in options.split())
        lines += [f"  {name} {given}".rstrip(), f"      --data {data}", f"      {summary.rpartition('``: ')[2]}"]
    parser.epilog = "\n".join(lines)
    add = parser.add_argument
    add("protocol", choices=PROTOCOLS, metavar="PROTOCOL", help="one of those below")
    add("--data", action="extend", nargs="+", required=True, metavar="PATH", help="labelled file")
    add("--texts", action="extend", nargs="+", default=[], metavar="PATH", help="corpus that holds the labelled texts")
    add("--lake", metavar="DIR", help="lake to read")
    add("--part", metavar="NAME", help="take only rows of this part, such as dev or test")
    add("--language", metavar="CODE", help="language of all texts (ISO 639-1), which is else detected")
    add("--model", metavar="NAME", help="embedding model, as in [model] name")
    add("--no-model", action="store_true", help="without cosines")
    add(
        "--fine-tune", action="store_true", help="fine-tune the model in each fold too: hours on CPUs, minutes on a GPU"
    )
    add("--cross", action="store_true", help="with --fine-tune: a model that reads both texts at once too")
    add(
        "--reader",
        metavar="URL",
        help="server of a language model that reads headline and article, which are sent there",
    )
    add("--reader-model", metavar="NAME", help="its model")
    add("--readings", type=Path, metavar="FILE", help="recorded readings; with --reader, those it lacks are added")
    add("--work", metavar="FOLDER", help="of finished trainings, used again by --fine-tune (default: fine_tuned)")
    add("--json", type=Path, metavar="FILE", help="write figures and rows there")


def run(options: Namespace) -> None:
    """Evaluate, print with the seconds that it took, write; those of the CPU count the start too."""
    _check_options(options)
    began = time.monotonic()
    module = import_module(f"quotelab.protocols.{options.protocol}")
    data, given = arguments(options)
    report: Report = module.evaluate(data, **given)
    print(f"{report.as_table()}\n{time.monotonic() - began:,.1f} s, {time.process_time():,.1f} s of CPU")
    if options.json:
        report.write(options.json)
        print(f"{len(report.rows):,} rows written to {options.json}")


def _check_options(options: Namespace) -> None:
    """Refuse an option that the protocol would not read: else figures would not be of what was asked."""
    read = PROTOCOLS[options.protocol][1].split()
    for name in (
        "texts",
        "lake",
        "part",
        "language",
        "model",
        "no_model",
        "fine_tune",
        "cross",
        "work",
        "reader",
        "readings",
    ):
        if getattr(options, name) and name not in read:
            readers = ", ".join(protocol for protocol, (_, names) in PROTOCOLS.items() if name in names.split())
            option = f"--{name.replace('_', '-')}: {options.protocol} reads no such option"
            raise InputError(f"{option}; leave it out (it is of {readers})")
    needed = NEEDED.get(options.protocol)
    if needed and not getattr(options, needed[2:].split()[0]):
        raise InputError(f"{options.protocol}: give {needed}")


def arguments(options: Namespace) -> tuple[Any, dict[str, Any]]:
    """What the ``evaluate`` of a protocol takes: its data, and what is made of the options that it reads."""
    described, read = PROTOCOLS[options.protocol][0], PROTOCOLS[options.protocol][1].split()
    given: dict[str, Any] = {name: getattr(options, name) for name in read if name in ("texts", "part", "language")}
    if "no_model" in read:
        given["encode"] = _judging_encode(options)
    elif "model" in read:
        given["encoder"] = Encoder(options.model or DEFAULT, dtype="float32")
    if options.fine_tune:
        from quotelab.protocols.fine_tuned import SETTINGS, FineTuning  # imports what trains models: seconds

        chosen = [name for name in SETTINGS if options.cross or not name.startswith("cross")]
        given["tuning"] = FineTuning(options.model or DEFAULT, Path(options.work or "fine_tuned"), chosen)
    if options.reader or options.readings:
        from quotelab.labels.readings import Readings  # brings a client of HTTP

        named = [f"reader.url={options.reader}", f"reader.model={options.reader_model or ''}"]
        reader = load_settings(overrides=named).reader if options.reader else None
        given["readings"] = Readings(options.readings, reader)
    if "lake" in read:
        given["run_sql"] = quotelake.open(options.lake).sql
    several = "texts" in read or options.protocol == "bws"
    return options.data if several else _only_file(options, folders=described.startswith("FOLDER")), given


def _only_file(options: Namespace, *, folders: bool) -> Path:
    if len(options.data) != 1:
        raise InputError(f"{options.protocol}: reads one file that holds its texts; give one --data PATH")
    path = Path(options.data[0])
    if not path.is_file() and not (folders and path.is_dir()):
        raise InputError(f"--data {path}: found no such file; check the path")
    return path


def _judging_encode(options: Namespace) -> Callable[[Sequence[str]], Any] | None:
    """The encoder whose cosines count for the detector; None if none was asked for, or where they do not count."""
    settings = load_settings()
    model = options.model or settings.model.name or DEFAULT
    if options.no_model or not compared_languages(settings, load_detector(settings.contextomy), model):
        return None
    return Encoder(model).encode
