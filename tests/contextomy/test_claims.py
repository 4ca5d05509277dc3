"""Short claims in single marks and the sentences that support them; marks that name something and quote nobody."""

import pytest

from quotelake.contextomy import headline as form
from quotelake.contextomy.headline import denies, mention_of, supporting_sentence
from quotelake.contextomy.quotes import HeadlineQuote, Text
from quotelake.factuality.reading import Reading

OWN_NEGATION = pytest.mark.xfail(strict=True, reason="the claim's own negation is sought among the sentence's words")
BODY = "Sales fell again. The brewery is closing both of its plants, Mr. Orr said. Nobody will lose a pension."


def supporting(claim: str, body: str, share: float = 0.67, before: str = "") -> str | None:
    """The sentence of a body that supports a claim of a headline."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(form, "CLAIM_CONTAINMENT", share)
        found = supporting_sentence(HeadlineQuote(claim, None, "claim", before=before), Text(body))
    return None if found is None else body[slice(*found)]


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("to close plants", "The brewery is closing both of its plants, Mr. Orr said. "),
        ("will lose pension", None),  # nobody will
        ("no one loses a pension", "Nobody will lose a pension."),
        ("plants lose sales", None),  # one word in each sentence
        ("to open plants", None),
        ("", None),
        ("it will be", None),  # nothing but function words: compared by all of them
    ],
)
def test_the_content_words_must_stand_in_one_sentence(claim: str, sentence: str | None):
    assert supporting(claim, BODY) == sentence


@pytest.mark.parametrize(
    ("sentence", "claim", "expected"),
    [
        ("The mayor is not sorry for it.", "sorry", True),
        ("The mayor is sorry for it.", "not sorry", True),
        ("The mayor isn't sorry.", "not sorry", False),
        ("The mayor will not close the pier this year.", "to close pier", True),
        ("The mayor will close the pier, not the harbour.", "to close pier", False),
        ("It is not the mayor who will close the pier.", "to close pier", False),
        pytest.param("The mayor had misled the town.", "did not mislead town", True, marks=OWN_NEGATION),
        ("Jobs, not mobs, he said, for theirs is a party of mobs.", "mobs", False),  # said both ways
    ],
)
def test_a_negation_on_one_side_only_denies_a_claim(sentence: str, claim: str, expected: bool):
    assert denies(sentence, Reading(claim)) == expected
    assert (supporting(claim, sentence) is None) == expected
    assert supporting(claim, sentence, before="Bell denies it: '"), "a headline that denies it agrees"


def test_a_higher_threshold_supports_less_and_short_words_are_whole_words():
    assert supporting("to close plants", BODY, 1.0) is None
    assert (supporting("UN", "They run."), supporting("UN", "The UN met.")) == (None, "The UN met.")


def mention(headline: str) -> str | None:
    """What the marks of a headline name; the quote stands between curly marks."""
    before, rest = headline.split("“")
    text, after = rest.split("”")
    return mention_of(HeadlineQuote(text, None, before=f"{before}“", after=f"”{after}"))


@pytest.mark.parametrize(
    ("headline", "named"),
    [
        ("Council's “stay away from here” strategy fails", "an attribute of what follows"),
        ("Council's “stay away from here” tweet fails", None),  # somebody wrote it
        ("The “stay away from here, all of you” strategy fails", None),  # seven words
        ("Pier closes after a “bad day”", "a few words credited to nobody"),
        ("Mayor says it was a “bad day”", None),  # credited
        ("Mayor: it was “a bad day for the whole of this coast”", None),
    ],
)
def test_what_the_marks_of_a_headline_name(headline: str, named: str | None):
    assert mention(headline) == named
