"""Protocol reuse: which texts count as linked, by kind; what is listed; and that it measures the groups of a lake."""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quotelake
from quotelab.grouping import group_texts
from quotelab.protocols import reuse
from quotelab.protocols.reuse import alone, b_cubed, count_pairs
from quotelab.report import Report

#: Labelled group, kind and found group of an item.
Item = tuple[str, str | None, str | None]
ITEMS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["base", "copy", "cut", "swap", None]), st.sampled_from("wxyz")),
    min_size=1,
    max_size=20,
)


@pytest.fixture(scope="module")
def evaluate(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Sequence[Item]], Report]:
    """Evaluate items whose found groups are given: each is the text of its item, without regard to its words."""
    path = tmp_path_factory.mktemp("reuse") / "groups.jsonl"

    def run(items: Sequence[Item]) -> Report:
        rows = [{"text": found or "", "group": group, "kind": kind} for group, kind, found in items]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        return reuse.evaluate(path, lambda texts: [text or None for text in texts])

    return run


def linked(report: Report) -> dict[str, float]:
    """Share of each kind."""
    shares = re.compile(r"linked_[a-z]+")
    return {name.removeprefix("linked_"): value for name, value in report.figures.items() if shares.fullmatch(name)}


def test_the_home_is_where_most_base_and_copy_texts_are_even_if_most_texts_are_elsewhere(evaluate):
    spread = [("a", "base", "w"), ("a", "copy", "w"), ("a", "copy", "x"), *[("a", "cut", "y")] * 5, ("a", "cut", "w")]
    report = evaluate(spread)
    assert linked(report) == {"base": 1.0, "copy": 0.5, "cut": pytest.approx(1 / 6)}
    assert (report.figures["linked_cut_items"], report.figures["missed"]) == (6, 6)


@pytest.mark.parametrize("items", [[("a", "cut", "w"), ("a", "swap", "x")], [("a", "swap", "x"), ("a", "cut", "w")]])
def test_of_two_that_hold_as_much_the_home_holds_more_of_the_first_kind_by_name(evaluate, items: list[Item]):
    assert linked(evaluate(items)) == {"cut": 1.0, "swap": 0.0}


@given(ITEMS)
def test_shares_are_those_of_the_definition_wherever_the_home_is_certain(evaluate, items: list[Item]):
    hits, totals = Counter[str](), Counter[str]()
    certain = set(kind for _, kind, _ in items if kind)
    for group in {group for group, _, _ in items}:
        own = [(kind, found) for name, kind, found in items if name == group]
        anchors = Counter(found for kind, found in own if kind in ("base", "copy"))
        ranked = (anchors or Counter(found for _, found in own)).most_common(2)
        if len(ranked) == 2 and ranked[0][1] == ranked[1][1]:
            certain -= {kind for kind, _ in own}
        totals.update(kind for kind, _ in own if kind)
        hits.update(kind for kind, found in own if kind and found == ranked[0][0])
    shares = linked(evaluate(items))
    assert {kind: shares[kind] for kind in certain} == {kind: hits[kind] / totals[kind] for kind in certain}


def test_an_interval_is_given_only_where_no_two_texts_of_a_kind_are_of_one_group(evaluate):
    one, other = [("a", "base", "w"), ("a", "cut", "w")], [("b", "base", "y"), ("b", "cut", "z")]
    figures = evaluate([*one, *other, ("a", "swap", "w"), ("a", "swap", "x")]).figures
    assert 0 < figures["linked_cut_low"] < figures["linked_cut"] == 0.5 < figures["linked_cut_high"] < 1
    assert math.isnan(figures["linked_swap_low"]) and math.isnan(figures["linked_swap_high"])


def test_rows_show_what_is_missed_and_what_intrudes_with_what_it_should_be_beside(evaluate, monkeypatch):
    items = [("a", "base", "w"), ("a", "copy", "w"), ("a", "cut", "x")]
    items += [("b", "base", "x")] * 2 + [("b", "cut", "z")] * 3
    rows = evaluate(items).rows
    names = ("fault", "group", "texts", "line", "other_group", "other_line")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("missed", "b", 3, 6, "b", 4),
        ("missed", "a", 1, 3, "a", 1),
        ("intruding", "a", 1, 3, "b", 4),
    ]
    assert rows[1]["kind"] == "cut" and rows[1]["text"] == "x" and rows[1]["other_text"] == "w"
    monkeypatch.setattr(reuse, "LISTED", 1)
    assert [row["fault"] for row in evaluate(items).rows] == ["missed", "intruding"], "of each fault the largest"


def test_texts_are_grouped_by_the_engine_and_those_without_words_are_alone(jsonl):
    rows = [("“We WON!”", "a"), ("we won", "a"), ("We lost", "b"), ("…", "c"), ("!", "c"), ("\ud800 we won", "d")]
    figures = reuse.evaluate(jsonl(*({"text": text, "group": group} for text, group in rows))).figures
    counts = ("texts", "groups", "groups_found", "pairs", "pairs_found", "pairs_right")
    assert [figures[name] for name in counts] == [6, 4, 4, 2, 3, 1]


@pytest.mark.spark
def test_the_groups_that_are_measured_are_those_of_a_lake(sample_lake: str):
    rows = quotelake.open(sample_lake).sql(
        "SELECT q.text, coalesce(g.group_id, variant_id) AS group_id FROM quotes q "
        "LEFT JOIN variant_groups g USING (variant_id) WHERE variant_id IN (SELECT variant_id FROM contexts)"
    )
    in_lake, measured = defaultdict[str, set[str]](set), defaultdict[str | None, set[str]](set)
    for row, group in zip(rows, group_texts([row["text"] for row in rows]), strict=True):
        in_lake[row["group_id"]].add(row["text"])
        measured[group].add(row["text"])
    assert len(in_lake) > 100 and sorted(map(sorted, in_lake.values())) == sorted(map(sorted, measured.values()))


#: Labelled and found group of each item; None where an item was found to share its group with no other.
Items = list[tuple[str, str | None]]
GROUPINGS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["w", "x", "y", None])), min_size=1, max_size=25
)


def groupings(items: Items) -> tuple[list[str], list[Hashable]]:
    return [labelled for labelled, _ in items], alone([found for _, found in items])


def together(one: str | None, other: str | None) -> bool:
    return one is not None and one == other


@given(GROUPINGS)
def test_pairs_are_those_that_both_groupings_keep_together_counted_one_by_one(items: Items):
    counts: Counter[str] = Counter()
    for (labelled, found), (other_labelled, other_found) in combinations(items, 2):
        same, alike = labelled == other_labelled, together(found, other_found)
        counts.update(matched=same and alike, found=alike, labelled=same)
    assert count_pairs(*groupings(items)) == (counts["matched"], counts["found"], counts["labelled"])


@given(GROUPINGS)
def test_b_cubed_is_the_mean_over_items_of_each_one_s_precision_and_recall(items: Items):
    precision = recall = Fraction(0)
    for place, (labelled, found) in enumerate(items):
        in_labelled = {other for other, item in enumerate(items) if item[0] == labelled}
        in_found = {other for other, item in enumerate(items) if together(item[1], found)} | {place}
        right = len(in_labelled & in_found)
        precision += Fraction(right, len(in_found) * len(items))
        recall += Fraction(right, len(in_labelled) * len(items))
    harmonic = 2 * precision * recall / (precision + recall)
    assert b_cubed(*groupings(items)) == pytest.approx((float(precision), float(recall), float(harmonic)), abs=1e-12)


def test_the_right_grouping_scores_exactly_one_and_pairs_are_exact_where_a_float_is_not():
    labelled = [place % 3 for place in range(1000)]
    assert b_cubed(labelled, labelled) == (1.0, 1.0, 1.0)
    assert count_pairs([0] * 200_001, [0] * 200_001)[0] == 200_001 * 200_000 // 2
    assert count_pairs([], []) == (0, 0, 0) and all(map(math.isnan, b_cubed([], [])))
