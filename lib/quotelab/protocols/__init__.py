"""Protocols of measurement by name: each takes the arguments of `evaluate.py` and returns a report.

Here evaluation and training meet, which know nothing of each other.
"""

import argparse
from collections.abc import Callable, Mapping
from typing import Final

from quotelab.evaluation.report import Report
from quotelab.protocols import headlines, judging, quotes, reuse, topics

#: Each imports what it needs when it is asked for, so that no protocol pays for another one's libraries.
PROTOCOLS: Final[Mapping[str, Callable[[argparse.Namespace], Report]]] = {
    "spans": quotes.spans,
    "polnear": quotes.polnear,
    "speakers": quotes.speakers,
    "headline_speakers": quotes.headline_speakers,
    "contextomy": headlines.contextomy,
    "headlines": headlines.headlines,
    "alerts": headlines.alerts,
    "quotecse": headlines.quotecse,
    "quotecse_pairs": headlines.quotecse_pairs,
    "trotr": topics.trotr,
    "reuse": reuse.reuse,
    "edges": reuse.edges,
    "trimmed": reuse.trimmed,
    "watch": reuse.watch,
    "watch_spans": reuse.watch_spans,
    "agreement": judging.agreement,
    "bws": judging.bws,
    "relatedness": judging.relatedness,
    "trac_lake": topics.trac_lake,
    "context_pairs": topics.context_pairs,
    "shifts": topics.shifts,
}
