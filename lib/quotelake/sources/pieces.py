"""Which task reads what: large uncompressed JSON Lines files in byte ranges, several small files in one task."""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from quotelake.settings import Settings
from quotelake.sources.decoding import UTF_8
from quotelake.sources.inputs import InputFile
from quotelake.sources.records import Format, format_of
from quotelake.sources.streams import codec_of

#: Assumed ratio of uncompressed to compressed size; only the balance of the tasks depends on it.
_UNPACKS = 4
#: Cost of opening a file, in bytes read: without it a task might get ten thousand tiny files.
_OPENING = 65536


@dataclass(frozen=True)
class Piece:
    """A byte range [start, end) of a file; ``end`` None is the end of the file. ``weight``: estimated cost in bytes."""

    file_id: str
    source: str
    path: str
    format: Format
    start: int
    end: int | None
    weight: int


def pieces_of(files: Sequence[InputFile], settings: Settings) -> Iterator[Piece]:
    """Cut files into pieces: JSON Lines in plain UTF-8 into ranges of ``ingest.split_bytes``, other files not at all.

    Raises:
        InputError: neither the ending of a file nor its source says its format.
    """
    for file in files:
        source = settings.sources[file.source]
        format = format_of(file.path, source.format)
        packed = codec_of(file.path) is not None
        by_range = format == "jsonl" and source.encoding == UTF_8 and not packed
        step = settings.ingest.split_bytes if by_range else max(file.size, 1)
        starts = range(0, max(file.size, 1), step)
        for start in starts:
            # The last piece has no end: a file that grew since it was listed is read to where it ends now.
            end = start + step if start + step in starts else None
            weight = min(step, file.size - start) * (_UNPACKS if packed else 1) + _OPENING
            yield Piece(file.file_id, file.source, file.path, format, start, end, weight)


def pack(pieces: Sequence[Piece], task_bytes: int, slots: int) -> list[list[Piece]]:
    """Distribute pieces over tasks of about equal weight: the heaviest first, each to the lightest task so far.

    This is longest-processing-time scheduling: the heaviest task is at most a third above the optimum (Graham 1969).

    Args:
        pieces: what is to be read.
        task_bytes: target weight of a task, in bytes.
        slots: tasks that run in parallel; there are at least as many tasks, unless there are fewer pieces.
    """
    if not pieces:
        return []
    wanted = max(ceil(sum(piece.weight for piece in pieces) / task_bytes), slots)
    tasks: list[list[Piece]] = [[] for _ in range(min(wanted, len(pieces)))]
    lightest = [(0, number) for number in range(len(tasks))]
    for piece in sorted(pieces, key=lambda piece: (-piece.weight, piece.path, piece.start)):
        weight, number = heapq.heappop(lightest)
        tasks[number].append(piece)
        heapq.heappush(lightest, (weight + piece.weight, number))
    return tasks
