"""What of a model's answer counts: a verdict whose evidence stands in the body. Pure."""

from dataclasses import dataclass
from typing import Final, Literal

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from quotelake.contextomy.passages import places_of
from quotelake.contextomy.quotes import HeadlineQuote, Text
from quotelake.quotes.spans import find_quotes
from quotelake.reader.instruction import KINDS, Question
from quotelake.text.fold import Span
from quotelake.text.words import shortened

#: Folded letters, in bytes of UTF-8, from which words prove anything: three short words, four Hangul syllables [ours].
_LEAST_BYTES: Final = 12
#: Passages of evidence that are looked at, and characters of a sentence.
_MOST, _LONGEST = 5, 400
Status = Literal["read", "discarded", "failed"]
Verdict = Literal["misleading", "fair", "unclear"]


class Answer(BaseModel):
    """The JSON object that a model answers by; its schema goes to servers that can force it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    verdict: Verdict
    kind: Literal[tuple(KINDS)] | None  # type: ignore[valid-type]
    evidence: list[str]
    sentence: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a model says of a headline quote, as far as the article bears it out."""

    status: Status
    reason: str | None = None  #: why it was discarded or failed
    verdict: Verdict | None = None  #: of one that was read
    kind: str | None = None  #: of a misleading one: a key of :data:`.instruction.KINDS`
    evidence: tuple[Span, ...] = ()  #: words of the body, as (start, end) in code points
    words: tuple[str, ...] = ()  #: the same as the body has them
    sentence: str | None = None  #: what the model says, in its words
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0

    def described(self, reader: str) -> str:
        """The reading in a line that names the reader."""
        if self.verdict is None:
            return f"{reader} gave no answer that counts: {self.reason}"
        parts = (self.verdict, self.kind, self.sentence, *(f"“{each}”" for each in self.words))
        return f"{reader} read this article and says: {'; '.join(filter(None, parts))}"


def read_answer(text: str, question: Question) -> Reading:
    """Make a reading of what a model wrote; words before and behind its JSON object, such as thoughts, are skipped."""
    text = text.rpartition("</think>")[2]
    try:
        answer = Answer.model_validate(orjson.loads(text[text.find("{") : text.rfind("}") + 1]))
    except orjson.JSONDecodeError:
        return Reading("failed", "the answer is no JSON object")
    except ValidationError:
        return Reading("failed", "the answer has another schema")
    body = Text(question.body)
    found = [spans_of(words, body) for words in answer.evidence[:_MOST]]
    if not all(found) or not (found or answer.verdict == "unclear"):
        return Reading("discarded", "its evidence does not stand in the body")
    kind = (answer.kind or "other") if answer.verdict == "misleading" else None
    evidence = tuple(sorted({span for spans in found for span in spans}))
    words = tuple(question.body[start:end] for start, end in evidence)
    return Reading("read", None, answer.verdict, kind, evidence, words, _sentence(answer.sentence, question, body))


def spans_of(words: str, body: Text) -> list[Span]:
    """Where a body has words, parts around an ellipsis apart; empty where it lacks one, or one is too short."""
    quote = HeadlineQuote(words, None)
    found = list[Span]()
    for part in quote.parts:
        place = next(places_of(body, part, quote.script, 1), None)
        if place is None or len(part.letters.encode("utf-8", "replace")) < _LEAST_BYTES:
            return []
        found.append(place)
    return found


def _sentence(text: str, question: Question, body: Text) -> str | None:
    """A model's sentence; None where it is empty, holds an address, or quotes what neither headline nor body has."""
    if "://" in text or "www." in text.casefold():
        return None
    texts = (body.folded.letters, Text(question.headline).folded.letters)
    quoted = (Text(quote.text).folded.letters for quote in find_quotes(text))
    stands = all(any(letters in known for known in texts) for letters in quoted)
    return (shortened(text, _LONGEST) or None) if stands else None
