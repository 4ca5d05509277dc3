"""Pictures of the morning page as SVG elements, None where there is nothing to show; their template draws them.

Numbers, months and words of the page are their only texts. The same rows give the same bytes.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from markupsafe import Markup

from quotelake.answers.words import ENGLISH, Words
from quotelake.pages.page import fill

#: Units of the drawing, which a page shows at 1 to 1.5 times that in pixels; left and right end of what is drawn.
_WIDTH: Final = 360
_LEFT: Final = 40
_RIGHT: Final = 340
#: Heights of a line of text, and of a row.
_LINE: Final = 14
_ROW: Final = 17
#: Months that a picture shows: the latest.
_MONTHS: Final = 36
#: Outcomes that are drawn as one, from the base line up, by the key of their word in the section ``picture``.
OUTCOMES: Final = {
    "carried": ("identical", "excerpt", "modified", "joined", "in_body_unquoted", "claim_supported"),
    "otherwise": ("contextomized", "claim_unsupported"),
    "nowhere": ("absent",),
    "not_compared": ("no_body_quote", "body_incomplete", "not_a_quotation", "not_comparable"),
}
#: Classes of the page's style, by layer.
_COLOURS: Final = ("three", "one", "two", "four")


def rates_picture(rows: Iterable[Mapping[str, Any]], phrases: Words = ENGLISH) -> Markup | None:
    """Shares of headline quotes with an alert, and of those found nowhere, by month, with intervals. Of all outlets."""
    by_month = {row["period"]: row for row in rows if row["outlet"] is None and row["period"] != "all"}
    if not by_month:
        return None
    months = _month_range(by_month)
    shown = [(place, by_month[month]) for place, month in enumerate(months) if month in by_month]
    legend = {"one": phrases.text("picture.with_alert"), "two": phrases.text("picture.nowhere")}
    top = max(100 * row[end] for _, row in shown for end in ("rate_high", "absent_high"))
    last = by_month[months[-1]]
    rate, absent = (phrases.digits(f"{last[name]:.1%}") for name in ("rate", "absent_rate"))
    month = phrases.date("month", months[-1])
    description = phrases.text("picture.rates_said", last["n_eligible"], month=month, rate=rate, absent=absent)
    drawn = _month_axes(months, top, 200, legend) | {"shown": shown}
    drawn["label"] = lambda share: phrases.text("picture.percent", phrases.digits(f"{share:g}"))
    return _draw("rates", "rates", phrases.text("picture.rates"), description, phrases, **drawn)


def outcomes_picture(rows: Iterable[Mapping[str, Any]], phrases: Words = ENGLISH) -> Markup | None:
    """Headline quotes by outcome and month, stacked."""
    sizes: dict[tuple[str, str], int] = {(row["month"], row["outcome"]): row["quotes"] for row in rows}
    if not sizes:
        return None
    months = _month_range(month for month, _ in sizes)
    layers = {
        phrases.text(f"picture.{label}"): [sum(sizes.get((month, one), 0) for one in outcomes) for month in months]
        for label, outcomes in OUTCOMES.items()
    }
    counts = ", ".join(f"{label}: {phrases.number(sum(values))}" for label, values in layers.items())
    first, last = (phrases.date("month", month) for month in (months[0], months[-1]))
    description = phrases.text("picture.outcomes_said", first=first, last=last, counts=counts)
    axes = _stacked(months, layers, 210)
    return _draw("bars", "outcomes", phrases.text("picture.outcomes_title"), description, phrases, **axes)


def months_picture(name: str, counts: Mapping[str, int], phrases: Words = ENGLISH) -> Markup | None:
    """Uses of a quote by month."""
    if not counts:
        return None
    months, most = _month_range(counts), max(counts, key=lambda month: (counts[month], month))
    first, last, at = (phrases.date("month", month) for month in (months[0], months[-1], most))
    description = phrases.text("picture.months_said", counts[most], first=first, last=last, month=at)
    axes = _stacked(months, {"": [counts.get(month, 0) for month in months]}, 140)
    return _draw("bars", f"{name}-months", phrases.text("picture.months_title"), description, phrases, **axes)


def ranking_picture(rows: Sequence[Mapping[str, Any]], phrases: Words = ENGLISH) -> Markup | None:
    """Topic variation of the first quotes of the ranking, each by its position, with intervals."""
    if not rows:
        return None
    low: float = min(row["low"] for row in rows)
    high: float = max(row["high"] for row in rows)
    ticks, places = _ticks(low, high)

    def x(value: float) -> float:
        return _LEFT + 6 + (value - low) / ((high - low) or 1) * (_RIGHT - _LEFT - 12)

    first = {name: phrases.number(rows[0][name], 2) for name in ("variation", "low", "high")}
    title, description = phrases.text("picture.ranking_title", len(rows)), phrases.text("picture.ranking_said", **first)
    marks = {tick: phrases.number(tick, places) for tick in ticks}
    height = _ROW * len(rows) + 2 * _LINE + 6
    return _draw("ranking", "ranking", title, description, phrases, height=height, rows=rows, x=x, marks=marks)


def clusters_picture(name: str, clusters: Sequence[Mapping[str, Any]], phrases: Words = ENGLISH) -> Markup | None:
    """Uses of a quote in each of its topics, by the number of the topic."""
    if not clusters:
        return None
    sizes, title = [row["n_contexts"] for row in clusters], phrases.text("picture.topics_title")
    description = phrases.text("picture.topics_said", sizes[0], topics=len(sizes), sampled=clusters[0]["n_sampled"])
    height = _ROW * len(sizes) + 6
    return _draw("topics", f"{name}-topics", title, description, phrases, height=height, sizes=sizes)


def _month_range(months: Iterable[str]) -> list[str]:
    """All months from the first of some to the last, at most :data:`_MONTHS`."""
    found = sorted(months)
    first, last = (int(month[:4]) * 12 + int(month[5:7]) - 1 for month in (found[0], found[-1]))
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in range(max(first, last + 1 - _MONTHS), last + 1)]


def _stacked(months: Sequence[str], layers: Mapping[str, Sequence[int]], height: int) -> dict[str, Any]:
    """A bar per month, of layers that a legend names unless there is but one."""
    columns = list(zip(*layers.values(), strict=True))
    parts = [
        (place, *part)
        for place, column in enumerate(columns)
        for part in zip(_COLOURS, column, accumulate(column), strict=False)
    ]
    legend = dict(zip(_COLOURS, layers, strict=False)) if len(layers) > 1 else {}
    return {**_month_axes(months, max(map(sum, columns)), height, legend), "layers": parts}


def _month_axes(months: Sequence[str], top: float, height: int, legend: Mapping[str, str]) -> dict[str, Any]:
    """Axes of a picture by month: the x of the place of a month, and the y of a value up to ``top``."""
    upper, lower = 8 + _LINE * -(-len(legend) // 2), height - _LINE - 4

    def x(place: float) -> float:
        return _LEFT + (place + 0.5) * (_RIGHT - _LEFT) / len(months)

    def y(value: float) -> float:
        return lower - value / (top or 1) * (lower - upper)

    ticks, _ = _ticks(0, top, least=1)
    return {"months": months, "height": height, "legend": legend, "x": x, "y": y, "ticks": ticks}


def _ticks(low: float, high: float, least: float = 0) -> tuple[list[float], int]:
    """At most six round numbers from ``low`` to ``high``, ``least`` apart or more; and their decimal places."""
    span = max(high - low, 0.01)
    size = 10 ** math.floor(math.log10(span / 5))
    step = max(next(size * times for times in (1, 2, 5, 10) if span / (size * times) <= 5), least)
    numbers = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [number * step for number in numbers], max(0, -math.floor(math.log10(step)))


def _draw(picture: str, name: str, title: str, description: str, phrases: Words, **drawn: Any) -> Markup:
    """An element by the template, with what a screen reader says of it; ``name`` makes its ids unique on the page."""
    drawn |= {"picture": picture, "name": name, "title": title, "description": description}
    drawn |= {"width": _WIDTH, "left": _LEFT, "right": _RIGHT, "row_height": _ROW, "line_height": _LINE}
    return Markup(fill("pictures.svg.j2", phrases=phrases, **drawn))
