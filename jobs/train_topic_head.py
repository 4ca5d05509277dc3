"""Train a topic head on judged pairs of contexts: a linear map on stored vectors that makes cosines rank topics better.

    train_topic_head.py --data FOLDER --out HEAD [--model NAME]

FOLDER holds uses.tsv, instances.tsv and judgments.tsv as in TRoTR (docs/CODEBOOK.md). Writes HEAD.safetensors and
HEAD.json, its card: the pairs, the encoder, and figures on reused texts held out. A head fits the vectors of its
encoder only; no text is embedded again when it is trained anew. Runs with plain python; needs no Spark.
"""

from pathlib import Path

from quotelab.labels.trotr import read_judged
from quotelake.commands import job_parser
from quotelake.embeddings.models import DEFAULT
from quotelake.errors import exit_with
from quotelake.topics.head import RAW_WEIGHT, files_of, save


def main() -> int:
    """Embed, train, write, show; return the exit code."""
    parser = job_parser("train_topic_head.py", __doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="judged pairs of contexts")
    parser.add_argument("--out", type=Path, required=True, metavar="HEAD", help="files to write, without their suffix")
    parser.add_argument("--model", default=DEFAULT, metavar="NAME", help=f"embedding model (default: {DEFAULT})")
    parser.add_argument(
        "--raw-weight", type=float, default=RAW_WEIGHT, metavar="W", help="of the raw context beside the masked one"
    )
    options = parser.parse_args()
    if not 0 <= options.raw_weight < float("inf"):
        parser.error("--raw-weight must be at least 0")
    judged = read_judged(options.data)
    from quotelab.training.topic_head import train_head
    from quotelake.embeddings.encoder import Encoder

    encoder = Encoder(options.model, dtype="float32")
    print(f"{options.data}: {len(judged.uses):,} uses, {len(judged.pairs):,} pairs", flush=True)
    head = train_head(
        judged,
        encoder.encode([use.masked for use in judged.uses]),
        encoder.encode([use.context for use in judged.uses]),
        name=options.data.resolve().name,
        model=encoder.model,
        fingerprint=encoder.fingerprint,
        raw_weight=options.raw_weight,
    )
    save(head, options.out)
    trained = head.card.training
    print(f"topic head {head.version}: trained on {trained.pairs:,} clear pairs of {trained.targets} texts")
    for name, value in head.card.figures.items():
        print(f"  {name} {value:.4f}")
    print("written to {} and {}".format(*files_of(options.out)))
    return 0


if __name__ == "__main__":
    exit_with(main)
