"""The tables of words: what no sane table holds, such as a word twice or two words run together, is found here."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from quotelake.quotes import headline_lexicon, lexicon
from quotelake.quotes.languages import load_language

#: Names, which are matched as they are written.
NAMES = {"FOREIGN_LANGUAGES"}
#: Real words with an ending that no other word here has.
RARE = {"farsi"}


def tables() -> dict[str, list[str]]:
    """Words of each table as its file lists them, for the sets that the modules hold show no word twice."""
    found = {}
    for module in (lexicon, headline_lexicon):
        for node in ast.parse(Path(module.__file__).read_text("utf-8")).body:
            match node:
                case ast.AnnAssign(
                    target=ast.Name(id=name), value=ast.Call(func=ast.Name(id="table"), args=[ast.Constant(value=text)])
                ):
                    found[name] = text.split()
    return found


TABLES = tables()


def test_no_table_is_overlooked():
    for module in (lexicon, headline_lexicon):
        sets = {name for name, value in vars(module).items() if isinstance(value, frozenset) and name.isupper()}
        assert sets <= set(TABLES)
        assert all(getattr(module, name) == set(TABLES[name]) for name in sets)


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_lists_each_word_once_and_words_alone(name: str):
    listed = TABLES[name]
    assert [word for word, n in Counter(listed).items() if n > 1] == []
    shape = r"[A-Z][a-z]+" if name in NAMES else r"[a-z]+(?:'[a-z]+|-[a-z]+)*"
    assert [word for word in listed if not re.fullmatch(shape, word)] == []


def test_a_word_ends_like_another_one_and_is_no_two_of_its_table():
    """Two words run together rarely end as a word does (*timelineq*); they may be two of the same table."""
    english = load_language("en")
    assert english is not None
    every = {word.lower() for words in TABLES.values() for word in words}
    endings = Counter(word[-2:] for word in every.union(english.cues, *english.words.values()))
    assert {word for word in every if len(word) > 4 and endings[word[-2:]] == 1} <= RARE
    for words in TABLES.values():
        fused = {a + b for a in words for b in words if len(a) > 2 and len(b) > 2}
        assert fused.intersection(words) <= {"liveblog"}
