"""What stands in the body without marks, in other spelling, or nowhere; and bodies that are not the headline's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contextomy.judging import judge

from quotelake.contextomy.nearly import near, nearest, plain

REST = "“The boats are old,” said Ana Ruiz. It rained on the harbour."


@pytest.mark.parametrize(
    ("headline", "body", "outcome"),
    [
        ("Tom Bell: “We will never sell the old pier”", "BELL: We'll never sell the old pier.\n", "modified"),
        ("Tom Bell: “I'm leaving 2 posts behind”", "Tom Bell said that he is leaving two posts behind.", "modified"),
        ("Tom Bell: “We favour the harbour's programmes”", "Tom Bell: we favor the harbor's programmes.", "modified"),
        ("Tom Bell: “We will sell the old pier today”", "Tom Bell will never sell the old pier.", "modified"),
        ("Tom Bell: “Gulls are wicked creatures, all of them”", "Tom Bell spoke of pay.", "absent"),
        ("Tom Bell: “Ruiz did not win the vote”", "“Ruiz lost the vote,” said Tom Bell.", "modified"),
        ("Tom Bell's “burn it all” strategy fails", "Tom Bell met the council.", "not_a_quotation"),
        ("“Burn it all” is no plan, says Tom Bell", "Tom Bell met the council.", "not_a_quotation"),
        ("Tom Bell takes on “Emperor” Ana Ruiz", "Tom Bell met the council.", "not_a_quotation"),
        ("Harbour 'blames the gulls for losses'", "Tom Bell met the council.", "claim_unsupported"),
        ("Tom Bell: “Gulls are wicked creatures”", "and that was all. Tom Bell met the council.", "body_incomplete"),
        ("Rita Gomez: “Gulls are wicked creatures”", "Tom Bell met the council.", "body_incomplete"),
    ],
)
def test_a_quote_without_a_body_quote_is_told_by_the_rest_of_the_body(headline: str, body: str, outcome: str):
    found = judge(headline, f"{body} {REST}")
    assert (found.outcome, found.alert) == (outcome, None), found.reason


@pytest.mark.parametrize(
    ("headline", "body", "difference"),
    [
        ("We mended 40 boats in the old harbour", "We mended 30 boats in the old harbour", "another number: “30”"),
        ("We mended 99 boats in the old harbour", "We mended ninety-nine boats in the old harbour", None),
        ("We lost the 21st boat in the old harbour", "We lost the twenty-first boat in the old harbour", None),
        ("A loss of £20m shut the old harbour", "A loss of £20 million shut the old harbour", None),
        ("We mended 1,500 boats in the harbour", "We mended 1,487 boats in the harbour", None),
        ("We mended 120 boats in the old harbour", "We mended one hundred and twenty boats in the old harbour", None),
        ("The boats of the 80s fill our harbour", "The boats of the 1980s fill our harbour", None),
        ("We mended the boats in the old harbour", "I mended the boats in the old harbour", None),  # no number
        (
            "The ferry is safe in the old harbour",
            "The ferry is dangerous in the old harbour",
            "an opposite: “dangerous”",
        ),
        ("The ferry is not safe in the old harbour", "The ferry is dangerous in the old harbour", None),
        ("The ferry will sink in the old harbour", "The ferry may sink in the old harbour", "a possibility is certain"),
        ("The ferry sank in the old harbour", "The ferry never sank in the old harbour", "a negation is gone"),
    ],
)
def test_a_difference_is_named_only_if_it_is_one(headline: str, body: str, difference: str | None):
    found = near(plain(headline), plain(body)).difference
    assert found is None if difference is None else found is not None and found.startswith(difference)


@given(st.lists(st.sampled_from("we sell never pier harbor the two 2 won't 🙂 &amp;".split()), max_size=12))  # noqa: SIM905
def test_a_text_holds_all_of_itself_and_spans_lie_in_it(words: list[str]):
    text = " ".join(words)
    own = plain(text)
    assert all(0 <= start < end <= len(text) for start, end in own.spans)
    found = nearest(own, own)
    assert (found is None) == (not own.keys)
    assert found is None or (found.share, found.missing) == (1.0, ())
