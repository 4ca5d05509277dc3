"""Drafts whose quotations come from an article: kept, excerpted, or falsified in ways that are known.

A draft is a reporting sentence a quotation: *“We lost the vote,” said Ana Bell.* Only quotations of a whole sentence or
more are used, that the article plainly credits to a person by name, and whose words are in the article once.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from quotelake.contextomy.quotes import BodyQuote, body_of
from quotelake.quotes.extract import quotes_of_document
from quotelake.text.fold import fold
from quotelake.text.forms import may_be_same_person
from quotelake.text.words import WORD, count_words

#: Kinds that are fair, and those that are not.
FAIR: Final = ("verbatim", "excerpted")
FALSE: Final = ("negated", "renumbered", "words_replaced", "invented", "given_to_another")
#: Words of a quotation that is used, and of an excerpt of it.
_LEAST, _MOST, _LEAST_KEPT = 8, 40, 6
_SHARED: Final = 5  # words in a row that show that an article has a quotation of another one too
#: The end of a sentence, or of a clause before one with another subject.
_CLAUSE: Final = re.compile(r"[.!?]\s+(?=[A-Z])|,\s+and\s+(?=(?:I|we|they|he|she|it|you)\s)")
_TURNS: Final = re.compile(r"(?i)(?:if|unless|but|or|not|no|maybe|perhaps|at least|that said)\b|\W*$")
_AUXILIARY: Final = re.compile(
    r"\b(?:am|is|are|was|were|will|would|could|should|must)\b"
    r"(?!\s+(?:not|no|never|only|just|merely|simply|nothing|nobody)\b|n|['’])"
)
_NEGATION: Final = re.compile(r"(?i)n['’]t\b|\bnever |(?<!\bif )\bnot (?!only|just|merely|simply|least|to mention)")
_WHOLE: Final = {"won": "will", "can": "can", "shan": "shall", "ain": "is"}
_NUMBER: Final = re.compile(r"(?<![\w.,/:-])(?:\d{1,4}|two|three|four|five|six|seven|eight|nine|ten)(?![\w/:-]|[.,]\d)")
_CONTENT: Final = re.compile(r"(?<![\w'’-])[a-z]{5,}(?![\w'’-])")
_WAYS: Final = ("“{said},” said {name}.", "{name} said: “{said}.”", "“{said},” {name} told reporters.")


class Planted(NamedTuple):
    """A quotation of a draft: where it begins in code points, what was done to it, what the article has."""

    start: int
    kind: str
    said: str


class Made(NamedTuple):
    """A draft and what is planted in it."""

    text: str
    planted: list[Planted]


def usable(text: str) -> list[BodyQuote]:
    """Quotations of an article that a draft may have."""
    document = {"doc_id": "", "kind": "news", "headline": "", "body": text, "body_status": "complete", "language": "en"}
    body = body_of(document, list(quotes_of_document(document, rule_version="")))
    letters = body.folded.letters
    return [
        quote for quote in body.quotes
        if quote.kind == "direct" and _LEAST <= count_words(quote.text) <= _MOST and quote.text[0].isupper()
        and not re.search(r"[\n\"“”\[\]…?]|\.\.|  ", quote.text) and quote.text.isprintable()
        and letters.count(quote.folded.letters) == 1
        and quote.speaker and quote.speaker.how in ("before", "after") and quote.speaker.type == "person"
        and len((quote.speaker.name or "").split()) > 1 and str(quote.speaker.name).split()[-1] in quote.speaker.text
    ]  # fmt: skip


def negate(text: str) -> str | None:
    """Take a negation out, or else put one in; None where neither is possible.

    >>> negate("We won't go."), negate("It was a good day.")
    ('We will go.', 'It was not a good day.')
    """
    found = _NEGATION.search(text)
    if found is None:
        auxiliary = _AUXILIARY.search(text)
        return auxiliary and f"{text[: auxiliary.end()]} not{text[auxiliary.end() :]}"
    before, after = text[: found.start()], text[found.end() :]
    word = re.search(r"\w+$", before)
    if found[0][0] in "nN" and word and found[0][1] in "'’":
        stem = f"{word[0]}n" if word[0] in ("ca", "wo", "sha", "ai") else ""
        before = before[: word.start()] + _WHOLE.get(stem, word[0])
    return before + after


def renumber(text: str) -> str | None:
    """Make another number of the first.

    >>> renumber("We lost two boats.")
    'We lost eleven boats.'
    """
    found = _NUMBER.search(text)
    new = found and (str(2 * int(found[0]) + 7) if found[0].isdigit() else "eleven")
    return found and f"{text[: found.start()]}{new}{text[found.end() :]}"


def excerpt(text: str) -> str | None:
    """Cut at the end of a sentence or clause, where what follows does not change its meaning."""
    for found in _CLAUSE.finditer(text):
        if count_words(text[: found.start()]) >= _LEAST_KEPT and not _TURNS.match(text, found.end()):
            return text[: found.start()]
    return None


def replace_words(text: str, other: str) -> str | None:
    """Put words of another quotation in place of every second word of content, of at least three."""
    places, new = list(_CONTENT.finditer(text))[::2], [word for word in _CONTENT.findall(other) if word not in text]
    if len(places) < 3 or len(new) < len(places):
        return None
    made = text
    for found, word in reversed(list(zip(places, new, strict=False))):
        made = made[: found.start()] + word + made[found.end() :]
    return made


#: What is done to the words alone.
_WORDED: Final[Mapping[str, Callable[[str], str | None]]] = {
    "verbatim": lambda text: text, "excerpted": excerpt, "negated": negate, "renumbered": renumber,
}  # fmt: skip


def make(text: str, quotes: Sequence[BodyQuote], other: BodyQuote, rng: random.Random) -> Made:
    """Make a draft with a quotation of each kind that is possible; ``other`` is a quotation of another article."""
    parts: list[str] = []
    planted: list[Planted] = []
    size = 0
    for kind, said, name, source in _changed(text, quotes, other, rng):
        shown = said.rstrip(" ,.!")
        way = rng.choice(_WAYS).format(said=shown, name=name if rng.random() < 0.5 else name.split()[-1])
        planted.append(Planted(size + way.index("“") + 1, kind, source))
        parts.append(way)
        size += len(way) + 2
    return Made("\n\n".join(parts), planted)


def _changed(
    text: str, quotes: Sequence[BodyQuote], other: BodyQuote, rng: random.Random
) -> Iterator[tuple[str, str, str, str]]:
    """Kind, words, speaker and source of each quotation."""
    letters = fold(text).letters
    for kind in (*FAIR, *FALSE):
        for quote in rng.sample(quotes, len(quotes)):
            name, said = _name(quote), quote.text
            if kind == "given_to_another":
                name = next((_name(each) for each in quotes if not may_be_same_person(_name(each), name)), "")
            elif kind == "invented":
                said = "" if _shares(other.text, letters) else other.text
            else:
                said = (replace_words(said, other.text) if kind == "words_replaced" else _WORDED[kind](said)) or ""
            is_false = kind in FALSE[:-1]
            if name and said and not (is_false and fold(said).letters in letters):
                yield kind, said, name, quote.text
                break


def _name(quote: BodyQuote) -> str:
    return (quote.speaker and quote.speaker.name) or ""


def _shares(said: str, letters: str) -> bool:
    words = [fold(word).letters for word in WORD.findall(said)]
    return any("".join(words[at : at + _SHARED]) in letters for at in range(max(1, len(words) - _SHARED + 1)))
