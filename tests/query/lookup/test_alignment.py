"""The fewest words to change are those that an exhaustive search finds, for one pair and for many at once."""

from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from quotelake.query.lookup.alignment import FIRST_WORD, GAP, NOTHING, OTHER, fewest_changes

SYMBOLS = FIRST_WORD + 4
texts = st.lists(st.sampled_from([OTHER, GAP, *range(FIRST_WORD, SYMBOLS)]), min_size=1, max_size=6)


@st.composite
def costs(draw: st.DrawFn) -> np.ndarray:
    """Symmetric costs; gaps and other words equal nothing, a word equals itself."""
    table = np.ones((SYMBOLS, SYMBOLS), dtype=np.float32)
    for one in range(FIRST_WORD, SYMBOLS):
        for other in range(FIRST_WORD, one):
            table[one, other] = table[other, one] = draw(st.sampled_from([1.0, 1.0, 0.25, 0.125]))
        table[one, one] = 0
    return table


def searched(shorter: list[int], longer: list[int], table: np.ndarray) -> float:
    """Try everything, from each place of the longer text."""

    @cache
    def rest(i: int, j: int) -> float:
        if i == len(shorter):
            return 0
        is_gap = shorter[i] == GAP
        ways = [rest(i + 1, j) + (0 if is_gap else 1)]
        if j < len(longer) and is_gap:
            ways.append(rest(i, j + 1))
        elif j < len(longer):
            ways.append(rest(i + 1, j + 1) + float(table[shorter[i], longer[j]]))
            ways.append(rest(i, j + 1) + (0 if longer[j] == GAP else 1))
        return min(ways)

    return min(rest(0, j) for j in range(len(longer) + 1))


def filled(rows: list[list[int]]) -> np.ndarray:
    width = max(map(len, rows))
    return np.array([row + [NOTHING] * (width - len(row)) for row in rows], dtype=np.int32)


@given(texts, st.lists(texts, min_size=1, max_size=5), costs())
def test_one_text_against_many_costs_what_a_search_finds(one: list[int], many: list[list[int]], table: np.ndarray):
    inside = fewest_changes(filled([one]), filled(many), table)
    assert inside.tolist() == [searched(one, each, table) for each in many]
    around = fewest_changes(filled(many), filled([one]), table)
    assert around.tolist() == [searched(each, one, table) for each in many]
