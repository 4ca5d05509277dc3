"""The lexicon: what no sane list holds, such as a word twice or two words run together, is found here."""

import re
from collections import Counter

import pytest

from quotelake.quotes.lexicon import ENGLISH
from quotelake.text.lexicon import LANGUAGES, cues_of, load_lexicon

#: Names, which are matched as they are written.
NAMES = {"foreign_languages"}
#: Real words with an ending that no other word here has.
RARE = {"Farsi"}
#: Lists of the rules of quotes and speakers, in the order of the file: a set shows no word twice.
LISTS = {name: words.split() for name, words in load_lexicon("en")["words"].items()}
#: Those of speakers come first: given names end in any way, and roles are joined (*chair*, *chairman*).
OF_SPEAKERS = list(LISTS)[: list(LISTS).index("clipped_words")]


@pytest.mark.parametrize("name", sorted(LISTS))
def test_a_list_has_each_word_once_and_words_alone(name: str):
    listed = LISTS[name]
    assert [word for word, n in Counter(listed).items() if n > 1] == []
    shape = r"[A-Z][a-z]+" if name in NAMES else r"'?[a-z]+(?:['.-][a-z]+)*-?"
    assert [word for word in listed if not re.fullmatch(shape, word)] == []


def test_a_word_ends_like_another_one_and_is_no_two_of_its_list():
    """Two words run together rarely end as a word does (*timelineq*); they may be two of the same list."""
    endings = Counter(word.lower()[-2:] for words in [*LISTS.values(), ENGLISH.cues] for word in words)
    for words in (words for name, words in LISTS.items() if name not in OF_SPEAKERS):
        assert {word for word in words if len(word) > 4 and endings[word.lower()[-2:]] == 1} <= RARE
        fused = {a + b for a in words for b in words if len(a) > 2 and len(b) > 2}
        assert fused.intersection(words) <= {"liveblog"}


@pytest.mark.parametrize("name", ["NEGATION", "CONDITION", "HEDGE", "CONTRAST", "CONCESSION", "QUESTION"])
def test_every_class_of_cues_has_words_in_every_language(name: str):
    lists = [cues_of(name, code) for codes in LANGUAGES.values() for code in codes]
    assert all(len(words) == len(set(words)) and words for words in lists)
