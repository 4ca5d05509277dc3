"""Corpora for benchmarks: splits off the last records of a corpus, or copies a corpus in other words. No Spark.

Reads JSON Lines, plain or gzipped. Lines are passed on unchanged: broken records stay broken.
"""

import json
import random
import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

from quotelake.errors import InputError
from quotelake.files.jsonl import find_paths, opened
from quotelake.quotes.lexicon import FUNCTION_WORDS, REPORTING_VERBS
from quotelake.quotes.spans import find_quotes
from quotelake.settings import NewsField, Settings, SourceSettings

#: Source in the settings, and a glob of its files.
Inputs = Sequence[tuple[str, str]]
Lines = dict[str, list[bytes]]

#: Words that may be exchanged; not those in capitals, nor parts of others.
_WORD: Final = re.compile(r"(?<![\w-])(?<!\w['’])[A-Za-z][a-z]{2,}(?![\w-]|['’]\w)")
#: Endings of verbs and adverbs, which rules depend on: such a word is exchanged for one with the same ending.
_FORMS: Final = ("ed", "ing", "ly")
_TEXTS: Final[tuple[NewsField, ...]] = ("headline", "body")
_IDS: Final[tuple[NewsField, ...]] = ("native_id", "conversation_id", "reply_to_id", "quoted_id")


def parse_input(text: str) -> tuple[str, str]:
    """Read an argument ``NAME=GLOB``.

    >>> parse_input("us_news=news/*.jsonl.gz")
    ('us_news', 'news/*.jsonl.gz')
    """
    name, sign, pattern = text.partition("=")
    if not (sign and name and pattern):
        raise InputError(f"--input {text!r}: expected NAME=GLOB, such as us_news=/data/us_news*.jsonl.gz")
    return name, pattern


def parse_numbers(text: str) -> tuple[int, ...]:
    """Read an argument of whole numbers with commas between them, from 1 on: in order, each once.

    >>> parse_numbers("10,1,10")
    (1, 10)
    """
    if not re.fullmatch(r"[1-9]\d{0,17}(,[1-9]\d{0,17})*+", text):
        raise ArgumentTypeError(f"{text!r}: expected numbers from 1 on with commas between them, such as 1,10")
    return tuple(sorted(set(map(int, text.split(",")))))


def read_lines(inputs: Inputs, settings: Settings) -> Lines:
    """Lines of the files of each source, in the order of their names.

    Raises:
        InputError: a source is not declared, or a file is missing or not JSON Lines.
    """
    found: Lines = {}
    for source, pattern in inputs:
        if source not in settings.sources:
            raise InputError(f"--input {source}={pattern}: no [sources.{source}] in the settings")
        for path in find_paths([pattern], f"--input {source}="):
            if ".json" not in path.name or path.suffix == ".json":
                raise InputError(f"{path}: records are held back from JSON Lines only (.jsonl or .jsonl.gz)")
            with opened(path) as file:
                found.setdefault(source, []).extend(line.rstrip(b"\n") for line in file if line.strip())
    return found


def hold_back(
    lines: Mapping[str, Sequence[bytes]], count: int
) -> tuple[dict[str, list[bytes]], dict[str, list[bytes]]]:
    """Split off the last records of each source, in proportion to its size.

    Returns:
        The records left, and those held back.

    >>> hold_back({"a": [b"1", b"2", b"3", b"4"], "b": [b"5", b"6"]}, 3)
    ({'a': [b'1', b'2'], 'b': [b'5']}, {'a': [b'3', b'4'], 'b': [b'6']})
    """
    total = sum(map(len, lines.values()))
    if not 0 < count < total:
        raise InputError(f"--night {count}: the input has {total} records; hold back at least 1 and fewer than all")
    cut, taken, seen = {}, 0, 0
    for source, records in lines.items():
        seen += len(records)
        share = round(count * seen / total) - taken  # of rounded sums, so that the shares add up
        cut[source] = len(records) - share
        taken += share
    kept = {source: list(records[: cut[source]]) for source, records in lines.items()}
    return kept, {
        source: list(records[cut[source] :]) for source, records in lines.items() if cut[source] < len(records)
    }


def write_lines(lines: Mapping[str, Iterable[bytes]], folder: Path) -> list[tuple[str, str]]:
    """Write a file for each source; return the files as inputs of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    inputs = []
    for source, records in lines.items():
        path = folder / f"{source}.jsonl"
        with path.open("wb") as file:
            file.writelines(record + b"\n" for record in records)
        inputs.append((source, str(path)))
    return inputs


def copies(lines: Lines, settings: Settings, times: int) -> dict[str, Iterator[bytes]]:
    """Records of each source and their copies (:func:`in_other_words`), ``times`` as many; made as they are read."""

    def of_source(source: str) -> Iterator[bytes]:
        for copy in range(times):
            yield from in_other_words(lines[source], settings.sources[source], copy)

    return {source: of_source(source) for source in lines}


def quotes_in_copies(lines: Lines, settings: Settings) -> Iterator[str]:
    """Quotes in the texts of the records, then in those of their first copy, and so on without end."""
    for copy in count():
        for source, records in lines.items():
            where = settings.sources[source].fields.get("body", "")
            for record in in_other_words(records, settings.sources[source], copy):
                text = _fields(record).get(where)
                if isinstance(text, str):
                    yield from (quote.text for quote in find_quotes(text))


def in_other_words(records: Sequence[bytes], source: SourceSettings, copy: int) -> Iterator[bytes]:
    """Yield copy ``copy`` of each record: words replaced by others of the same length, ids and URLs marked.

    Function words and verbs of saying stay; capitals stay where they were. Within a copy a word always has the same
    replacement, so headline and body agree as before. Offsets, lengths and the number of quotes stay the same; ids,
    variants and contexts differ. So few quotes of one copy are alike with those of another: else nearly every quote
    would be a reused one. Copy 0 is the unchanged record.
    """
    if copy == 0:
        yield from records
        return
    exchange = _exchange(_vocabulary(records, source), copy)
    for record in records:
        fields = _fields(record)
        for name in _TEXTS:
            _change(fields, source, name, partial(_WORD.sub, lambda word: _exchanged(word[0], exchange)))
        for name in _IDS:
            _change(fields, source, name, lambda text: f"{text}~{copy}")
        _change(fields, source, "url", lambda text: f"{text}#{copy}")
        yield json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass") if fields else record


def _fields(record: bytes) -> dict[str, Any]:
    """Fields of a record; empty if it is broken."""
    try:
        fields = json.loads(record)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _change(fields: dict[str, Any], source: SourceSettings, name: NewsField, change: Callable[[str], str]) -> None:
    where = source.fields.get(name)
    if where and isinstance(fields.get(where), str | int):
        fields[where] = change(str(fields[where]))


def _vocabulary(records: Sequence[bytes], source: SourceSettings) -> tuple[str, ...]:
    """Words of the records that are exchanged, in small letters, sorted."""
    found: set[str] = set()
    for fields in map(_fields, records):
        for name in _TEXTS:
            where = source.fields.get(name)
            if where and isinstance(fields.get(where), str):
                found.update(map(str.lower, _WORD.findall(fields[where])))
    return tuple(sorted(found - FUNCTION_WORDS - REPORTING_VERBS))


def _exchange(vocabulary: Sequence[str], copy: int) -> dict[str, str]:
    """Pair each word with one of the same length and ending, in an order that depends on the copy."""
    order, pairs = random.Random(copy), dict[str, str]()
    alike: dict[tuple[int, str], list[str]] = {}
    for word in vocabulary:
        ending = next((form for form in _FORMS if word.endswith(form)), "")
        alike.setdefault((len(word), ending), []).append(word)
    for words in alike.values():
        pairs |= zip(words, order.sample(words, len(words)), strict=True)
    return pairs


def _exchanged(word: str, exchange: Mapping[str, str]) -> str:
    """What a word is replaced by, with a capital where it had one.

    >>> _exchanged("House", {"house": "tiger"}), _exchanged("The", {})
    ('Tiger', 'The')
    """
    other = exchange.get(word.lower())
    return word if other is None else other.capitalize() if word[0].isupper() else other
