"""Let people judge how related the topics of a quote's contexts are, and make gold labels and folds of it.

    quotelab annotate export --lake DIR --out DIR [--quotes 40] [--pairs 150] [--tweets ids|masked|texts]
    quotelab annotate gate   --judgments FILE.tsv …
    quotelab annotate import --export DIR --judgments FILE.tsv … --out DIR [--tutorial FILE.tsv …] [--lake DIR]
    quotelab annotate tuples --items FILE.csv --out FILE.csv [--times 8]

export samples pairs of contexts per reused quote, in the format of the annotation tool PhiTag, with guidelines and a
tutorial. gate says who passes the tutorial. import reads judgments back: annotators get pseudonyms, the filters of the
paper give gold labels and folds, agreement is printed. What it writes can be read by `evaluate agreement` and
`train topic-head`. tuples makes 4-tuples of items for best-worst scaling, which `evaluate bws` scores.
"""

import argparse
from pathlib import Path

from quotelab.labels import best_worst
from quotelab.labels.context_pairs.exporting import Choices, read_export, write_export
from quotelab.labels.context_pairs.gold import FOLDS
from quotelab.labels.context_pairs.importing import gate_results, write_judged
from quotelab.labels.context_pairs.lake import Tweets
from quotelab.labels.context_pairs.tutorial import GATE, passed
from quotelab.labels.tables import table_rows, write_csv
from quotelab.protocols.agreement import measure
from quotelab.report import Report
from quotelake.errors import InputError
from quotelake.files.jsonl import find_paths, refuse
from quotelake.query.ask import Ask, reader_of


def run(options: argparse.Namespace) -> None:
    """Run one of the actions."""
    {"export": export, "gate": gate, "import": take_back, "tuples": tuples}[options.action](options)


def export(options: argparse.Namespace) -> None:
    """Write what annotators are given."""
    for name in ("quotes", "contexts", "uses", "pairs", "annotators", "judgments"):
        if getattr(options, name) < 1:
            raise InputError(f"--{name} {getattr(options, name)}: must be 1 or more")
    choices = Choices(
        quotes=options.quotes,
        contexts=options.contexts,
        uses=options.uses,
        pairs=options.pairs,
        annotators=options.annotators,
        judgments=options.judgments,
        tweets=Tweets(options.tweets),
        seed=options.seed,
    )
    counts = write_export(_ask(options.lake), choices, options.out)
    print(", ".join(f"{name} {count:,}" for name, count in counts.items()))
    print(f"written to {options.out}: give each annotator a folder, with the uses, the guidelines and the tutorial")


def gate(options: argparse.Namespace) -> None:
    """Print who passes the tutorial."""
    for who, result in gate_results(find_paths(options.judgments, "--judgments")).items():
        print(
            f"{who:<24} {result:6.3f}  {'passed' if passed(result) else f'not passed: below {GATE}, or items missing'}"
        )


def take_back(options: argparse.Namespace) -> None:
    """Read judgments, write gold labels, folds and agreement."""

    if options.folds < 1:
        raise InputError(f"--folds {options.folds}: must be 1 or more")
    exported = read_export(options.export)
    judged = write_judged(
        exported,
        find_paths(options.judgments, "--judgments"),
        find_paths(options.tutorial, "--tutorial"),
        _ask(options.lake) if options.lake else None,
        measure,
        options.out,
        folds=options.folds,
        seed=options.seed,
    )
    for line in judged.remarks:
        print(line)
    report = Report("agreement", judged.figures, judged.rows)
    report.write(options.out / "agreement.json")
    print(report.as_table())
    print(f"written to {options.out}")


def tuples(options: argparse.Namespace) -> None:
    """Write tuples of items, with empty columns for the choices."""
    if options.times < 1:
        raise InputError(f"--times {options.times}: must be 1 or more")
    columns = (options.column, options.text or options.column)
    rows = [row for _, row in table_rows(options.items, tuple(dict.fromkeys(columns)))]
    items, text_of = [row[columns[0]] for row in rows], {row[columns[0]]: row[columns[1]] for row in rows}
    try:
        made = best_worst.design(items, options.times, options.seed)
    except ValueError as error:
        refuse(str(options.items), str(error), f"give each item once in the column {options.column}")
    header = (*best_worst.ITEM_COLUMNS, *best_worst.CHOICES)
    texts = tuple(f"Text{number}" for number in range(1, best_worst.SIZE + 1)) if options.text else ()
    write_csv(
        options.out,
        (*header, *texts),
        ((*each, "", "", *(text_of[item] for item in each if texts)) for each in made),
    )
    print(f"{len(made):,} tuples of {len(items):,} items written to {options.out}; each annotator fills in a copy")


def _ask(root: str) -> Ask:
    from quotelake.reporting.commands import spark_for

    return reader_of(root, spark_for("annotate", root))


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    actions = parser.add_subparsers(dest="action", required=True)
    write = actions.add_parser("export", help="sample pairs of contexts for people to judge")
    write.add_argument("--lake", default="./lake", help="directory or address of the lake (default: ./lake)")
    write.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    usual = Choices()
    write.add_argument("--quotes", type=int, default=usual.quotes, metavar="N", help="most quotes, drawn by hash (40)")
    write.add_argument("--contexts", type=int, default=usual.contexts, metavar="N", help="fewest contexts of one (10)")
    write.add_argument("--uses", type=int, default=usual.uses, metavar="N", help="most contexts of one (30)")
    write.add_argument("--pairs", type=int, default=usual.pairs, metavar="N", help="most pairs of one (150)")
    write.add_argument("--annotators", type=int, default=usual.annotators, metavar="N", help="people who judge (2)")
    write.add_argument("--judgments", type=int, default=usual.judgments, metavar="N", help="of each pair (2)")
    write.add_argument("--tweets", choices=list(Tweets), default=usual.tweets, help="default: handles masked")
    write.add_argument("--seed", type=int, default=usual.seed, metavar="N", help="another one draws anew (0)")
    check = actions.add_parser("gate", help="show who passes the tutorial")
    check.add_argument("--judgments", nargs="+", required=True, metavar="FILE.tsv", help="judgments of its pairs")
    read = actions.add_parser("import", help="read judgments back")
    read.add_argument("--export", type=Path, required=True, metavar="DIR", help="folder that export wrote")
    read.add_argument("--judgments", nargs="+", required=True, metavar="FILE.tsv", help="of one annotator or several")
    read.add_argument("--tutorial", nargs="+", default=[], metavar="FILE.tsv", help="their judgments of the tutorial")
    read.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    read.add_argument("--lake", metavar="DIR", help="where to take texts from of tweets passed on as ids")
    read.add_argument("--folds", type=int, default=FOLDS, metavar="N", help="most folds (10)")
    read.add_argument("--seed", type=int, default=0, metavar="N", help="of the folds (0)")
    deal = actions.add_parser("tuples", help="make 4-tuples of items for best-worst scaling")
    deal.add_argument("--items", type=Path, required=True, metavar="FILE.csv", help="a row for each item")
    deal.add_argument("--column", default="PairID", help="column that names the item (PairID)")
    deal.add_argument("--text", metavar="COLUMN", help="column that annotators read; copied as Text1 to Text4")
    deal.add_argument("--out", type=Path, required=True, metavar="FILE.csv", help="file to write")
    deal.add_argument("--times", type=int, default=best_worst.TIMES, metavar="N", help="tuples of each item (8)")
    deal.add_argument("--seed", type=int, default=0, metavar="N", help="of the shuffles (0)")
