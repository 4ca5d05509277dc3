"""Which keys a data file may hold: a Bloom filter of ours, made from the ids themselves. Pure: arrays in, bytes out.

A filter may say that a key is there which is not (about one in 8,000), never the reverse. It is cut into pages of
4,096 bytes that can be checked one by one, so a question about few keys reads few pages. One key touches one block of
64 bytes: the block is chosen by one half of its id, seven bits in it by the other.
"""

import hashlib
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Halves = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]
Bools = npt.NDArray[np.bool_]

_BITS_PER_KEY = 24
_PROBES = 7
_BLOCK, _PAGE = 64, 4096
_BLOCKS = _PAGE // _BLOCK - 1  # of a page; what is left of it holds their checksum
_FOOT = struct.Struct("<8sQQQI")  # mark and version, rows, lowest and highest first half, checksum of these
_MARK = b"qlkeys-1"
_KEYS_AT_ONCE = 1 << 18
_WIDTH = 32
_NIBBLES = np.full(256, 255, np.uint8)
_NIBBLES[np.frombuffer(b"0123456789abcdef", np.uint8)] = np.arange(16)


class DamagedFilter(ValueError):
    """The bytes are not those that were written: make the filter anew from its data file."""


def halves(keys: Sequence[str] | pa.Array) -> Halves:
    """Both 64-bit halves of each key. Ids of 32 hex characters are random already; any other key is hashed.

    >>> first, second = halves(["0" * 15 + "f" + "0" * 16])
    >>> int(first[0]), int(second[0])
    (15, 0)
    """
    array = (keys if isinstance(keys, pa.Array) else pa.array(keys, pa.string())).cast(pa.binary())
    wide = pc.equal(pc.binary_length(array), _WIDTH)
    text = array.filter(wide).cast(pa.binary(_WIDTH))
    # Without copies and Python objects: the keys of a file may be millions.
    nibbles = _NIBBLES[np.frombuffer(text.buffers()[1] or b"", np.uint8)[: len(text) * _WIDTH].reshape(-1, _WIDTH)]
    out = np.zeros((len(array), _WIDTH // 2), np.uint8)
    is_id = np.array(wide, dtype=bool)
    out[is_id] = nibbles[:, ::2] << 4 | nibbles[:, 1::2] & 15
    is_id[is_id] = (nibbles < 16).all(axis=1)
    for place in np.flatnonzero(~is_id):
        digest = hashlib.blake2b(array[place].as_py(), digest_size=_WIDTH // 2).digest()
        out[place] = np.frombuffer(digest, np.uint8)
    pairs = out.view(">u8").astype(np.uint64)
    return pairs[:, 0], pairs[:, 1]


@dataclass(frozen=True)
class KeyFilter:
    """The filter of one data file.

    Args:
        rows: of the data file.
        low, high: least and greatest first half of its keys; in a sorted archive they alone exclude most files.
        pages: bytes, pages × 4,096; may be a file that is mapped and not read.
    """

    rows: int
    low: int
    high: int
    pages: npt.NDArray[np.uint8]

    @classmethod
    def build(cls, keys: Halves) -> "KeyFilter":
        """Make the filter of all keys of a file."""
        first, second = keys
        bits = max(1, len(first)) * _BITS_PER_KEY
        pages = np.zeros((-(-bits // (_BLOCKS * _BLOCK * 8)), _PAGE), np.uint8)
        flat = pages.reshape(-1)
        for start in range(0, len(first), _KEYS_AT_ONCE):
            part = slice(start, start + _KEYS_AT_ONCE)
            byte, bit = _places(first[part], second[part], len(pages))
            np.bitwise_or.at(flat, byte.ravel(), bit.ravel())
        for page in pages:
            page[-4:] = np.frombuffer(_checksum(page), np.uint8)
        low, high = (int(first.min()), int(first.max())) if len(first) else (1, 0)
        return cls(len(first), low, high, pages)

    @classmethod
    def of(cls, data: npt.NDArray[np.uint8]) -> "KeyFilter":
        """Take up what :meth:`to_bytes` wrote.

        Raises:
            DamagedFilter: the bytes were cut, or the last ones changed.
        """
        foot = bytes(data[-_FOOT.size :])
        if len(data) < _PAGE + _FOOT.size or (len(data) - _FOOT.size) % _PAGE:
            raise DamagedFilter(f"{len(data)} bytes are no filter")
        mark, rows, low, high, check = _FOOT.unpack(foot)
        pages = data[: -_FOOT.size].reshape(-1, _PAGE)
        whole = max(1, rows) * _BITS_PER_KEY <= len(pages) * _BLOCKS * _BLOCK * 8
        if mark != _MARK or check != zlib.crc32(foot[:-4]) or not whole:
            raise DamagedFilter("the foot of the filter is not what was written")
        return cls(rows, low, high, pages)

    def to_bytes(self) -> bytes:
        """Pages and, last, what is needed to read them."""
        foot = _FOOT.pack(_MARK, self.rows, self.low, self.high, 0)[:-4]
        return self.pages.tobytes() + foot + struct.pack("<I", zlib.crc32(foot))

    def may_hold(self, keys: Halves) -> Bools:
        """Say of each key whether the file may hold it.

        Raises:
            DamagedFilter: a page that had to be read is not what was written.
        """
        first, second = keys
        found = np.asarray((first >= np.uint64(self.low)) & (first <= np.uint64(self.high)))
        if not found.any():
            return found
        byte, bit = _places(first[found], second[found], len(self.pages))
        needed, place = np.unique(byte[0] // _PAGE, return_inverse=True)
        read = np.asarray(self.pages[needed])
        if any(_checksum(page) != page[-4:].tobytes() for page in read):
            raise DamagedFilter("a page of the filter is not what was written")
        found[found] = ((read[place, byte % _PAGE] & bit) != 0).all(axis=0)
        return found


def _places(
    first: npt.NDArray[np.uint64], second: npt.NDArray[np.uint64], pages: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Byte and bit of each probe, probes × keys."""
    # By the end of the first half: files are sorted by its beginning, and one of a small range would fill few blocks.
    block = ((first & np.uint64(0xFFFFFFFF)) * np.uint64(pages * _BLOCKS)) >> np.uint64(32)
    start = (block // np.uint64(_BLOCKS)) * np.uint64(_PAGE) + (block % np.uint64(_BLOCKS)) * np.uint64(_BLOCK)
    shifts = np.arange(_PROBES, dtype=np.uint64)[:, None] * np.uint64(9)
    bits = (second >> shifts) & np.uint64(_BLOCK * 8 - 1)
    return (start + (bits >> np.uint64(3))).astype(np.int64), np.uint8(1) << (bits & np.uint64(7)).astype(np.uint8)


def _checksum(page: npt.NDArray[np.uint8]) -> bytes:
    return struct.pack("<I", zlib.crc32(page[:-4].tobytes()))
