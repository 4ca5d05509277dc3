"""What a language model is asked about a headline quote: the instruction, and headline and article as data. Pure."""

import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final

from quotelake.contextomy.judgement import Judgement
from quotelake.contextomy.quotes import CUT, HeadlineQuote
from quotelake.text.fold import Span
from quotelake.text.ids import content_id
from quotelake.text.words import sentences

_FILE: Final = tomllib.loads(resources.files("quotelake.reader").joinpath("instruction.toml").read_text("utf-8"))
NUMBER: Final[int] = _FILE["number"]
#: Ways in which a headline misleads, each as the instruction explains it.
KINDS: Final[dict[str, str]] = _FILE["kinds"]
INSTRUCTION: Final[str] = _FILE["text"].replace("{kinds}", "; ".join(f"{name} ({it})" for name, it in KINDS.items()))
_PIECE: Final = 1000  # characters that are sent or left out whole: a text without full stops is one sentence


@dataclass(frozen=True, slots=True)
class Question:
    """A headline quote, or a quotation of a draft, and the text that it is held against."""

    headline: str
    start: int  #: of the quote in the headline, in code points
    end: int
    body: str
    places: tuple[Span, ...] = ()  #: of the body that may be its source: the article is cut around them
    is_complete: bool = True  #: whether the body is all of the article


def question_of(quote: HeadlineQuote, body: str, *places: Span | None, is_complete: bool = True) -> Question:
    """The question about a quote, with the headline or sentence that it stands in."""
    start, headline = len(quote.before), quote.before + quote.text + quote.after
    return Question(headline, start, start + len(quote.text), body, tuple(filter(None, places)), is_complete)


def questions_of(judgements: Iterable[Judgement], body: str, body_status: str) -> list[Question]:
    """A question about each judged quote of a headline."""
    questions = []
    for one in judgements:
        places = [(each.start, each.end) for each in (one.best, one.second) if each is not None]
        questions.append(question_of(one.headline, body, *places, one.passage, is_complete=body_status not in CUT))
    return questions


def messages(question: Question, tokens: int) -> list[dict[str, str]]:
    """Messages of the chat protocol; of the article at most so many ``tokens`` are sent."""
    headline, words = question.headline, question.headline[question.start : question.end]
    article = cut_article(question.body, question.places, tokens)
    values = {"headline": headline, "between_marks": words, "complete": question.is_complete, "article": article}
    # A line of JSON cannot end before its end, and no text can hold a hash of itself.
    line = json.dumps(values, ensure_ascii=False).encode("utf-8", "replace").decode()
    fence = f"=== data {content_id(line)} ==="
    return [{"role": "system", "content": INSTRUCTION}, {"role": "user", "content": f"{fence}\n{line}\n{fence}"}]


def tokens_of(text: str) -> int:
    """Estimated tokens of a text, 4 bytes each: four letters of English, or one or two syllables of Korean [ours]."""
    return -(-len(text.encode("utf-8", "replace")) // 4)


def cut_article(body: str, places: Sequence[Span], tokens: int) -> str:
    """The sentences of a body that are nearest to its beginning or to some places, in at most so many tokens.

    >>> cut_article("One is here. Two is far. Three is there.", [(25, 30)], 8)
    'One is here. […] Three is there.'
    """
    if tokens_of(body) <= tokens:
        return body
    spans = [(at, min(at + _PIECE, end)) for start, end in sentences(body) for at in range(start, end, _PIECE)]
    near = [0, *(start for start, _ in places)]
    kept, left = list[Span](), tokens
    for start, end in sorted(spans, key=lambda span: min(abs(span[0] - at) for at in near)):
        left -= tokens_of(body[start:end])
        if left < 0:
            break
        kept.append((start, end))
    cut, last = "", 0
    for start, end in [*sorted(kept), (len(body), len(body))]:
        cut += "[…] " * (start > last) + body[start:end]
        last = end
    return cut
