"""Opening a lake for look-ups: its texts, its model, and the vectors kept from earlier look-ups."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from quotelake.embeddings import models
from quotelake.errors import InputError, VersionError
from quotelake.lake.place import is_local
from quotelake.query.ask import Engine, reader_of
from quotelake.query.lookup.find import Lookup
from quotelake.query.lookup.known import Model, read_known, read_model
from quotelake.query.lookup.meaning import Meanings, Progress, bring_up_to_date
from quotelake.query.lookup.wording import LEAST_WORDS
from quotelake.text.words import count_words

#: Where a lake keeps the vectors for looking up by meaning: a file per model.
FOLDER: Final = "_lookup"


def open_lookup(
    root: str,
    *,
    by_meaning: bool = True,
    index: str | None = None,
    progress: Progress | None = None,
    spark: Callable[[], Engine] | None = None,
) -> Lookup:
    """Open a lake for looking texts up. The first time, all its quotes are embedded, later only new ones.

    Args:
        root: directory or address of the lake.
        by_meaning: look texts up by meaning too.
        index: folder of the vectors; None: in the lake.
        progress: learns how the vectors are brought up to date.
        spark: starts Spark; called only where DuckDB cannot read the lake, as at an address.

    Raises:
        InputError: there is no lake with quotes, the vectors cannot be written, or the lake is an address and no
            ``index`` or no ``spark`` is given.
        SettingsError: the model of the lake cannot be loaded.
        VersionError: this machine has another model of that name.
    """
    ask = reader_of(root, spark or _no_spark)
    known = read_known(ask, root)
    if not by_meaning:
        return Lookup(ask, known)
    if index is None and not is_local(root):
        raise InputError(
            f"--lake {root} is an address: name a folder of this machine for the vectors with --index, or look up by "
            "wording alone with --no-meaning"
        )
    model = read_model(ask)
    _check_model(model)
    from quotelake.embeddings.encoder import Encoder  # only here: it brings torch, which takes seconds

    encoder = Encoder(model.name, model.dtype, threads=1)  # more threads of one text wait for one another
    path = Path(index if index is not None else Path(root) / FOLDER) / f"{model.fingerprint}.vectors"
    positions = [at for at, text in enumerate(known.texts) if count_words(text) >= LEAST_WORDS]
    ids, texts = [known.ids[at] for at in positions], [known.texts[at] for at in positions]
    threads = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    vectors = bring_up_to_date(path, ids, texts, encoder, threads, progress or Progress())
    return Lookup(ask, known, Meanings(positions, vectors), lambda text: encoder.encode([text])[0])


def _check_model(model: Model) -> None:
    here = models.find(model.name, model.dtype)
    if here.fingerprint != model.fingerprint:
        raise VersionError(
            f"the embedding model {model.name!r} of this machine has the fingerprint {here.fingerprint}, the lake's "
            f"{model.fingerprint}: install the model files that the lake was scored with, or look up by wording alone "
            "with --no-meaning"
        )


def _no_spark() -> Engine:
    raise InputError("DuckDB cannot read this lake, and no function that starts Spark was given")
