"""Pictures of the morning page as SVG elements: no script, no style of its own, colours by class.

Each function returns an ``<svg>`` element, or None where there is nothing to show. Numbers, months and words of the
page are its only texts. The same rows give the same bytes.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

from markupsafe import Markup

from quotelake.answers.words import ENGLISH, Words

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
    shown = {place: by_month[month] for place, month in enumerate(months) if month in by_month}
    legend = {"one": phrases.text("picture.with_alert"), "two": phrases.text("picture.nowhere")}
    top = max(100 * row[end] for row in shown.values() for end in ("rate_high", "absent_high"))
    shapes, x, y = _month_axes(
        months, top, 200, legend, lambda share: phrases.text("picture.percent", phrases.digits(f"{share:g}"))
    )
    for name, bound, colour, shift in (("rate", "rate", "one", -2), ("absent_rate", "absent", "two", 2)):
        points = [(x(place) + shift, y(100 * row[name])) for place, row in shown.items()]
        shapes += [_line(colour, *one, *other) for one, other in pairwise(points)]
        for (at, share), row in zip(points, shown.values(), strict=True):
            shapes += [
                _line(colour, at, y(100 * row[f"{bound}_low"]), at, y(100 * row[f"{bound}_high"])),
                _dot(colour, at, share) if colour == "one" else _bar(colour, at - 2.2, share - 2.2, 4.4, 4.4),
            ]
    last = by_month[months[-1]]
    rate, absent = (phrases.digits(f"{last[name]:.1%}") for name in ("rate", "absent_rate"))
    month = phrases.date("month", months[-1])
    description = phrases.text("picture.rates_said", last["n_eligible"], month=month, rate=rate, absent=absent)
    return _svg("rates", phrases.text("picture.rates"), description, 200, shapes)


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
    shapes = _stacked(months, layers, 210, phrases)
    return _svg("outcomes", phrases.text("picture.outcomes_title"), description, 210, shapes)


def months_picture(name: str, counts: Mapping[str, int], phrases: Words = ENGLISH) -> Markup | None:
    """Uses of a quote by month."""
    if not counts:
        return None
    months, most = _month_range(counts), max(counts, key=lambda month: (counts[month], month))
    first, last, at = (phrases.date("month", month) for month in (months[0], months[-1], most))
    description = phrases.text("picture.months_said", counts[most], first=first, last=last, month=at)
    shapes = _stacked(months, {"": [counts.get(month, 0) for month in months]}, 140, phrases)
    return _svg(f"{name}-months", phrases.text("picture.months_title"), description, 140, shapes)


def ranking_picture(rows: Sequence[Mapping[str, Any]], phrases: Words = ENGLISH) -> Markup | None:
    """Topic variation of the first quotes of the ranking, each by its position, with intervals."""
    if not rows:
        return None
    low: float = min(row["low"] for row in rows)
    high: float = max(row["high"] for row in rows)
    bottom = _ROW * len(rows)

    def x(value: float) -> float:
        return _LEFT + 6 + (value - low) / ((high - low) or 1) * (_RIGHT - _LEFT - 12)

    shapes = [_text((_LEFT + _RIGHT) / 2, bottom + 2 * _LINE, phrases.text("picture.variation"))]
    ticks, places = _ticks(low, high)
    for tick in ticks:
        label = _text(x(tick), bottom + _LINE, phrases.number(tick, places))
        shapes += [_line("rule", x(tick), 2, x(tick), bottom), label]
    for at, row in enumerate(rows):
        y = _ROW * at + 9
        shapes += [
            _text(_LEFT - 6, y + 4, str(row["position"]), "end"),
            _line("one", x(row["low"]), y, x(row["high"]), y),
            _dot("one", x(row["variation"]), y),
        ]
    first = {name: phrases.number(rows[0][name], 2) for name in ("variation", "low", "high")}
    title, description = phrases.text("picture.ranking_title", len(rows)), phrases.text("picture.ranking_said", **first)
    return _svg("ranking", title, description, bottom + 2 * _LINE + 6, shapes)


def clusters_picture(name: str, clusters: Sequence[Mapping[str, Any]], phrases: Words = ENGLISH) -> Markup | None:
    """Uses of a quote in each of its topics, by the number of the topic."""
    if not clusters:
        return None
    sizes, shapes = [row["n_contexts"] for row in clusters], list[Markup]()
    for at, size in enumerate(sizes):
        y, width = _ROW * at + 13, size / max(sizes) * (_RIGHT - _LEFT - 40)
        shapes += [_text(_LEFT - 6, y, str(at + 1), "end"), _bar("three", _LEFT, y - 10, width, 12)]
        shapes.append(_text(_LEFT + width + 4, y, phrases.number(size), "start"))
    description = phrases.text("picture.topics_said", sizes[0], topics=len(sizes), sampled=clusters[0]["n_sampled"])
    return _svg(f"{name}-topics", phrases.text("picture.topics_title"), description, _ROW * len(sizes) + 6, shapes)


def _month_range(months: Iterable[str]) -> list[str]:
    """All months from the first of some to the last, at most :data:`_MONTHS`."""
    found = sorted(months)
    first, last = (int(month[:4]) * 12 + int(month[5:7]) - 1 for month in (found[0], found[-1]))
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in range(max(first, last + 1 - _MONTHS), last + 1)]


def _stacked(months: Sequence[str], layers: Mapping[str, Sequence[int]], height: int, phrases: Words) -> list[Markup]:
    """A bar per month, of layers that a legend names unless there is but one."""
    colours = dict(zip(_COLOURS, layers, strict=False))
    top = max(map(sum, zip(*layers.values(), strict=True)))
    shapes, x, y = _month_axes(months, top, height, colours if len(layers) > 1 else {}, phrases.number)
    for place, column in enumerate(zip(*layers.values(), strict=True)):
        for colour, value, upper in zip(colours, column, accumulate(column), strict=True):
            shapes.append(_bar(colour, x(place - 0.4), y(upper), x(0.8) - x(0), y(0) - y(value)))
    return shapes


def _month_axes(
    months: Sequence[str], top: float, height: int, legend: Mapping[str, str], label: Callable[[float], str]
) -> tuple[list[Markup], Callable[[float], float], Callable[[float], float]]:
    """Axes and legend of a picture by month, the x of the place of a month, and the y of a value up to ``top``."""
    upper, lower = 8 + _LINE * -(-len(legend) // 2), height - _LINE - 4

    def x(place: float) -> float:
        return _LEFT + (place + 0.5) * (_RIGHT - _LEFT) / len(months)

    def y(value: float) -> float:
        return lower - value / (top or 1) * (lower - upper)

    shapes = [_text(x(place), height - 4, months[place]) for place in range(0, len(months), -(-len(months) // 5))]
    for tick in _ticks(0, top, least=1)[0]:
        shapes += [_line("rule", _LEFT, y(tick), _RIGHT, y(tick)), _text(_LEFT - 4, y(tick) + 4, label(tick), "end")]
    for place, (colour, words) in enumerate(legend.items()):
        at, line = 4 + place % 2 * _WIDTH / 2, _LINE * (place // 2 + 1) - 3
        shapes += [_bar(colour, at, line - 8, 9, 9), _text(at + 13, line, words, "start")]
    return shapes, x, y


def _ticks(low: float, high: float, least: float = 0) -> tuple[list[float], int]:
    """At most six round numbers from ``low`` to ``high``, ``least`` apart or more; and their decimal places."""
    span = max(high - low, 0.01)
    size = 10 ** math.floor(math.log10(span / 5))
    step = max(next(size * times for times in (1, 2, 5, 10) if span / (size * times) <= 5), least)
    numbers = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [number * step for number in numbers], max(0, -math.floor(math.log10(step)))


def _svg(name: str, title: str, description: str, height: float, shapes: Sequence[Markup]) -> Markup:
    """An element with what a screen reader says of it; ``name`` makes its ids unique on the page."""
    return Markup(
        '<svg viewBox="0 0 {} {}" class="picture" role="img" aria-labelledby="{name}-t {name}-d">'
        '<title id="{name}-t">{}</title><desc id="{name}-d">{}</desc>{}</svg>'
    ).format(_WIDTH, height, title, description, Markup("").join(shapes), name=name)


def _shape(tag: str, style: str, words: str = "", anchor: str = "", **numbers: float) -> Markup:
    placed = Markup("").join(Markup(' {}="{:.1f}"').format(name, value) for name, value in numbers.items())
    anchored = Markup(' text-anchor="{}"').format(anchor) if anchor else ""
    return Markup('<{0} class="{1}"{2}{3}>{4}</{0}>').format(tag, style, anchored, placed, words)


def _text(x: float, y: float, words: str, anchor: str = "middle") -> Markup:
    return _shape("text", "fill-ink", words, anchor, x=x, y=y)


def _line(colour: str, x1: float, y1: float, x2: float, y2: float) -> Markup:
    return _shape("line", f"stroke-{colour}", x1=x1, y1=y1, x2=x2, y2=y2)


def _bar(colour: str, x: float, y: float, width: float, height: float) -> Markup:
    return _shape("rect", f"fill-{colour}", x=x, y=y, width=width, height=height)


def _dot(colour: str, x: float, y: float) -> Markup:
    return _shape("circle", f"fill-{colour}", cx=x, cy=y, r=2.5)
