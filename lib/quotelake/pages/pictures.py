"""Pictures of the morning page as SVG that stands in a page: no script, no style of its own, colours by class.

Each function returns an ``<svg>`` element as text, or None where there is nothing to show. Numbers, months and words of
the page are its only texts; the browser's fonts draw them. The same rows give the same bytes. Matplotlib is loaded by
the first picture.
"""

import io
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

from quotelake.answers.words import ENGLISH, Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colours as matplotlib is told them, and the class of the page's style that gives the element its colour.
_CLASSES: Final = {f"#00000{i}": name for i, name in enumerate(("ink", "one", "two", "three", "four", "rule"))}
INK, ONE, TWO, THREE, FOUR, RULE = _CLASSES
#: Points; a page draws it at 1 to 1.5 times that.
_WIDTH: Final = 360
#: Months that a picture shows: the latest.
_MONTHS: Final = 36
#: Outcomes that are drawn as one, from the base line up, by the key of their word in the section ``picture``.
OUTCOMES: Final = {
    "carried": ("identical", "excerpt", "modified", "joined", "in_body_unquoted", "claim_supported"),
    "otherwise": ("contextomized", "claim_unsupported"),
    "nowhere": ("absent",),
    "not_compared": ("no_body_quote", "body_incomplete", "not_a_quotation", "not_comparable"),
}
_STYLED: Final = ("fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "text-anchor")
_SVG: Final = "{http://www.w3.org/2000/svg}"
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_NUMBER: Final = re.compile(r"-?(?<!\d)\d+\.\d+")


def draw(name: str, title: str, said: str, height: int, paint: Callable[["Axes"], None], say: Words = ENGLISH) -> str:
    """Draw one picture.

    Args:
        name: makes the ids of its elements unique on the page.
        title: what a screen reader says of it.
        said: and what it shows, in a sentence or two.
        height: in points.
        paint: draws into axes without spines.
        say: how numbers are written.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    settings: dict[Any, Any] = {
        "svg.fonttype": "none", "svg.hashsalt": name, "text.parse_math": False, "font.family": "DejaVu Sans",
        "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "axes.edgecolor": RULE,
        "grid.color": RULE, "axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False,
        "xtick.major.size": 0, "ytick.major.size": 0, "xtick.major.pad": 6, "axes.axisbelow": True,
        "legend.frameon": False,
    }  # fmt: skip
    with rc_context(settings):
        figure = Figure(figsize=(_WIDTH / 72, height / 72), layout="constrained")
        axes = figure.add_subplot()
        for each in (figure, axes):
            each.patch.set_visible(False)
        paint(axes)
        out = io.StringIO()
        with warnings.catch_warnings():  # the browser's fonts, not matplotlib's, draw the text
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            FigureCanvasSVG(figure).print_figure(out, format="svg", metadata={"Date": None, "Creator": None})
    return _for_page(out.getvalue(), name, title, said, say)


def _for_page(text: str, name: str, title: str, description: str, say: Words) -> str:
    """Make an SVG file an element of a page: no id but those referred to, classes for colours, short numbers."""
    root = ET.fromstring(text)
    for child in root.findall(f"{_SVG}metadata") + root.findall(f"{_SVG}defs"):
        if child.find(f"{_SVG}style") is not None or child.tag == f"{_SVG}metadata":
            root.remove(child)
    pointers = [value for one in root.iter() for key, value in one.items() if key in (_HREF, "clip-path")]
    referred = set(re.findall(r"#(\w+)", " ".join(pointers)))
    for one in root.iter():
        one.tag, one.tail, one.text = one.tag.removeprefix(_SVG), None, one.text and one.text.strip()
        its = dict(one.items())
        one.attrib.clear()
        parts = (part.partition(": ") for part in its.pop("style", "").split(";"))
        style = {key.strip(): value for key, _, value in parts}
        classes = [f"{key}-{_CLASSES[style.pop(key)]}" for key in ("fill", "stroke") if style.get(key) in _CLASSES]
        if one.tag == "text":
            classes, one.text = ["fill-ink"], _NUMBER.sub(lambda found: say.digits(found[0]), one.text or "")
        its |= {"class": " ".join(classes)} if classes else {}
        its |= {key: style[key] for key in _STYLED if key in style}
        for key, value in its.items():
            if key == "id" and value in referred:
                one.set(key, f"{name}-{value}")
            elif key in (_HREF, "clip-path"):
                one.set(key.removeprefix("{http://www.w3.org/1999/xlink}"), value.replace("#", f"#{name}-"))
            elif key != "id":
                one.set(key, _NUMBER.sub(lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), value))
    view = root.get("viewBox", "")
    root.attrib.clear()
    said = {"viewBox": view, "class": "picture", "role": "img", "aria-labelledby": f"{name}-t {name}-d"}
    root.attrib.update(said)
    for place, (tag, words) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(tag, {"id": f"{name}-{tag[0]}"})
        element.text = words
        root.insert(place, element)
    return ET.tostring(root, encoding="unicode")


def rates_picture(rows: Iterable[Mapping[str, Any]], say: Words = ENGLISH) -> str | None:
    """Shares of headline quotes with an alert, and of those found nowhere, by month, with intervals. Of all outlets."""
    months = {row["period"]: row for row in rows if row["outlet"] is None and row["period"] != "all"}
    if not months:
        return None
    every = _last(months)
    shown = {every.index(month): row for month, row in months.items() if month in every}

    def paint(axes: "Axes") -> None:
        for name, low, colour, sign, shift, label in (
            ("rate", "rate", ONE, "o", -0.08, "with_alert"),
            ("absent_rate", "absent", TWO, "s", 0.08, "nowhere"),
        ):
            places, shares = [place + shift for place in shown], [100 * row[name] for row in shown.values()]
            bounds = [[100 * abs(row[name] - row[f"{low}_{end}"]) for row in shown.values()] for end in ("low", "high")]
            words = say.text(f"picture.{label}")
            axes.errorbar(places, shares, bounds, color=colour, marker=sign, markersize=4, linewidth=1.2, label=words)
        _months(axes, every, named=True)
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(lambda x, _: say.text("picture.percent", say.digits(f"{x:g}")))

    last = months[every[-1]]
    rate, absent = (say.digits(f"{last[name]:.1%}") for name in ("rate", "absent_rate"))
    month = say.date("month", every[-1])
    said = say.text("picture.rates_said", last["n_eligible"], month=month, rate=rate, absent=absent)
    return draw("rates", say.text("picture.rates"), said, 200, paint, say)


def outcomes_picture(rows: Iterable[Mapping[str, Any]], say: Words = ENGLISH) -> str | None:
    """Headline quotes by outcome and month, stacked."""
    sizes: dict[tuple[str, str], int] = {(row["month"], row["outcome"]): row["quotes"] for row in rows}
    if not sizes:
        return None
    months = _last(month for month, _ in sizes)
    layers = {
        say.text(f"picture.{label}"): [sum(sizes.get((month, outcome), 0) for outcome in its) for month in months]
        for label, its in OUTCOMES.items()
    }
    sums = ", ".join(f"{label}: {say.number(sum(values))}" for label, values in layers.items())
    first, last = (say.date("month", month) for month in (months[0], months[-1]))
    said = say.text("picture.outcomes_said", first=first, last=last, counts=sums)
    title = say.text("picture.outcomes_title")
    return draw("outcomes", title, said, 210, lambda axes: _stack(axes, months, layers))


def months_picture(name: str, counts: Mapping[str, int], say: Words = ENGLISH) -> str | None:
    """Uses of a quote by month."""
    if not counts:
        return None
    months, most = _last(counts), max(counts, key=lambda month: (counts[month], month))
    layers = {"": [counts.get(month, 0) for month in months]}
    first, last, at = (say.date("month", month) for month in (months[0], months[-1], most))
    said = say.text("picture.months_said", counts[most], first=first, last=last, month=at)
    title = say.text("picture.months_title")
    return draw(f"{name}-months", title, said, 140, lambda axes: _stack(axes, months, layers))


def ranking_picture(rows: Sequence[Mapping[str, Any]], say: Words = ENGLISH) -> str | None:
    """Topic variation of the first quotes of the ranking, each by its position, with intervals."""
    if not rows:
        return None
    places = list(range(len(rows)))

    def paint(axes: "Axes") -> None:
        values = [row["variation"] for row in rows]
        bounds = [[abs(row["variation"] - row[end]) for row in rows] for end in ("low", "high")]
        axes.errorbar(values, places, xerr=bounds, color=ONE, marker="o", linestyle="none", markersize=5, linewidth=1.5)
        axes.set_yticks(places, [str(row["position"]) for row in rows])
        axes.invert_yaxis()
        axes.grid(axis="x", linewidth=0.6)
        axes.set_xlabel(say.text("picture.variation"))

    first = {name: say.number(rows[0][name], 2) for name in ("variation", "low", "high")}
    said, title = say.text("picture.ranking_said", **first), say.text("picture.ranking_title", len(rows))
    return draw("ranking", title, said, 40 + 17 * len(rows), paint, say)


def clusters_picture(name: str, clusters: Sequence[Mapping[str, Any]], say: Words = ENGLISH) -> str | None:
    """Uses of a quote in each of its topics, by the number of the topic."""
    if not clusters:
        return None
    sizes = [row["n_contexts"] for row in clusters]

    def paint(axes: "Axes") -> None:
        bars = axes.barh(range(len(sizes)), sizes, 0.7, color=THREE)
        axes.bar_label(bars, padding=3)
        axes.set_yticks(range(len(sizes)), [str(number) for number in range(1, len(sizes) + 1)])
        axes.invert_yaxis()
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)

    said = say.text("picture.topics_said", sizes[0], topics=len(sizes), sampled=clusters[0]["n_sampled"])
    return draw(f"{name}-topics", say.text("picture.topics_title"), said, 20 + 17 * len(sizes), paint, say)


def _last(months: Iterable[str]) -> list[str]:
    """All months from the first of some to the last, at most :data:`_MONTHS`."""
    found = sorted(months)
    first, last = (int(month[:4]) * 12 + int(month[5:7]) - 1 for month in (found[0], found[-1]))
    return [f"{number // 12:04}-{number % 12 + 1:02}" for number in range(max(first, last + 1 - _MONTHS), last + 1)]


def _stack(axes: "Axes", months: Sequence[str], layers: Mapping[str, Sequence[int]]) -> None:
    """A bar per month, of parts whose names stand above unless there is but one."""
    base = [0] * len(months)
    for (label, values), colour in zip(layers.items(), (THREE, ONE, TWO, FOUR), strict=False):
        axes.bar(range(len(months)), values, 0.8, base, color=colour, label=label)
        base = [low + value for low, value in zip(base, values, strict=True)]
    _months(axes, months, named=len(layers) > 1)


def _months(axes: "Axes", months: Sequence[str], *, named: bool) -> None:
    """Months under the axis, so many as have room, whole numbers beside it, and above the names of what is drawn."""
    every = -(-len(months) // 5)
    axes.set_xticks(range(0, len(months), every), list(months[::every]))
    axes.set_xlim(-0.6, len(months) - 0.4)
    axes.grid(axis="y", linewidth=0.6)
    axes.locator_params(axis="y", integer=True, nbins=5)
    if named:
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0)
