"""A match ↔ its columns in ``contextomy``: the only place that knows both. Pure."""

from dataclasses import asdict, fields
from typing import Any

from quotelake.contextomy.features import SUPPORT
from quotelake.contextomy.judgement import Match, Unsettled, Verdict
from quotelake.contextomy.quotes import BodyQuote
from quotelake.contextomy.tiling import Blocks
from quotelake.quotes.extract import Row
from quotelake.text.fold import Span
from quotelake.text.omissions import CLASSES

_BLOCKS = tuple(field.name for field in fields(Blocks))
#: Columns whose values are spans.
_SPANS = ("matched", "matched_second", "unmatched", "omitted")


def flatten(match: Match) -> Row:
    """Make the columns of ``contextomy`` between its ids and its run; spans are (start, end)."""
    held, left, weighed = match.containment, match.omissions, match.weighed
    start, end = match.passage or (None, None)
    return {
        **verdict_columns(match.verdict),
        **_place("best", match.best),
        **_place("second", match.second),
        "body_quotes": match.body_quotes,
        "speaker_match": match.speaker_match,
        "two_speakers": match.two_speakers,
        "containment_best": None if held is None else held.in_best,
        "containment_second": None if held is None else held.in_second,
        "containment_union": None if held is None else held.in_union,
        "containment_body": None if held is None else held.in_body,
        "cosine_best": match.cosine,
        "matched": () if held is None else held.matched,
        "matched_second": () if held is None else held.matched_second,
        "unmatched": () if held is None else held.unmatched,
        "omitted": left.spans,
        **{f"omitted_{name}": getattr(left, name) for name in CLASSES},
        "recognised": None if match.near is None else match.near.is_recognised,
        "difference": None if match.near is None else match.near.difference,
        "body_start": start,
        "body_end": end,
        **(dict.fromkeys(_BLOCKS) if match.blocks is None else asdict(match.blocks)),
        **(dict.fromkeys(SUPPORT) if weighed is None else weighed.support),
        "evidence": None if weighed is None else weighed.evidence,
    }


def to_row(match: Match) -> Row:
    """Make a row of :func:`flatten`, its spans as structs."""
    row = flatten(match)
    for name in _SPANS:
        row[name] = [_struct(span) for span in row[name]]
    return row


def verdict_columns(verdict: Verdict) -> Row:
    """Columns of a verdict."""
    names = ("outcome", "alert", "score", "severity", "reason")
    return {name: getattr(verdict, name) for name in names}


def unsettled_of(row: Row) -> Unsettled:
    """Read from a row what decides over it; the same as :attr:`Match.unsettled` of the match it was made of."""
    return Unsettled(
        evidence=row["evidence"],
        in_best=row["containment_best"],
        in_union=row["containment_union"],
        speaker_match=row["speaker_match"],
        two_speakers=row["two_speakers"],
        negation_differs=bool(row["negation_differs"]),
        lacks_number=row["numbers"] is not None and row["numbers"] < 1,
        recognised=row["recognised"] is not False,
        difference=row["difference"],
    )


def _place(name: str, quote: BodyQuote | None) -> dict[str, Any]:
    place = (None, None, None) if quote is None else (quote.quote_id, quote.start, quote.end)
    return dict(zip((f"{name}_quote_id", f"{name}_start", f"{name}_end"), place, strict=True))


def _struct(span: Span) -> dict[str, int]:
    start, end = span
    return {"start": start, "end": end}
