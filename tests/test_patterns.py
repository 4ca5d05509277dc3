"""No pattern of the library takes more than linear time, whatever the text: new ones are found without a list."""

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest

import quotelake
from quotelab.benchmarks.patterns import BOUNDED, Found, compiled, find_patterns
from quotelab.benchmarks.pumping import FUNCTION, STEEP, growth, worst_growth
from quotelake.answers.marking import mark_body_quote
from quotelake.contextomy.speakers import SpeakerMention, same_speaker
from quotelake.factuality.reading import pattern, phrases
from quotelake.quotes.flags import denials_of
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers
from quotelake.sources.dates import read_date
from quotelake.sources.editorial import body_status_of, genre_of, wire_credit_of
from quotelake.sources.json_records import read_lines
from quotelake.text import lexicon as cues
from quotelake.text.lexicon import cue_pattern, load_lexicon


@pytest.fixture(scope="module")
def every() -> tuple[list[Found], list[str]]:
    return find_patterns(quotelake)


@pytest.fixture(scope="module")
def patterns(every: tuple[list[Found], list[str]]) -> list[Found]:
    return every[0]


def run_all_that_makes_patterns() -> None:
    """Call the functions whose patterns depend on their arguments or on files."""
    for text in ("She said “we will go” on Monday.", "장관은 “우리는 간다”고 말했다."):
        find_speakers(text, find_quotes(text), language="ko" if "장관" in text else "en")
    for script, languages in cues.LANGUAGES.items():
        for name in load_lexicon(languages[0])["cues"]:
            cue_pattern(name, script)
    _same_speaker("Carla Ruiz spoke. Dan Bell did not.")
    denials_of.cache_clear()
    denials_of(None)
    phrases("scope")
    pattern("tag")
    mark_body_quote("We won’t go", "We go", [], ["won’t"])
    list(read_lines(BytesIO(b"{}\n\n"), 10))


def steep(found: list[Found], size: int, factor: int) -> list[str]:
    """Those of the patterns whose time grows more than linearly, and with what."""
    measured = [(each.place, worst_growth(each.pattern, sorted(each.uses), size, factor)) for each in found]
    return [f"{place}: {growth}" for place, growth in measured if growth.exponent > STEEP]


def test_every_pattern_is_linear(patterns: list[Found]) -> None:
    assert steep([each for each in patterns if each.place not in BOUNDED], 300, 4) == []


def test_exceptions_are_still_needed(patterns: list[Found]) -> None:
    """A mended or removed pattern leaves the list of exceptions, or the list would hide the next one of its name."""
    places = {each.place: each for each in patterns}
    assert not BOUNDED.keys() - places.keys()
    assert len(steep([places[place] for place in BOUNDED], 300, 4)) == len(BOUNDED)


def test_patterns_made_while_running_are_linear(every: tuple[list[Found], list[str]]) -> None:
    """Those too that no constant holds; a function that makes one, and is not run here, fails the test."""
    with compiled(quotelake) as found:
        run_all_that_makes_patterns()
    assert set(every[1]) <= {each.place for each in found}
    assert steep(list({each.pattern.pattern: each for each in found}.values()), 300, 4) == []


#: What a possessive repeat may repeat: one character.
_CHARACTERS = {"LITERAL", "NOT_LITERAL", "ANY", "IN", "CATEGORY"}


def possessive_groups(parsed: Any) -> list[Any]:
    """Possessive repeats of more than a character, from the parts of a pattern."""
    found, pending = [], [parsed]
    while pending:
        each = pending.pop()
        if isinstance(each, list | tuple | re._parser.SubPattern):  # type: ignore[attr-defined]
            pending += each
        if isinstance(each, tuple) and str(each[0]) == "POSSESSIVE_REPEAT":
            repeated = each[1][2]
            if len(repeated) != 1 or str(repeated[0][0]) not in _CHARACTERS:
                found.append(each)
    return found


def test_no_group_is_repeated_possessively(patterns: list[Found]) -> None:
    """Up to Python 3.11.4 such a repeat may match too much or too little; an atomic group (?>(?:...)*) is right.

    https://github.com/python/cpython/issues/106052
    """
    parse = re._parser.parse  # type: ignore[attr-defined]
    assert possessive_groups(parse(r"\w++(?:'\w++)*+")) and not possessive_groups(parse(r"\w++(?>(?:'\w++)*)[a-z]*+"))
    with compiled(quotelake) as made:
        run_all_that_makes_patterns()
    found = [each.place for each in (*patterns, *made) if possessive_groups(parse(each.pattern.pattern))]
    assert found == []


@pytest.mark.slow
def test_every_pattern_is_linear_up_to_a_million_characters(patterns: list[Found]) -> None:
    assert steep([each for each in patterns if each.place not in BOUNDED], 10_000, 100) == []


def test_patterns_of_every_kind_are_found(patterns: list[Found]) -> None:
    """Constants, those written in calls, and those with an escaped word that only a running function knows."""
    found = {each.place: each for each in patterns}
    assert found["quotelake.text.words:WORD"].uses >= {"finditer"}
    assert found["quotelake.quotes.speakers.clauses:_TOKEN"].pattern
    assert any(each.pattern.pattern == r"[/|>,;:]" and each.uses == {"split"} for each in patterns)
    assert any("Ruiz" in str(each.pattern.pattern) for each in patterns)


def _same_speaker(article: str) -> object:
    names = ("Carla Ruiz", "Carla Ruiz", "person", "Carla Ruiz"), ("Dan Bell", "Dan Bell", "person", "Dan Bell")
    return same_speaker(SpeakerMention(*names[0]), SpeakerMention(*names[1]), article)


#: What a document may give each function: a beginning, what is repeated, an end.
FUNCTIONS: dict[str, tuple[Callable[[str], object], list[tuple[str, str, str]]]] = {
    "same_speaker": (
        _same_speaker,
        [
            ("By Carla Ruiz (AP)\n", unit, end)
            for unit in ("-", "'", "-'", " ", ", ", "Ruiz, ", "Ruiz'")
            for end in "x."
        ],
    ),
    "genre_of": (
        lambda text: genre_of("news", text, text, text, text),
        [("a", unit, "x") for unit in (" ", "\t", " -", "- ", "/", "a ", "'")],
    ),
    "wire_credit_of": (
        lambda text: wire_credit_of(text, text, text),
        [(start, unit, "x") for start in ("", "By Ana Ruiz") for unit in (" ", "\t", " -", "(AP)", "(Reporting by ")],
    ),
    "body_status_of": (
        lambda text: body_status_of("news", text, "news"),
        [("Read more", unit, end) for unit in (".", "…", " ", "http://", "https://a…", ".'") for end in ("x", "…")],
    ),
    "read_date": (
        lambda text: _refused(read_date, text),
        [("", unit, "x") for unit in ("Jan ", " ", "1", "GMT ", "1:")],
    ),
}


def _refused(function: Callable[..., Any], text: str) -> None:
    with pytest.raises(ValueError):
        function(text, None)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_over_hostile_texts_are_linear(name: str) -> None:
    run, parts = FUNCTIONS[name]
    texts = [lambda size, part=part: part[0] + part[1] * (size // len(part[1])) + part[2] for part in parts]
    exponent, seconds, index = growth(run, texts, 1000, patience=FUNCTION)
    assert exponent <= STEEP, f"power {exponent:.2f}, {seconds:.3f} s on {parts[index]}"
