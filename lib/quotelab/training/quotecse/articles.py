"""Articles to train on, and the pairs made of them, as rows of JSONL files. No Spark, no torch."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.files.outputs import write_whole
from quotelake.text.fold import fold
from quotelake.text.ids import content_id

PARTS = ("train", "validation", "test")
_SHARES = (0.8, 0.9)  # 80:10:10, Song et al. 2023, §4


@dataclass(frozen=True, slots=True)
class QuotedArticle:
    """A headline quote and the quotes of its body.

    Attributes:
        key: identifies the headline quote.
        article: identifies the article; its versions share it, so that they are in the same part of a split.
        headline_quote: text without marks.
        body_quotes: distinct texts in order.
        label: 1 contextomized, 0 modified; None if not labelled.
    """

    key: str
    article: str
    headline_quote: str
    body_quotes: tuple[str, ...]
    label: int | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """An article with its positive and hard negative, as indices of its body quotes.

    Attributes:
        similarity: of headline quote and positive when the pair was built.
    """

    key: str
    article: str
    headline_quote: str
    body_quotes: tuple[str, ...]
    positive: int
    negative: int
    similarity: float


def distinct(quotes: Iterable[str]) -> tuple[str, ...]:
    """Of quotes that differ only in case, marks and spaces keep the first; drop quotes without words.

    >>> distinct(["We won", "we won!", "…", "They lost"])
    ('We won', 'They lost')
    """
    first: dict[str, str] = {}
    for quote in quotes:
        first.setdefault(fold(quote).letters, quote)
    first.pop("", None)
    return tuple(first.values())


def part_of(article: str) -> str:
    """Part of an article by its hash: train, validation or test, 80:10:10.

    >>> part_of("a") == part_of("a")
    True
    """
    place = int(content_id("part", article)[:8], 16) / 2**32
    return PARTS[sum(place >= share for share in _SHARES)]


def without_copies(pairs: Iterable[Pair]) -> list[Pair]:
    """Of pairs with the same headline and body quotes (syndicated copies) keep one, in the order of keys."""
    first: dict[str, Pair] = {}
    for pair in sorted(pairs, key=lambda pair: pair.key):
        first.setdefault(content_id(pair.headline_quote, *pair.body_quotes), pair)
    return list(first.values())


def digest(pairs: Iterable[Pair]) -> str:
    """Hash of pairs, independent of their order: the training digest stored with a model."""
    return content_id(
        *sorted(
            content_id(pair.key, pair.headline_quote, *pair.body_quotes, pair.positive, pair.negative) for pair in pairs
        )
    )


def read_articles(path: Path, labelled: bool = False) -> list[QuotedArticle]:
    """Read JSONL rows with ``headline_quote``, ``body_quotes`` and, where ``labelled``, ``label`` 0 or 1.

    ``id`` identifies a row; if there is none, its content does. The file may be gzipped.

    Raises:
        InputError: the file cannot be read or a row has another form; the line is named.
    """
    return [_article(row, place, labelled) for place, row in json_lines(path)]


def write_pairs(pairs: Sequence[Pair], path: Path) -> None:
    """Write pairs as JSONL, readable by :func:`read_pairs` and :func:`read_articles`."""
    lines = (json.dumps({"id": pair.key} | asdict(pair), ensure_ascii=True) for pair in pairs)
    write_whole(path, "".join(f"{line}\n" for line in lines))


def read_pairs(path: Path) -> list[Pair]:
    """Read a file of :func:`write_pairs`.

    Raises:
        InputError: a row has another form.
    """
    pairs: list[Pair] = []
    for place, row in json_lines(path):
        try:
            values = {name: row[name] for name in Pair.__slots__}
        except KeyError as error:
            raise InputError(f"{place}: no {error}: not a built pair; remove {path} and let pairs be built") from None
        pairs.append(Pair(**(values | {"body_quotes": tuple(values["body_quotes"])})))
    return pairs


def _article(row: object, place: str, labelled: bool) -> QuotedArticle:
    headline, quotes, label = (
        (row.get("headline_quote"), row.get("body_quotes"), row.get("label")) if isinstance(row, dict) else [None] * 3
    )
    if not isinstance(headline, str) or not isinstance(quotes, list) or not all(isinstance(q, str) for q in quotes):
        raise InputError(f"{place}: needs headline_quote (text) and body_quotes (list of texts)")
    if labelled and label not in (0, 1):
        raise InputError(f"{place}: label is {label!r}; it must be 1 (contextomized) or 0 (modified)")
    assert isinstance(row, dict)
    key = str(row.get("id", content_id(headline, *quotes)))
    return QuotedArticle(
        key, str(row.get("article", key)), headline, tuple(quotes) if labelled else distinct(quotes), label
    )
