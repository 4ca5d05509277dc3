"""Train QuoteCSE, a sentence encoder of news quotes, on a lake or on a file of articles; CPU or GPU.

    spark-submit jobs/train_quotecse.py --lake ./lake --out ./quotecse
    python       jobs/train_quotecse.py --pairs ARTICLES.jsonl --out ./quotecse

ARTICLES.jsonl has rows with headline_quote and body_quotes. The model is written to OUT/model, an ordinary
sentence-transformers directory that [model] name can name; the loss curve to OUT/checkpoint/losses.csv; the counts of
articles left out, and the quality before and after, to OUT/report.json. Started again, an interrupted training is
resumed. With --labels the published detector is fitted too and written to OUT/detector.json.
"""

import argparse
import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from quotelab.training.quotecse.articles import Pair, read_articles, read_pairs, write_pairs
from quotelab.training.quotecse.assign import MINIMUM
from quotelab.training.quotecse.baseline import Variant
from quotelab.training.quotecse.trainer import TrainingSettings
from quotelake.commands import command, job_parser
from quotelake.embeddings.models import DEFAULT
from quotelake.errors import InputError, exit_with
from quotelake.files.outputs import write_whole

_PAIRS = "pairs.jsonl"


def main() -> None:
    """Build pairs, train, report."""
    arguments = _arguments()
    settings = TrainingSettings(**{field.name: getattr(arguments, field.name) for field in fields(TrainingSettings)})
    out: Path = arguments.out
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--out {out}: no folder can be made there ({error.strerror}); name another one") from None
    pairs, counts = _pairs(arguments)
    report: dict[str, Any] = {"left_out": counts, "minimum": arguments.minimum}
    if arguments.sample and len(pairs) > arguments.sample:
        pairs = sorted(pairs, key=_by_hash)[: arguments.sample]
        _say(f"sampled by hash: {len(pairs):,} pairs")
    from quotelab.training.quotecse.run import train_model

    outcome = train_model(pairs, arguments.base, settings, out, arguments.device, _say)
    for when, quality in (("before", outcome.before), ("after", outcome.after)):
        _say(
            f"quality {when} on {quality.pairs:,} test pairs: title-title {quality.title_title:.3f}, "
            f"title-body {quality.title_body:.3f}, uniformity {quality.uniformity:.3f}"
        )
    report |= {"parts": outcome.parts, "before": asdict(outcome.before), "after": asdict(outcome.after)}
    report |= {"best_epoch": outcome.progress.best, "epochs": [asdict(epoch) for epoch in outcome.progress.history]}
    _say(f"model written to {outcome.model}")
    if arguments.labels:
        from quotelab.training.mlp import train_detector

        variant: Variant = "second_quote" if arguments.second_quote else "base"
        figures = train_detector(arguments.labels, str(outcome.model), variant, out / "detector.json", settings.seed)
        report["detector"] = figures
        _say(
            "detector written to "
            + f"{out / 'detector.json'}: "
            + ", ".join(f"{k} {v:.4g}" for k, v in figures.items())
        )
    # JSON has no NaN: a quality without test pairs becomes null.
    write_whole(out / "report.json", json.dumps(_finite(report), indent=1) + "\n")


def _pairs(arguments: argparse.Namespace) -> tuple[list[Pair], dict[str, int]]:
    """Pairs stored in --out by an earlier run, or built now from the lake or the file."""
    kept, record = arguments.out / _PAIRS, arguments.out / "pairs.json"
    source = {
        "lake": arguments.lake, "pairs": str(arguments.pairs) if arguments.pairs else None, "base": arguments.base,
        "minimum": arguments.minimum, "seed": arguments.seed, "source": arguments.source,
        "language": arguments.language,
    }  # fmt: skip
    if record.exists() and kept.exists():
        known = json.loads(record.read_text("utf-8"))
        if known["source"] == source:
            _say(f"pairs as built before: {kept} (remove {record} to build them again)")
            return read_pairs(kept), known["counts"]
    pairs, counts = _from_lake(arguments) if arguments.lake else _from_file(arguments)
    _say("headline quotes: " + ", ".join(f"{count:,} {status}" for status, count in counts.items()))
    write_pairs(pairs, kept)
    write_whole(record, json.dumps({"source": source, "counts": counts}) + "\n")
    return pairs, counts


def _from_file(arguments: argparse.Namespace) -> tuple[list[Pair], dict[str, int]]:
    from quotelab.training.quotecse.local import build_pairs_locally
    from quotelake.embeddings.encoder import Encoder

    articles = read_articles(arguments.pairs)
    return build_pairs_locally(articles, Encoder(arguments.base), arguments.minimum, arguments.seed)


def _from_lake(arguments: argparse.Namespace) -> tuple[list[Pair], dict[str, int]]:
    from quotelab.training.quotecse.pairs import build_pairs, collect, quoted_articles, texts_to_embed
    from quotelake.embeddings import models
    from quotelake.embeddings.embed import embed_texts, gpu_profile
    from quotelake.lake.runs import last_run
    from quotelake.nightly.versions import active
    from quotelake.reporting.commands import open_lake
    from quotelake.spark.environment import check_environment
    from quotelake.spark.materialise import Materialised

    check_environment()
    lake = open_lake("train_quotecse", arguments.lake)
    last = last_run(lake) if lake.exists("runs") else None
    now = active(lake) if last else None
    if last is None or now is None:
        raise InputError(f"{arguments.lake} holds no lake with a complete run; make one with: {command('score')}")
    quotes = lake.read("quotes", last.versions.get("quotes")).where(f"rule_version = '{now.rule_version}'")
    documents = lake.read("documents", last.versions.get("documents"))
    model = models.find(arguments.base)
    with Materialised() as materialise:
        articles = materialise(
            quoted_articles(documents, quotes, sources=arguments.source, languages=arguments.language)
        )
        vectors = embed_texts(
            texts_to_embed(articles),
            model=arguments.base,
            dtype=model.dtype,
            fingerprint=model.fingerprint,
            partitions=lake.spark.sparkContext.defaultParallelism,
            profile=gpu_profile(lake.spark),
        )
        built = collect(build_pairs(articles, vectors, minimum=arguments.minimum, seed=arguments.seed))
    lake.spark.stop()
    return built


def _arguments() -> argparse.Namespace:
    parser = job_parser("train_quotecse.py", __doc__)
    default = TrainingSettings()
    add = parser.add_argument
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--lake", metavar="DIR", help="directory or address of a lake")
    given.add_argument("--pairs", type=Path, metavar="FILE.jsonl", help="articles in a file; needs no Spark")
    add("--out", type=Path, required=True, metavar="DIR", help="model, checkpoints, loss curve and report go there")
    add("--base", default=DEFAULT, metavar="MODEL", help=f"model to begin with (default: {DEFAULT})")
    add("--source", action="append", default=[], metavar="NAME", help="with --lake: take only this source")
    add("--language", action="append", default=[], metavar="CODE", help="with --lake: take only this language")
    add("--minimum", type=float, default=MINIMUM, help=f"least cosine of quote and positive (default: {MINIMUM})")
    add("--sample", type=int, metavar="N", help="train on at most N pairs, chosen by hash")
    add("--positive", choices=("quotecse", "simcse"), default=default.positive, help="simcse is an ablation")
    add("--hard-negative", action=argparse.BooleanOptionalAction, default=default.hard_negative)
    add("--temperature", type=float, default=default.temperature, help="of the loss (default: %(default)s)")
    add("--pooling", choices=("own", "cls"), default=default.pooling, help="own: as the base model pools; cls: [CLS]")
    add("--hidden", type=int, default=default.hidden, help="width of the projection (default: %(default)s)")
    add("--head-rate", type=float, default=default.head_rate, help="of the projection (default: %(default)s)")
    add("--encoder-rate", type=float, default=default.encoder_rate, help="of the encoder (default: %(default)s)")
    add("--batch-size", type=int, default=default.batch_size, help="default: %(default)s")
    add("--epochs", type=int, default=default.epochs, help="most epochs of both phases together (default: %(default)s)")
    add("--dynamic-epochs", type=int, default=default.dynamic_epochs, help="of these, dynamic (default: %(default)s)")
    add("--patience", type=int, default=default.patience, help="epochs without gain that end a phase")
    add("--max-length", type=int, metavar="TOKENS", help="tokens kept of a quote (default: all the model can take)")
    add("--keep-projection", action="store_true", help="keep the projection as the last layer of the model")
    add("--seed", type=int, default=default.seed)
    add("--device", help="cpu, cuda or cuda:N (default: cuda where torch has it)")
    add("--labels", type=Path, metavar="FILE.jsonl", help="fit the detector on these labelled articles")
    add("--second-quote", action="store_true", help="with --labels: use the two best body quotes (QuoteCSE++)")
    arguments = parser.parse_args()
    if arguments.batch_size < 2 or not 0 <= arguments.dynamic_epochs <= arguments.epochs or arguments.epochs < 1:
        parser.error("--batch-size must be at least 2, --epochs at least 1, --dynamic-epochs from 0 to --epochs")
    if arguments.sample is not None and arguments.sample < 2:
        parser.error("--sample must be at least 2")
    if not 0 < arguments.temperature < float("inf") or arguments.hidden < 1 or arguments.patience < 1:
        parser.error("--temperature must be above 0, --hidden and --patience at least 1")
    if not all(0 <= rate < 1 for rate in (arguments.head_rate, arguments.encoder_rate)):
        parser.error("--head-rate and --encoder-rate must be from 0 to below 1")
    if not -1 <= arguments.minimum <= 1:
        parser.error("--minimum must be from -1 to 1, as cosines are")
    return arguments


def _by_hash(pair: Pair) -> str:
    from quotelake.text.ids import content_id

    return content_id("sample", pair.key)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and value != value else value


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    exit_with(main)
