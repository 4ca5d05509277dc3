"""Labels of headline quotes: what a reader of title and body says of the quote, drawn as a sample of a corpus.

The labels speak of the article, not of an outcome of ours, so that they stay true when rules change.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from quotelake.labels.texts import Labels, LabelSpan


class Label(StrEnum):
    """What a headline quote is to its body, to a reader; docs/CODEBOOK.md has the rules and counter-examples."""

    CARRIED = "carried"  #: a quote of the body, or two together, say the same: verbatim, cut or reworded
    REPORTED = "reported"  #: no quote of the body says it, but the body does, in its own words
    DISTORTED = "distorted"  #: the body has what was said, and the headline quote changes its meaning
    ABSENT = "absent"  #: nothing in the body says it
    NO_QUOTATION = "no_quotation"  #: nobody is quoted: a title, a name, a catchphrase, a word under reserve
    UNUSABLE = "unusable"  #: one cannot tell: wrong extraction, or a body that is cut or another article's


#: An alert on one of these is right.
OUT_OF_CONTEXT = frozenset({Label.DISTORTED, Label.ABSENT})


class HeadlineLabels(Labels):
    """A headline quote and what people say of it.

    Attributes:
        text: the headline, unless it stands in a corpus.
        body: of the article, unless it stands in a corpus.
        text_sha256: of the headline, as all label files state it.
        body_sha256: the same of the body.
        quote: span of the quote in the headline, without its marks.
        stratum: what the outcome was when the sample was drawn.
        inclusion: probability with which it was drawn, above 0 to 1; its inverse is its weight (Horvitz and
            Thompson 1952).
        labels: of people who did not know each other's; empty until it is labelled.
        label: the adjudicated one, None until then.
        reason: in a line.
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
