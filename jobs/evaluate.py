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

import argparse
import sys
from collections.abc import Callable, Collection, Mapping
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING

from quotelake.commands import job_parser
from quotelake.errors import InputError, exit_with
from quotelake.evaluation.report import Report

if TYPE_CHECKING:
    from quotelake.detector.model import Detector
    from quotelake.evaluation.contextomy import Encode
    from quotelake.evaluation.trotr.extras import Extra
    from quotelake.settings import Settings


def spans(arguments: argparse.Namespace) -> Report:
    """Exact spans of quotes, and colon claims."""
    from quotelake.evaluation.spans import evaluate

    return evaluate(arguments.data, arguments.texts, arguments.part)


def polnear(arguments: argparse.Namespace) -> Report:
    """Spans and speakers on PolNeAR."""
    path = _only_file(arguments, parts=True)
    from quotelake.evaluation.polnear import evaluate

    return evaluate(path, arguments.part)


def speakers(arguments: argparse.Namespace) -> Report:
    """Names that the pronouns of speakers are resolved to."""
    from quotelake.evaluation.resolution import evaluate

    return evaluate(arguments.data, arguments.texts, arguments.part)


def headline_speakers(arguments: argparse.Namespace) -> Report:
    """Speakers of quotes in headlines."""
    from quotelake.evaluation.headline_speakers import evaluate

    return evaluate(arguments.data, arguments.texts, arguments.part)


def contextomy(arguments: argparse.Namespace) -> Report:
    """The shipped detector on a labelled file."""
    path = _only_file(arguments)
    from quotelake.detector.model import load
    from quotelake.embeddings.models import DEFAULT
    from quotelake.evaluation.contextomy import embedded, evaluate
    from quotelake.settings import load_settings

    settings = load_settings()
    name = arguments.model or settings.model.name or DEFAULT
    encode = _encoder(settings, load(), None if arguments.no_model else name)
    if encode is None:
        return evaluate(path)
    ingest = settings.ingest
    return evaluate(
        path, cosines=embedded(encode, settings.model.languages, ingest.languages, ingest.language_confidence)
    )


def headlines(arguments: argparse.Namespace) -> Report:
    """Outcomes and alerts on headlines that people labelled."""
    from quotelake.contextomy.decide import load_detector
    from quotelake.embeddings.models import DEFAULT
    from quotelake.evaluation.headlines import evaluate
    from quotelake.settings import load_settings

    settings = load_settings()
    name = arguments.model or settings.model.name or DEFAULT
    encode = _encoder(settings, load_detector(settings.contextomy), None if arguments.no_model else name)
    return evaluate(arguments.data, arguments.texts, settings, encode, arguments.part)


def alerts(arguments: argparse.Namespace) -> Report:
    """Alerts on all articles of corpora, against labels of some."""
    from quotelake.contextomy.decide import load_detector
    from quotelake.embeddings.models import DEFAULT
    from quotelake.evaluation.alerts import evaluate
    from quotelake.settings import load_settings

    settings = load_settings()
    name = arguments.model or settings.model.name or DEFAULT
    encode = _encoder(settings, load_detector(settings.contextomy), None if arguments.no_model else name)
    return evaluate(arguments.data, arguments.texts, settings, encode)


def quotecse(arguments: argparse.Namespace) -> Report:
    """Every detector over the splits of Song et al. 2023."""
    path = _only_file(arguments)
    from quotelake.evaluation.quotecse import FitPredict, evaluate
    from quotelake.training.baselines import detectors
    from quotelake.training.quotecse.baseline import mlp_detector

    chosen: dict[str, FitPredict] = dict(detectors())
    if arguments.model:
        perceptron = mlp_detector(arguments.model)
        chosen["perceptron"] = lambda train, test: perceptron.fit(train).predict_proba(test)
    return evaluate(path, chosen, _say)


def quotecse_pairs(arguments: argparse.Namespace) -> Report:
    """Pair building of QuoteCSE against the authors'."""
    path = _only_file(arguments)
    from quotelake.embeddings.encoder import Encoder
    from quotelake.evaluation.pairs import evaluate
    from quotelake.training.quotecse.assign import assign, by_containment, by_cosine

    similarity = by_cosine(Encoder(arguments.model, dtype="float32").encode) if arguments.model else by_containment
    return evaluate(path, lambda headline, quotes, key: assign(similarity(headline, quotes), key))


def reuse(arguments: argparse.Namespace) -> Report:
    """Groups of reused quotes against those that a file states."""
    path = _only_file(arguments)
    from quotelake.evaluation.reuse import evaluate

    return evaluate(path)


def edges(arguments: argparse.Namespace) -> Report:
    """Pairs of variants against the judgement of a reader."""
    path = _only_file(arguments)
    if arguments.lake is None:
        raise InputError("edges: reads the texts from a lake; give --lake DIR")
    from quotelake.evaluation.edges import evaluate
    from quotelake.reading.ask import DuckEngine

    def texts_of(ids: Collection[str]) -> dict[str, str]:
        wanted = ", ".join(f"'{each}'" for each in sorted(ids))
        statement = f"SELECT variant_id, canonical_text FROM variants WHERE variant_id IN ({wanted})"
        return {row["variant_id"]: row["canonical_text"] for row in engine.answer(statement).rows}

    with DuckEngine(arguments.lake) as engine:
        return evaluate(path, texts_of)


def trimmed(arguments: argparse.Namespace) -> Report:
    """Uses that cut what changes the meaning of a quote, against those that a file states."""
    path = _only_file(arguments)
    from quotelake.evaluation.trimmed import evaluate
    from quotelake.settings import load_settings

    return evaluate(path, load_settings().reuse.carriers)


def watch(arguments: argparse.Namespace) -> Report:
    """Watched texts in made uses and lookalikes."""
    path = _only_file(arguments)
    from quotelake.evaluation.watch import evaluate

    return evaluate(path)


def watch_spans(arguments: argparse.Namespace) -> Report:
    """Watched texts where people marked them."""
    path = _only_file(arguments)
    from quotelake.evaluation.watch import evaluate_spans

    return evaluate_spans(path)


def agreement(arguments: argparse.Namespace) -> Report:
    """People who judged pairs of contexts."""
    path = _only_file(arguments, folders=True)
    from quotelake.evaluation.judgments import evaluate

    return evaluate(path)


def bws(arguments: argparse.Namespace) -> Report:
    """Best-worst scaling."""
    from quotelake.evaluation.bws import evaluate
    from quotelake.jsonl import find_paths

    return evaluate(find_paths(arguments.data, "--data"))


def relatedness(arguments: argparse.Namespace) -> Report:
    """Relatedness of pairs of sentences."""
    path = _only_file(arguments)
    from quotelake.embeddings.encoder import Encoder
    from quotelake.embeddings.models import DEFAULT
    from quotelake.evaluation import similarity_bins, word_features, word_vectors
    from quotelake.evaluation.relatedness import evaluate
    from quotelake.labels.sentence_pairs import read_sentence_pairs, texts_of
    from quotelake.training.relatedness.choice import learner
    from quotelake.training.relatedness.models import evidence_of

    pairs, encoder = read_sentence_pairs(path), Encoder(arguments.model or DEFAULT, dtype="float32")
    evidence = evidence_of(pairs, encoder.encode)
    untrained = {"dice": evidence.overlap[:, 0], "encoder": evidence.cosine}
    vectors_of = word_vectors.by_encoder(encoder.encode)
    if arguments.word_vectors:
        vectors_of = word_vectors.from_file(arguments.word_vectors)
        untrained["word_vectors"] = word_vectors.cosines_of(pairs, vectors_of)
    rows = []
    if arguments.sts:
        rows = similarity_bins.similarity_rows(pairs, similarity_bins.read_similarity(arguments.sts))
    if missing := word_features.reason_missing():
        _say(f"feature study skipped: {missing}")
        rows.append({"kind": "feature", "skipped": missing})
    else:
        rows += word_features.study(pairs, word_features.analyse(texts_of(pairs)), vectors_of)
    learn = learner(evidence, [pair.score for pair in pairs])
    if arguments.fine_tune is not None:
        from quotelake.training.fine_tune import FineTuning, best_vectors
        from quotelake.training.relatedness.tuned import RATE, with_fine_tuning

        model, rates = arguments.model or DEFAULT, arguments.rates or [RATE]
        settings = [FineTuning("cosine", rate, epochs=arguments.epochs, patience=1) for rate in rates]
        learn = with_fine_tuning(
            pairs, learn, lambda *parts: best_vectors(model, *parts, settings, arguments.work, _say)
        )
    return evaluate(pairs, untrained, learn, rows, _say)


def trotr(arguments: argparse.Namespace) -> Report:
    """Topic relatedness of pairs and topic variation of texts, over the folds of Periti et al. 2024."""
    folder = _only_file(arguments, folders=True)
    from quotelake.embeddings.encoder import Encoder
    from quotelake.embeddings.models import DEFAULT
    from quotelake.evaluation.trotr.protocol import evaluate
    from quotelake.training.topic_head import train_weights

    model = arguments.model or DEFAULT
    extras = [*_fine_tuned(arguments, model), *_cross_encoders(arguments)]
    return evaluate(folder, Encoder(model, dtype="float32").encode, train_weights, extras, _say)


def _fine_tuned(arguments: argparse.Namespace, model: str) -> "list[Extra]":
    """Settings +FT and +FT+MASK: without a GPU on one fold and with one rate, unless asked otherwise."""
    if not arguments.fine_tune:
        return []
    import torch

    from quotelake.evaluation.trotr.extras import FineTune, fine_tuned
    from quotelake.training.fine_tune import RATES, FineTuning, TextPairs, best_vectors

    quick = not torch.cuda.is_available()
    rates = arguments.rates or (RATES[-1:] if quick else RATES)
    folds = arguments.folds or ([1] if quick else None)

    def tune(loss: str) -> FineTune:
        settings = [FineTuning(loss=loss, rate=rate, epochs=arguments.epochs) for rate in rates]
        return lambda train, dev, texts: best_vectors(
            model, TextPairs(*train), TextPairs(*dev), texts, settings, arguments.work, _say
        )

    extras = []
    for each in arguments.fine_tune:
        loss, _, mask = each.partition("+")
        name = f"ft_{each.replace('+', '_')}"
        extras.append(fine_tuned(name, tune(loss), masked=bool(mask), labels=loss == "contrastive", folds=folds))
    return extras


def _cross_encoders(arguments: argparse.Namespace) -> "list[Extra]":
    """Settings of a cross-encoder: contexts as written, and masked."""
    if not arguments.cross_encoder:
        return []
    from quotelake.evaluation.trotr.extras import cross_encoded
    from quotelake.training.cross_encoder import load_cross_encoder

    score, folds = load_cross_encoder(arguments.cross_encoder), arguments.folds
    names = {"cross_encoder": False, "cross_encoder_mask": True}
    return [cross_encoded(name, score, masked=masked, folds=folds) for name, masked in names.items()]


def trac_lake(arguments: argparse.Namespace) -> Report:
    """Topic variation of watched texts against the judgement of people."""
    path = _only_file(arguments)
    if arguments.lake is None:
        raise InputError("trac_lake: reads the topic variation from a lake; give --lake DIR")
    from quotelake.evaluation.trac_lake import evaluate
    from quotelake.reading.ask import DuckEngine

    with DuckEngine(arguments.lake) as engine:
        return evaluate(path, lambda statement: engine.answer(statement).rows)


def context_pairs(arguments: argparse.Namespace) -> Report:
    """Pairs of contexts against labels, with the shipped topic head and without."""
    from quotelake.embeddings.encoder import Encoder
    from quotelake.embeddings.models import DEFAULT
    from quotelake.evaluation.context_pairs import evaluate
    from quotelake.topics.head import load

    name, head = arguments.model or DEFAULT, load()
    head.check_encoder(name)
    return evaluate(arguments.data, arguments.texts, Encoder(name, dtype="float32").encode, head)


def shifts(arguments: argparse.Namespace) -> Report:
    """Planted shifts of topic."""
    from quotelake.embeddings.encoder import Encoder
    from quotelake.embeddings.models import DEFAULT
    from quotelake.evaluation.shifts import evaluate

    texts = [path for pattern in arguments.texts for path in sorted(glob(pattern))]
    return evaluate(arguments.data, texts, Encoder(arguments.model or DEFAULT, dtype="float32").encode)


#: Each imports what it needs when it is asked for, so that no protocol pays for another one's libraries.
PROTOCOLS: Mapping[str, Callable[[argparse.Namespace], Report]] = {
    "spans": spans,
    "polnear": polnear,
    "speakers": speakers,
    "headline_speakers": headline_speakers,
    "contextomy": contextomy,
    "headlines": headlines,
    "alerts": alerts,
    "quotecse": quotecse,
    "quotecse_pairs": quotecse_pairs,
    "trotr": trotr,
    "reuse": reuse,
    "edges": edges,
    "trimmed": trimmed,
    "watch": watch,
    "watch_spans": watch_spans,
    "agreement": agreement,
    "bws": bws,
    "relatedness": relatedness,
    "trac_lake": trac_lake,
    "context_pairs": context_pairs,
    "shifts": shifts,
}


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
    report = PROTOCOLS[arguments.protocol](arguments)
    print(report.as_table())
    if arguments.json:
        report.write(arguments.json)
        print(f"{len(report.rows):,} rows written to {arguments.json}")
    return 0


def _encoder(settings: "Settings", detector: "Detector", model: str | None) -> "Encode | None":
    """Encoder of a model whose cosines count for a detector; None without a model, or where they do not."""
    from quotelake.contextomy.comparable import compared_languages

    if model is None or not compared_languages(settings, detector, model):
        return None
    from quotelake.embeddings.encoder import Encoder

    return Encoder(model).encode


def _say(line: str) -> None:
    """Progress, apart from the figures."""
    print(line, file=sys.stderr, flush=True)


def _only_file(arguments: argparse.Namespace, *, parts: bool = False, folders: bool = False) -> Path:
    """The one file of a protocol that reads one, with the texts in it, or the folder of one that may read a folder."""
    if len(arguments.data) != 1 or arguments.texts or (arguments.part is not None and not parts):
        raise InputError(
            f"{arguments.protocol}: reads one file that holds its texts; give --data PATH and nothing else"
        )
    path = Path(arguments.data[0])
    if not path.is_file() and not (folders and path.is_dir()):
        raise InputError(f"--data {path}: found no such file; check the path")
    return path


if __name__ == "__main__":
    exit_with(main)
