"""Digests of the words, patterns and bounds of the rules, by value: comments and line breaks do not change them."""

import importlib
import json
import pkgutil
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, is_dataclass
from enum import Enum
from fnmatch import fnmatch
from functools import cache
from importlib import resources
from operator import itemgetter
from types import ModuleType
from typing import Any

from quotelake.text import content_id
from quotelake.versions.classified import COSTS, FILES, MODULES, SHARED, Decides


@cache
def digest_of(decides: Decides) -> str:
    """Digest of all files and constants that are part of a version; computed once per process, in some 15 ms.

    Args:
        decides: ``RULES`` or ``DETECTOR``.
    """
    return content_id(json.dumps([*_files(decides), *_constants(decides)]))


def class_of(module: str) -> Decides | None:
    """Version that a module is part of, by the longest listed name that is the module or holds it; None: not listed.

    >>> class_of("compare.cues").value, class_of("sources.files").value, class_of("views")
    ('detector_version', 'nothing', None)
    """
    while module and module not in MODULES:
        module = module.rpartition(".")[0]
    return MODULES[module][0] if module else None


def constants(module: ModuleType) -> dict[str, Any]:
    """Constants of a module by name as plain values, without those that affect no result."""
    room = module.__name__.removeprefix("quotelake.")
    found = sorted((item for item in vars(module).items() if item[0].isupper()), key=itemgetter(0))
    return {
        name: plain(value)
        for name, value in found
        if f"{room}.{name}" not in COSTS and not isinstance(value, ModuleType)  # such as ``functions as F``
    }


def plain(value: Any) -> Any:
    """A value as JSON can hold it, the same in every process: sets in order, patterns by text and flags, code by name.

    >>> plain({"a": frozenset("cb"), "b": re.compile("x", re.IGNORECASE)})
    [['a', ['b', 'c']], ['b', ['x', 34]]]
    """
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, re.Pattern):
        return [value.pattern, value.flags]
    if isinstance(value, Mapping):
        return [[plain(key), plain(item)] for key, item in value.items()]
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=json.dumps)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if callable(value):
        return value.__qualname__
    raise TypeError(f"{value!r}: constants of the rules are text, numbers, patterns, code and collections of these")


def _files(decides: Decides) -> Iterator[Any]:
    """Name and content of each data file."""
    for pattern in sorted(name for name, (what, _) in FILES.items() if what is decides):
        folder, _, ending = pattern.rpartition("/")
        found = resources.files(".".join(["quotelake", *folder.split("/")])).iterdir()
        for file in sorted((file for file in found if fnmatch(file.name, ending)), key=lambda file: file.name):
            text = file.read_text("utf-8")
            # The order of the file counts: for a word listed under two verbs, the later one holds.
            yield [f"{folder}/{file.name}", tomllib.loads(text) if file.name.endswith(".toml") else text]


def _constants(decides: Decides) -> Iterator[Any]:
    """Name and constants of each module."""
    for name in sorted(name for name, (what, _) in MODULES.items() if what is decides):
        for module in _within(importlib.import_module(f"quotelake.{name}")):
            if class_of(module.__name__.removeprefix("quotelake.")) is decides:
                yield [module.__name__, constants(module)]
    for name in SHARED.get(decides, ()):
        yield [name, constants(importlib.import_module(f"quotelake.{name}"))]


def _within(module: ModuleType) -> Iterator[ModuleType]:
    """A module and, if it is a package, all modules below it that are part of a version."""
    yield module
    for found in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{module.__name__}."):
        if class_of(found.name.removeprefix("quotelake.")) is not Decides.NOTHING:
            yield from _within(importlib.import_module(found.name))
