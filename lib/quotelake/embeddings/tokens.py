"""Token ids of texts in one buffer: by ``tokenizers``, or much faster by ``nanotoken``, which gives equal ids."""

import logging
import os
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

#: What each process compares before it uses nanotoken, whose next version may read a text in another way.
_COMPARED: Final = (
    "",
    "The mayor's 3,200 pages: “Élodie’s naïve plan — £1,200 — failed…”\n\tINTERNATIONALISATION",
    "東京で二人が会った。대통령은 말했다. Ελληνικός λόγος, привет, 👩‍👩‍👧 ﬁn İstanbul a\u0301\u200d\u00ad\x0b\ufffd",
    "[SEP] a[MASK]b [UNK]" + "w" * 120,
)
#: Returns the token ids of texts, each cut to this many tokens.
Tokenise = Callable[[Sequence[str], int], "Tokens"]


class Tokens(NamedTuple):
    """Token ids of all texts in one buffer: text ``i`` has ``ids[starts[i]:starts[i + 1]]``; and which were cut."""

    ids: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]
    truncated: npt.NDArray[np.bool_]


def flat(tokens: Sequence[Sequence[int]], truncated: Sequence[bool]) -> Tokens:
    """Put the ids of all texts into one buffer."""
    starts = np.zeros(len(tokens) + 1, np.int64)
    np.cumsum([len(ids) for ids in tokens], out=starts[1:])
    ids = np.fromiter(chain.from_iterable(tokens), np.int32, count=int(starts[-1]))
    return Tokens(ids, starts, np.array(truncated, bool))


def tokeniser(file: Path) -> Tokenise:
    """Read a ``tokenizer.json``: by nanotoken where it is installed and gives the same ids, else by tokenizers."""
    usual = by_tokenizers(file)
    try:
        fast = by_nanotoken(file)
        for max_length in (8, 512):
            for one, other in zip(fast(_COMPARED, max_length), usual(_COMPARED, max_length), strict=True):
                np.testing.assert_array_equal(one, other)
    except ImportError:
        return usual
    except Exception as error:  # whatever a young package raises or answers, the usual one remains
        reason = " ".join(str(error).split())[:200]
        logging.getLogger(__name__).warning("tokenising %s is slower, without nanotoken: %s", file, reason)
        return usual
    return fast


def by_tokenizers(file: Path) -> Tokenise:
    """Read a ``tokenizer.json`` by the package that made it."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()

    def tokenise(texts: Sequence[str], max_length: int) -> Tokens:
        tokenizer.enable_truncation(max_length)
        encoded = tokenizer.encode_batch_fast(list(texts))  # without places in the text
        return flat([text.ids for text in encoded], [bool(text.overflowing) for text in encoded])

    return tokenise


def by_nanotoken(file: Path) -> Tokenise:
    """Read a ``tokenizer.json`` of word pieces by nanotoken; any error it raises."""
    import nanotoken  # type: ignore[import-not-found, unused-ignore]

    nanotoken.set_cache_entries(2**18)  # words that a thread remembers, 32 MB; no slower than with the usual 2**20
    tokenizer: Any = nanotoken.Tokenizer(str(file))
    closing = len(tokenizer.backend.suffix_ids)  # special tokens that end each text

    def tokenise(texts: Sequence[str], max_length: int) -> Tokens:
        is_alone = os.environ.get("TOKENIZERS_PARALLELISM") == "false"  # what tokenizers obeys by itself
        found = tokenizer.encode_batch(texts, max_length=max_length + 1, parallel=False if is_alone else None)
        # One token more than is kept shows which texts are longer. In these the last but the special ones is left out.
        long = np.diff(found.offsets) > max_length
        ids = np.delete(found.ids, found.offsets[1:][long] - closing - 1)
        starts = found.offsets - np.concatenate([[0], np.cumsum(long)])
        return Tokens(ids.astype(np.int32), starts, long)

    return tokenise
