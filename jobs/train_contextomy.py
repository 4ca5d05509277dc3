"""Train a detector of contextomized headline quotes, or adjust one to a corpus.

    train_contextomy.py --data LABELLED.jsonl [--features transfer|rich] [--out DETECTOR.json]
    train_contextomy.py --detector DETECTOR.json|default [--calibrate LOCAL.jsonl] [--prior SHARE] --out MOVED.json

LABELLED and LOCAL hold a JSON object per line: headline_quote, body_quotes, label (1 contextomized, 0 modified). The
probabilities of a detector hold for the share of contextomized quotes in its training rows. --calibrate estimates share
and threshold for another corpus from labelled rows drawn from it at random; --prior states the share only (Elkan 2001;
Saerens et al. 2002). Both can be given with --data too. Runs with plain python and with spark-submit; needs no Spark.
"""

from pathlib import Path

from quotelab.labels.headline_quotes import read_labelled
from quotelab.training.contextomy import calibrate, train
from quotelake.commands import job_parser
from quotelake.contextomy.detector import Detector, load
from quotelake.errors import InputError, exit_with
from quotelake.files.outputs import write_whole

SHIPPED = "default"
STRONGEST = 8  # weights shown


def main() -> int:
    """Train or adjust, write, show; return the exit code."""
    parser = job_parser("train_contextomy.py", __doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--data", type=Path, metavar="FILE", help="labelled rows to train on")
    source.add_argument("--detector", metavar="FILE", help="a trained detector to adjust; default: the shipped one")
    parser.add_argument("--features", choices=("transfer", "rich"), default="transfer", help="feature set to train on")
    parser.add_argument("--calibrate", type=Path, metavar="FILE", help="labelled rows of the corpus")
    parser.add_argument("--prior", type=float, metavar="SHARE", help="expected share of contextomized quotes in it")
    parser.add_argument("--out", type=Path, metavar="FILE", help="file to write the detector to")
    options = parser.parse_args()
    if options.prior is not None and not 0 < options.prior < 1:
        raise InputError(f"--prior {options.prior}: not a share; give a number above 0 and below 1")
    if options.detector:
        detector = load(None if options.detector == SHIPPED else Path(options.detector))
    else:
        rows = read_labelled(options.data)
        print(f"{options.data}: {len(rows):,} rows, {sum(row.label for row in rows):,} contextomized")
        detector = train(rows, options.data.stem, options.features, lambda done: print(f"  features of {done:,} rows"))
    if options.calibrate:
        local = read_labelled(options.calibrate)
        detector = calibrate(detector, local, options.calibrate.stem)
        print(f"{options.calibrate}: {len(local):,} rows, expected share {detector.prior.expected:.3f}")
    if options.prior is not None:
        detector = detector.with_prior(options.prior)
    print(summary(detector))
    if options.out:
        write_whole(options.out, detector.to_json())
        print(f"written to {options.out}")
    return 0


def summary(detector: Detector) -> str:
    """Describe the detector for people."""
    strongest = sorted(detector.terms.items(), key=lambda item: -abs(item[1].weight))[:STRONGEST]
    training, at = detector.training, detector.threshold
    width = max(len(name) for name, _ in strongest)
    lines = [
        f"detector {detector.version}: {len(detector.terms)} features, trained on {training.set}, C {training.C:g}",
        *(f"  {name:<{width}}  {term.weight:+.3f} of support" for name, term in strongest),
        "  " + ", ".join(f"{name} {value:.4f}" for name, value in detector.figures.items()) + " on rows held out",
        f"  threshold {at.value:.3f}: precision {_share(at.precision)}, recall {_share(at.recall)} "
        f"on {at.set} ({at.n:,} rows)",
    ]
    return "\n".join(lines)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    exit_with(main)
