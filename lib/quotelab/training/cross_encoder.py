"""A cross-encoder: a model that reads both texts of a pair at once and gives a number, higher for more related ones."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from quotelake.embeddings import models
from quotelake.errors import SettingsError

Scores = npt.NDArray[np.float64]


def load_cross_encoder(model: str) -> Callable[[Sequence[str], Sequence[str]], Scores]:
    """Load a cross-encoder; it scores pairs by the mean of both orders, so that a pair has one score.

    Args:
        model: directory, or sentence-transformers name; only safetensors weights are read, and no code of it is run.

    Raises:
        SettingsError: no such model, unsafe files, or it gives more than one number for a pair.
    """
    found = models.find(model, "float32")
    from sentence_transformers import CrossEncoder
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    loaded = CrossEncoder(
        str(found.directory),
        trust_remote_code=False,
        local_files_only=True,
        model_kwargs={"use_safetensors": True},
    )
    labels = loaded.model.config.num_labels
    if labels != 1:
        raise SettingsError(f"cross-encoder {model!r} gives {labels} numbers for a pair; choose one that gives one")

    def score(first: Sequence[str], second: Sequence[str]) -> Scores:
        both = [*zip(first, second, strict=True), *zip(second, first, strict=True)]
        values = np.asarray(loaded.predict(both, show_progress_bar=False), dtype=np.float64)
        return np.asarray(values.reshape(2, -1).mean(axis=0))

    return score
