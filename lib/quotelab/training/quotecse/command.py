"""Train QuoteCSE, a sentence encoder of news quotes, on a lake or on a file of articles; CPU or GPU.

    quotelab train quotecse --lake ./lake --out ./quotecse
    quotelab train quotecse --pairs ARTICLES.jsonl --out ./quotecse

ARTICLES.jsonl has rows with headline_quote and body_quotes. The model is written to OUT/model, an ordinary
sentence-transformers directory that [model] name can name; the loss curve to OUT/checkpoint/losses.csv; the counts of
articles left out, and the quality before and after, to OUT/report.json. Started again, an interrupted training is
resumed.
"""

import math
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from quotelab.report import write_json
from quotelab.training.quotecse.articles import MINIMUM, articles_of_lake, build_pairs, read_articles
from quotelab.training.quotecse.run import train_model
from quotelab.training.quotecse.trainer import TrainingSettings
from quotelake.embeddings.encoder import Encoder
from quotelake.embeddings.models import DEFAULT
from quotelake.errors import InputError
from quotelake.text.ids import content_id


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    usual = TrainingSettings()
    add = parser.add_argument
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--lake", metavar="DIR", help="directory of a lake")
    source.add_argument("--pairs", type=Path, metavar="FILE.jsonl", help="articles in a file")
    add("--out", type=Path, required=True, metavar="DIR", help="model, checkpoints, loss curve and report go there")
    add("--base", default=DEFAULT, metavar="MODEL", help=f"model to begin with (default: {DEFAULT})")
    add("--source", action="append", default=[], metavar="NAME", help="with --lake: take only this source")
    add("--language", action="append", default=[], metavar="CODE", help="with --lake: take only this language")
    add("--minimum", type=float, default=MINIMUM, help=f"least cosine of quote and positive (default: {MINIMUM})")
    add("--sample", type=int, metavar="N", help="train on at most N pairs, chosen by hash")
    add("--positive", choices=("quotecse", "simcse"), default=usual.positive, help="simcse is an ablation")
    add("--hard-negative", action=BooleanOptionalAction, default=usual.hard_negative)
    add("--temperature", type=float, default=usual.temperature, help="of the loss (default: %(default)s)")
    add("--pooling", choices=("own", "cls"), default=usual.pooling, help="own: as the base model pools; cls: [CLS]")
    add("--hidden", type=int, default=usual.hidden, help="width of the projection (default: %(default)s)")
    add("--head-rate", type=float, default=usual.head_rate, help="of the projection (default: %(default)s)")
    add("--encoder-rate", type=float, default=usual.encoder_rate, help="of the encoder (default: %(default)s)")
    add("--batch-size", type=int, default=usual.batch_size, help="default: %(default)s")
    add("--epochs", type=int, default=usual.epochs, help="most epochs of both phases together (default: %(default)s)")
    add("--dynamic-epochs", type=int, default=usual.dynamic_epochs, help="of these, dynamic (default: %(default)s)")
    add("--patience", type=int, default=usual.patience, help="epochs without gain that end a phase")
    add("--max-length", type=int, metavar="TOKENS", help="tokens kept of a quote (default: all the model can take)")
    add("--seed", type=int, default=usual.seed)
    add("--device", help="cpu, cuda or cuda:N (default: cuda where torch has it)")


def run(options: Namespace) -> None:
    """Build pairs, train, report."""
    settings = TrainingSettings(**{field.name: getattr(options, field.name) for field in fields(TrainingSettings)})
    settings.check()
    if not -1 <= options.minimum <= 1 or (options.sample is not None and options.sample < 2):
        raise InputError("--minimum must be from -1 to 1, as cosines are, and --sample at least 2")
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"--out {options.out}: no folder can be made there ({error.strerror}); name another one"
        ) from None
    if options.lake:
        articles = articles_of_lake(options.lake, options.source, options.language)
    else:
        articles = read_articles(options.pairs)
    encode = Encoder(options.base).encode
    pairs, counts = build_pairs(articles, encode, options.minimum, options.seed)
    _say("headline quotes: " + ", ".join(f"{count:,} {status}" for status, count in counts.items()))
    if options.sample and len(pairs) > options.sample:
        pairs = sorted(pairs, key=lambda pair: content_id("sample", pair.key))[: options.sample]
        _say(f"sampled by hash: {len(pairs):,} pairs")
    trained = train_model(pairs, options.base, settings, options.out, options.device, _say)
    for when, quality in (("before", trained.before), ("after", trained.after)):
        _say(
            f"quality {when} on {quality.pairs:,} test pairs: title-title {quality.title_title:.3f}, "
            f"title-body {quality.title_body:.3f}, uniformity {quality.uniformity:.3f}"
        )
    report = {"left_out": counts, "minimum": options.minimum, "parts": trained.parts}
    report |= {"before": asdict(trained.before), "after": asdict(trained.after)}
    report |= {"best_epoch": trained.progress.best, "epochs": [asdict(epoch) for epoch in trained.progress.history]}
    _say(f"model written to {trained.model}")
    write_json(options.out / "report.json", _finite(report))


def _finite(value: Any) -> Any:
    """JSON has no NaN: a quality without test pairs becomes null."""
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _say(line: str) -> None:
    print(line, flush=True)
