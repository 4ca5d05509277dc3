"""Measure against labels of people: prints the figures of a protocol, and writes them with --json.

    evaluate.py spans    --data LABELS.jsonl [--texts CORPUS.jsonl.gz] [--part test]
    evaluate.py speakers --data LABELS.jsonl --texts CORPUS.jsonl.gz
    evaluate.py headline_speakers --data LABELS.jsonl --texts CORPUS.jsonl.gz
    evaluate.py polnear  --data POLNEAR.jsonl.gz [--part train]
    evaluate.py contextomy     --data LABELLED.jsonl [--no-model]
    evaluate.py headlines      --data LABELS.jsonl --texts CORPUS.jsonl.gz [--part test] [--no-model]
    evaluate.py alerts         --data LABELS.jsonl --texts CORPUS.jsonl.gz [CORPUS …] [--no-model]
    evaluate.py quotecse       --data KOREAN_1600.jsonl [--model NAME]
    evaluate.py quotecse_pairs --data PAIRS.jsonl [--model NAME]
    evaluate.py trotr          --data FOLDER [--model NAME] [--fine-tune LOSS …] [--cross-encoder MODEL]
    evaluate.py reuse          --data GROUPS.jsonl
    evaluate.py edges          --data PAIRS.jsonl --lake DIR
    evaluate.py trimmed        --data CORPUS/truth-trimmed.jsonl.gz
    evaluate.py watch          --data WATCHLIST.jsonl
    evaluate.py watch_spans    --data USES.tsv
    evaluate.py agreement      --data FOLDER|JUDGMENTS.tsv
    evaluate.py bws            --data ANNOTATIONS.csv
    evaluate.py relatedness    --data PAIRS.csv [--word-vectors FILE] [--sts FILE] [--fine-tune] [--model NAME]
    evaluate.py trac_lake      --data GOLD.csv --lake DIR
    evaluate.py context_pairs  --data PAIRS.jsonl --texts CORPUS.jsonl.gz
    evaluate.py shifts         --data truth-articles.jsonl.gz --texts 'news-*.jsonl.gz'

contextomy scores any labelled file by the shipped detector, with cosines of the model where it knows the language;
headlines holds outcomes and alerts on real articles against the labels of label_headlines.py;
alerts counts the alerts on all articles of the corpora and holds them against readers' labels (rows: id, start and end
of the quote in the title, labels, and in_stratum and drawn of its stratum for the weights);
quotecse trains and tests every detector over the paper's 15 splits, with --model also the paper's perceptron over that
model; quotecse_pairs compares our pair building with that of the file, by containment or with --model by its cosines;
trotr holds topic relatedness and topic variation against judged pairs of contexts, over folds that are in the folder;
reuse groups the texts of the file as a run does and compares the groups with those stated (rows: text, group, and
optionally kind, such as base, copy or truncated); edges verifies pairs of variants of a lake, which a reader judged
(rows: a, b, same);
trimmed compares the uses of quotes that outlets cut (jobs/generate_corpus.py --trimmed N writes such a file);
watch makes changed uses of the texts of a watch-list, and texts that only look like them, and searches them;
watch_spans searches texts for the passages that people marked in them (TSV as in TRoTR: context, lemma,
indices_target_token);
agreement measures how far people agree who judged pairs of contexts (files of PhiTag, as in TRoTR), and derives gold;
bws scores items that people called best or worst of four, and says how reliable the scores are;
relatedness ranks pairs of sentences by overlap, vectors, and models trained over five folds (CSV as in STR-2022);
trac_lake holds the topic variation of the watched texts of a lake against that by people (CSV: lemma, topic_variation);
context_pairs holds cosines of contexts, with the shipped topic head and without, against labels of pairs of contexts;
shifts makes quotes of contexts of a generated corpus, some with a shift of topic, and looks for the shifts.

Runs with plain python and with spark-submit. --data and --texts take several files and globs.
"""

from pathlib import Path

from quotelab.protocols import PROTOCOLS
from quotelab.protocols.commands.arguments import check_options
from quotelake.commands import job_parser
from quotelake.errors import exit_with


def main() -> int:
    """Evaluate, print, write; return the exit code."""
    parser = job_parser("evaluate.py", __doc__)
    parser.add_argument("protocol", choices=PROTOCOLS, metavar="PROTOCOL", help=f"one of {', '.join(PROTOCOLS)}")
    parser.add_argument("--data", action="extend", nargs="+", required=True, metavar="PATH", help="labelled file")
    parser.add_argument(
        "--texts", action="extend", nargs="+", default=[], metavar="PATH", help="corpus that holds the labelled texts"
    )
    parser.add_argument("--lake", metavar="DIR", help="edges, trac_lake: lake to read")
    parser.add_argument("--part", metavar="NAME", help="take only rows of this part, such as dev or test")
    parser.add_argument("--model", metavar="NAME", help="embedding model, as in [model] name")
    parser.add_argument(
        "--word-vectors", type=Path, metavar="FILE", help="relatedness: vectors of words, as of GloVe or word2vec"
    )
    parser.add_argument("--sts", type=Path, metavar="FILE", help="relatedness: similarity of the pairs from STS")
    parser.add_argument("--no-model", action="store_true", help="contextomy, headlines, alerts: without cosines")
    losses = [f"{loss}{mask}" for loss in ("contrastive", "cosent") for mask in ("", "+mask")]
    add = parser.add_argument_group("trotr, relatedness: fine-tuning (without a GPU minutes an epoch)").add_argument
    add(
        "--fine-tune",
        nargs="*",
        choices=losses,
        metavar="LOSS",
        help=f"{', '.join(losses)}; relatedness: no loss named",
    )
    add("--folds", nargs="+", type=int, metavar="N", help="folds to run (default: 1, with a GPU all)")
    add(
        "--rates",
        nargs="+",
        type=float,
        metavar="R",
        help="learning rates (default: 2e-5, with a GPU five)",
    )
    add("--epochs", type=int, default=5, metavar="N", help="at most (default: %(default)s)")
    add("--work", type=Path, default=Path("fine_tuned"), metavar="DIR", help="trainings, taken up again where they are")
    add("--cross-encoder", metavar="MODEL", help="a model that reads both contexts at once")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write figures and rows there")
    arguments = parser.parse_args()
    check_options(arguments, parser)
    report = PROTOCOLS[arguments.protocol](arguments)
    print(report.as_table())
    if arguments.json:
        report.write(arguments.json)
        print(f"{len(report.rows):,} rows written to {arguments.json}")
    return 0


if __name__ == "__main__":
    exit_with(main)
