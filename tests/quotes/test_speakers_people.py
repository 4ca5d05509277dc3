"""Who the people of an article are: what may be left unread changes no name, and debris costs no more than news."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.growth import assert_linear

from quotelake.quotes.spans import Quote, find_quotes
from quotelake.quotes.speakers import find_speakers, names
from quotelake.quotes.speakers.people import NameReader, People, load_names
from quotelake.quotes.speakers.runs import Run, find_runs

PIECES = st.sampled_from(
    ["Ana Ruiz", "Ana Ruiz's", "Mr. Ruiz", "Ruiz", "Lee Odell", "Lee Odell Jr.", "Mayor Max Odell", "Odell",
     "Ms. Odell", "Harbour Watch President Lee Moran", "The Avalon Times", "Moran", "“No,” he said.", "“No,” she said.",
     "“No,” said Ruiz.", "“No,” said Mr. Odell.", "“No,” Moran added.", "left.", "rose and", "met", ",", "\n\n",
     "It rained all day and the harbour was closed. " * 8, "Then the town of Avalon voted again. " * 40]
)  # fmt: skip


def every_run(
    text: str,
    quotes: list[Quote],
    windows: list[tuple[int, int]],
    end: int,
    speaking: frozenset[str],
    reader: NameReader,
) -> list[Run]:
    """All runs up to ``end``: the whole article is one window, and each surname in it may speak."""
    whole = frozenset(text.replace("’", " ").replace(".", " ").split())
    return find_runs(text, quotes, [(0, max(end, *[high for _, high in windows], 0))], end, whole | speaking, reader)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40))
def test_what_is_left_unread_changes_no_name(pieces: list[str]):
    text = " ".join(pieces)
    quotes = find_quotes(text)
    found = find_speakers(text, quotes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names, "find_runs", every_run)
        assert find_speakers(text, quotes) == found


def test_a_namesake_too_many_is_still_named_by_the_full_name():
    people = People(load_names("en"), frozenset())
    given_names = [f"Q{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}" for n in range(100)]
    for name in given_names:
        (mention,) = people.read(f"{name} Odell", f"{name} Odell", 0)
        assert mention.persons[0].full == (0, len(name) + 6)
    assert 1 < len(people.by_surname["Odell"]) < len(given_names)


def test_a_long_run_of_capitals_is_nobody_and_is_not_remembered():
    reader = load_names("en")
    run = "Ana Ruiz " * 10_000 + "Odell"
    assert reader.read(run) == ()
    assert run not in reader.memory


def namesakes(count: int) -> str:
    """As many people of one surname, all with different given names, and a pronoun behind each."""
    digits = str.maketrans("0123456789", "abcdefghij")
    return " ".join(f"Q{str(n).translate(digits)} Odell left. Mr. Odell came. “No,” he said." for n in range(count))


@pytest.mark.slow
def test_time_grows_with_the_number_of_namesakes():
    def work(count: int) -> Callable[[], object]:
        text = namesakes(count)
        quotes = find_quotes(text)
        return lambda: find_speakers(text, quotes)

    assert_linear(work, 800)
