"""Who the people of an article are: debris costs no more than news."""

from collections.abc import Callable

import pytest
from tests.growth import assert_linear

from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers
from quotelake.quotes.speakers.people import People, read_names


def test_a_namesake_too_many_is_still_named_by_the_full_name():
    people = People(frozenset())
    given_names = [f"Q{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}" for n in range(100)]
    for name in given_names:
        (mention,) = people.read(f"{name} Odell", f"{name} Odell", 0)
        assert mention.persons[0].full == (0, len(name) + 6)
    assert 1 < len(people.by_surname["Odell"]) < len(given_names)


def test_a_long_run_of_capitals_is_nobody_and_is_not_remembered():
    remembered = read_names.cache_info().currsize
    run = "Ana Ruiz " * 10_000 + "Odell"
    assert list(People(frozenset()).read(run, run, 0)) == []
    assert read_names.cache_info().currsize == remembered


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
