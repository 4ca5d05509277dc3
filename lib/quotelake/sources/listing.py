"""List the input files that a pattern names without Spark, as :func:`quotelake.sources.files.list_files` would."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pyarrow.fs as pafs

from quotelake.errors import InputError
from quotelake.sources.inputs import InputFile, check_pattern, files_named, input_file
from quotelake.sources.streams import ADDRESS, OPEN_ERRORS, file_system

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_WILD = re.compile(r"[*?\[\\]")
#: The innermost alternatives of a pattern, such as ``{2023,2024}``.
_BRACES = re.compile(r"\{([^{}]*)\}")


def list_files_alone(source: str, pattern: str) -> list[InputFile]:
    """List the files that a pattern names, sorted by path, through Arrow's file systems.

    Args:
        source: name of the source in the settings.
        pattern: as Hadoop reads it: a file, a directory (the files in it) or a glob with ``*``, ``?``, ``[…]`` and
            ``{…}``. In directories and globs, names that start with ``.`` or ``_`` are left out.

    Raises:
        InputError: the pattern is blank, matches nothing, or names only directories without files; or Arrow does not
            reach the address.
    """
    check_pattern(source, pattern)
    address = pattern if ADDRESS.fullmatch(pattern) or pattern.startswith("file:") else str(Path(pattern).absolute())
    try:
        system, within = file_system(address)
        found = [_files_of(system, info) for info in _matches(system, within)]
    except (*OPEN_ERRORS, NotImplementedError) as error:
        raise InputError(f"{source}={pattern}: cannot be listed: {str(error).partition(chr(10))[0]}") from None
    before = _shown_before(address, within)
    matches = [
        [input_file(source, before(info.path), info.size, info.mtime_ns // 1_000_000) for info in infos]
        for infos in found
    ]
    return files_named(source, pattern, matches)


def _shown_before(address: str, within: str) -> Any:
    """How the path of a file within its file system is written as an address."""
    parts = ADDRESS.fullmatch(address)
    if parts is None:
        return lambda path: f"file:{path}"
    root = len(within) - len(parts["path"])
    return lambda path: f"{parts['scheme']}://{parts['authority']}{path[root:]}"


def _matches(system: Any, within: str) -> Iterator[Any]:
    literal = system.get_file_info(within)
    if literal.type != pafs.FileType.NotFound:  # a file may have brackets in its name
        yield literal
        return
    for pattern in _alternatives(within):
        yield from filter(_visible, _walk(system, pattern))


def _alternatives(pattern: str) -> list[str]:
    """Patterns without braces.

    >>> _alternatives("/in/{a,b{1,2}}.csv")
    ['/in/a.csv', '/in/b1.csv', '/in/b2.csv']
    """
    found = _BRACES.search(pattern)
    if found is None:
        return [pattern]
    each = [pattern[: found.start()] + part + pattern[found.end() :] for part in found[1].split(",")]
    return list(dict.fromkeys(one for part in each for one in _alternatives(part)))


def _walk(system: Any, pattern: str) -> Iterator[Any]:
    head, _, name = pattern.rstrip("/").rpartition("/")
    if not _WILD.search(pattern):
        info = system.get_file_info(pattern)
        if info.type != pafs.FileType.NotFound:
            yield info
        return
    wanted = _as_fnmatch(name)
    for folder in _walk(system, head) if _WILD.search(head) else [system.get_file_info(head or "/")]:
        if folder.type == pafs.FileType.Directory:
            yield from (info for info in _inside(system, folder) if fnmatchcase(info.base_name, wanted))


def _as_fnmatch(name: str) -> str:
    r"""One part of a glob of Hadoop's as :mod:`fnmatch` writes it, which has no backslash.

    >>> _as_fnmatch("[^ab]*.csv"), _as_fnmatch(r"c\[1\].csv")
    ('[!ab]*.csv', 'c[[]1].csv')
    """
    plain = _ESCAPED.sub(lambda found: f"[{found[1]}]" if found[1] in "*?[" else found[1], name)
    return plain.replace("[^", "[!")


def _inside(system: Any, folder: Any) -> list[Any]:
    return sorted(system.get_file_info(pafs.FileSelector(folder.path)), key=lambda info: str(info.path))


def _files_of(system: Any, info: Any) -> list[Any]:
    if info.type != pafs.FileType.Directory:
        return [info]
    return [each for each in _inside(system, info) if _visible(each) and each.type == pafs.FileType.File]


def _visible(info: Any) -> bool:
    return not str(info.base_name).startswith((".", "_"))
