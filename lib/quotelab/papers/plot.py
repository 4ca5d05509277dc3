"""A plot of texts by gold and estimated topic variation, as SVG."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from scipy.stats import rankdata, spearmanr

_SIZE, _EDGE, _RADIUS = 300, 40, 4.0
#: Estimates drawn, with their colours (Okabe and Ito's, which colour-blind readers tell apart).
DRAWN: Final = {"base": "#999999", "unsupervised_best": "#0072b2", "head_lto": "#d55e00"}


def ranking_svg(rows: Sequence[Mapping[str, Any]]) -> str:
    """Draw the rank of each text by people against that by an estimate, a panel for each of :data:`DRAWN`.

    Args:
        rows: of a report of ``trotr``; those with the table ``texts`` are drawn, without the texts themselves.

    Returns:
        An SVG document, the same for the same rows.
    """
    texts = [row for row in rows if row.get("table") == "texts"]
    names = [name for name in DRAWN if texts and all(row.get(name) is not None for row in texts)]
    width, height = len(names) * (_SIZE + _EDGE) + _EDGE, _SIZE + 2 * _EDGE
    panels = [_panel(texts, name, _EDGE + place * (_SIZE + _EDGE)) for place, name in enumerate(names)]
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    )
    style = 'font-family="sans-serif" font-size="13" role="img"'
    described = "<title>Rank of each text by people (across) and by an estimate (up)</title>"
    return "\n".join([f"{opening} {style}>", described, *panels, "</svg>"]) + "\n"


def _panel(texts: Sequence[Mapping[str, Any]], name: str, left: int) -> str:
    gold, ours = (np.array([row[side] for row in texts], dtype=np.float64) for side in ("gold", name))
    step = (_SIZE - 2 * _RADIUS) / max(len(texts) - 1, 1)
    across, up = ((rankdata(side) - 1) * step + _RADIUS for side in (gold, ours))
    dots = "".join(
        f'<circle cx="{left + x:.1f}" cy="{_EDGE + _SIZE - y:.1f}" r="{_RADIUS:g}"/>'
        for x, y in zip(across.tolist(), up.tolist(), strict=True)
    )
    said = f"{name.replace('_', ' ')}: Spearman {float(spearmanr(gold, ours).statistic):.3f}"
    bottom = _EDGE + _SIZE
    return (
        f'<rect x="{left}" y="{_EDGE}" width="{_SIZE}" height="{_SIZE}" fill="none" stroke="#bbbbbb"/>'
        f'<path d="M{left} {bottom}L{left + _SIZE} {_EDGE}" stroke="#dddddd"/>'
        f'<g fill="{DRAWN[name]}" fill-opacity=".75">{dots}</g>'
        f'<text x="{left}" y="{_EDGE - 10}">{said}</text>'
        f'<text x="{left}" y="{bottom + 20}">few topics</text>'
        f'<text x="{left + _SIZE}" y="{bottom + 20}" text-anchor="end">many topics (people)</text>'
    )
