"""Let people judge how related the topics of a quote's contexts are, and make gold labels and folds of it.

    quotelab annotate export --lake DIR --out DIR [--quotes 40] [--pairs 150] [--tweets ids|masked|texts]
    quotelab annotate gate   --judgments FILE.tsv …
    quotelab annotate import --export DIR --judgments FILE.tsv … --out DIR [--tutorial FILE.tsv …] [--lake DIR]
    quotelab annotate tuples --items FILE.csv --out FILE.csv [--times 8]

export samples pairs of contexts per reused quote, in the format of the annotation tool PhiTag and as sheets that a
spreadsheet opens, with guidelines and a tutorial. gate lists who passes the tutorial. import reads judgments back:
pseudonyms, gold labels, folds, agreement. What it writes is for `evaluate agreement` and `train topic-head`. tuples
makes 4-tuples of items for `evaluate bws`.
"""

import random
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path

import quotelake
from quotelab.annotation.exporting import Choices, read_export, write_export
from quotelab.annotation.importing import FOLDS, GATE, gate_results, write_judged
from quotelab.annotation.lake import Tweets
from quotelab.labels.tables import table_rows, write_csv
from quotelab.labels.texts import find_paths
from quotelab.protocols.bws import CHOICES, ITEM_COLUMNS, SIZE
from quotelab.report import positive
from quotelake.files.jsonl import refuse

TIMES = 8  # tuples of an item, Abdalla et al. 2023, §3.2: twice as many tuples as items
_AHEAD = 64  # waiting items looked at for one that met none of its tuple before


def run(options: Namespace) -> None:
    """Run one of the actions."""
    {"export": _export, "gate": _gate, "import": _import, "tuples": _tuples}[options.action](options)


def _export(options: Namespace) -> None:
    choices = Choices(**{each.name: getattr(options, each.name) for each in fields(Choices)})
    counts = write_export(quotelake.open(options.lake).sql, choices, options.out)
    print(", ".join(f"{name} {count:,}" for name, count in counts.items()))
    print(f"written to {options.out}: give each annotator a folder, with the uses, the guidelines and the tutorial")


def _gate(options: Namespace) -> None:
    for who, result in gate_results(find_paths(options.judgments, "--judgments")).items():
        passed = "passed" if result >= GATE else f"not passed: below {GATE}, or items missing"
        print(f"{who:<24} {result:6.3f}  {passed}")


def _import(options: Namespace) -> None:
    report, remarks = write_judged(
        read_export(options.export),
        find_paths(options.judgments, "--judgments"),
        find_paths(options.tutorial, "--tutorial"),
        quotelake.open(options.lake).sql if options.lake else None,
        options.out,
        folds=options.folds,
        seed=options.seed,
    )
    report.write(options.out / "agreement.json")
    print(*remarks, report.as_table(), f"written to {options.out}", sep="\n")


def _tuples(options: Namespace) -> None:
    columns = (options.column, options.text or options.column)
    rows = [row for _, row in table_rows(options.items, tuple(dict.fromkeys(columns)))]
    text_of = {row[columns[0]]: row[columns[1]] for row in rows}
    try:
        made = design([row[columns[0]] for row in rows], options.times, options.seed)
    except ValueError as error:
        refuse(str(options.items), str(error), f"give each item once in the column {options.column}")
    texts = tuple(f"Text{number}" for number in range(1, len(ITEM_COLUMNS) + 1)) if options.text else ()
    filled = ((*each, "", "", *(text_of[item] for item in each if texts)) for each in made)
    write_csv(options.out, (*ITEM_COLUMNS, *CHOICES, *texts), filled)
    print(f"{len(made):,} tuples of {len(rows):,} items written to {options.out}; each annotator fills in a copy")


def design(items: Sequence[str], times: int = TIMES, seed: int = 0) -> list[tuple[str, ...]]:
    """Put each item into about ``times`` 4-tuples, so that two items meet at most once where that is possible.

    The last items, too few for a tuple, may be in one tuple less. A ValueError: fewer than four items, or one twice.
    """
    if len(items) < SIZE or len(set(items)) < len(items):
        raise ValueError(f"a tuple needs {SIZE} different items, got {len(set(items))} in {len(items)}")
    drawn = random.Random(seed)
    waiting = [item for _ in range(times) for item in drawn.sample(items, len(items))]
    met: dict[str, set[str]] = {item: set() for item in items}
    tuples: list[tuple[str, ...]] = []
    while len(chosen := _take(waiting, met)) == SIZE:
        for item in chosen:
            met[item].update(chosen)
        tuples.append(tuple(drawn.sample(chosen, SIZE)))
    return tuples


def _take(waiting: list[str], met: Mapping[str, set[str]]) -> list[str]:
    """Take different items from the front: first those that met none of the tuple, then others."""
    chosen: list[str] = []
    for strangers in (True, False):
        place = 0
        while len(chosen) < SIZE and place < min(len(waiting), _AHEAD):
            item = waiting[place]
            if item in chosen or (strangers and any(item in met[other] for other in chosen)):
                place += 1
            else:
                chosen.append(waiting.pop(place))
    return chosen


def configure(parser: ArgumentParser) -> None:
    """Add the options."""
    actions = parser.add_subparsers(dest="action", required=True)
    export = actions.add_parser("export", help="sample pairs of contexts for people to judge")
    gate = actions.add_parser("gate", help="show who passes the tutorial")
    back = actions.add_parser("import", help="read judgments back")
    tuples = actions.add_parser("tuples", help="make 4-tuples of items for best-worst scaling")
    export.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    for option in fields(Choices):
        if meaning := option.metadata.get("help"):
            count = int if option.name == "seed" else positive
            export.add_argument(f"--{option.name}", type=count, default=option.default, metavar="N", help=meaning)
    tweets = Tweets.HANDLES_MASKED
    export.add_argument("--tweets", type=Tweets, choices=list(Tweets), default=tweets, help=f"default: {tweets}")
    for each in (gate, back):
        each.add_argument(
            "--judgments", nargs="+", required=True, metavar="FILE", help=".tsv, or a filled-in sheet, .csv"
        )
    back.add_argument("--export", type=Path, required=True, metavar="DIR", help="folder that export wrote")
    back.add_argument("--tutorial", nargs="+", default=[], metavar="FILE.tsv", help="their judgments of the tutorial")
    back.add_argument("--lake", metavar="DIR", help="where to take texts from of tweets passed on as ids")
    back.add_argument("--folds", type=positive, default=FOLDS, metavar="N", help=f"most folds ({FOLDS})")
    for each in (export, back):
        each.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    tuples.add_argument("--items", type=Path, required=True, metavar="FILE.csv", help="a row for each item")
    tuples.add_argument("--column", default="PairID", help="column that names the item (PairID)")
    tuples.add_argument("--text", metavar="COLUMN", help="column that annotators read; copied as Text1 to Text4")
    tuples.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="file to write")
    tuples.add_argument("--times", type=positive, default=TIMES, metavar="N", help=f"tuples of each item ({TIMES})")
    for each in (back, tuples):
        each.add_argument("--seed", type=int, default=0, metavar="N", help="another one deals anew (0)")
