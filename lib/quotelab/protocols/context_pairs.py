"""Protocol ``context_pairs``: vectors of contexts against people, on pairs of contexts of reused quotes.

Each pair was read twice and labelled 1 (unrelated topics) to 4 (the same topic), as in TRoTR (Periti et al. 2024, §3).
"""

import math
import random
from collections.abc import Sequence
from typing import Annotated, Any, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from quotelab.labels.texts import Labels, LabelSpan, Texts, read_rows
from quotelab.report import Report
from quotelab.statistics import Numbers, auc, bootstrap_places, spearman
from quotelake.embeddings import models
from quotelake.embeddings.encoder import Encoder
from quotelake.files.jsonl import refuse
from quotelake.text.words import WORD
from quotelake.topics.contexts import mask
from quotelake.topics.head import TopicHead, Vectors, blend, load

MOVED: Final = 3  # words by which the ends of a use are moved at most, to see how much depends on them
#: Samples of the pairs for the interval of a difference.
_RESAMPLED: Final = 2000
_SEED: Final = 20240601


class Place(Labels):
    """A use of a quote and its context, in code points of a text of a corpus."""

    use: LabelSpan
    context: LabelSpan


class LabelledPair(BaseModel):
    """Two uses of a quote, and how related the topics of their contexts are, by each reading."""

    model_config = ConfigDict(frozen=True)

    a: Place
    b: Place
    labels: tuple[Annotated[int, Field(ge=1, le=4)], ...] = Field(min_length=1)


def evaluate(data: Sequence[str], texts: Sequence[str], encoder: Encoder, head: TopicHead | None = None) -> Report:
    """Compare cosines of contexts with labels, also by a head of the encoder: unless given the shipped one, if it fits.

    Figures: ``agreed``: share of pairs that both readings label alike. For ``raw``, ``masked``, ``blend`` and ``head``:
    ``spearman`` with the mean label; ``auc`` of pairs of 3.5 or more against those of 2.5 or less; both on pairs of
    news alone as ``_news``. ``gain``: Spearman of the head minus that of masked on news, with the 95 % interval over
    resampled pairs. With the ends of the uses moved by up to :data:`MOVED` words: ``moved_change``, mean change of the
    masked cosine, and ``spearman_moved``. Rows: pairs.
    """
    encode, shipped = encoder.encode, load()
    if head is not None:
        head.check_encoder(encoder.model)
    elif models.find(encoder.model, "float32").fingerprint == shipped.card.fingerprint:
        head = shipped
    found = read_rows(LabelledPair, data)
    known = Texts({str(part.id) for _, pair in found for part in (pair.a, pair.b)}, texts)
    sides: list[list[tuple[Place, str]]] = [[], []]
    for place, pair in found:
        for name, part, side in zip("ab", (pair.a, pair.b), sides, strict=True):
            text, _ = known.of(part, f"{place}: field {name}")
            (start, end), (first, last) = part.use, part.context
            if not first <= start < end <= last <= len(text) or not WORD.search(text, first, last):
                wrong = f"the use {list(part.use)} in the context {list(part.context)}"
                advice = f"give offsets in the text, which has {len(text)} characters, the use inside its context"
                refuse(f"{place}: field {name}", wrong, advice)
            side.append((part, text))
    rng = random.Random(_SEED)
    masked = [encode([mask(text, *part.use, *part.context) for part, text in side]) for side in sides]
    raw = [encode([text[slice(*part.context)] for part, text in side]) for side in sides]
    away = [encode([mask(text, *_moved(part, text, rng), *part.context) for part, text in side]) for side in sides]
    scores = {
        "raw": _cosines(*raw),
        "masked": _cosines(*masked),
        "blend": _cosines(*(blend(m, b) for m, b in zip(masked, raw, strict=True))),
    }
    if head is not None:
        scores["head"] = _cosines(*(head.apply(m, b) for m, b in zip(masked, raw, strict=True)))
    labels = np.array([np.mean(pair.labels) for _, pair in found])
    news = np.array([pair.a.mode != "tweet" and pair.b.mode != "tweet" for _, pair in found])
    figures: dict[str, float] = {
        "pairs": len(found),
        "tweets": int((~news).sum()),
        "agreed": float(np.mean([len(set(pair.labels)) == 1 for _, pair in found])),
    }
    for name, cosines in scores.items():
        for where, kept in (("", np.ones(len(found), dtype=bool)), ("_news", news)):
            figures[f"spearman_{name}{where}"] = spearman(cosines[kept], labels[kept])
            clear = kept & ((labels >= 3.5) | (labels <= 2.5))
            figures[f"auc_{name}{where}"] = auc((labels[clear] >= 3.5).astype(np.float64), cosines[clear])
    if head is not None:
        figures |= _gain(scores["head"][news], scores["masked"][news], labels[news])
    moved = _cosines(*away)
    change = float(np.abs(moved - scores["masked"]).mean())
    figures |= {"moved_change": change, "spearman_moved": spearman(moved, labels)}
    rows: list[dict[str, Any]] = []
    for n, (_, pair) in enumerate(found):
        cosines_of_pair = {name: float(cosines[n]) for name, cosines in scores.items()}
        rows.append({"a": pair.a.id, "b": pair.b.id, "label": labels[n], **cosines_of_pair})
    return Report("context_pairs", figures, rows)


def _gain(head: Numbers, masked: Numbers, labels: Numbers) -> dict[str, float]:
    drawn = bootstrap_places(len(labels), _RESAMPLED, _SEED) if len(labels) else ()
    gains = [spearman(head[n], labels[n]) - spearman(masked[n], labels[n]) for n in drawn]
    low, high = np.nanquantile(gains, (0.025, 0.975)) if np.isfinite(gains).any() else (math.nan, math.nan)
    gain = spearman(head, labels) - spearman(masked, labels)
    return {"gain": gain, "gain_low": float(low), "gain_high": float(high)}


def _moved(part: Place, text: str, rng: random.Random) -> tuple[int, int]:
    """The use with each end moved by up to three words, within the context."""
    words = list(WORD.finditer(text, *part.context))
    first = min(range(len(words)), key=lambda n: abs(words[n].start() - part.use[0]))
    last = min(range(len(words)), key=lambda n: abs(words[n].end() - part.use[1]))
    first = min(max(first + rng.randint(-MOVED, MOVED), 0), len(words) - 1)
    last = min(max(last + rng.randint(-MOVED, MOVED), first), len(words) - 1)
    return words[first].start(), words[last].end()


def _cosines(first: Vectors, second: Vectors) -> Numbers:
    return np.asarray((first.astype(np.float64) * second).sum(axis=1))
