"""Which vector represents a context when topics are compared: a setting of the scores, not of what is stored.

``raw`` is the vector b of the context as written, ``masked`` that of the context without the quote, m (Periti et al.
2024, +MASK), ``blend`` is unit(m + 0.2 b) [measured on TRoTR: +.005 Spearman over masked]. A topic head is a linear map
W by which the cosine of two contexts measures their topics better::

    x = unit(m + 0.2 b)      z = unit(x W)      topic relatedness of two contexts = z · z'

:mod:`quotelab.training.topic_head` trains W on judged pairs of contexts, and writes it as ``NAME.safetensors`` beside
``NAME.json``, its card. Pure numpy.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors

from quotelake.embeddings import models
from quotelake.errors import InputError
from quotelake.settings import TopicSettings

Vectors = npt.NDArray[np.float32]

#: Weight of the raw context in the blend [measured on TRoTR: `quotelab evaluate trotr`].
RAW_WEIGHT = 0.2
#: The shipped head, trained on all clear pairs of TRoTR.
DEFAULT = "default_head"
#: Name of W in its file.
TENSOR = "weights"
#: Columns of W up to this length keep :func:`project` exact; a trained W is near the identity.
LONGEST_COLUMN = 16.0
_GRID = float(1 << 24)


class HeadCard(BaseModel):
    """What a head is used with; its file also describes the training."""

    model_config = ConfigDict(frozen=True, extra="allow")

    format: Literal[1] = 1
    model: str  #: name of the encoder, for people
    fingerprint: str  #: of the encoder's files in float32, whatever number format its vectors are computed in
    dimension: Annotated[int, Field(ge=1)]
    raw_weight: Annotated[FiniteFloat, Field(ge=0)]  #: 0 takes the masked context alone
    weights_sha256: str  #: of the bytes of W


@dataclass(frozen=True, slots=True)
class TopicHead:
    """A trained head: W, (d, d) float32, and its card."""

    weights: Vectors
    card: HeadCard

    @property
    def version(self) -> str:
        """Name that changes with whatever changes a vector."""
        return f"head-{self.card.weights_sha256[:8]}-{self.card.raw_weight:g}"

    def apply(self, masked: Vectors, raw: Vectors) -> Vectors:
        """Map vectors of masked contexts and of the same contexts as written: each (n, d), unit norm, to (n, d)."""
        return project(blend(masked, raw, self.card.raw_weight), self.weights)

    def check_encoder(self, model: str) -> None:
        """Refuse with an InputError another encoder, by name or directory, than the one the head was trained for."""
        found = models.find(model, "float32").fingerprint
        if found != self.card.fingerprint:
            raise InputError(
                f"topic head {self.version}: found the encoder {model!r} (fingerprint {found} in float32), but it was "
                f"trained on {self.card.model} (fingerprint {self.card.fingerprint}); choose that encoder, train one "
                "on this one's vectors (quotelab train topic-head --model NAME), or use no head"
            )


def blend(masked: Vectors, raw: Vectors, weight: float = RAW_WEIGHT) -> Vectors:
    """Mix the masked and the raw context, ``unit(m + weight b)``: (n, d) and (n, d) to (n, d).

    >>> blend(np.array([[1.0, 0.0]], np.float32), np.array([[0.0, 1.0]], np.float32), 0.75).round(6).tolist()
    [[0.800000011920929, 0.6000000238418579]]
    """
    return unit(masked + np.float32(weight) * raw) if weight else unit(masked)


def unit(vectors: npt.NDArray[np.floating]) -> Vectors:
    """Scale rows to length 1; a row of zeros stays as it is."""
    lengths = np.sqrt((vectors.astype(np.float64) ** 2).sum(axis=1, keepdims=True))
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def project(x: Vectors, weights: Vectors) -> Vectors:
    """Compute ``unit(x W)``, of x (n, d), unit norm, so that a row has the same bits in any batch and order.

    Both factors are rounded to multiples of 2⁻²⁴, so their products are multiples of 2⁻⁴⁸; a sum of them is at most the
    length of a row times that of a column, at most :data:`LONGEST_COLUMN`. So every partial sum is exact in float64.
    """
    rounded, rounded_weights = (np.rint(each.astype(np.float64) * _GRID) / _GRID for each in (x, weights))
    return unit(rounded @ rounded_weights)


def files_of(path: Path) -> tuple[Path, Path]:
    """Card and weights of a head, by either of the two or by their name without suffix.

    >>> [file.name for file in files_of(Path("head.v2"))], [file.name for file in files_of(Path("head.json"))]
    (['head.v2.json', 'head.v2.safetensors'], ['head.json', 'head.safetensors'])
    """
    base = path.with_suffix("") if path.suffix in (".json", ".safetensors") else path
    return base.with_name(f"{base.name}.json"), base.with_name(f"{base.name}.safetensors")


def load(path: Path | None = None) -> TopicHead:
    """Load a head by the path that :func:`files_of` takes; without one, the shipped head.

    Raises:
        InputError: a file is missing, is no head or card, or the two do not belong together.
    """
    named = Path(str(files("quotelake.topics").joinpath(DEFAULT))) if path is None else path
    card_file, weights_file = files_of(named)
    try:
        card = HeadCard.model_validate(json.loads(card_file.read_bytes()))
        weights = load_tensors(weights_file.read_bytes())[TENSOR]
    except OSError as error:
        found = f"no head that can be read ({error.strerror})"
        raise InputError(f"{error.filename}: found {found}; a head is NAME.safetensors beside NAME.json") from None
    except (ValidationError, ValueError, KeyError, SafetensorError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{named}: found no topic head ({reason}); train it anew") from None
    digest = hashlib.sha256(weights.tobytes()).hexdigest()
    if weights.shape != (card.dimension, card.dimension) or digest != card.weights_sha256:
        raise InputError(f"{weights_file}: found weights of another head than {card_file} describes; train it anew")
    return TopicHead(weights, card)


@dataclass(frozen=True)
class Representation:
    """Which vectors represent contexts: ``raw``, ``masked`` or ``blend``; without a head as the encoder gives them."""

    texts: str = "masked"
    head: TopicHead | None = None

    @property
    def name(self) -> str:
        """Name in ``topic_variation.representation``: another one for each change of the scores."""
        return self.texts if self.head is None else f"{self.texts}+{self.head.version}"

    @property
    def needed(self) -> Sequence[str]:
        """Contexts whose vectors are used: ``masked``, ``raw`` or both."""
        return ("masked", "raw") if self.texts == "blend" else (self.texts,)

    def without_head(self, masked: Vectors | None, raw: Vectors | None) -> Vectors:
        """Vectors before the head, from those needed, each (n, d), unit norm; None for one that is not needed."""
        if masked is None or raw is None:
            alone = raw if masked is None else masked
            assert alone is not None
            return alone
        return blend(masked, raw, RAW_WEIGHT if self.head is None else self.head.card.raw_weight)

    def vectors(self, masked: Vectors | None, raw: Vectors | None) -> Vectors:
        """Vectors that are compared; arguments and shape as of :meth:`without_head`."""
        if self.head is None:
            return self.without_head(masked, raw)
        assert masked is not None
        return self.head.apply(masked, masked if raw is None else raw)


def representation_of(settings: TopicSettings, model: str) -> Representation:
    """Representation that the settings name, with the head that they name: ``none``, ``shipped``, or a path.

    Raises:
        InputError: there is no such head, or it was trained on vectors of another encoder than ``model``.
    """
    if settings.head == "none":
        return Representation(settings.representation)
    head = load(None if settings.head == "shipped" else Path(settings.head))
    head.check_encoder(model)
    # The head was trained on a blend of its own, which takes the place of the setting.
    return Representation("blend" if head.card.raw_weight else "masked", head)
