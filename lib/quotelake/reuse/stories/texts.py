"""A document → its text as stories know it: what copies of it share, and the sample by which near copies are found."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quotelake.reuse.candidates import distinct
from quotelake.text.fold import plain_signs
from quotelake.text.ids import content_id, word_hash

Hashes = npt.NDArray[np.uint64]

#: Words of a shingle: with 5, four times as many pairs share one, and none of them is a copy [measured].
SHINGLE: Final = 8
#: Most hashes in a sample: half as many at least, unless the text is short.
MOST: Final = 128
#: Scripts without spaces between words: each character counts as a word.
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD: Final = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
#: What a text holds that is not written for it: addresses, whom a repost repeats, captions of a gallery of pictures.
#: Such a gallery stands in articles that have nothing else in common, and may be longer than the text [measured].
_NOT_TEXT: Final = re.compile(
    r"https?://\S+|\ART @\w+:?\s|^.*\bhide caption \d+ of \d+.*$", re.IGNORECASE | re.MULTILINE
)
#: All that :data:`_NOT_TEXT` matches holds one of these in lower case: plain searches spare most texts the pattern,
#: which took a quarter of the time. *hide* in full would miss the dotless i, which the pattern matches too.
_SIGNS_OF_NO_TEXT: Final = ("://", "rt @", "de capt")
_ASCII_WORD: Final = re.compile("[a-z0-9]+")
#: Odd, so that no bit of a word is lost: the golden ratio in 64 bits.
_FACTOR: Final = 0x9E3779B97F4A7C15


class Sample(NamedTuple):
    """Sampled shingles of a text.

    Attributes:
        level: number of last bits that are 0 in each hash.
        hashes: distinct, ascending.
    """

    level: int
    hashes: Hashes


def folded_words(text: str) -> list[str]:
    """Words of a text without case, marks, punctuation, addresses and captions of galleries.

    >>> folded_words("“We won’t,” she said. 我们 https://example.org/a")
    ['we', 'won', 't', 'she', 'said', '我', '们']
    """
    plain = plain_signs(text).lower()
    if any(sign in plain for sign in _SIGNS_OF_NO_TEXT):
        text = _NOT_TEXT.sub(" ", text)
        plain = plain_signs(text).lower()
    if plain.isascii():
        return _ASCII_WORD.findall(plain)
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def sample(words: list[str]) -> Sample:
    """Sample the shingles of a text; none of a text that is shorter than a shingle.

    >>> sample(["the", "same"]).hashes.tolist()
    []
    """
    if len(words) < SHINGLE:
        return Sample(0, np.zeros(0, np.uint64))
    # A polynomial of the hashes of eight words, by doubling: of two words, of four, of eight.
    total = np.fromiter(map(word_hash, words), np.uint64, len(words))
    for half in (1, 2, 4):
        total = total[:-half] * np.uint64(pow(_FACTOR, half, 1 << 64)) + total[half:]
    kept, level = distinct(_mixed(total)), 0
    while len(kept) > MOST:
        level += 1
        kept = at_level(kept, level)
    return Sample(level, kept)


def at_level(hashes: Hashes, level: int) -> Hashes:
    """Keep the hashes whose last ``level`` bits are 0.

    >>> at_level(np.array([1, 2, 4], np.uint64), 1).tolist()
    [2, 4]
    """
    return np.asarray(hashes[(hashes & np.uint64((1 << level) - 1)) == 0])


def _mixed(values: Hashes) -> Hashes:
    """Spread every bit over all: the finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(values ^ (values >> np.uint64(31)))


#: Words from which the text of an article is compared: a shorter one is often a notice for subscribers [ours].
MIN_WORDS: Final = 50
#: Words from which equal tweets are copies: several people may write a shorter one independently [ours].
MIN_TWEET_WORDS: Final = 12
#: Levels above that of a sample at which it is counted: texts further apart differ too much in length to be compared.
LEVELS: Final = 3


def text_of_document(document: Mapping[str, Any], rule_version: str) -> dict[str, Any]:
    """Fold and sample the body of a document.

    Equal texts have one ``text_id``, whatever their case, marks and spaces. A text that is too short to tell a copy
    from a coincidence has that of its article or tweet (``native_key``), and an empty sample; a tweet of enough words
    is compared as a whole alone, so its sample is empty too.

    Args:
        document: ``doc_id``, ``kind``, ``body``, ``native_key``.
        rule_version: version of the rules.

    Returns:
        The content columns of ``story_texts``.
    """
    kind = document["kind"]
    words = folded_words(document["body"])
    judged = len(words) >= (MIN_TWEET_WORDS if kind == "tweet" else MIN_WORDS)
    level, hashes = sample(words if judged and kind != "tweet" else [])
    return {
        "doc_id": document["doc_id"],
        "rule_version": rule_version,
        "text_id": content_id(kind, " ".join(words)) if judged else document["native_key"],
        "judged": judged,
        "words": len(words),
        "level": level,
        "sizes": [len(at_level(hashes, level + above)) for above in range(LEVELS + 1)],
        "sample": hashes.view(np.int64).tolist(),
    }
