"""Generated articles say truly which quotes are cut, and the flag is held against what they say."""

from quotelab.protocols.trimmed import evaluate
from quotelab.synthetic.trimmed import OTHERWISE, PARTS, articles


def test_what_is_cut_stands_in_the_whole_quotes_of_two_other_outlets_and_not_in_the_cut_one():
    groups: dict[str, list[tuple[str, str, bool]]] = {}
    for each in articles(64, 7):
        groups.setdefault(each.group, []).append((each.kind, each.text[each.start : each.end], each.trimmed))
        assert each.text[each.start - 1] == "“" and each.text[each.end : each.end + 2] == ",”"
    kinds = {kind for group in groups.values() for kind, _, _ in group}
    assert kinds == {"whole", *PARTS, *OTHERWISE}
    for group in groups.values():
        *whole, (kind, cut, trimmed) = group
        assert len({text for _, text, _ in whole}) == 1 and whole[0][1] != cut
        assert trimmed is (kind in PARTS) and (len(whole) >= 2 or kind == "one_carrier")


def test_nearly_all_that_is_cut_is_flagged_and_little_else(jsonl):
    path = jsonl(*(each._asdict() for each in articles(64, 7)))
    figures = evaluate(path).figures
    assert figures["precision"] >= 0.95 and figures["recall"] >= 0.8
    assert figures["flagged_one_carrier"] == 0.0
    assert evaluate(path, carriers=1).figures["flagged_one_carrier"] > 0.5
