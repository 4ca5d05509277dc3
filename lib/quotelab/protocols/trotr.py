"""Protocol ``trotr``: the tables of Periti et al. 2024 over the authors' 10 folds, and the topic variation of texts.

TRiC ranks pairs of contexts by topic relatedness and divides them into related and unrelated; TRaC ranks reused texts
by how much the topics of their contexts vary.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import precision_recall_fscore_support

from quotelab.labels.judged import TRAC_GOLD, Judged, Part, by_target, gold_variation, read_judged, read_variation
from quotelab.protocols import trotr_settings as settings
from quotelab.protocols.trotr_settings import TESTED, Contexts, Fold, Relatedness, Train, cosine, lookup
from quotelab.report import Report, progress
from quotelab.statistics import Numbers, Places, bootstrap_places, spearman
from quotelab.training.topic_head import train_weights
from quotelake.embeddings.encoder import Encoder
from quotelake.topics.head import RAW_WEIGHT, Vectors
from quotelake.topics.variation import mean_cosine, to_fixed

if TYPE_CHECKING:
    from quotelab.protocols.fine_tuned import FineTuning

#: Weights of the raw context in the blend whose topic variation is listed.
BLENDS: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 1.0)
RESAMPLES: Final = 2000  # resamples of the texts for an interval


def evaluate(
    folder: Path, encoder: Encoder, train: Train = train_weights, tuning: "FineTuning | None" = None
) -> Report:
    """Compute every setting over all folds of a folder (:func:`~quotelab.labels.judged.read_judged`).

    Figures: ``tric_spearman_S``, ``tric_f1_S`` (weighted) with ``_sd``, and the same with ``_oov`` before the setting
    S: means over the folds. ``tric_all_spearman_S``: over all judged pairs, clear or not. ``trac_spearman_S``: topic
    variation over all pairs of uses, with ``_low``, ``_high`` (95 % interval by a bootstrap over texts) and ``_sd``;
    ``trac_annotated_spearman_S``: over the judged pairs alone. ``tuning`` adds the settings of encoders that are
    fine-tuned in the folds, and ``ft_mask`` over all pairs and texts by encoders that were trained on other texts. Rows
    have a ``table``: ``tric`` (setting, fold, part), ``choices`` (what was chosen for a fold), ``trac`` (setting),
    ``texts`` (text).
    """
    judged = read_judged(folder)
    folds = settings.read_folds(folder / settings.FOLDS, judged)
    stated = folder / TRAC_GOLD
    gold = read_variation(stated) if stated.is_file() else gold_variation(judged.pairs)
    figures: dict[str, float] = {"uses": len(judged.uses), "pairs": len(judged.pairs), "clear_pairs": len(judged.clear)}
    figures |= {"clear_related": sum(pair.label for pair in judged.clear)}
    figures |= {"folds": len(folds), "texts_ranked": len(gold)}
    rows: list[dict[str, Any]] = []
    tuned = None if tuning is None else _fine_tuned(judged, folds, tuning, rows)
    progress(f"embedding {len(judged.uses):,} contexts twice")
    contexts = Contexts(judged.uses, encoder.encode)
    for fold in folds:
        for name, relatedness, choice in settings.settings_of(contexts, fold, train):
            rows += _measured(name, fold, relatedness)
            if choice is not None:
                rows.append({"table": "choices", "setting": name, "fold": fold.number, **choice._asdict()})
        progress(f"fold {fold.number} of {len(folds)}")
    figures |= _tric_figures(rows)
    progress("heads for texts held out")
    vectors = {"base": contexts.raw, "mask": contexts.masked, "blend": contexts.blend(RAW_WEIGHT)}
    vectors["head"], best = settings.cross_validate(judged, contexts, train)
    pairs = judged.part(judged.pairs)
    scores = {name: cosine(each)(pairs.first, pairs.second) for name, each in vectors.items()}
    whole = {name: over_all(judged, each) for name, each in vectors.items()}
    if tuned is not None:
        scores["ft_mask"] = tuned(pairs.first, pairs.second)
        whole["ft_mask"] = over_pairs(judged, tuned)
    decided = np.isfinite(pairs.scores)
    dropped = decided & np.array([pair.dropped is not None for pair in judged.pairs])
    for prefix, chosen in (("tric_all_spearman", decided), ("tric_dropped_spearman", dropped)):
        for name, values in {**scores, "best": best}.items():
            figures[f"{prefix}_{name}"] = spearman(values[chosen], pairs.scores[chosen])
    renamed = {"blend": "unsupervised_best", "head": "head_lto", "ft_mask": "ft_mask_lto"}
    variation: dict[str, Mapping[str, float]] = {}
    for setting in whole:
        name = renamed.get(setting, setting)
        variation[name] = whole[setting]
        annotated = over_annotated(judged, scores[setting])
        for prefix, shown, by_text in (("trac", "all", variation[name]), ("trac_annotated", "annotated", annotated)):
            ranked = rank(by_text, gold)
            ends = {f"{prefix}_spearman_{name}_{part}": ranked[part] for part in ("low", "high", "sd")}
            figures |= {f"{prefix}_spearman_{name}": ranked["spearman"], **ends}
            rows.append({"table": "trac", "setting": name, "pairs": shown, **ranked})
    for weight in BLENDS:
        ranked = rank(over_all(judged, contexts.blend(weight)), gold)
        rows.append({"table": "trac", "setting": f"blend {weight:g}", "pairs": "all", **ranked})
    for text in sorted(gold):
        found = {name: values[text] for name, values in variation.items() if text in values}
        rows.append({"table": "texts", "text": text, "gold": gold[text], **found})
    return Report("trotr", figures, rows)


def _fine_tuned(judged: Judged, folds: Sequence[Fold], tuning: "FineTuning", rows: list[dict[str, Any]]) -> Relatedness:
    """Add the rows of fine-tuned settings; return the relatedness of all pairs of uses of a text held out."""
    named = [(setting, fold) for setting in tuning.settings for fold in folds]
    tasks = [tuning.of_fold(judged, fold, setting) for setting, fold in named]
    held_out = tuning.of_texts(judged)
    found = tuning.run([*tasks, *held_out])
    for (setting, fold), task, values in zip(named, tasks, found, strict=False):
        rows += _measured(setting, fold, lookup(task.first, task.second, values))
        means = (f"{name} {value:.3f}" for name, value in _tric_figures(rows).items() if name.endswith(f"_{setting}"))
        progress(f"{setting} up to fold {fold.number}: {', '.join(means)}")
    parts = [(task.first, task.second, values) for task, values in zip(held_out, found, strict=True)]
    return lookup(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _measured(name: str, fold: Fold, relatedness: Relatedness) -> Iterator[dict[str, Any]]:
    """Rows of a setting: one for each tested part of a fold, at the best threshold of its dev part."""
    dev = fold.parts["dev"]
    on_dev = relatedness(dev.first, dev.second)
    chosen = best_threshold(on_dev, dev.labels)
    for name_of_part in TESTED:
        part = fold.parts[name_of_part]
        row = {"table": "tric", "setting": name, "fold": fold.number, "part": name_of_part, "threshold": chosen}
        row |= {"dev_spearman": spearman(on_dev, dev.scores), "pairs": len(part.labels)}
        yield row | measure(relatedness(part.first, part.second), part, chosen)


def measure(relatedness: Numbers, part: Part, threshold: float) -> dict[str, float]:
    """Spearman, and precision, recall and F1 per label, of the pairs of a part, related from ``threshold`` on.

    ``weighted_f1`` is F1 of both labels weighted by their numbers; NaN where a figure is undefined.
    """
    predicted = relatedness >= threshold
    by_label = precision_recall_fscore_support(part.labels, predicted, labels=[0, 1], zero_division=np.nan)
    figures = {"spearman": spearman(relatedness, part.scores)}
    for label in (0, 1):
        for name, values in zip(("precision", "recall", "f1"), by_label, strict=False):
            figures[f"{name}_{label}"] = float(values[label])
    counts = by_label[3]
    return figures | {"weighted_f1": float(np.nansum(counts * by_label[2]) / counts.sum())}


def best_threshold(relatedness: Numbers, labels: Places) -> float:
    """Least relatedness called related that gives the highest weighted F1, exact: all thresholds are tried.

    It lies between two neighbouring values; of several best ones the lowest is taken.

    >>> best_threshold(np.array([0.1, 0.2, 0.6, 0.8]), np.array([0, 0, 1, 1]))
    0.4
    """
    order = np.argsort(relatedness, kind="stable")
    values, truth = relatedness[order], labels[order]
    n, positive = len(truth), int(truth.sum())
    # With the lowest k pairs called unrelated: how many of them are.
    k = np.arange(n + 1)
    unrelated = np.r_[0, np.cumsum(1 - truth)]
    related = positive - (k - unrelated)
    negative = n - positive
    f1_0 = 2 * unrelated / np.maximum(k + negative, 1)
    f1_1 = 2 * related / np.maximum(n - k + positive, 1)
    weighted = (negative * f1_0 + positive * f1_1) / n
    possible = np.r_[True, values[1:] > values[:-1], True]  # equal values cannot be divided
    best = int(np.argmax(np.where(possible, weighted, -1)))
    if best == 0:
        return float(values[0])
    return float((values[best - 1] + values[best]) / 2) if best < n else float(np.nextafter(values[-1], np.inf))


def _tric_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Means and standard deviations over the folds, by setting and part."""
    found: dict[str, list[float]] = {}
    for said, short in (("spearman", "spearman"), ("weighted_f1", "f1")):
        for part, suffix in zip(TESTED, ("", "_oov"), strict=True):
            for row in rows:
                if row["table"] == "tric" and row["part"] == part and np.isfinite(row[said]):
                    found.setdefault(f"tric_{short}{suffix}_{row['setting']}", []).append(row[said])
    figures = {name: float(np.mean(values)) for name, values in found.items()}
    return figures | {f"{name}_sd": float(np.std(values)) for name, values in found.items()}


def over_annotated(judged: Judged, relatedness: Numbers) -> dict[str, float]:
    """Topic variation by text: mean of 1 minus relatedness, (pairs,), over its judged pairs."""
    known = dict(zip((pair.pair_id for pair in judged.pairs), relatedness.tolist(), strict=True))
    groups = by_target(judged.pairs)
    return {target: float(np.mean([1 - known[pair.pair_id] for pair in group])) for target, group in groups.items()}


def over_all(judged: Judged, vectors: Vectors) -> dict[str, float]:
    """Topic variation by text: mean of 1 minus the cosine of unit vectors, (uses, d), over the pairs of its uses."""
    means = {target: mean_cosine(to_fixed(vectors[places])) for target, places in judged.places.items()}
    return {target: 1 - mean for target, mean in means.items() if mean is not None}


def over_pairs(judged: Judged, relatedness: Relatedness) -> dict[str, float]:
    """The same of any relatedness."""
    pairs = {target: places[np.stack(np.triu_indices(len(places), 1))] for target, places in judged.places.items()}
    return {target: 1 - float(relatedness(*both).mean()) for target, both in pairs.items() if both.size}


def rank(variation: Mapping[str, float], gold: Mapping[str, float]) -> dict[str, float]:
    """Spearman with the gold, its 95 % interval and deviation by a bootstrap over texts; NaN for fewer than three."""
    targets = sorted(set(variation) & set(gold))
    if len(targets) < 3:
        return dict.fromkeys(("spearman", "low", "high", "sd"), float("nan"))
    sides = [np.array([side[target] for target in targets]) for side in (variation, gold)]
    drawn = bootstrap_places(len(targets), RESAMPLES)
    a, b = (rankdata(side[drawn], axis=1) for side in sides)
    a, b = (side - side.mean(axis=1, keepdims=True) for side in (a, b))
    length = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    found = np.divide((a * b).sum(axis=1), length, out=np.full(len(a), np.nan), where=length > 0)
    low, high = np.nanpercentile(found, [2.5, 97.5])
    sd = float(np.nanstd(found, ddof=1))
    return {"spearman": spearman(*sides), "low": float(low), "high": float(high), "sd": sd}
