"""Pairs verified many at once: the same edges as one by one."""

from itertools import combinations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.reuse import verified
from quotelake.reuse.stage import compare_within
from quotelake.reuse.texts import group_texts
from quotelake.reuse.verified import edges_among
from quotelake.reuse.verify import verify
from quotelake.reuse.words import words_of

#: Words that tell much, some of nearly one spelling, some that veto, a common one; and a gap.
WORDS = st.sampled_from(
    [*["harbour", "harbours", "quay", "keepers", "keeper", "lantern", "mended", "heron"], "not", "11", "the", "…"]
)


@st.composite
def texts_alike(draw: st.DrawFn) -> list[str]:
    """A text, passages of it, and some with words left out or replaced."""
    whole = draw(st.lists(WORDS, min_size=5, max_size=16))
    found = [whole]
    for _ in range(draw(st.integers(1, 8))):
        part = whole[draw(st.integers(0, 4)) : len(whole) - draw(st.integers(0, 4))] or whole
        for _ in range(draw(st.integers(0, 3))):
            at = draw(st.integers(0, len(part)))
            part = [*part[:at], *draw(st.lists(WORDS, max_size=1)), *part[at + 1 :]] or whole
        found.append(part)
    return sorted({" ".join(words) for words in found})


@given(texts_alike(), st.sampled_from((1, 5, 1_000)), st.booleans())
def test_many_pairs_have_the_edges_that_each_has_by_itself(texts: list[str], at_once: int, crowded: bool):
    words = {f"{number:032x}": words_of(text) for number, text in enumerate(texts)}
    pairs = list(combinations(words, 2))
    expected = [(a, b, edge) for a, b in pairs if (edge := verify(words[a], words[b]))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verified, "_AT_ONCE", at_once)
        if crowded:  # several words on one character may only let more pairs through to the exact rule
            patch.setattr(verified, "_CHARACTERS", 3)
        assert list(edges_among(pairs, words)) == expected


def test_a_pair_alike_in_spelling_alone_is_found():
    words = {
        "a": words_of("harbour lanterns mended quickly overnight"),
        "b": words_of("harbor lantern mend quickly overnite"),
    }
    [(a, b, edge)] = edges_among([("a", "b")], words)
    assert (a, b, edge.measure) == ("a", "b", "spelling")


def test_variants_compared_in_one_process_are_counted():
    whole = "the council will close the harbour road for repairs until the first week of november"
    part = "close the harbour road for repairs until the first week"
    texts = {"1": whole, "2": part, "3": "it is what it is"}
    found = compare_within(pa.table({"variant_id": list(texts), "canonical_text": list(texts.values())}))
    assert (found.compared, found.sought) == (2, 2), "the third tells too little to be compared"
    [edge] = found.edges
    assert (edge["a"], edge["b"], edge["contained"], edge["words_b"]) == ("1", "2", "2", 10)
    assert not compare_within(
        pa.table({"variant_id": pa.array([], pa.string()), "canonical_text": pa.array([], pa.string())})
    ).edges
    assert len(set(group_texts([whole, part]))) == 1
