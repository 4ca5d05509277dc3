"""Let people judge how related the topics of a quote's contexts are, and make gold labels and folds of it.

    annotate.py export --lake DIR --out DIR [--quotes 40] [--pairs 150] [--annotators 2] [--tweets ids|masked|texts]
    annotate.py gate   --judgments FILE.tsv …
    annotate.py import --export DIR --judgments FILE.tsv … --out DIR [--tutorial FILE.tsv …] [--lake DIR]
    annotate.py tuples --items FILE.csv --out FILE.csv [--times 8]

export samples pairs of contexts per reused quote, in the format of the annotation tool PhiTag, with guidelines and a
tutorial. gate says who passes the tutorial. import reads judgments back: annotators get pseudonyms, the filters of the
paper give gold labels and folds, agreement is printed. What it writes can be read by evaluate.py agreement and
train_topic_head.py. tuples makes 4-tuples of items for best-worst scaling, which evaluate.py bws scores.
"""

import argparse
from pathlib import Path

from quotelab.labels import best_worst
from quotelab.labels.context_pairs.exporting import Choices, read_export, write_export
from quotelab.labels.context_pairs.folds import FOLDS
from quotelab.labels.context_pairs.importing import gate_results, write_judged
from quotelab.labels.context_pairs.lake import Tweets
from quotelab.labels.context_pairs.tutorial import GATE, passed
from quotelab.labels.context_pairs.writing import write_csv
from quotelab.labels.tables import table_rows
from quotelake.commands import job_parser
from quotelake.errors import InputError, exit_with
from quotelake.files.jsonl import find_paths, refuse
from quotelake.query.ask import Ask, reader_of
from quotelake.reporting.commands import spark_for


def main() -> None:
    """Run one of the actions."""
    arguments = _arguments()
    actions = {"export": export, "gate": gate, "import": take_back, "tuples": tuples}
    actions[arguments.action](arguments)


def export(arguments: argparse.Namespace) -> None:
    """Write what annotators are given."""
    for name in ("quotes", "contexts", "uses", "pairs", "annotators", "judgments"):
        if getattr(arguments, name) < 1:
            raise InputError(f"--{name} {getattr(arguments, name)}: must be 1 or more")
    choices = Choices(
        quotes=arguments.quotes,
        contexts=arguments.contexts,
        uses=arguments.uses,
        pairs=arguments.pairs,
        annotators=arguments.annotators,
        judgments=arguments.judgments,
        tweets=Tweets(arguments.tweets),
        seed=arguments.seed,
    )
    counts = write_export(_ask(arguments.lake), choices, arguments.out)
    print(", ".join(f"{name} {count:,}" for name, count in counts.items()))
    print(f"written to {arguments.out}: give each annotator a folder, with the uses, the guidelines and the tutorial")


def gate(arguments: argparse.Namespace) -> None:
    """Print who passes the tutorial."""
    for who, result in gate_results(find_paths(arguments.judgments, "--judgments")).items():
        print(
            f"{who:<24} {result:6.3f}  {'passed' if passed(result) else f'not passed: below {GATE}, or items missing'}"
        )


def take_back(arguments: argparse.Namespace) -> None:
    """Read judgments, write gold labels, folds and agreement."""
    from quotelab.protocols.judgments import measure
    from quotelab.report import Report

    if arguments.folds < 1:
        raise InputError(f"--folds {arguments.folds}: must be 1 or more")
    exported = read_export(arguments.export)
    judged = write_judged(
        exported,
        find_paths(arguments.judgments, "--judgments"),
        find_paths(arguments.tutorial, "--tutorial"),
        _ask(arguments.lake) if arguments.lake else None,
        measure,
        arguments.out,
        folds=arguments.folds,
        seed=arguments.seed,
    )
    for line in judged.remarks:
        print(line)
    report = Report("agreement", judged.figures, judged.rows)
    report.write(arguments.out / "agreement.json")
    print(report.as_table())
    print(f"written to {arguments.out}")


def tuples(arguments: argparse.Namespace) -> None:
    """Write tuples of items, with empty columns for the choices."""
    if arguments.times < 1:
        raise InputError(f"--times {arguments.times}: must be 1 or more")
    columns = (arguments.column, arguments.text or arguments.column)
    rows = [row for _, row in table_rows(arguments.items, tuple(dict.fromkeys(columns)))]
    items, text_of = [row[columns[0]] for row in rows], {row[columns[0]]: row[columns[1]] for row in rows}
    try:
        made = best_worst.design(items, arguments.times, arguments.seed)
    except ValueError as error:
        refuse(str(arguments.items), str(error), f"give each item once in the column {arguments.column}")
    header, texts = (*best_worst.ITEM_COLUMNS, *best_worst.CHOICES), ()
    if arguments.text:
        texts = tuple(f"Text{number}" for number in range(1, best_worst.SIZE + 1))
    write_csv(
        arguments.out,
        (*header, *texts),
        ((*each, "", "", *(text_of[item] for item in each if texts)) for each in made),
    )
    print(f"{len(made):,} tuples of {len(items):,} items written to {arguments.out}; each annotator fills in a copy")


def _ask(root: str) -> Ask:
    return reader_of(root, spark_for("annotate", root))


def _arguments() -> argparse.Namespace:
    parser = job_parser("annotate.py", __doc__)
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
    return parser.parse_args()


if __name__ == "__main__":
    exit_with(main)
