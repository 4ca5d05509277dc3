"""Protocol ``alerts``: what a desk is shown of real headlines, against what readers say of them.

Every headline quote of the corpora is judged as the nightly job judges it, so that alerts are counted over all of them.
Precision and recall are of the labelled ones. Each weighs the inverse of its probability of being drawn (Horvitz and
Thompson 1952).
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quotelab.labels.headlines import NOT_QUOTED, AlertLabels
from quotelab.labels.texts import checked, find_paths
from quotelab.protocols.contextomy import judging_encoder
from quotelab.report import Report
from quotelab.statistics import krippendorff_alpha, weighted_share
from quotelake.article import Encode, article_of, judge_article
from quotelake.contextomy.decide import load_detector
from quotelake.contextomy.judgement import ALERTS, Judgement, Outcome
from quotelake.files.jsonl import json_lines, refuse
from quotelake.quotes.spans import find_quotes
from quotelake.settings import Settings, load_settings
from quotelake.text.align import find_parts
from quotelake.text.fold import fold
from quotelake.text.language import dominant_script


@dataclass(frozen=True, slots=True)
class _Row:
    """A labelled quote and what was made of it; ``judgement`` is None where no headline quote stands there any more."""

    labels: AlertLabels
    judgement: Judgement | None
    place: str
    in_text: bool

    @property
    def alert(self) -> str | None:
        return None if self.judgement is None else self.judgement.alert

    @property
    def outcome(self) -> Outcome | None:
        return None if self.judgement is None else self.judgement.outcome


def evaluate(data: Sequence[str], texts: Sequence[str], settings: Settings, encode: Encode | None = None) -> Report:
    """Judge all articles of the corpora, and hold alerts and outcomes of the labelled quotes against their labels.

    Args:
        data: paths or globs of label files, rows as :class:`~quotelab.labels.headlines.AlertLabels`.
        texts: paths or globs of the corpora: JSONL with ``id`` or ``ID``, ``title`` and ``text``.
        settings: detector, thresholds and languages.
        encode: see :func:`~quotelake.article.judge_article`.

    Returns:
        ``headline_quotes``, ``alerts`` and ``per_1000`` (with the interval that counts articles as independent) over
        all articles; over the labelled quotes, weighted, each with Wilson's 95 % interval at the effective number of
        rows (Kish 1965): ``precision`` and ``precision_<class>`` (a reader says that it misleads), ``recall`` and
        ``absent_precision`` (a reader says absent, reported or broken, and the words stand nowhere in the text); and
        ``alpha`` between readers. A row of the report is a labelled quote: place, id, labels, outcome, alert, reason,
        weight.

    Raises:
        InputError: a file cannot be read, a row is not as described, the article of one is not in the corpora, or its
            span ends beyond the title.
    """
    labelled = [
        (place, checked(AlertLabels, place, value))
        for path in find_paths(data, "--data")
        for place, value in json_lines(path)
    ]
    if not labelled:
        refuse(f"--data {' '.join(data)}", "no row", "give a file with one JSON object a line")
    if not texts:
        refuse("--texts", "none", "name the corpora that hold the labelled articles")
    wanted = {labels.id for _, labels in labelled}
    judged: dict[str, tuple[str, str, list[Judgement]]] = {}
    counted = Counter[str]()
    detector = load_detector(settings.contextomy)
    for record in _articles(texts):
        title, body = record["title"], record["text"]
        judgements: list[Judgement] = []
        if find_quotes(title, "headline"):
            article = article_of(title, body, record.get("language"), settings.ingest)
            judgements = judge_article(article, settings, encode, detector)
        counted.update(one.alert or "none" for one in judgements)
        counted["absent"] += sum(one.outcome is Outcome.ABSENT for one in judgements)
        if record["identifier"] in wanted:
            judged[record["identifier"]] = title, body, judgements
    rows = [_row(labels, judged.get(labels.id), place) for place, labels in labelled]
    return Report("alerts", _figures(rows, counted), [_detail(row) for row in rows])


def _articles(patterns: Sequence[str]) -> Iterable[dict[str, Any]]:
    """Records with a title and a text, each identifier once: two corpora may hold the same article."""
    seen: set[str] = set()
    for path in find_paths(patterns, "--texts"):
        for _, record in json_lines(path):
            if not isinstance(record, Mapping):
                continue
            identifier = record.get("id", record.get("ID"))
            if identifier is None or not all(isinstance(record.get(name), str) for name in ("title", "text")):
                continue
            if str(identifier) not in seen:
                seen.add(str(identifier))
                yield {**record, "identifier": str(identifier)}


def _row(labels: AlertLabels, judged: tuple[str, str, list[Judgement]] | None, place: str) -> _Row:
    if judged is None:
        refuse(f"{place}: id {labels.id}", "no such article with title and text", "name its corpus by --texts")
    title, body, judgements = judged
    if labels.end > len(title):
        refuse(f"{place}: field end", str(labels.end), f"the title has {len(title)} characters")
    quote = fold(title[labels.start : labels.end])
    in_text = find_parts([quote], fold(body), dominant_script(quote.letters)) is not None
    return _Row(labels, _nearest(labels, judgements), place, in_text)


def _nearest(labels: AlertLabels, judgements: Sequence[Judgement]) -> Judgement | None:
    """The headline quote that shares most characters with the labelled span: marks may be read better than then."""

    def shared(one: Judgement) -> int:
        return min(one.headline.end, labels.end) - max(one.headline.start, labels.start)

    best = max(judgements, key=shared, default=None)
    return best if best is not None and shared(best) > 0 else None


def _figures(rows: Sequence[_Row], counted: Counter[str]) -> dict[str, float]:
    quotes = sum(counted[name] for name in (*ALERTS, "none"))
    alerts = quotes - counted["none"]
    figures: dict[str, float] = {"headline_quotes": quotes, "alerts": alerts}
    figures |= _share("per_1000", alerts, [1.0] * quotes, scale=1000)
    figures |= {name: counted[name] for name in (*ALERTS, "absent")}
    figures["labelled"] = len(rows)
    figures["not_found"] = sum(row.judgement is None for row in rows)
    figures |= _of("precision", [row for row in rows if row.alert], lambda row: row.labels.misleads)
    for alert in ALERTS:
        figures |= _of(f"precision_{alert}", [row for row in rows if row.alert == alert], lambda r: r.labels.misleads)
    figures |= _of("recall", [row for row in rows if row.labels.misleads], lambda row: row.alert is not None)
    absent = [row for row in rows if row.outcome is Outcome.ABSENT]
    figures |= _of("absent_precision", absent, _is_absent)
    read = [row.labels.labels for row in rows if len(row.labels.labels) > 1]
    sides = [[str(label in "MD") for label in labels] for labels in read]
    return figures | {"alpha": krippendorff_alpha(read), "alpha_misleads": krippendorff_alpha(sides)}


def _is_absent(row: _Row) -> bool:
    return not row.in_text and not NOT_QUOTED.isdisjoint(row.labels.labels)


def _of(name: str, rows: Sequence[_Row], holds: Any) -> dict[str, float]:
    weights = [row.labels.weight for row in rows]
    figures = _share(name, sum(row.labels.weight for row in rows if holds(row)), weights)
    return figures | {f"{name}_n": len(rows)}


def _share(name: str, part: float, weights: Sequence[float], scale: float = 1) -> dict[str, float]:
    low, high, share = weighted_share(part, weights)
    return {name: share * scale, f"{name}_low": low * scale, f"{name}_high": high * scale}


def _detail(row: _Row) -> dict[str, Any]:
    return {
        "place": row.place, "id": row.labels.id, "labels": list(row.labels.labels), "outcome": row.outcome,
        "alert": row.alert, "reason": None if row.judgement is None else row.judgement.reason,
        "weight": round(row.labels.weight, 4),
    }  # fmt: skip


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    settings = load_settings()
    encode = judging_encoder(options, settings, load_detector(settings.contextomy))
    return evaluate(options.data, options.texts, settings, encode)
