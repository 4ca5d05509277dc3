"""Uses of a quote that an outlet trimmed or credits otherwise, as the page shows them: both sentences, marked. Pure."""

from collections.abc import Mapping
from typing import Any, Final

from quotelake.reporting.card import safe_link
from quotelake.reporting.marking import Piece, mark
from quotelake.reporting.passages import whole_words

#: Flagged uses on a page; the others stand in the view.
LIMIT: Final = 100
#: Statement for the flagged uses, the latest first.
QUERY: Final = (
    "SELECT quote_id, outlet, published_at, headline, language, url, trimmed, credited_otherwise, speaker, "
    "others_speaker, start, text_as_used, passage, reference_outlet, reference_speaker, reference_text, "
    "reference_passage, differences, count(*) OVER () AS n_flagged FROM quote_versions "
    f"WHERE trimmed OR credited_otherwise ORDER BY published_at DESC NULLS LAST, quote_id LIMIT {LIMIT}"
)
#: Characters of the article that the view gives on each side of a use.
AROUND: Final = 160
#: Omissions that fewer other outlets carry are not shown, unless all are such.
_CARRIERS: Final = 2


def view_of_use(row: Mapping[str, Any]) -> dict[str, Any]:
    """Values of a flagged use for the template.

    Args:
        row: a row of :data:`QUERY`.
    """
    start = min(row["start"], AROUND)
    text, whole, passage = row["text_as_used"], row["reference_text"], row["reference_passage"]
    at = max(passage.find(whole), 0)
    least = min(_CARRIERS, max((one["outlets"] for one in row["differences"]), default=0))
    omitted = [one for one in row["differences"] if row["trimmed"] and one["outlets"] >= least]
    spans = [(at + one["reference_start"], at + one["reference_end"]) for one in omitted]
    return {
        "use": row,
        "link": safe_link(row["url"]),
        "flags": [name for name in ("trimmed", "credited_otherwise") if row[name]],
        "omitted": [(one["kind"].removeprefix("omitted_"), one["cue"], one["outlets"]) for one in omitted],
        "said": _shown(passage=row["passage"], quote=(start, start + len(text)), risky=[]),
        "reference": _shown(passage=passage, quote=(at, at + len(whole)), risky=spans),
    }


def _shown(passage: str, quote: tuple[int, int], risky: list[tuple[int, int]]) -> list[Piece]:
    """A passage in whole words with the use marked, and in it what others leave out."""
    cut_before, cut_after = quote[0] >= AROUND, len(passage) - quote[1] >= AROUND
    first, last = whole_words(passage, quote, cut_before=cut_before, cut_after=cut_after)
    layers = {"quote": [quote], "risky": risky}
    marked = mark(
        passage[first:last],
        [(name, [(start - first, end - first) for start, end in spans]) for name, spans in layers.items()],
    )
    return [*([("… ", "")] if cut_before else []), *marked, *([(" …", "")] if cut_after else [])]
