"""The words of pages and feeds in a reader's language, and its numbers and dates: a file per language.

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

from quotelake.text.language import dominant_script
from quotelake.text.words import visible


class Words:
    """The words of a language that has a file, by ``section.name``; of two forms the number ``n`` chooses."""

    def __init__(self, language: str) -> None:
        file = resources.files("quotelake.answers").joinpath("words", f"{language}.toml")
        self.language, self._words = language, tomllib.loads(file.read_text("utf-8"))
        numbers = self._words["numbers"]
        self._signs = str.maketrans({",": numbers["thousands"], ".": numbers["decimal"], "%": numbers["percent"]})

    def __call__(self, key: str, n: object = None, /, **values: object) -> Markup:
        """A word for a page: all that is filled in is escaped, unless it is markup."""
        return Markup(self._word(key, n)).format(**self._filled(n, values))

    def text(self, key: str, n: object = None, /, **values: object) -> str:
        """The same as text, which is not escaped."""
        return self._word(key, n).format(**self._filled(n, values))

    def named(self, section: str, name: str) -> str:
        """The word for a value of the lake; the value itself, with spaces, where the file has none.

        >>> ENGLISH.named("kinds", "hedge"), ENGLISH.named("kinds", "wrong_speaker")
        ('possibility as fact', 'wrong speaker')
        """
        return str(self._words[section].get(name, name.replace("_", " ")))

    def rule(self, reason: str) -> str:
        """The reason of an outcome, which the lake has in English; unchanged where the files do not know it.

        >>> load_words("de").rule("a body quote carries it; as said before")
        'ein Zitat im Text trägt es; as said before'
        """
        return "; ".join(map(self._rule, reason.split("; ")))

    def _rule(self, reason: str) -> str:
        for name, english in ENGLISH._words["rules"].items():
            begin, has_rest, _ = english.partition("{rest}")
            if reason == english or (has_rest and reason.startswith(begin)):
                rest = self._rule(reason[len(begin) :]) if has_rest else ""
                return str(self._words["rules"][name]).replace("{rest}", rest)
        return reason

    def localised(self, value: object) -> object:
        """A value as a page shows it: markup unchanged, text made visible, whole numbers with separators."""
        if isinstance(value, int) and not isinstance(value, bool):
            return self.number(value)
        return value if isinstance(value, Markup) else visible(str(value))

    def number(self, value: float, places: int = 0) -> str:
        """A number with so many decimal places."""
        return self.digits(f"{value:,.{places}f}")

    def digits(self, text: str) -> str:
        """A number that is written as in English, with the signs of this language."""
        return text.translate(self._signs)

    def date(self, form: str, at: datetime | str) -> str:
        """A time in UTC, or a month as YYYY-MM, in a form of ``dates`` of the file.

        >>> [load_words(code).date("day", datetime(2024, 7, 1)) for code in ("en", "de", "ko")]
        ['2024-07-01', '1. Juli 2024', '2024년 7월 1일']
        """
        dates, at = self._words["dates"], datetime.strptime(at, "%Y-%m") if isinstance(at, str) else at
        month, weekday = dates["months"][at.month - 1], dates["weekdays"][at.weekday()]
        return str(dates[form].format(at=at, month=month, weekday=weekday))

    def lang_of(self, text: str) -> Markup:
        """The attribute for a text whose language the lake does not state, so that fonts and screen readers fit it.

        Hangul is Korean; other letters than those of the page's language are of an unknown one.

        >>> ENGLISH.lang_of("올해 축제"), ENGLISH.lang_of("this year"), load_words("ko").lang_of("this year")
        (Markup(' lang="ko"'), Markup(''), Markup(' lang=""'))
        """
        script, of_page = dominant_script(text), dominant_script(self.text("page.article"))
        return Markup(' lang="ko"' if script == "hangul" else "" if script in (None, of_page) else ' lang=""')

    def _word(self, key: str, n: object) -> str:
        section, _, name = key.partition(".")
        word: str | Mapping[str, str] = self._words[section][name]
        return word if isinstance(word, str) else word["one" if n == 1 else "many"]

    def _filled(self, n: object, values: Mapping[str, object]) -> dict[str, Any]:
        return {name: self.localised(value) for name, value in {"n": n, **values}.items()}


load_words: Final = cache(Words)
ENGLISH: Final = load_words("en")
