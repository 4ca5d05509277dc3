"""Generated drafts say truly what was done to each quotation, and the check is held against what they say."""

import random

import pytest

from quotelab.protocols.drafts import PARTS, evaluate
from quotelab.synthetic.drafts import FAIR, FALSE, make, usable
from quotelake.errors import InputError

ARTICLE = """Mayor Ana Ruiz spoke in the harbour on Monday.

“We will rebuild 12 boats before winter, and we will not ask the banks for help,” said Ana Ruiz. It rained.

“The council never listened to the people of this town. They closed the school without a word,” Tom Bell said.

“Nobody asked the old fishermen about their own boats,” said Ana Ruiz. “We lost,” he said.
"""
OTHER = "“Every teacher should receive another evening course about mountain weather,” said Rita Gomez on Sunday."


def test_only_long_quotations_of_named_persons_are_used():
    assert [(quote.text[:10], quote.speaker and quote.speaker.name) for quote in usable(ARTICLE)] == [
        ("We will re", "Ana Ruiz"), ("The counci", "Tom Bell"), ("Nobody ask", "Ana Ruiz"),
    ]  # fmt: skip
    assert usable(ARTICLE + ARTICLE) == [], "what stands there twice may be anybody's"


@pytest.mark.parametrize("seed", range(5))
def test_what_is_planted_is_what_its_kind_says(seed: int):
    [other] = usable(OTHER)
    draft = make(ARTICLE, usable(ARTICLE), other, random.Random(seed))
    assert [each.kind for each in draft.planted] == [*FAIR, *FALSE]
    for each in draft.planted:
        words = draft.text[each.start :].partition("”")[0].rstrip(",.")
        assert draft.text[each.start - 1] == "“" and each.said in ARTICLE
        assert (words in ARTICLE) is (each.kind in (*FAIR, "given_to_another")), each.kind
        assert (words in OTHER) is (each.kind == "invented")
        line = draft.text.count("\n", 0, each.start)
        is_by_ruiz = "Ruiz" in draft.text.splitlines()[line]
        assert (is_by_ruiz is each.said.startswith(("We", "Nobody"))) is (each.kind != "given_to_another")


def test_falsified_quotations_are_found_and_kept_ones_are_not_accused(jsonl):
    path = jsonl({"id": "1", "title": "a", "text": ARTICLE}, {"id": "2", "title": "b", "text": OTHER})
    report = evaluate(path)
    expected = {"n_verbatim": 2, "accused_verbatim": 0, "found": 1, "flagged_given_to_another": 1}
    assert {name: report.figures[name] for name in expected} == expected
    assert {row["kind"] for row in report.rows} == {*FAIR, *FALSE}
    assert evaluate(path).rows == report.rows, "the same seed makes the same drafts"


def test_parts_are_halves_and_another_name_is_refused(jsonl):
    path = jsonl(*({"id": str(n), "title": "a", "text": ARTICLE} for n in range(8)))
    parts = [{row["id"] for row in evaluate(path, part).rows} for part in PARTS]
    assert parts[0] | parts[1] == set("01234567") and not parts[0] & parts[1] and all(parts)
    with pytest.raises(InputError, match="the parts are: dev, test"):
        evaluate(path, "train")
    with pytest.raises(InputError, match="no article with a quotation"):
        evaluate(jsonl({"id": "1", "title": "a", "text": "None."}))
