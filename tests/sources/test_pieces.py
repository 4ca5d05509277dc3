"""Sharing out what is to be read: every byte once, evenly, the same in every run."""

from hypothesis import given
from hypothesis import strategies as st

from quotelake.settings import load_settings
from quotelake.sources.files import input_file
from quotelake.sources.read import Piece, pack, pieces_of

SETTINGS = load_settings(overrides=["ingest.split_bytes=1024"])


def piece(weight: int, number: int = 0) -> Piece:
    """A piece of some weight."""
    return Piece("f", "tweets", f"file:/x{number}", "jsonl", 0, None, weight)


def test_plain_json_lines_are_split_and_all_else_is_whole():
    files = [
        input_file("tweets", "file:/a.jsonl", 2500, 0),
        input_file("tweets", "file:/b.jsonl.gz", 2500, 0),
        input_file("trotr", "file:/c.tsv", 2500, 0),
        input_file("tweets", "file:/empty.jsonl", 0, 0),
        input_file("tweets", "file:/exact.jsonl", 2048, 0),
    ]
    ranges = [(piece.path[6:], piece.start, piece.end) for piece in pieces_of(files, SETTINGS)]
    assert ranges == [
        ("a.jsonl", 0, 1024), ("a.jsonl", 1024, 2048), ("a.jsonl", 2048, None),
        ("b.jsonl.gz", 0, None), ("c.tsv", 0, None), ("empty.jsonl", 0, None),
        ("exact.jsonl", 0, 1024), ("exact.jsonl", 1024, None),
    ]  # fmt: skip


def test_a_text_that_is_decoded_is_read_from_its_beginning():
    settings = load_settings(overrides=["ingest.split_bytes=1024", "sources.tweets.encoding=utf-16"])
    [whole] = pieces_of([input_file("tweets", "file:/a.jsonl", 2500, 0)], settings)
    assert (whole.start, whole.end) == (0, None)


@given(st.lists(st.integers(1, 100), max_size=40), st.integers(1, 200), st.integers(1, 8))
def test_every_piece_goes_to_one_task_and_no_task_is_far_above_the_others(weights: list[int], most: int, slots: int):
    pieces = [piece(weight, number) for number, weight in enumerate(weights)]
    tasks = pack(pieces, most, slots)
    assert sorted((p for task in tasks for p in task), key=lambda p: int(p.path[7:])) == pieces
    assert all(tasks)
    assert len(tasks) >= min(slots, len(pieces))
    loads = [sum(p.weight for p in task) for task in tasks]
    if loads:
        assert max(loads) - min(loads) <= max(weights)
    assert pack(pieces[::-1], most, slots) == tasks
