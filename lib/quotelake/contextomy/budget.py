"""Which kinds of differences may be alerts: those that real news has seldom, within a budget of false alarms. Pure.

Nearly all real headlines are fair, so how often a kind stands on real headline quotes that nobody read is how often it
is wrong. ``alerts.json``, by ``quotelab train alerts``, has this for each kind, and how many of the headlines
that were written to mislead it finds. [ours; docs/FACTUALITY.md]
"""

from functools import lru_cache
from importlib import resources
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from quotelake.contextomy.differences import Kind

SHIPPED: Final = "alerts.json"
#: Added to the real quotes with a kind, so that one that was never seen on them is not taken for perfect [ours].
_UNSEEN: Final = 0.5


class Measured(BaseModel):
    """A kind of alerts: on how many real headline quotes it stands, and on how many headlines written to mislead."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    real: Annotated[int, Field(ge=0)]
    written: Annotated[int, Field(ge=0)]


class Alarms(BaseModel):
    """What was measured, over ``real_quotes`` and ``written_headlines``; ``real`` and ``written`` name the sets."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    real: str
    real_quotes: Annotated[int, Field(ge=1)]
    written: str
    written_headlines: Annotated[int, Field(ge=1)]
    kinds: dict[Kind, Measured]

    def within(self, per_1000: float) -> frozenset[Kind]:
        """The kinds that find most for what they cost, as long as together they cost no more than a budget.

        ``per_1000`` are the alerts per 1,000 real headline quotes. A kind that was not measured costs nothing.

        >>> kinds = {Kind.NUMBER: Measured(real=1, written=60), Kind.HEDGE: Measured(real=4, written=5)}
        >>> alarms = Alarms(real="", real_quotes=1000, written="", written_headlines=100, kinds=kinds)
        >>> Kind.HEDGE in alarms.within(3), Kind.HEDGE in alarms.within(5), Kind.NUMBER in alarms.within(3)
        (False, True, True)
        """
        left, kept = per_1000 * self.real_quotes / 1000, set(Kind) - set(self.kinds)
        for kind, found in sorted(self.kinds.items(), key=lambda each: -each[1].written / (each[1].real + _UNSEEN)):
            if found.real <= left:
                left -= found.real
                kept.add(kind)
        return frozenset(kept)


@lru_cache
def shipped() -> Alarms:
    """What was measured of the shipped rules."""
    return Alarms.model_validate_json(resources.files("quotelake.contextomy").joinpath(SHIPPED).read_text("utf-8"))


@lru_cache
def kinds_within(per_1000: float) -> frozenset[Kind]:
    """The kinds of alerts within a budget, by what was measured of the shipped rules."""
    return shipped().within(per_1000)
