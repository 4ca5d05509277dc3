"""Protocol ``trotr``: the tables of Periti et al. 2024 over the authors' 10 folds, and the topic variation of texts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from quotelab.labels.trotr import Judged, read_judged
from quotelab.protocols.trotr import measures as trac
from quotelab.protocols.trotr.extras import Extra
from quotelab.protocols.trotr.folds import (
    FOLDS,
    PUBLISHED,
    SAID,
    TESTED,
    Fold,
    part_of,
    read_folds,
    read_gold,
    read_published,
)
from quotelab.protocols.trotr.measures import best_threshold, measure, spearman
from quotelab.protocols.trotr.settings import (
    Contexts,
    HeldOut,
    Relatedness,
    Train,
    contexts_of,
    cosine,
    hold_out,
    settings_of,
)
from quotelab.report import Report
from quotelake.files.jsonl import refuse
from quotelake.topics.head import RAW_WEIGHT, Vectors

#: Weights of the raw context in the blend whose topic variation is listed.
BLENDS: Final = (0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 1.0)
#: Our settings whose figures the authors publish for the same model, fold by fold.
COMPARED: Final = ("base", "mask")
#: Ends the name of a setting with the authors' thresholds: those tuned on the masked contexts, for both settings.
AS_PUBLISHED: Final = "_as_published"
Say = Callable[[str], None]


def evaluate(
    folder: Path,
    encode: Callable[[Sequence[str]], Vectors],
    train: Train,
    extras: Sequence[Extra] = (),
    say: Say = lambda _: None,
    *,
    is_published: bool = True,
) -> Report:
    """Compute every setting over all folds.

    Args:
        folder: judged pairs (:func:`~quotelab.labels.trotr.read_judged`) and ``folds.json.gz``; of the published
            figures and the gold of topic variation, those that are there.
        encode: texts to unit vectors.
        train: trains a topic head.
        extras: further settings.
        say: takes a line of progress.
        is_published: the vectors are of the model whose published figures may be in the folder.

    Returns:
        ``tric_spearman_S``, ``tric_f1_S`` (weighted) with ``_sd``, and the same with ``_oov`` before the setting S:
        means over the folds. ``tric_all_spearman_S``: over all judged pairs, clear or not. ``trac_spearman_S``: topic
        variation over all pairs of uses, with ``_low``, ``_high`` (95 % interval by a bootstrap over texts) and
        ``_sd``; ``trac_annotated_spearman_S``: over the judged pairs alone. Rows have a ``table``: ``tric`` (setting,
        fold, part), ``choices`` (what was chosen for a fold), ``trac`` (setting), ``texts`` (text).

    Raises:
        InputError: a file cannot be read or is wrong; it names file and line.
    """
    judged = read_judged(folder)
    folds = read_folds(folder / FOLDS, judged)
    numbers = [fold.number for fold in folds]
    for wanted in {number for extra in extras for number in extra.folds or ()} - set(numbers):
        refuse(f"--folds {wanted}", "no such fold", f"the folds of {folder / FOLDS} are {', '.join(map(str, numbers))}")
    published = read_published(folder / PUBLISHED) if is_published else {}
    gold = read_gold(folder, judged)
    clear = [pair for pair in judged.pairs if pair.clear]
    figures: dict[str, float] = {
        "uses": len(judged.uses),
        "pairs": len(judged.pairs),
        "clear_pairs": len(clear),
        "clear_related": sum(pair.label for pair in clear),
        "folds": len(folds),
        "texts_ranked": len(gold),
    }
    say(f"embedding {len(judged.uses):,} contexts twice")
    contexts = contexts_of(judged.uses, encode)
    rows: list[dict[str, Any]] = []
    for fold in folds:
        rows += _rows_of(fold, contexts, train, published)
        for extra in extras:
            if extra.folds is None or fold.number in extra.folds:
                rows += _measured(extra.name, fold, extra.relatedness(judged, fold))
        say(f"fold {fold.number} of {len(folds)}")
    figures |= _tric_figures(rows) | _reproduced(rows)
    say("heads for texts held out")
    held_out = hold_out(judged, contexts, train)
    figures |= _all_pairs(judged, contexts, held_out)
    more, trac_rows = _trac(judged, contexts, held_out, gold)
    return Report("trotr", figures | more, rows + trac_rows)


def _rows_of(
    fold: Fold, contexts: Contexts, train: Train, published: Mapping[tuple[str, int], Mapping[str, float]]
) -> Iterator[dict[str, Any]]:
    for name, relatedness, choice in settings_of(contexts, fold, train):
        theirs = published.get((name, fold.number))
        yield from _measured(name, fold, relatedness)
        if choice is not None:
            yield {"table": "choices", "setting": name, "fold": fold.number, **choice._asdict()}
        if name in COMPARED and theirs is not None:
            threshold = 1 - theirs["threshold"]  # theirs is a distance
            yield from _measured(name + AS_PUBLISHED, fold, relatedness, threshold, theirs)


def _measured(
    name: str,
    fold: Fold,
    relatedness: Relatedness,
    threshold: float | None = None,
    published: Mapping[str, float] | None = None,
) -> Iterator[dict[str, Any]]:
    """Rows of a setting: one for each tested part of a fold, at the best threshold of its dev part or a given one."""
    dev = fold.parts["dev"]
    on_dev = relatedness(dev.first, dev.second)
    chosen = best_threshold(on_dev, dev.labels) if threshold is None else threshold
    for name_of_part in TESTED:
        part = fold.parts[name_of_part]
        row = {"table": "tric", "setting": name, "fold": fold.number, "part": name_of_part, "threshold": chosen}
        row |= {"dev_spearman": spearman(on_dev, dev), "pairs": len(part.labels)}
        row |= measure(relatedness(part.first, part.second), part, chosen)
        if published is not None:
            row |= {f"published_{said}": published[f"{name_of_part}_{said}"] for said in SAID}
        yield {name: None if value != value else value for name, value in row.items()}


def _tric_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Means and standard deviations over the folds, by setting and part."""
    found: dict[str, list[float]] = {}
    for said, short in (("spearman", "spearman"), ("weighted_f1", "f1")):
        for part, suffix in zip(TESTED, ("", "_oov"), strict=True):
            for row in rows:
                # Another threshold changes no ranking.
                repeated = said == "spearman" and row["setting"].endswith(AS_PUBLISHED)
                if row["table"] == "tric" and row["part"] == part and row[said] is not None and not repeated:
                    found.setdefault(f"tric_{short}{suffix}_{row['setting']}", []).append(row[said])
    means = {name: float(np.mean(values)) for name, values in found.items()}
    return means | {f"{name}_sd": float(np.std(values)) for name, values in found.items()}


def _reproduced(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """How near the authors' figures ours are, with their thresholds: rows (fold and setting) within .001 in all."""
    largest: dict[tuple[str, int], float] = {}
    for row in rows:
        if "published_spearman" in row:
            difference = max(abs(row[said] - row[f"published_{said}"]) for said in SAID)
            key = (row["setting"], row["fold"])
            largest[key] = max(largest.get(key, 0.0), difference)
    if not largest:
        return {}
    return {
        "published_rows": len(largest),
        "published_rows_within_.001": sum(value <= 0.001 for value in largest.values()),
        "published_largest_difference": max(largest.values()),
    }


def _all_pairs(judged: Judged, contexts: Contexts, held_out: HeldOut) -> dict[str, float]:
    """Spearman over all judged pairs, and over those that TRiC drops; heads never saw the text of a pair."""
    decided = np.array([bool(pair.judgments) for pair in judged.pairs])
    dropped = decided & ~np.array([pair.clear for pair in judged.pairs])
    figures: dict[str, float] = {}
    scores = _pair_scores(judged, contexts, held_out)
    for prefix, chosen in (("tric_all_spearman", decided), ("tric_dropped_spearman", dropped)):
        part = part_of([pair for pair, wanted in zip(judged.pairs, chosen, strict=True) if wanted])
        figures |= {f"{prefix}_{name}": spearman(values[chosen], part) for name, values in scores.items()}
    return figures


def _pair_scores(judged: Judged, contexts: Contexts, held_out: HeldOut) -> dict[str, Any]:
    first, second = (np.array([getattr(pair, side) for pair in judged.pairs]) for side in ("first", "second"))
    by_vectors = {"base": contexts.raw, "mask": contexts.masked, "blend": contexts.blend(RAW_WEIGHT)}
    by_vectors["head"] = held_out.vectors
    return {name: cosine(vectors)(first, second) for name, vectors in by_vectors.items()} | {"best": held_out.best}


def _trac(
    judged: Judged, contexts: Contexts, held_out: HeldOut, gold: Mapping[str, float]
) -> tuple[dict[str, float], list[dict[str, Any]]]:
    """Figures and rows of topic variation."""
    vectors = {"base": contexts.raw, "mask": contexts.masked, "unsupervised_best": contexts.blend(RAW_WEIGHT)}
    vectors["head_lto"] = held_out.vectors
    first, second = (np.array([getattr(pair, side) for pair in judged.pairs]) for side in ("first", "second"))
    figures: dict[str, float] = {}
    rows: list[dict[str, Any]] = []
    variation: dict[str, Mapping[str, float]] = {}
    for name, rows_of_uses in vectors.items():
        variation[name] = trac.over_all(judged, rows_of_uses)
        annotated = trac.over_annotated(judged, cosine(rows_of_uses)(first, second))
        for prefix, values in (("trac", variation[name]), ("trac_annotated", annotated)):
            ranked = trac.rank(values, gold)
            figures[f"{prefix}_spearman_{name}"] = ranked.spearman
            figures |= {f"{prefix}_spearman_{name}_{part}": getattr(ranked, part) for part in ("low", "high", "sd")}
            pairs = "all" if prefix == "trac" else "annotated"
            rows.append({"table": "trac", "setting": name, "pairs": pairs, **_known(ranked._asdict())})
    for weight in BLENDS:
        blended = trac.over_all(judged, contexts.blend(weight))
        ranked = trac.rank(blended, gold)
        rows.append({"table": "trac", "setting": f"blend {weight:g}", "pairs": "all", **_known(ranked._asdict())})
    for text in sorted(gold):
        values = {name: found[text] for name, found in variation.items() if text in found}
        rows.append({"table": "texts", "text": text, "gold": gold[text], **values})
    return figures, rows


def _known(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: None if value != value else value for name, value in values.items()}
