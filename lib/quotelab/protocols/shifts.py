"""Protocol ``shifts``: are shifts of topic found, and only where there are some, on contexts of the synthetic corpus.

Quotes are made of contexts that the corpus has: some with contexts of one topic, some of all topics, and some of one
topic until a month and of another one from then on, with the same number of contexts in each month.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from pydantic import BaseModel

from quotelab.labels.texts import checked, find_paths, read_rows
from quotelab.report import Report
from quotelab.statistics import Places, ratio, share_figures
from quotelab.synthetic.groups import BEHAVIOURS, SHIFT
from quotelake.embeddings.encoder import Encoder
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines
from quotelake.quotes.spans import find_quotes
from quotelake.topics.contexts import cut_contexts, mask
from quotelake.topics.timeline import largest_shift
from quotelake.topics.variation import Group, Use, to_fixed

QUOTES: Final = 200  # quotes made of each behaviour and number of contexts a month
SIZES: Final = (10, 20, 30)  # contexts a month
MONTHS: Final = ("2024-01", "2024-02", "2024-03", "2024-04")
ARTICLES: Final = 130  # whose contexts are embedded at most, of each topic
_MAX_WORDS: Final = 120
_SEED: Final = 20240601


class _Topic(BaseModel):
    """A row of ``truth-articles.jsonl.gz``."""

    id: str
    topic: str
    wire_copy: bool


class _Text(BaseModel):
    """A row of ``news-*.jsonl.gz``."""

    id: str
    text: str


def evaluate(articles: Sequence[str], texts: Sequence[str], encoder: Encoder) -> Report:
    """Make quotes, and look for the shifts of their topic.

    Read are ``truth-articles.jsonl.gz`` of a generated corpus and, as texts, its ``news-*.jsonl.gz``.

    Figures: For n contexts a month ``found_n``: of the quotes whose topic shifts, the share with a clear shift at the
    month of it; ``near_n``: or at a month beside it. ``false_n``: of the others, the share with a clear shift. With
    Wilson's 95 % intervals. Rows: figures of each behaviour.
    """
    topics = {row.id: row.topic for _, row in read_rows(_Topic, articles) if not row.wire_copy}
    pools: dict[str, list[str]] = defaultdict(list)  # masked contexts of the first quotes of articles
    for place, value in (line for path in find_paths(texts, "--texts") for line in json_lines(path)):
        row = checked(_Text, place, value)
        topic = topics.get(row.id)
        if topic is not None and len(pools[topic]) < ARTICLES:
            for quote in find_quotes(row.text)[:1]:
                [context] = cut_contexts(row.text, [(quote.start, quote.end)], _MAX_WORDS)
                pools[topic].append(mask(row.text, quote.start, quote.end, context.start, context.end))
    least = max(SIZES) * len(MONTHS)
    pools = {topic: found for topic, found in sorted(pools.items()) if len(found) >= least}
    if len(pools) < 2:
        raise InputError(f"shifts: found fewer than two topics with {least} contexts; generate a larger corpus")
    vectors = {topic: to_fixed(encoder.encode(found)) for topic, found in pools.items()}
    figures: dict[str, float] = {"topics": len(pools), "contexts": sum(map(len, pools.values()))}
    rows: list[dict[str, Any]] = []
    for size in SIZES:
        rng = random.Random(_SEED + size)
        clear, right, near = Counter[str](), 0, 0
        for behaviour in BEHAVIOURS:
            for _ in range(QUOTES):
                group, month = _quote(behaviour, vectors, size, rng)
                shift = largest_shift(group)
                if shift is not None and shift.is_clear:
                    clear[behaviour] += 1
                    away = abs(MONTHS.index(shift.period) - month) if month is not None else len(MONTHS)
                    right, near = right + (away == 0), near + (away <= 1)
        false = clear.total() - clear[SHIFT]
        figures |= share_figures(f"found_{size}", right, QUOTES)
        figures[f"near_{size}"] = ratio(near, QUOTES)
        figures |= share_figures(f"false_{size}", false, QUOTES * (len(BEHAVIOURS) - 1))
        rows += [{"n": size, "behaviour": each, "quotes": QUOTES, "clear": clear[each]} for each in BEHAVIOURS]
    return Report("shifts", figures, rows)


def _quote(behaviour: str, vectors: Mapping[str, Places], size: int, rng: random.Random) -> tuple[Group, int | None]:
    """A quote with ``size`` contexts a month, and the number of the month in which its topic shifts."""
    topic, other = rng.sample(sorted(vectors), 2)
    month = rng.randrange(1, len(MONTHS)) if behaviour == SHIFT else None
    chosen: list[Places] = []
    uses: list[Use] = []
    drawn = {name: rng.sample(range(len(rows)), len(MONTHS) * size) for name, rows in vectors.items()}
    for place in range(len(MONTHS) * size):
        name = other if month is not None and place // size >= month else topic
        name = rng.choice(sorted(vectors)) if behaviour == "many" else name
        chosen.append(vectors[name][drawn[name][place]])
        uses.append(Use(place, MONTHS[place // size], "news", None, f"{place:06}", 1))
    return Group(np.array(chosen), uses), month
