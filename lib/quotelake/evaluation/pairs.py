"""Protocol ``quotecse_pairs``: positives and negatives we would assign, against those that the authors published.

The negative is drawn at random on both sides, so what can agree is whether it may be drawn at all: the observed
agreement stands beside that of chance.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, ValidationError

from quotelake.evaluation.metrics import ratio
from quotelake.evaluation.report import Report
from quotelake.jsonl import json_lines, refuse

#: Gives for headline quote, body quotes and a key (positive, negative) as places in the body quotes.
Assign = Callable[[str, Sequence[str], str], tuple[int, int]]
_Place = Annotated[StrictInt, Field(ge=0)]


class PairRow(BaseModel):
    """An article with the places of its positive and its hard negative; further fields are left alone."""

    model_config = ConfigDict(frozen=True)

    headline_quote: str
    body_quotes: Annotated[tuple[str, ...], Field(min_length=2)]
    positive: _Place
    negative: _Place


def evaluate(path: Path, assign: Assign) -> Report:
    """Compare the pairs of a JSONL file with those of our own rule.

    Args:
        path: rows as :class:`PairRow`.
        assign: the rule, such as that of training with a similarity bound to it.

    Returns:
        ``positive_agreement``; ``positive_same_text`` (the same text at another place counts too);
        ``negative_agreement`` and ``negative_by_chance``, that expected of two uniform draws given both positives;
        ``negative_admissible``, the share of their negatives that ours could have been: not our positive. A row of the
        report is an article whose positive differs.

    Raises:
        InputError: the file cannot be read or a row is not of this form.
    """
    total = positive = same_text = negative = admissible = 0
    chance = 0.0
    rows: list[dict[str, Any]] = []
    for place, value in json_lines(path):
        row = _row(value, place)
        ours = assign(row.headline_quote, row.body_quotes, place.rpartition(" ")[2])
        total += 1
        positive += ours[0] == row.positive
        same_text += row.body_quotes[ours[0]] == row.body_quotes[row.positive]
        negative += ours[1] == row.negative
        admissible += row.negative != ours[0]
        chance += _chance(len(row.body_quotes), ours[0] == row.positive)
        if ours[0] != row.positive:
            rows.append({"place": place, "body_quotes": len(row.body_quotes), "theirs": row.positive, "ours": ours[0]})
    if not total:
        refuse(str(path), "no row", "give a file with one JSON object a line")
    figures: dict[str, float] = {
        "articles": total,
        "positive_agreement": ratio(positive, total),
        "positive_same_text": ratio(same_text, total),
        "negative_agreement": ratio(negative, total),
        "negative_by_chance": ratio(chance, total),
        "negative_admissible": ratio(admissible, total),
    }
    return Report("quotecse_pairs", figures, rows)


def _chance(quotes: int, same_positive: bool) -> float:
    """Probability that two uniform draws, each from all but its own positive, agree."""
    others = quotes - 1
    return 1 / others if same_positive else (quotes - 2) / others**2


def _row(value: object, place: str) -> PairRow:
    try:
        row = PairRow.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"])) or "(row)"
        refuse(f"{place}: field {name}", repr(first["input"])[:80], first["msg"])
    if max(row.positive, row.negative) >= len(row.body_quotes):
        refuse(place, f"places {row.positive}, {row.negative}", f"there are {len(row.body_quotes)} body quotes")
    return row
