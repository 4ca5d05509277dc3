"""The words of pages and feeds in a reader's language, and how it writes numbers and dates: a file per language.

The files are ``words/CODE.toml``; the English one says how to add a language. Words are ours and may hold HTML; what is
filled in may be of an article, so :meth:`Words.__call__` escapes it.
"""

import tomllib
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Any, Final

from markupsafe import Markup

from quotelake.reporting.console import visible


class Words:
    """The words of one language.

    A key is ``section.name``; a word with two forms is chosen by the number ``n``, which may also be filled in.

    Args:
        language: ISO 639-1 code.
        words: content of its file.
    """

    def __init__(self, language: str, words: Mapping[str, Any]) -> None:
        self.language, self._words = language, words
        numbers = words["numbers"]
        self._signs = str.maketrans({",": numbers["thousands"], ".": numbers["decimal"], "%": numbers["percent"]})

    def __call__(self, key: str, n: object = None, /, **values: object) -> Markup:
        """A word for a page: all that is filled in is escaped, unless it is markup."""
        return Markup(self._word(key, n)).format(**self._filled(n, values))

    def text(self, key: str, n: object = None, /, **values: object) -> str:
        """The same as plain text, which is not escaped."""
        return self._word(key, n).format(**self._filled(n, values))

    def named(self, section: str, name: str) -> str:
        """The word for a value of the lake; the value itself, with spaces, where the file has none.

        >>> ENGLISH.named("kinds", "hedge"), ENGLISH.named("kinds", "wrong_speaker")
        ('possibility as fact', 'wrong speaker')
        """
        return str(self._words[section].get(name, name.replace("_", " ")))

    def rule(self, reason: str) -> str:
        """The reason of an outcome, which the lake has in English; as it is where the files do not know it.

        >>> words_of("de").rule("a body quote carries it; as said before")
        'ein Zitat im Text trägt es; as said before'
        """
        return "; ".join(map(self._rule, reason.split("; ")))

    def _rule(self, reason: str) -> str:
        for name, english in ENGLISH._words["rules"].items():
            begin, gap, _ = english.partition("{rest}")
            if reason == english or (gap and reason.startswith(begin)):
                word: str = self._words["rules"][name]
                return word.replace("{rest}", self._rule(reason[len(begin) :])) if gap else word
        return reason

    def shown(self, value: object) -> object:
        """What a page shows of a value: markup unchanged, text made visible, whole numbers with separators."""
        if isinstance(value, Markup):
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return self.number(value)
        return visible(str(value))

    def number(self, value: float, places: int = 0) -> str:
        """A number with so many decimal places.

        >>> words_of("de").number(1234.5, 1), words_of("ko").number(1234)
        ('1.234,5', '1,234')
        """
        return self.digits(f"{value:,.{places}f}")

    def digits(self, text: str) -> str:
        """A number that is written as in English, with the signs of this language."""
        return text.translate(self._signs)

    def date(self, form: str, at: datetime) -> str:
        """A time in UTC as the file's ``dates`` write it: ``minute``, ``day``, ``month`` or ``long``.

        >>> [words_of(code).date("day", datetime(2024, 7, 1)) for code in ("en", "de", "ko")]
        ['2024-07-01', '1. Juli 2024', '2024년 7월 1일']
        """
        dates = self._words["dates"]
        month, weekday = dates["months"][at.month - 1], dates["weekdays"][at.weekday()]
        return str(dates[form].format(at=at, month=month, weekday=weekday))

    def month(self, text: str) -> str:
        """A month that the lake has as YYYY-MM."""
        return self.date("month", datetime.strptime(text, "%Y-%m"))

    def _word(self, key: str, n: object) -> str:
        section, _, name = key.partition(".")
        word: str | Mapping[str, str] = self._words[section][name]
        return word if isinstance(word, str) else word["one" if n == 1 else "many"]

    def _filled(self, n: object, values: Mapping[str, object]) -> dict[str, Any]:
        return {name: self.shown(value) for name, value in {"n": n, **values}.items()}


@cache
def words_of(language: str) -> Words:
    """The words of a language that has a file."""
    file = resources.files("quotelake.reporting").joinpath("words", f"{language}.toml")
    return Words(language, tomllib.loads(file.read_text("utf-8")))


ENGLISH: Final = words_of("en")
