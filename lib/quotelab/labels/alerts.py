"""Labels of headline quotes by readers who judge what a reader of the headline would believe."""

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt, model_validator


class Reading(StrEnum):
    """How a headline quote reads beside its article; docs/CODEBOOK.md has the questions."""

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
