"""The lexicon of opposites."""

from pathlib import Path

import pytest

from quotelake.text import opposites
from quotelake.text.amounts import is_amount
from quotelake.text.cues import cue_pattern
from quotelake.text.opposites import load_opposites
from quotelake.text.wording import SMALL


def test_a_pair_has_two_sides():
    sides: dict[str, set[bool]] = {}
    for side in load_opposites("en").values():
        sides.setdefault(side.pair, set()).add(side.is_second)
    assert {pair for pair, found in sides.items() if found != {True, False}} == set()


def test_no_word_is_read_as_something_else_before_it_is_looked_up():
    """A negation, an amount or a small word never reaches the lexicon, so it would be a dead entry."""
    negation = cue_pattern("NEGATION", "latin")
    assert negation is not None
    words = load_opposites("en").keys()
    assert {word for word in words if word in SMALL or is_amount(word) or negation.fullmatch(word)} == set()
    assert {word for word in words if not (word.isalpha() and word == word.lower())} == set()


def test_a_word_in_two_entries_is_refused_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "xx.toml").write_text('[pairs]\nsafe = ["safe", "risky"]\nsure = ["sure", "risky"]\n[prefixes]\n')
    monkeypatch.setattr(opposites.resources, "files", lambda package: tmp_path)
    with pytest.raises(ValueError, match=r"xx\.toml: 'risky' stands in safe and in sure; keep one"):
        load_opposites.__wrapped__("xx")
