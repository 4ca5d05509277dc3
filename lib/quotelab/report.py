"""The report of a protocol: figures by name, and rows with details."""

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from quotelake.files.outputs import write_whole


@dataclass(frozen=True, slots=True)
class Report:
    """Outcome of an evaluation.

    Attributes:
        protocol: its name on the command line.
        figures: counts (int) and metrics (float) in the order shown; NaN where one is undefined.
        rows: details behind the figures, defined by each protocol; values that JSON can hold.
    """

    protocol: str
    figures: dict[str, float]
    rows: list[dict[str, Any]] = field(default_factory=list)

    def as_table(self) -> str:
        """Format the figures for people, one per line.

        >>> print(Report("spans", {"texts": 1200, "f1": 0.98765, "recall": math.nan}).as_table())
        spans
          texts    1,200
          f1      0.9877
          recall       –
        """
        cells = {name: _cell(value) for name, value in self.figures.items()}
        names, values = (max(map(len, column), default=0) for column in (cells, cells.values()))
        return "\n".join([self.protocol, *(f"  {name:<{names}}  {cell:>{values}}" for name, cell in cells.items())])

    def write(self, path: Path) -> None:
        """Write ``{"protocol", "figures", "rows"}`` as JSON; an undefined figure is null.

        Raises:
            InputError: the file cannot be written.
        """
        figures = {name: None if math.isnan(value) else value for name, value in self.figures.items()}
        content = {"protocol": self.protocol, "figures": figures, "rows": self.rows}
        # Escaped, because a text may hold a lone surrogate, which UTF-8 cannot encode.
        write_whole(path, json.dumps(content, indent=1, allow_nan=False) + "\n")


def _cell(value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return "–" if math.isnan(value) else f"{value:.4f}"
