"""The topic head: a linear map on stored vectors of contexts that makes their cosine say more about topics. Pure numpy.

With m and b the unit vectors of the masked and the raw context::

    x = unit(m + 0.2 b)      z = unit(x W)      topic relatedness of two contexts = z · z'

W is trained by :mod:`quotelab.training.topic_head` on judged pairs of contexts. The encoder stays as it is, so a new
head embeds no text again. On disk a head is ``NAME.safetensors`` (W) beside ``NAME.json``, its card.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from quotelake.commands import MOVED
from quotelake.embeddings import models
from quotelake.errors import InputError
from quotelake.files.outputs import write_whole

Vectors = npt.NDArray[np.float32]

#: Weight of the raw context in the blend [measured on TRoTR: `quotelab evaluate trotr`].
RAW_WEIGHT = 0.2
#: The shipped head, trained on all clear pairs of TRoTR.
DEFAULT = "default_head"
_TENSOR = "weights"
#: Columns of W up to this length keep :func:`project` exact; a trained W is near the identity.
LONGEST_COLUMN = 16.0
_GRID = float(1 << 24)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TrainedOn(_Part):
    """The judged pairs: name of their folder, clear pairs, reused texts, and SHA-256 of the pairs with their scores."""

    set: str
    pairs: int
    targets: int
    sha256: str


class HeadCard(_Part):
    """What a head is, and what it may be used with.

    Attributes:
        model: name of the encoder, for people.
        fingerprint: of the encoder's files in float32 (:func:`quotelake.embeddings.models.find`), whatever number
            format its vectors are computed in.
        dimension: of the encoder's vectors.
        raw_weight: weight of the raw context in the blend; 0 takes the masked context alone.
        recipe: settings of the training.
        training: pairs it was trained on.
        figures: measured on pairs held out, by name.
        weights_sha256: of the bytes of W.
    """

    format: Literal[1] = 1
    model: str
    fingerprint: str
    dimension: Annotated[int, Field(ge=1)]
    raw_weight: Annotated[FiniteFloat, Field(ge=0)]
    recipe: dict[str, float]
    training: TrainedOn
    figures: dict[str, float]
    weights_sha256: str


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
        """Map vectors of contexts to the head's space.

        Args:
            masked: (n, d), unit norm: vectors of the masked contexts.
            raw: (n, d), unit norm: those of the same contexts as written.

        Returns:
            (n, d), unit norm; the same bits for a row, whatever other rows there are.

        Raises:
            InputError: the vectors have another dimension than the head.
        """
        self.check_dimension(masked.shape[1])
        return project(blend(masked, raw, self.card.raw_weight), self.weights)

    def check_dimension(self, dimension: int) -> None:
        """Refuse vectors of another dimension with an InputError."""
        if dimension != self.card.dimension:
            self._refuse(f"vectors of {dimension} numbers", f"{self.card.dimension} numbers")

    def check_encoder(self, model: str, max_length: int | None = None) -> None:
        """Refuse another encoder than the one whose vectors the head was trained on; reads the model's files.

        Args:
            model: name or directory, as in ``[model] name``.
            max_length: tokens kept of a text, as in ``[model] max_length``; None takes the model's own.

        Raises:
            InputError: the fingerprints differ.
            SettingsError: see :func:`~quotelake.embeddings.models.find`.
        """
        found = models.find(model, "float32", max_length).fingerprint
        if found != self.card.fingerprint:
            made_for = f"{self.card.model} (fingerprint {self.card.fingerprint})"
            self._refuse(f"the encoder {model!r} (fingerprint {found} in float32)", made_for)

    def _refuse(self, found: str, made_for: str) -> NoReturn:
        advice = f"train one on this one's vectors ({MOVED['train-topic-head']} --model NAME), or use no head"
        raise InputError(
            f"topic head {self.version}: found {found}, but it was trained on {made_for}; choose that encoder, {advice}"
        )


def make_head(weights: Vectors, card: Mapping[str, object]) -> TopicHead:
    """Put a head together; ``card`` holds the fields of :class:`HeadCard` but dimension and digest of the weights."""
    stored = np.ascontiguousarray(weights, dtype=np.float32)
    if not _longest_column(stored) < LONGEST_COLUMN:  # also where a weight is not finite
        raise InputError(f"topic head: found weights with a column longer than {LONGEST_COLUMN}; regularise it more")
    made: dict[str, object] = {"dimension": len(stored), "weights_sha256": _digest(stored)}
    return TopicHead(stored, HeadCard.model_validate({**card, **made}))


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
    """Compute ``unit(x W)`` so that a row has the same bits in any batch and order.

    Both factors are rounded to multiples of 2⁻²⁴ first. Their products are multiples of 2⁻⁴⁸, and a sum of them is at
    most the length of a row times that of a column, so float64 holds every partial sum exactly, in whatever order the
    library adds.

    Args:
        x: (n, d), unit norm.
        weights: (d, d), columns no longer than :data:`LONGEST_COLUMN`.
    """
    return unit(_rounded(x) @ _rounded(weights))


def _rounded(values: Vectors) -> npt.NDArray[np.float64]:
    return np.rint(values.astype(np.float64) * _GRID) / _GRID


def save(head: TopicHead, path: Path) -> None:
    """Write weights and card (:func:`files_of`); the same head is the same bytes.

    Raises:
        InputError: a file cannot be written.
    """
    card_file, weights_file = files_of(path)
    write_whole(weights_file, save_tensors({_TENSOR: head.weights}))
    write_whole(card_file, head.card.model_dump_json(indent=1) + "\n")


def files_of(path: Path) -> tuple[Path, Path]:
    """Card and weights of a head, by either of the two or by their name without suffix.

    >>> [file.name for file in files_of(Path("head.v2"))], [file.name for file in files_of(Path("head.json"))]
    (['head.v2.json', 'head.v2.safetensors'], ['head.json', 'head.safetensors'])
    """
    base = path.with_suffix("") if path.suffix in (".json", ".safetensors") else path
    return base.with_name(f"{base.name}.json"), base.with_name(f"{base.name}.safetensors")


def load(path: Path | None = None) -> TopicHead:
    """Load a head; without a path, the shipped one.

    Args:
        path: either of its two files, or their name without suffix.

    Raises:
        InputError: a file is missing, is no head or card, or the two do not belong together.
    """
    named = Path(str(files("quotelake.topics").joinpath(DEFAULT))) if path is None else path
    card_file, weights_file = files_of(named)
    try:
        card = HeadCard.model_validate(json.loads(card_file.read_bytes()))
        weights = load_tensors(weights_file.read_bytes())[_TENSOR]
    except OSError as error:
        found = f"no head that can be read ({error.strerror})"
        raise InputError(f"{error.filename}: found {found}; a head is NAME.safetensors beside NAME.json") from None
    except (ValidationError, ValueError, KeyError, SafetensorError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{named}: found no topic head ({reason}); train it anew") from None
    if weights.shape != (card.dimension, card.dimension) or _digest(weights) != card.weights_sha256:
        raise InputError(f"{weights_file}: found weights of another head than {card_file} describes; train it anew")
    return TopicHead(weights, card)


def _longest_column(weights: Vectors) -> float:
    return float(np.sqrt((weights.astype(np.float64) ** 2).sum(axis=0)).max())


def _digest(weights: Vectors) -> str:
    return hashlib.sha256(weights.tobytes()).hexdigest()
