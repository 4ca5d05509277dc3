"""Protocols of measurement by name: each takes the arguments of `evaluate.py` and returns a report.

Here evaluation and training meet, which know nothing of each other.
"""

import argparse
from collections.abc import Callable, Mapping
from typing import Final

from quotelab.protocols.commands import headlines as of_headlines
from quotelab.protocols.commands import judging, quotes, topics
from quotelab.protocols.commands import reuse as of_reuse
from quotelab.report import Report

#: Each imports what it needs when it is asked for, so that no protocol pays for another one's libraries.
PROTOCOLS: Final[Mapping[str, Callable[[argparse.Namespace], Report]]] = {
    "spans": quotes.spans,
    "polnear": quotes.polnear,
    "speakers": quotes.speakers,
    "headline_speakers": quotes.headline_speakers,
    "contextomy": of_headlines.contextomy,
    "headlines": of_headlines.headlines,
    "alerts": of_headlines.alerts,
    "quotecse": of_headlines.quotecse,
    "quotecse_pairs": of_headlines.quotecse_pairs,
    "trotr": topics.trotr,
    "reuse": of_reuse.reuse,
    "edges": of_reuse.edges,
    "trimmed": of_reuse.trimmed,
    "watch": of_reuse.watch,
    "watch_spans": of_reuse.watch_spans,
    "agreement": judging.agreement,
    "bws": judging.bws,
    "relatedness": judging.relatedness,
    "trac_lake": topics.trac_lake,
    "context_pairs": topics.context_pairs,
    "shifts": topics.shifts,
}
