"""Further settings: encoders fine-tuned on the train part of each fold, and cross-encoders."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quotelab.labels.trotr import Judged
from quotelab.protocols.trotr.folds import Fold, Places, Scores
from quotelab.protocols.trotr.settings import Relatedness, cosine
from quotelake.topics.head import Vectors

#: Texts of both sides of pairs, and a value for each pair.
Pairs = tuple[list[str], list[str], list[float]]
#: Train pairs, dev pairs (with mean judgments) and texts to unit vectors of the texts.
FineTune = Callable[[Pairs, Pairs, Sequence[str]], Vectors]
#: Texts of both sides of pairs to a number for each pair.
ScorePairs = Callable[[Sequence[str], Sequence[str]], Scores]


@dataclass(frozen=True, slots=True)
class Extra:
    """A further setting.

    Attributes:
        name: of the setting; ends the names of its figures.
        relatedness: makes it for a fold, given the uses; it may use the train and dev parts.
        folds: numbers of the folds to run; None runs all.
    """

    name: str
    relatedness: Callable[[Judged, Fold], Relatedness]
    folds: Sequence[int] | None = None


def fine_tuned(name: str, tune: FineTune, *, masked: bool, labels: bool, folds: Sequence[int] | None) -> Extra:
    """+FT, or +FT+MASK if ``masked``: cosine of an encoder that is trained for each fold.

    Args:
        name: of the setting.
        tune: trains and embeds.
        masked: whether it reads masked contexts.
        labels: whether it is trained on labels (0 or 1) instead of mean judgments (1 to 4).
        folds: to run.
    """

    def relatedness(judged: Judged, fold: Fold) -> Relatedness:
        texts = _texts(judged, masked)

        def pairs(part: str, labels: bool) -> Pairs:
            first, second, scores, classes = fold.parts[part]
            values = (classes if labels else scores).astype(float).tolist()
            return _of(texts, first), _of(texts, second), values

        return cosine(tune(pairs("train", labels), pairs("dev", False), texts))

    return Extra(name, relatedness, folds)


def cross_encoded(name: str, score: ScorePairs, *, masked: bool, folds: Sequence[int] | None) -> Extra:
    """A cross-encoder as it is, on contexts as written or masked."""

    def relatedness(judged: Judged, _: Fold) -> Relatedness:
        texts = _texts(judged, masked)
        return lambda first, second: score(_of(texts, first), _of(texts, second))

    return Extra(name, relatedness, folds)


def _texts(judged: Judged, masked: bool) -> list[str]:
    return [use.masked if masked else use.context for use in judged.uses]


def _of(texts: Sequence[str], rows: Places) -> list[str]:
    return [texts[row] for row in rows.tolist()]
