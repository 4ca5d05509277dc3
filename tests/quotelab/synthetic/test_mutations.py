"""Each kind of variant changes what its name says and nothing else, on any quote of the corpus."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from quotelab.synthetic import mutations
from quotelab.synthetic.mutations import BRACKETED, CHANGES, LEAST_KEPT, MOST_SUBSTITUTED, OTHER, SAME
from quotelab.synthetic.texts import ZipfPhrases
from quotelab.synthetic.wording import Phrasebook, vocabulary
from quotelake.quotes.keys import GAP, canonical_text

texts = st.builds(
    lambda phrases, seed, topic, number: phrases(seed).wording(topic, number).text,
    st.sampled_from([Phrasebook, ZipfPhrases]), st.integers(0, 9), st.sampled_from(vocabulary().topics),
    st.integers(0, 10**6),
)  # fmt: skip
sources = st.integers(0, 10**6).map(random.Random)


def canonical(text: str) -> list[str]:
    """Words of the canonical text of a quote."""
    return (canonical_text(text) or "").split()


@given(texts, sources)
def test_substituted_one_to_three_words_with_a_jaccard_index_of_at_least_six_tenths(text: str, rng: random.Random):
    old, new = text.split(), mutations.substitute(text, rng).split()
    changed = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
    assert 1 <= len(changed) <= MOST_SUBSTITUTED
    assert all(b.rstrip(",") in vocabulary().substitutes and not a.isdigit() for a, b in changed)
    one, other = Counter(canonical(text)), Counter(canonical(" ".join(new)))
    assert (one & other).total() / (one | other).total() >= 0.6


@given(texts, sources)
def test_truncated_is_the_beginning_or_the_end_and_most_of_it(text: str, rng: random.Random):
    old, new = canonical(text), canonical(mutations.truncate(text, rng))
    assert new in (old[: len(new)], old[-len(new) :])
    assert max(5, LEAST_KEPT * len(old)) <= len(new) < len(old)


@given(texts)
def test_dropped_lacks_one_word_inside_that_is_no_number(text: str):
    old = text.split()
    allowed = [at for at in range(1, len(old) - 1) if not old[at].isdigit()]
    found = {mutations.drop(text, random.Random(seed)) for seed in range(200)}
    possible = {" ".join(old[:at] + old[at + 1 :]) for at in allowed}
    assert found <= possible and 2 * len(found) > len(possible), "any word, so most are dropped by some seed"


@given(texts, sources)
def test_bracketed_has_another_person_in_brackets(text: str, rng: random.Random):
    changed = [(a, b) for a, b in zip(text.split(), mutations.bracket(text, rng).split(), strict=True) if a != b]
    assert [(f"[{BRACKETED[a.lower()]}]", b) for a, b in changed] == [(b, b) for _, b in changed]
    assert len(changed) == 1


@given(texts, sources)
def test_elided_has_a_gap_for_two_to_four_words_in_the_middle(text: str, rng: random.Random):
    old, new = canonical(text), canonical(mutations.elide(text, rng))
    at = new.index(GAP)
    rest = new[at + 1 :]
    assert new[:at] == old[:at] and rest == old[-len(rest) :]
    assert at >= 3 and len(rest) >= 3 and 2 <= len(old) - at - len(rest) <= 4


@given(texts, sources, st.sampled_from(list(CHANGES)))
def test_a_changed_variant_has_no_negation_and_no_mark_of_its_own(text: str, rng: random.Random, kind: str):
    made = CHANGES[kind](text, rng)
    assert made != text and "not" not in made.split()
    assert not set(made) & set("“”‘’\"'\n:") and made == made.strip()
    assert kind in SAME and kind not in OTHER
