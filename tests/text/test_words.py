"""Where sentences end, and what an excerpt leaves out of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.text.words import omitted_spans, sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Mrs. Bell left. He stayed.", 2),
        ("She met J. Bell. He stayed.", 2),
        ("It rose 1.5 percent. Good.", 2),
        ("We won . And how !", 2),
        ("“We won!” She left.", 2),
        ("Well ... we won", 1),
        ("이겼다. 정말이다.", 2),
        ("勝った。本当だ。", 2),
        ("One\nTwo", 2),
        ("We left the U.S. It was late.", 2),
        ("We left Bell Inc. “They were late.", 2),
        ("We left with Ruiz Jr. His boat sank.", 2),
        ("We like plan B. We’ll see.", 2),
        ("The U.S. Senate met the U.N. Council.", 1),
        ("The U.S. WHO envoy met M. Bell.", 1),
        ("It was no. We left.", 2),
        ("It was no. 7 of ten.", 1),
    ],
)
def test_sentence_ends(text: str, count: int):
    assert len(sentences(text)) == count


@given(st.text(st.sampled_from("aB .?!\n“”。…1"), max_size=60))
def test_sentences_cover_a_text_once(text: str):
    found = sentences(text)
    assert "".join(text[start:end] for start, end in found) == text
    assert all(start < end for start, end in found)


@given(st.text(st.sampled_from("aB .?“”1"), max_size=60), st.sets(st.integers(0, 60), max_size=12))
def test_what_is_kept_and_what_is_left_out_have_all_letters_once(text: str, edges: set[int]):
    inside = sorted(edge for edge in edges if edge <= len(text))
    kept = list(zip(inside[::2], inside[1::2], strict=False))
    left = omitted_spans(text, kept)
    assert all(text[start].isalnum() and text[end - 1].isalnum() for start, end in left)
    covered = [any(start <= at < end for start, end in (*kept, *left)) for at in range(len(text))]
    assert all(covered[at] for at in range(len(text)) if text[at].isalnum())
    assert all(first[1] <= start or end <= first[0] for first in kept for start, end in left)
