"""Protocol ``quotecse_pairs``: the positives and negatives of our rule, compared with those that the authors published.

Both draw the negative at random, so it can only agree by chance: the observed agreement is reported beside the expected
one, and beside the share of their negatives that our rule could have drawn.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt

from quotelab.labels.texts import checked
from quotelab.protocols.evaluate import encoder_of, only_file
from quotelab.report import Report
from quotelab.statistics import ratio
from quotelab.training.quotecse.articles import assign, by_containment, by_cosine
from quotelake.files.jsonl import json_lines, refuse

#: From headline quote, body quotes and a key to (positive, negative) as indices of the body quotes.
Assign = Callable[[str, Sequence[str], str], tuple[int, int]]
_Place = Annotated[StrictInt, Field(ge=0)]


class PairRow(BaseModel):
    """An article with the indices of its positive and its hard negative; other fields are ignored."""

    model_config = ConfigDict(frozen=True)

    headline_quote: str
    body_quotes: Annotated[tuple[str, ...], Field(min_length=2)]
    positive: _Place
    negative: _Place


def evaluate(path: Path, assign: Assign) -> Report:
    """Compare the pairs of a JSONL file with those of our rule.

    Args:
        path: rows as :class:`PairRow`.
        assign: our rule, such as that of training with a similarity.

    Returns:
        ``positive_agreement``; ``positive_same_text`` (the same text at another index counts too);
        ``negative_agreement`` and ``negative_by_chance``, its expectation for two uniform draws given both positives;
        ``negative_admissible``, the share of their negatives that are not our positive, so that our rule could draw
        them. A row of the report is an article whose positive differs.

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
    """Probability that two uniform draws agree, each from all body quotes except one positive."""
    others = quotes - 1
    return 1 / others if same_positive else (quotes - 2) / others**2


def _row(value: object, place: str) -> PairRow:
    row = checked(PairRow, place, value)
    if max(row.positive, row.negative) >= len(row.body_quotes):
        refuse(place, f"places {row.positive}, {row.negative}", f"there are {len(row.body_quotes)} body quotes")
    return row


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    similarity = by_cosine(encoder_of(options).encode) if options.model else by_containment
    return evaluate(only_file(options), lambda headline, quotes, key: assign(similarity(headline, quotes), key))
