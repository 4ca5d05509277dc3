"""Marks that name something quote nobody; marks that may quote are left to the rules for quotes."""

import pytest

from quotelake.contextomy.headline import mention_of
from quotelake.contextomy.quotes import HeadlineQuote


def mention(headline: str, body: str = "") -> str | None:
    """What the marks of a headline name; the quote stands between curly marks."""
    before, rest = headline.split("“")
    text, after = rest.split("”")
    return mention_of(HeadlineQuote(text, None, before=f"{before}“", after=f"”{after}"), body)


@pytest.mark.parametrize(
    ("headline", "named"),
    [
        ("Council's “stay away from here” strategy fails", "an attribute of what follows"),
        ("Council's “stay away from here” tweet fails", None),  # somebody wrote it
        ("The “stay away from here, all of you” strategy fails", None),  # seven words
        ("“Clean coal for all” is a myth", "the subject of the headline"),
        ("“Clean coal, for all.” is a myth", None),  # as utterances end
        ("Mayor says to “iron old lady” Ana Ruiz", "an epithet of the name that follows"),
        ("Mayor says pier is “well-worn”", "a coinage"),
        ("Pier closes after a “bad day”", "a few words credited to nobody"),
        ("Mayor says it was a “bad day”", None),  # credited
        ("Mayor: it was “a bad day for the whole of this coast”", None),
    ],
)
def test_what_the_marks_of_a_headline_name(headline: str, named: str | None):
    assert mention(headline, "It was Ana Ruiz.") == named


def test_an_epithet_is_one_only_of_a_name_of_the_body():
    assert mention("Mayor says to “iron old lady” Ana Ruiz", "It was Rita Bell.") is None
