"""Corpora for benchmarks: splits off the last records of a corpus, or copies a corpus in other words. No Spark.

Reads JSON Lines, plain or gzipped. Lines are passed on unchanged: broken records stay broken.
"""

import json
import random
import re
from argparse import ArgumentTypeError
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from quotelab.labels.texts import find_paths
from quotelake.errors import InputError
from quotelake.files.jsonl import opened
from quotelake.files.values import names_in
from quotelake.settings import Settings
from quotelake.source_settings import NewsField, SourceSettings
from quotelake.text.lexicon import table

#: Source in the settings, and a glob of its files.
Inputs = Sequence[tuple[str, str]]
Lines = dict[str, list[bytes]]

#: Words that may be exchanged; not those in capitals, nor parts of others.
_WORD: Final = re.compile(r"(?<![\w-])(?<!\w['’])[A-Za-z][a-z]{2,}(?![\w-]|['’]\w)")
#: A quotation in its marks, and a word of it.
_QUOTED: Final = re.compile(r"(“[^“”]*”|\"[^\"\n]*\"|‘[^‘’]*’|(?<!\w)'[^'\n]*'(?!\w))")
_QUOTED_WORD: Final = re.compile(_WORD.pattern.replace("{2,}", "+"))
#: Endings of verbs and adverbs, which rules depend on: such a word is exchanged for one with the same ending.
_FORMS: Final = ("ed", "ing", "ly")
_TEXTS: Final[tuple[NewsField, ...]] = ("headline", "body")
_MARKED: Final[dict[NewsField, str]] = {
    "native_id": "~", "conversation_id": "~", "reply_to_id": "~", "quoted_id": "~", "url": "#",
}  # fmt: skip


def parse_numbers(text: str) -> tuple[int, ...]:
    """Read an argument of whole numbers from 1 on with commas between them: in order, each once."""
    if not re.fullmatch(r"[1-9]\d{0,17}(?>(,[1-9]\d{0,17})*)", text):
        raise ArgumentTypeError(f"{text!r}: expected numbers from 1 on with commas between them, such as 1,10")
    return tuple(sorted(set(map(int, text.split(",")))))


def read_lines(inputs: Inputs, settings: Settings) -> Lines:
    """Lines of the files of each source, in the order of their names."""
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


def hold_back(lines: Lines, count: int) -> tuple[Lines, Lines]:
    """Split off the last records of each source, in proportion to its size: the records left, and those held back.

    >>> hold_back({"a": [b"1", b"2", b"3", b"4"], "b": [b"5", b"6"]}, 3)
    ({'a': [b'1', b'2'], 'b': [b'5']}, {'a': [b'3', b'4'], 'b': [b'6']})
    """
    total = sum(map(len, lines.values()))
    if not 0 < count < total:
        raise InputError(f"--night {count}: the input has {total} records; hold back at least 1 and fewer than all")
    kept: Lines = {}
    held: Lines = {}
    seen = 0
    for source, records in lines.items():
        before, seen = seen, seen + len(records)
        share = round(count * seen / total) - round(count * before / total)  # of sums, so that the shares add up
        kept[source], held[source] = records[: len(records) - share], records[len(records) - share :]
    return kept, {source: records for source, records in held.items() if records}


def write_lines(lines: Mapping[str, Iterable[bytes]], folder: Path) -> list[tuple[str, str]]:
    """Write a file for each source; return the files as inputs of a run."""
    folder.mkdir(parents=True, exist_ok=True)
    for source, records in lines.items():
        with (folder / f"{source}.jsonl").open("wb") as file:
            file.writelines(record + b"\n" for record in records)
    return [(source, str(folder / f"{source}.jsonl")) for source in lines]


def copies(lines: Lines, settings: Settings, times: int) -> dict[str, Iterator[bytes]]:
    """Records of each source and their copies (:func:`in_other_words`), ``times`` as many; made as they are read."""

    def of_source(source: str) -> Iterator[bytes]:
        made = (in_other_words(lines[source], settings.sources[source], copy) for copy in range(times))
        return chain.from_iterable(made)

    return {source: of_source(source) for source in lines}


def in_other_words(records: Sequence[bytes], source: SourceSettings, copy: int) -> Iterator[bytes]:
    """Yield copy ``copy`` of each record: words replaced by others of the same length, ids and URLs marked.

    Verbs of saying and capitals stay, and function words outside quotation marks; within, these have one another's
    place, as else each copy would use the quotes with few other words again. Within a copy a word always has the same
    replacement, so headline and body agree as before, and few quotes of two copies are alike. Copy 0 is the unchanged
    record.
    """
    if copy == 0:
        yield from records
        return
    names = {column: sorted(names_in(name)) for column, name in source.fields.items()}
    texts = [name for column in _TEXTS for name in names.get(column, ())]
    marked = [(name, f"{mark}{copy}") for column, mark in _MARKED.items() for name in names.get(column, ())]
    found = (fields.get(where) for fields in map(_fields, records) for where in texts)
    vocabulary = {word.lower() for text in found if isinstance(text, str) for word in _WORD.findall(text)}
    order = random.Random(copy)
    elsewhere = _replacements(vocabulary - table("function_words") - table("reporting_verbs"), order)
    in_quotes = elsewhere | _replacements(set(table("function_words")), order)

    def reworded(text: str) -> str:
        parts = _QUOTED.split(text)  # every second one is a quotation
        parts[::2] = (_WORD.sub(partial(_replaced, elsewhere), part) for part in parts[::2])
        parts[1::2] = (_QUOTED_WORD.sub(partial(_replaced, in_quotes), part) for part in parts[1::2])
        return "".join(parts)

    for record in records:
        fields = _fields(record)
        for where in texts:
            if isinstance(fields.get(where), str | int):
                fields[where] = reworded(str(fields[where]))
        for where, mark in marked:
            if isinstance(fields.get(where), str | int):
                fields[where] = f"{fields[where]}{mark}"
        yield json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass") if fields else record


def _replacements(words: Collection[str], order: random.Random) -> dict[str, str]:
    """Each word with one of the same length and ending in its place."""
    alike: dict[tuple[int, str], list[str]] = {}
    for word in sorted(words):
        ending = next((form for form in _FORMS if word.endswith(form)), "")
        alike.setdefault((len(word), ending), []).append(word)
    return {
        word: other for each in alike.values() for word, other in zip(each, order.sample(each, len(each)), strict=True)
    }


def _replaced(replacements: Mapping[str, str], word: re.Match[str]) -> str:
    found = replacements.get(word[0].lower(), word[0])
    return found.capitalize() if found != word[0] and word[0][0].isupper() else found


def _fields(record: bytes) -> dict[str, Any]:
    """Fields of a record; empty if it is broken."""
    try:
        fields = json.loads(record)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}
