"""The same words but for a negation."""

import pytest

from quotelake.contextomy.negation import same_but_negation


@pytest.mark.parametrize(
    ("headline", "body", "expected"),
    [
        ("We will sell the mill", "We will not sell the mill this year", False),
        ("We will not sell the mill", "Of course we will sell the mill", False),
        ("We will not sell the mill", "We won't sell the mill, ever", True),
        ("We sell the mill", "We don’t sell the mill", False),
        ("We sell the mill", "We do not sell the mill", False),
        ("We can sell the mill", "We cannot sell the mill", False),
        ("We can sell the mill", "We ca n't sell the mill", False),
        ("Not one boat was lost", "And not one boat was lost that day", True),
        ("one boat was lost", "Not one boat was lost", True),  # an excerpt: what stands before it is for the omissions
        ("No, we will sail at dawn", "We will sail at dawn", None),  # an answer is a word like any other
        ("Wir verkaufen die Mühle", "Wir verkaufen nicht die Mühle", False),
        ("Nous vendons le moulin", "Nous ne vendons pas le moulin", False),
        ("We bought the mill", "We will not sell the mill", None),
        ("Not me", "Me", None),  # too few other words
        ("", "", None),
    ],
)
def test_polarity(headline: str, body: str, expected: bool | None):
    assert same_but_negation(headline, body) is expected
