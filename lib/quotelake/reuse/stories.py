"""Stories (near-duplicate copies of a text): folded text, sample of shingles, pairs of copies, their groups. Pure.

Two texts are a pair if their samples, at the higher of the two levels, share at least :data:`MIN_SHARED` hashes and at
least :data:`CONTAINMENT` of those of the smaller sample; if one text is at most :data:`LONGER` times as long as the
other (a list of briefs is a copy of none of its articles); if they are no reports from one frame
(:func:`differ_in_facts`); and if their documents are published within ``reuse.story_days`` of one another, or undated.

Pairs are found in :mod:`.copies`.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from quotelake.reuse.candidates import distinct
from quotelake.reuse.clusters import Place, group_pairs
from quotelake.reuse.verify import Pair
from quotelake.text.fold import fold_case, plain_signs
from quotelake.text.ids import content_id, word_hash

Hashes = npt.NDArray[np.uint64]

#: Words of a shingle: with 5, four times as many pairs share one, and none of them is a copy [measured].
SHINGLE: Final = 8
#: Most hashes in a sample: half as many at least, unless the text is short.
MOST: Final = 128
#: Scripts without spaces between words: each character counts as a word.
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD: Final = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
#: Parts not written for the text: addresses, *RT @name*, captions of a gallery of pictures. Such a gallery is shared by
#: articles that have nothing else in common, and may be longer than the text [measured].
_NOT_TEXT: Final = re.compile(
    r"https?://\S+|\ART @\w+:?\s|^.*\bhide caption \d+ of \d+.*$", re.IGNORECASE | re.MULTILINE
)
#: Every match of :data:`_NOT_TEXT` contains one of these in lower case: plain searches spare most texts the pattern,
#: which took a quarter of the time. *hide* in full would miss the dotless i, which the pattern matches too.
_SIGNS_OF_NO_TEXT: Final = ("://", "rt @", "de capt")
_ASCII_WORD: Final = re.compile("[a-z0-9]+")
#: A number, or a word in capitals that does not begin a sentence, which a name mostly is.
_FACT: Final = re.compile(r"(?:(?<=[\w’] )|(?<=[\w’][,;] ))[A-ZÀ-ÖØ-ÞΑ-ΩА-ЯЁ][\w’-]+|\d(?:[\d.,:]*\d)?")
#: Most facts of a text that are stored: those with the least hashes.
FACTS: Final = 32
#: Facts that both texts have at least to be compared by them; and the share of the fewer ones that copies have at least
#: in common. Of 9 pairs of reports from one frame the largest share is .11, of 45 copies of these the least .88 [ours].
MIN_FACTS: Final = 4
SAME_FACTS: Final = 0.5
#: Odd, so that no bit of a word is lost: the golden ratio in 64 bits.
_FACTOR: Final = 0x9E3779B97F4A7C15
#: Words from which the text of an article is compared: a shorter one is often a notice for subscribers [ours].
MIN_WORDS: Final = 50
#: Words from which equal tweets are copies: several people may write a shorter one independently [ours].
MIN_TWEET_WORDS: Final = 12
#: Levels above that of a sample at which its size is stored: texts further apart differ too much in length.
LEVELS: Final = 3
#: Hashes that samples of a pair share at least: fewer are chance, or one sentence that both quote [ours].
MIN_SHARED: Final = 8
#: Share of the smaller sample that the other one has at least. Pairs from .5 on were read: see docs/FIGURES.md.
CONTAINMENT: Final = 0.6
#: Share of the hashes of both samples together above which two texts are near copies rather than one a part: more than
#: half, so that of two articles on one page at most one is a near copy of the page.
JACCARD: Final = 0.5
#: How many times as long the longer text may be.
LONGER: Final = 4


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
    return _WORD.findall(fold_case(text))


def sample(words: list[str]) -> tuple[int, Hashes]:
    """Sample the shingles of a text: a level, and distinct hashes, ascending, each with so many last bits 0."""
    if len(words) < SHINGLE:
        return 0, np.zeros(0, np.uint64)
    # A polynomial of the hashes of eight words, by doubling.
    total = np.fromiter(map(word_hash, words), np.uint64, len(words))
    for half in (1, 2, 4):
        total = total[:-half] * np.uint64(pow(_FACTOR, half, 1 << 64)) + total[half:]
    kept, level = distinct(_mixed(total)), 0
    while len(kept) > MOST:
        level += 1
        kept = at_level(kept, level)
    return level, kept


def facts_of(text: str) -> list[int]:
    """Hashes of the numbers and names of a text, at most :data:`FACTS`, ascending."""
    return sorted({word_hash(found.casefold()) >> 1 for found in _FACT.findall(text)})[:FACTS]


def differ_in_facts(one: Collection[int], other: Collection[int]) -> bool:
    """Whether the facts of two texts (:func:`facts_of`) differ so much that the texts are reports from one frame.

    >>> differ_in_facts([1, 2, 3, 4, 5], [1, 6, 7, 8, 9]), differ_in_facts([1, 2, 3, 4, 5], [1, 2, 3])
    (True, False)
    """
    known = min((max(each) for each in (one, other) if len(each) == FACTS), default=1 << 64)
    first, second = ({fact for fact in each if fact <= known} for each in (one, other))
    fewer = min(len(first), len(second))
    return fewer >= MIN_FACTS and len(first & second) < SAME_FACTS * fewer


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


def text_of_document(document: Mapping[str, Any], rule_version: str) -> dict[str, Any]:
    """Fold and sample the body of a document: the content columns of ``story_texts``.

    Texts that are equal but for case, marks and spaces have one ``text_id``. A text too short to distinguish a copy
    from a coincidence has that of its article or tweet (``native_key``) and an empty sample. A tweet of enough words is
    compared as a whole, so its sample is empty too.
    """
    kind = document["kind"]
    words = folded_words(document["body"])
    judged = len(words) >= (MIN_TWEET_WORDS if kind == "tweet" else MIN_WORDS)
    level, hashes = sample(words if judged and kind != "tweet" else [])
    return {
        "doc_id": document["doc_id"],
        "rule_version": rule_version,
        "published": document["published"],
        "text_id": content_id(kind, " ".join(words)) if judged else document["native_key"],
        "judged": judged,
        "words": len(words),
        "level": level,
        "sizes": [len(at_level(hashes, level + above)) for above in range(LEVELS + 1)],
        "sample": hashes.view(np.int64).tolist(),
        "facts": facts_of(document["body"]) if len(hashes) else [],
    }


def day_ranges(days: Iterable[date], window: int) -> list[tuple[date, date]]:
    """First and last day of each range of days within ``window`` days of one of ``days``.

    >>> days = [date(2024, 3, day) for day in (9, 5, 20)]
    >>> [(first.day, last.day) for first, last in day_ranges(days, 2)]
    [(3, 11), (18, 22)]
    """
    near, found = timedelta(window), list[tuple[date, date]]()
    for day in sorted(days):
        first = found.pop()[0] if found and day - near <= found[-1][1] else day - near
        found.append((first, day + near))
    return found


def group_copies(pairs: Iterable[Pair]) -> dict[str, Place]:
    """Place every text that is in a pair among its copies, as :func:`.clusters.group_pairs` does."""
    pairs = list(pairs)
    places = group_pairs(copies_only(pairs))
    components = {text: place.component_id for text, place in group_pairs(pairs).items()}
    return {text: Place(places[text].group_id if text in places else text, components[text]) for text in components}


def copies_only(pairs: list[Pair]) -> list[Pair]:
    """Leave out the parts of a text that contains several articles, such as a list of briefs or a live page.

    All parts of a text are left out if pairs among them do not connect them. A part is left out if fewer than half of
    the near copies of the text are in a pair with it: these share more than half of the text, and the part is another
    half.
    """
    partners: dict[str, set[str]] = defaultdict(set)
    parts: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        partners[pair.a].add(pair.b)
        partners[pair.b].add(pair.a)
        if pair.contained:
            part, whole = pair.part_and_whole
            parts[whole].add(part)
    one_article = {whole for whole, found in parts.items() if _connected(found, partners)}

    def stays(part: str, whole: str) -> bool:
        near = {text for text in partners[whole] - parts[whole] if whole not in parts[text]}
        return whole in one_article and 2 * len(near & partners[part]) >= len(near)

    return [pair for pair in pairs if not pair.contained or stays(*pair.part_and_whole)]


def _connected(texts: set[str], partners: Mapping[str, set[str]]) -> bool:
    waiting, left = [min(texts)], texts - {min(texts)}
    while waiting:
        reached = partners[waiting.pop()] & left
        left = left - reached
        waiting += reached
    return not left
