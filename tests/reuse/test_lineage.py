"""What became of a group, by all that can become of it."""

from quotelake.reuse.lineage import Change, changes


def test_groups_are_renamed_merged_and_split():
    before = {"a": "a", "b": "a", "c": "c", "d": "d", "e": "d", "f": "f"}
    after = {"a": "n", "b": "n", "c": "d", "d": "d", "e": "e", "f": "f"}
    assert changes(before, after) == [
        Change("a", "n", "renamed", 2),
        Change("c", "d", "merged", 1),
        Change("d", "e", "split", 1),
    ]
    assert changes(before, before) == []
