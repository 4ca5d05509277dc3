"""Labels of headline quotes, given by annotators who read headline and body of a sampled article.

The labels describe the article, not an outcome of the rules, so they stay valid when rules change.
"""

import hashlib
import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt, StrictStr, model_validator

from quotelab.labels.texts import Labels, LabelSpan, checked
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines


class Label(StrEnum):
    """How a headline quote relates to its body; docs/LAB.md has the rules and counter-examples."""

    CARRIED = "carried"  #: a body quote, or two together, says the same: verbatim, cut or reworded
    REPORTED = "reported"  #: no body quote says it, but the body does outside quotes
    DISTORTED = "distorted"  #: the body has the statement, and the headline quote changes its meaning
    ABSENT = "absent"  #: nothing in the body says it
    NO_QUOTATION = "no_quotation"  #: nobody is quoted: a title, a name, a catchphrase, a scare quote
    UNUSABLE = "unusable"  #: cannot be judged: wrong extraction, or a body that is cut or another article's


#: An alert on a quote with one of these labels is correct.
OUT_OF_CONTEXT = frozenset({Label.DISTORTED, Label.ABSENT})


class HeadlineLabels(Labels):
    """A headline quote and its labels. Grain: a quote.

    Attributes:
        text: the headline; None where a corpus holds it.
        body: the article's body; None where a corpus holds it.
        text_sha256: of the headline, as in all label files.
        body_sha256: the same of the body.
        quote: span of the quote in the headline, without its marks.
        stratum: outcome of the quote when the sample was drawn.
        inclusion: probability of being drawn, in (0, 1]; its inverse is the weight (Horvitz and Thompson 1952).
        labels: one per annotator, given independently; empty until labelled.
        label: the adjudicated one, None until then.
        reason: for the label, in one line.
    """

    mode: Literal["headline"] = "headline"
    body: str | None = None
    body_sha256: str | None = None
    quote: LabelSpan
    stratum: str = ""
    inclusion: Annotated[float, Field(gt=0, le=1)] = 1.0
    labels: tuple[Label, ...] = ()
    label: Label | None = None
    reason: str = ""


class Reading(StrEnum):
    """How a headline quote reads beside its article; docs/LAB.md has the questions."""

    FAITHFUL = "F"  #: the article quotes it in the same sense
    FAIR = "X"  #: a part or rewording that misleads nobody
    MISLEADING = "M"  #: a part whose loss makes a reader believe something else
    DISTORTED = "D"  #: the article says something else
    REPORTED = "R"  #: the article says it in other words, outside quotes
    ABSENT = "A"  #: the article says it nowhere
    NO_QUOTATION = "N"  #: nobody is quoted
    CLAIM = "C"  #: a claim of the newspaper in single marks
    BROKEN = "B"  #: the article is cut, or is not the headline's


#: An alert on a quote that a reader gave one of these is right.
MISLEADS = frozenset({Reading.MISLEADING, Reading.DISTORTED})
#: ``absent`` is right for these, if the words stand nowhere in the text.
NOT_QUOTED = frozenset({Reading.ABSENT, Reading.BROKEN, Reading.REPORTED})
#: Most quotes of a stratum: integers up to it are exact as float.
_MOST = 1 << 53


def _some(readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    if not readings:
        raise ValueError("at least one reader's label is needed")
    return readings


class AlertLabels(BaseModel):
    """A headline quote and what readers say of it. Grain: a quote. Further fields are ignored.

    Attributes:
        id: identifier of the article in its corpus (field ``id`` or ``ID``).
        start: of the quote in the title, in code points, without its mark.
        end: one past its end.
        labels: one per reader.
        stratum: what the sample was drawn by.
        in_stratum: quotes of the stratum.
        drawn: how many of them were drawn; ``in_stratum / drawn`` is the weight (Horvitz and Thompson 1952).
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    start: Annotated[StrictInt, Field(ge=0)]
    end: Annotated[StrictInt, Field(ge=1)]
    labels: Annotated[tuple[Reading, ...], AfterValidator(_some)]
    stratum: str = ""
    in_stratum: Annotated[StrictInt, Field(ge=1, le=_MOST)] = 1
    drawn: Annotated[StrictInt, Field(ge=1, le=_MOST)] = 1

    @model_validator(mode="after")
    def _fits(self) -> "AlertLabels":
        if self.end <= self.start:
            raise ValueError("end must be greater than start")
        if self.drawn > self.in_stratum:
            raise ValueError("drawn must not exceed in_stratum")
        return self

    @property
    def weight(self) -> float:
        """How many quotes it stands for."""
        return self.in_stratum / self.drawn

    @property
    def misleads(self) -> bool:
        """Whether a reader says that it misleads."""
        return not MISLEADS.isdisjoint(self.labels)


class LabelledQuote(BaseModel):
    """A headline quote, the quotes of its article's body, and its label. Further fields are ignored.

    Attributes:
        headline_quote: its text without marks.
        body_quotes: texts of the body quotes without marks, in order; may be empty.
        label: 1 contextomized, 0 modified (Song et al. 2023, §3).
        body: the article's text, where the file has it.
        language: ISO 639-1, where the file has it.
    """

    model_config = ConfigDict(frozen=True)

    headline_quote: StrictStr
    body_quotes: tuple[StrictStr, ...]
    label: int = Field(ge=0, le=1, strict=True)
    body: StrictStr | None = None
    language: StrictStr | None = None


def read_labelled(path: Path) -> list[LabelledQuote]:
    """Read a file of labelled headline quotes, gzipped if its name ends in .gz; empty lines are skipped.

    Raises:
        InputError: the file cannot be read or has no row, or a row is not as described; it names file and line.
    """
    rows = [checked(LabelledQuote, place, value) for place, value in json_lines(path)]
    if not rows:
        raise InputError(f"{path}: found no row; give one JSON object a line: headline_quote, body_quotes, label")
    return rows


def digest(rows: Sequence[LabelledQuote]) -> str:
    """SHA-256 of what a detector learns from, in hexadecimal: the rows in order, as JSON without the other fields.

    >>> digest([])[:8]
    'e3b0c442'
    """
    hashed = hashlib.sha256()
    for row in rows:
        content = [row.headline_quote, row.body_quotes, row.label]
        hashed.update(json.dumps(content).encode() + b"\n")  # ASCII: a lone surrogate has no UTF-8
    return hashed.hexdigest()
