"""Labels of headline quotes, given by annotators who read headline and body of a sampled article.

The labels describe the article, not an outcome of the rules, so they stay valid when rules change.
"""

import hashlib
import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictStr

from quotelab.labels.texts import Labels, LabelSpan, read_rows


class Label(StrEnum):
    """How a headline quote relates to its body; docs/LAB.md has the rules and counter-examples."""

    CARRIED = "carried"  #: a body quote, or two together, says the same: verbatim, cut or reworded
    REPORTED = "reported"  #: no body quote says it, but the body does outside quotes
    DISTORTED = "distorted"  #: the body has the statement, and the headline quote changes its meaning
    ABSENT = "absent"  #: nothing in the body says it
    NO_QUOTATION = "no_quotation"  #: nobody is quoted: a title, a name, a catchphrase, a scare quote
    UNUSABLE = "unusable"  #: cannot be judged: wrong extraction, or a body that is cut or another article's


OUT_OF_CONTEXT = frozenset({Label.DISTORTED, Label.ABSENT})  # an alert on a quote with one of these labels is correct


class HeadlineLabels(Labels):
    """A headline quote and its labels. Grain: a quote.

    ``body``, like the headline in ``text``, is None where a corpus holds it. ``stratum`` is the outcome of the quote
    when the sample was drawn, ``inclusion`` the probability of that; its inverse is the weight (Horvitz and Thompson
    1952). ``labels`` are one per annotator, given independently, ``label`` is the adjudicated one, None until then.
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

    @property
    def weight(self) -> float:
        """How many quotes of the corpora it stands for."""
        return 1 / self.inclusion


class LabelledQuote(BaseModel):
    """A headline quote, the quotes of its article's body in order, and its label. Further fields are ignored.

    Texts are without marks; 1 is contextomized, 0 modified (Song et al. 2023, §3); the language is ISO 639-1.
    """

    model_config = ConfigDict(frozen=True)

    headline_quote: StrictStr
    body_quotes: tuple[StrictStr, ...]
    label: int = Field(ge=0, le=1, strict=True)
    language: StrictStr | None = None


def read_labelled(path: Path) -> list[LabelledQuote]:
    """Read a file of labelled headline quotes; raises as :func:`~quotelab.labels.texts.read_rows`."""
    return [row for _, row in read_rows(LabelledQuote, path)]


def digest(rows: Sequence[LabelledQuote]) -> str:
    """SHA-256 of what a detector learns from, in hexadecimal: the rows in order, as JSON without the other fields."""
    hashed = hashlib.sha256()
    for row in rows:
        content = [row.headline_quote, row.body_quotes, row.label]
        hashed.update(json.dumps(content).encode() + b"\n")  # ASCII: a lone surrogate has no UTF-8
    return hashed.hexdigest()
