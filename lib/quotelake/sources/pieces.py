"""What is read by which task: large plain JSON Lines files in byte ranges, small files several to a task."""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from quotelake.settings import Settings
from quotelake.sources.files import InputFile
from quotelake.sources.records import Format, format_of
from quotelake.sources.streams import codec_of

#: A packed file holds about this many times its size; only the sharing out depends on it.
_UNPACKS = 4
#: What opening a file costs, in bytes of reading: so no task is given ten thousand tiny files.
_OPENING = 65536


@dataclass(frozen=True)
class Piece:
    """A byte range [start, end) of a file; without an end it goes on to that of the file. ``weight`` is in bytes."""

    file_id: str
    source: str
    path: str
    format: Format
    start: int
    end: int | None
    weight: int


def pieces_of(files: Sequence[InputFile], settings: Settings) -> Iterator[Piece]:
    """Cut files into what can be read at once: plain JSON Lines by ``ingest.split_bytes``, all else whole.

    Raises:
        InputError: the ending of a file does not say its format, and neither does its source.
    """
    for file in files:
        format = format_of(file.path, settings.sources[file.source].format)
        packed = codec_of(file.path) is not None
        step = settings.ingest.split_bytes if format == "jsonl" and not packed else max(file.size, 1)
        starts = range(0, max(file.size, 1), step)
        for start in starts:
            # The last piece has no end: a file that grew since it was listed is read to where it ends now.
            end = start + step if start + step in starts else None
            weight = min(step, file.size - start) * (_UNPACKS if packed else 1) + _OPENING
            yield Piece(file.file_id, file.source, file.path, format, start, end, weight)


def pack(pieces: Sequence[Piece], task_bytes: int, slots: int) -> list[list[Piece]]:
    """Share pieces out to tasks of about equal weight: the heaviest first, each to the lightest task so far.

    That is longest-processing-time scheduling, at most a third above the best (Graham 1969).

    Args:
        pieces: what is to be read.
        task_bytes: about how much one task may weigh.
        slots: tasks that run at once; there are no fewer tasks than that, unless there are fewer pieces.
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
