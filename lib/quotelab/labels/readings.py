"""Readings of headline quotes by a language model: recorded ones, so that figures can be repeated, and new ones.

A line of a file is an answer of a model about a quote, ``id``, ``headline``, ``start``, ``model`` and ``answer``; or a
labelled headline with what a reader said of it: ``second``, the body's words ``said``, and a ``reason``.
"""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from quotelab.labels.texts import read_rows
from quotelake.errors import InputError
from quotelake.reader.answers import Reading, read_answer
from quotelake.reader.client import Reader
from quotelake.reader.instruction import Question
from quotelake.settings import ReaderSettings

_VERDICTS = {"M": "misleading", "F": "fair", "D": "unclear"}
#: An article's id, the headline, and where the quote begins in it; None: any quote of the headline.
Key = tuple[str, str, int | None]


class RecordedReading(BaseModel):
    """A line of a file of readings; other fields are ignored. Grain: a headline quote; ``start`` None: a headline.

    ``answer`` is the text that the model wrote, None: its answer did not count.
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    headline: str
    start: int | None = None
    answer: str | None = None
    second: Literal["M", "D", "F"] | None = None
    said: str = ""
    reason: str = ""

    @property
    def text(self) -> str:
        """The answer as a model writes it."""
        if self.second is None or self.answer is not None:
            return self.answer or ""
        verdict = _VERDICTS[self.second]
        return json.dumps({"verdict": verdict, "kind": None, "evidence": [self.said], "sentence": self.reason})


@dataclass(frozen=True)
class Readings:
    """Where readings come from: a file of recorded ones, a model for those that it lacks, or both."""

    path: Path | None
    settings: ReaderSettings | None

    def read(self, keys: Sequence[Key], questions: Sequence[Question]) -> list[Reading | None]:
        """A reading of each question, or None; those by the model are added to the file, but for failed requests.

        Recorded answers are held to the article anew.
        """
        known: dict[Key, str] = {}
        if self.path is not None and self.path.exists():
            rows = (row for _, row in read_rows(RecordedReading, [str(self.path)]))
            known = {(row.id, row.headline, row.start): row.text for row in rows}
        elif self.settings is None:
            raise InputError(f"--readings {self.path}: found no such file; give --reader URL too, and it is made")
        found: list[Reading | None] = []
        for (article, headline, start), question in zip(keys, questions, strict=True):
            text = known.get((article, headline, start), known.get((article, headline, None)))
            found.append(None if text is None else read_answer(text, question) if text else Reading("discarded"))
        missing = [place for place, reading in enumerate(found) if reading is None]
        if self.settings is None or not missing:
            return found
        with ExitStack() as opened:
            reader = Reader(self.settings)
            file = None if self.path is None else opened.enter_context(self.path.open("a", encoding="utf-8"))
            for place, reading in zip(missing, reader.read_all([questions[each] for each in missing]), strict=True):
                found[place] = reading
                if file is not None and reading is not None and reading.status != "failed":
                    row = dict(zip(("id", "headline", "start"), keys[place], strict=True))
                    answer = None if reading.verdict is None else _as_answer(reading)
                    print(json.dumps({**row, "model": self.settings.model, "answer": answer}), file=file, flush=True)
        return found


def _as_answer(reading: Reading) -> str:
    answer: dict[str, Any] = {"verdict": reading.verdict, "kind": reading.kind}
    return json.dumps(answer | {"evidence": reading.words, "sentence": reading.sentence or ""})
