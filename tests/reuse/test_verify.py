"""Verified pairs: each measure against its definition, by brute force; negations and numbers; made variants."""

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq, Levenshtein

from quotelab.grouping import group_texts
from quotelab.synthetic.mutations import CHANGES, join
from quotelab.synthetic.wording import Phrasebook, Wording, vocabulary
from quotelake.lake.contracts import columns
from quotelake.quotes.keys import canonical_text
from quotelake.reuse import verify as module
from quotelake.reuse.alignment import align_contained
from quotelake.reuse.stage import compare_within
from quotelake.reuse.verify import Edge, Pair, verified_pairs, verify
from quotelake.reuse.words import (
    ENOUGH_BITS,
    MIN_BITS,
    MIN_CONTAINED,
    MIN_WORDS,
    Words,
    comparable,
    information,
    least_contained,
    tokenize,
)

#: Neither negations nor numbers; all rare; two that differ in one letter.
ALPHABET = ("harbour", "harbours", "quay", "keepers", "lantern", "mended", "heron")
#: What one of them tells, in bits.
RARE = information(ALPHABET[:1])
wordings = st.lists(st.sampled_from(ALPHABET), min_size=1, max_size=12).map(tuple)
texts = st.builds(
    lambda words, gaps: Words(words, frozenset(gap for gap in gaps if 0 < gap < len(words))),
    wordings,
    st.sets(st.integers(1, 11), max_size=2),
)


def changed(draw: st.DrawFn, whole: list[str], alphabet: Sequence[str]) -> list[str]:
    """A passage of a text, with words inserted, left out or replaced."""
    part = whole[draw(st.integers(0, 4)) : len(whole) - draw(st.integers(0, 4))] or whole
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(part)))
        part = [*part[:at], *draw(st.lists(st.sampled_from(alphabet), max_size=2)), *part[at + 1 :]] or whole
    return part


@st.composite
def alike_texts(draw: st.DrawFn) -> tuple[Words, Words]:
    """A text and one made of it, with gaps."""
    words = draw(st.lists(st.sampled_from(ALPHABET), min_size=4, max_size=12))
    other = changed(draw, words, ALPHABET)
    gaps = frozenset(gap for gap in draw(st.sets(st.integers(1, 11), max_size=2)) if gap < len(other))
    return Words(tuple(words), frozenset()), Words(tuple(other), gaps)


any_text = st.builds(
    lambda words: Words(tuple(words), frozenset()),
    st.lists(st.sampled_from((*ALPHABET, "not", "never", "two", "all", "11", "않았다")), min_size=1, max_size=9),
)
phrases = cache(Phrasebook)
#: A quote and the one made before it, as the corpus joins them.
quotes = st.builds(
    lambda seed, topic, number: (phrases(seed).wording(topic, number), phrases(seed).wording(topic, number - 1)),
    st.integers(0, 9), st.sampled_from(vocabulary().topics), st.integers(1, 4000),
)  # fmt: skip
sources = st.integers(0, 10**6).map(random.Random)


def compare(one: str, other: str) -> Edge | None:
    return verify(*(tokenize(canonical_text(text) or "") for text in (one, other)))


def is_excerpt(short: Words, long: Words) -> bool:
    """Whether a passage of the longer text has the excerpt's words, by trying all passages and all missing words."""
    n = len(short.words)
    slack = max(1, n // 5)
    for missing in range(n - least_contained(n) + 1):
        for kept in combinations(range(n), n - missing):
            wanted = [short.words[i] for i in kept]
            for at in combinations(range(len(long.words)), n - missing):
                if [long.words[j] for j in at] != wanted:
                    continue
                more = 0
                for k in range(1, len(kept)):
                    if not any(gap in short.gaps for gap in range(kept[k - 1] + 1, kept[k] + 1)):
                        more += max(0, (at[k] - at[k - 1]) - (kept[k] - kept[k - 1]))
                if more <= slack:
                    return True
    return False


def expected_measure(a: Words, b: Words) -> str | None:
    """Measure of two texts of rare words without negations and numbers, by the definitions."""
    short, long = sorted((a, b), key=lambda text: len(text.words))
    n, m = len(short.words), len(long.words)
    common, spelled = LCSseq.similarity(a.words, b.words), (" ".join(a.words), " ".join(b.words))
    jaccard = Fraction(common, n + m - common)
    distance = Fraction(Levenshtein.distance(*spelled), max(map(len, spelled)))
    is_near = jaccard == 1 or (m - common == 1 and common >= 6)
    least = MIN_BITS if is_near else ENOUGH_BITS
    if n < MIN_WORDS:
        return None
    if jaccard >= Fraction(3, 5):
        return "wording" if common * RARE >= least else None
    if distance <= Fraction(1, 5):
        return "spelling" if n * RARE * (1 - distance) >= least else None
    return "containment" if MIN_CONTAINED <= n < m and is_excerpt(short, long) else None


@given(st.tuples(texts, texts) | alike_texts())
def test_the_measure_is_the_first_that_holds_by_its_definition(two: tuple[Words, Words]):
    a, b = two
    found, expected = verify(a, b), expected_measure(a, b)
    if expected == "containment" and align_contained(*sorted((a, b), key=lambda text: len(text.words))) is None:
        expected = None  # words repeat, and the passage is missed
    assert (found and found.measure) == expected


@given(st.tuples(texts, texts) | alike_texts())
def test_what_is_found_is_an_excerpt_by_trying_all_passages(two: tuple[Words, Words]):
    short, long = sorted(two, key=lambda text: len(text.words))
    pairs = align_contained(short, long)
    if pairs is not None:
        assert is_excerpt(short, long)
        assert all(short.words[i] == long.words[j] for i, j in pairs)
        assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))


@given(wordings, st.lists(st.integers(0, 12), min_size=4, max_size=4).map(sorted))
def test_stretches_of_a_text_word_by_word_are_found_however_often_words_repeat(long: tuple[str, ...], at: list[int]):
    first, second = long[at[0] : at[1]], long[at[2] : at[3]]
    short = Words((*first, *second), frozenset({len(first)} if first and second else ()))
    assert not short.words or align_contained(short, Words(long, frozenset())) is not None


RARE_WORDS = (
    "heron", "quay", "lantern", "keepers", "moored", "trawler", "gannet", "tarred", "hawser", "bollard", "skerry",
    "cormorant", "rigging", "halyard", "wharf",
)  # fmt: skip


def cut(*spans: tuple[int, int] | str) -> str:
    """Parts of the rare words, with other words between."""
    return " ".join(span if isinstance(span, str) else " ".join(RARE_WORDS[slice(*span)]) for span in spans)


ALL = cut((0, 15))


@pytest.mark.parametrize(
    ("one", "other", "measure"),
    [
        (cut((0, 8)), cut((0, 6), "in may"), "wording"),  # Jaccard index 6 / 10
        (cut((0, 8)), cut((0, 5), "until in may"), None),  # 5 / 11
        ("aaaaa bbbbb ccccc ddddd e", "aaaax bbbbx ccccx dddxx e", "spelling"),  # 5 of 25 letters
        ("aaaaa bbbbb ccccc ddddd e", "aaaax bbbbx ccccx ddxxx e", None),  # 6 of 25
        (cut((5, 10)), ALL, "containment"),
        (cut((5, 9)), ALL, None),  # four words
        (cut((3, 6), (7, 10)), ALL, "containment"),  # one word left out of six, not marked
        (cut((2, 5), (7, 10)), ALL, None),  # two of six
        (cut((0, 3), "…", (12, 15)), ALL, "containment"),  # any number where it is marked
        (cut((0, 8), "by", (9, 10)), f"{ALL} {ALL}", "containment"),  # another word for one of ten
        (cut((0, 8), "by then"), f"{ALL} {ALL}", None),  # for two of ten
        (cut((0, 4), "by", (7, 12)), ALL, "containment"),  # one word for three: two left out of ten
        (cut((0, 4), "by", (8, 13)), ALL, None),  # one for four
        ("we do not want to go home there", "we do not want to go home here", "wording"),  # common words, one differs
        ("we do not want to go home there", "we do not want to stay home here", None),  # two differ
        ("this is the beginning of the end", "the beginning of the end", None),
    ],
)
def test_at_the_bounds_of_a_measure(one: str, other: str, measure: str | None):
    found = verify(tokenize(one), tokenize(other))
    assert (found and found.measure) == measure


@given(any_text, any_text)
def test_the_order_of_two_texts_changes_only_which_is_the_contained_one(a: Words, b: Words):
    one, other = verify(a, b), verify(b, a)
    assert (one is None) == (other is None)
    if one and other:
        assert one.measure == other.measure
        assert {one.part, other.part} in ({None}, {"a", "b"})
    assert verify(a, a) == (Edge("wording", None) if comparable(a.words) else None)


@given(quotes, st.sampled_from(sorted(set(CHANGES) - {"restyled"})), sources)
def test_a_changed_variant_is_the_same_quote(two: tuple[Wording, Wording], kind: str, rng: random.Random):
    assert compare(two[0].text, CHANGES[kind](two[0].text, rng)) is not None


@given(quotes)
def test_a_negated_a_renumbered_and_a_joined_text_are_other_quotes(two: tuple[Wording, Wording]):
    quote, other = two
    joined = join(quote.text, other.text)
    for text in (quote.negated, quote.renumbered, joined, other.text):
        assert compare(quote.text, text) is None
    assert compare(other.text, joined) is None


#: Words that tell much, some of nearly one spelling, some that veto, a common one; and a gap.
WORDS = (*ALPHABET, "keeper", "not", "11", "the", "…")


@st.composite
def texts_alike(draw: st.DrawFn) -> list[str]:
    """A text, and some made of it."""
    whole = draw(st.lists(st.sampled_from(WORDS), min_size=5, max_size=16))
    found = [whole, *(changed(draw, whole, WORDS) for _ in range(draw(st.integers(1, 8))))]
    return sorted({" ".join(words) for words in found})


@given(texts_alike(), st.sampled_from((1, 5, 1_000)), st.booleans())
def test_many_pairs_have_the_edges_that_each_has_by_itself(texts: list[str], at_once: int, crowded: bool):
    spelled = ["harbour lanterns mended quickly overnight", "harbor lantern mend quickly overnite"]
    words = {f"{number:032x}": tokenize(text) for number, text in enumerate([*spelled, *texts])}
    pairs = list(combinations(words, 2))
    sizes = {variant: len(each.words) for variant, each in words.items()}
    expected = [
        Pair(a, b, edge.measure, {"a": a, "b": b, None: None}[edge.part], sizes[a], sizes[b])
        for a, b in pairs
        if (edge := verify(words[a], words[b]))
    ]
    assert expected[0][:2] == pairs[0] and expected[0].measure == "spelling"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PAIRS_PER_CALL", at_once)
        if crowded:  # several words on one character may only let more pairs through to the exact rule
            patch.setattr(module, "_CHARACTERS", 3)
        assert list(verified_pairs(pairs, words)) == expected


def test_variants_are_compared_in_one_process():
    whole = "the council will close the harbour road for repairs until the first week of november"
    part = "close the harbour road for repairs until the first week"
    texts = {"1": whole, "2": part, "3": "it is what it is"}
    given = pa.table({"variant_id": list(texts), "canonical_text": list(texts.values())})
    [edge], postings = compare_within(given)
    assert {*postings.column_names, "rule_version"} == {*columns("variant_postings")}, "those that are stored"
    assert postings["variant_id"].unique().to_pylist() == ["1", "2"], "the third tells too little to be compared"
    assert (edge["a"], edge["b"], edge["contained"], edge["words_b"]) == ("1", "2", "2", 10)
    assert compare_within(given.slice(3))[0] == []
    assert len(set(group_texts([whole, part]))) == 1


BASE = "The keeper will mend the harbour lantern before winter comes to the coast"
KOREAN = "등대지기는 겨울이 오기 전에 항구의 등불을"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (BASE, BASE.replace("will", "will not"), False),
        (BASE, BASE.replace("will", "won’t"), False),
        (BASE, BASE.replace("will", "wont"), False),
        (BASE, BASE.replace("will", "will never"), False),
        (BASE.replace("will", "won’t"), BASE.replace("will", "will not"), True),
        (BASE.replace("will", "won’t"), BASE.replace("will", "wont"), True),
        (BASE.replace("will", "cannot"), BASE.replace("will", "can’t"), True),
        ("Keepers will mend the harbour lantern", "No keepers will mend the harbour lantern", False),
        (BASE, f"The lantern is not lit. {BASE}", True),  # the beginning ends before the same word
        (BASE, f"{BASE}, nobody leaves the coast", True),
        (BASE, f"It is not true that {BASE}", True),  # a part that the shorter one does not quote
        (BASE, f"{BASE}, and nobody else will do it", True),
        ("Guilty of setting fire to the harbour lantern", "Not guilty of setting fire to the harbour lantern", False),
        (BASE.replace("will", "will …"), BASE.replace("will", "will not"), True),  # it shows that it leaves out a word
        (BASE.replace("will", "will [quickly]"), BASE.replace("will", "will not"), True),
        (BASE.replace("will", "will not"), BASE.replace("will mend", "will mend …"), False),  # but not there
        (f"{KOREAN} 고칠 것이다", f"{KOREAN} 안 고칠 것이다", False),
        (f"{KOREAN} 고쳤다", f"{KOREAN} 고치지 못했다", False),
        (f"{KOREAN} 고치지 않았다", f"{KOREAN} 고치지 못했다", True),
        (f"{KOREAN} 고쳤다", f"올 {KOREAN} 고쳤다", True),
        # numbers
        ("the keeper mended nine lanterns before winter", "the keeper mended nine lanterns before winter 11", True),
        ("the keeper mended … lanterns at 10 this winter", "the keeper mended nine lanterns at 10 this winter", True),
        ("from 5 to 10 keepers mended the lanterns here", "from 10 to 15 keepers mended the lanterns here", False),
        ("on 3 days in 2016 they mended the old lanterns", "in 2018 they mended the old lanterns", False),
    ],
)  # fmt: skip
def test_a_negation_of_one_text_alone_and_numbers_that_the_texts_leave_out(one: str, other: str, same: bool):
    assert (compare(one, other) is not None) is same
    assert (compare(other, one) is not None) is same


@pytest.mark.parametrize(
    ("pairs", "same"),
    [
        ("9 = nine; 1,500 = 1500; 1.5 million = 1,500,000; $20 = 20; 10% = 10 percent; -7 = 7", True),
        ("the second = the 2nd; all = every; 3만 = 3만", True),
        ("some = ; nine = ; nine of the = those", True),  # a number that one text just lacks
        ("nine = eleven; forty = forty one; 1.5 = 15; 1.5 million = 1.5 billion; 450 = 448", False),
        ("the second = the third; two of eleven = all eleven; many = few; 3만 = 5만; 3만 = 3억", False),
    ],
)
def test_numbers_of_both_texts(pairs: str, same: bool):
    text = "before winter comes the {} lanterns of the old harbour at the coast must be mended by the keeper"
    for pair in pairs.split("; "):
        one, other = map(text.format, pair.split(" = "))
        assert (compare(one, other) is not None) is same, pair
