"""Pictures in a notebook: each once, with a text for those who do not see it."""

import base64
import html
import io
from typing import Any


class Picture:
    """A figure of matplotlib as an image with an alternative text; a notebook shows what ends a cell.

    The figure is closed for pyplot, which else shows each open figure once more below the cell.
    """

    def __init__(self, figure: Any, text: str) -> None:
        self.figure, self.text = figure, text
        close(figure)

    def _repr_html_(self) -> str:
        out = io.BytesIO()
        self.figure.savefig(out, format="png", dpi=100)
        data = base64.b64encode(out.getvalue()).decode()
        return f'<img alt="{html.escape(self.text)}" src="data:image/png;base64,{data}">'


def close(figure: Any) -> None:
    """Close a figure for pyplot; it can still be drawn."""
    from matplotlib import pyplot

    pyplot.close(figure)
