"""Short claims in single marks and the sentences that support them."""

import pytest

from quotelake.contextomy.outside_quotes import denies, supporting_sentence

BODY = "Sales fell again. The brewery is closing both of its plants, Mr. Orr said. Nobody will lose a pension."


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
    found = supporting_sentence(claim, BODY, 0.67)
    assert (None if found is None else BODY[slice(*found)]) == sentence


@pytest.mark.parametrize(
    ("sentence", "claim", "expected"),
    [
        ("The mayor is not sorry for it.", "sorry", True),
        ("The mayor is sorry for it.", "not sorry", True),
        ("The mayor isn't sorry.", "not sorry", False),
        ("The mayor will not close the pier this year.", "to close pier", True),
        ("The mayor will close the pier, not the harbour.", "to close pier", False),
        ("It is not the mayor who will close the pier.", "to close pier", False),
        ("The mayor had misled the town.", "did not mislead town", True),
        ("Jobs, not mobs, he said, for theirs is a party of mobs.", "mobs", False),  # said both ways
    ],
)
def test_a_negation_on_one_side_only_denies_a_claim(sentence: str, claim: str, expected: bool):
    assert denies(sentence, claim) == expected
    assert (supporting_sentence(claim, sentence, 0.67) is None) == expected
    assert supporting_sentence(claim, sentence, 0.67, is_denied=True), "a headline that denies it agrees"


def test_a_higher_threshold_supports_less():
    assert supporting_sentence("to close plants", BODY, 1.0) is None


def test_short_words_are_whole_words():
    assert supporting_sentence("UN", "They run.", 0.67) is None
    assert supporting_sentence("UN", "The UN met.", 0.67) == (0, 11)
