"""What to do about other versions: an older release says to install the newer one, not to change settings."""

import pytest

from quotelake.nightly.versions import advice


@pytest.mark.parametrize(
    ("theirs", "unknown", "sign"),
    [
        ((3, 4), [], "rules 3, here 2"),
        ((2, 5), [], "outcomes 5, here 4"),
        ((2, None), ["quotes.mood"], "quotes.mood"),
    ],
)
def test_a_lake_of_a_newer_release_asks_for_that_release(theirs: tuple[int, int], unknown: list[str], sign: str):
    said = advice(theirs, (2, 4), unknown)
    assert "newer release" in said and "install that release" in said and sign in said
    assert "settings" not in said and "--activate" in said


@pytest.mark.parametrize("theirs", [(2, 4), (1, 4), (2, 3), (2, None), (None, None)])
def test_where_nothing_shows_that_it_is_newer_both_causes_are_named(theirs: tuple[int | None, int | None]):
    said = advice(theirs, (2, 4))
    assert "newer" not in said
    for part in ("settings or the model", "restore", "another release", "--activate"):
        assert part in said
