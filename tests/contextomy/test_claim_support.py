"""Short claims in single marks and the sentences that support them."""

import pytest

from quotelake.contextomy.claim_support import supporting_sentence

BODY = "Sales fell again. The brewery is closing both of its plants, Mr. Orr said. Nobody will lose a pension."


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("to close plants", "The brewery is closing both of its plants, Mr. Orr said. "),
        ("will lose pension", "Nobody will lose a pension."),
        ("plants lose sales", None),  # one word in each sentence
        ("to open plants", None),
        ("", None),
        ("it will be", None),  # nothing but function words: compared by all of them
    ],
)
def test_the_content_words_must_stand_in_one_sentence(claim: str, sentence: str | None):
    found = supporting_sentence(claim, BODY, 0.67)
    assert (None if found is None else BODY[slice(*found)]) == sentence


def test_a_higher_threshold_supports_less():
    assert supporting_sentence("to close plants", BODY, 1.0) is None


def test_short_words_are_whole_words():
    assert supporting_sentence("UN", "They run.", 0.67) is None
    assert supporting_sentence("UN", "The UN met.", 0.67) == (0, 11)
