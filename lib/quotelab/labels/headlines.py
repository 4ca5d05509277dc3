"""Labels of headline quotes, given by annotators who read headline and body of a sampled article.

The labels describe the article, not an outcome of the rules, so they stay valid when rules change.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from quotelab.labels.texts import Labels, LabelSpan


class Label(StrEnum):
    """How a headline quote relates to its body; docs/CODEBOOK.md has the rules and counter-examples."""

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
