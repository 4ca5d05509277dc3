"""Protocol ``alerts``: what a desk is shown of real headlines, against what readers say of them.

Every headline quote of the corpora is judged as the nightly job judges it, so that alerts are counted over all of them.
Precision and recall are of the labelled ones. Each weighs the inverse of its probability of being drawn (Horvitz and
Thompson 1952).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StrictInt, model_validator

from quotelab.labels.texts import read_articles, read_rows
from quotelab.report import Report
from quotelab.statistics import krippendorff_alpha, share_figures, weighted_figures
from quotelake import check_article
from quotelake.article import Encode
from quotelake.contextomy.differences import Kind
from quotelake.contextomy.judgement import Judgement, Outcome
from quotelake.files.jsonl import refuse
from quotelake.quotes.spans import find_quotes
from quotelake.settings import load_settings
from quotelake.text.align import find_parts
from quotelake.text.fold import fold
from quotelake.text.language import dominant_script

#: How a headline quote reads beside its article; docs/LAB.md has the meaning of each letter.
Reading = Literal["F", "X", "M", "D", "R", "A", "N", "C", "B"]
MISLEADS: Final = frozenset("MD")  # an alert on a quote that a reader gave one of these is right
#: ``absent`` is right for these (absent, reported, broken), if the words stand nowhere in the text.
NOT_QUOTED: Final = frozenset("ARB")
_Count = Annotated[StrictInt, Field(ge=1, le=1 << 53)]  # how many quotes: integers that are exact as float


class AlertLabels(BaseModel):
    """A headline quote and what readers say of it, a label each. Grain: a quote. Further fields are ignored.

    ``start`` and ``end``, exclusive, are code points of the title of article ``id``, without the marks. Of the quotes
    in a stratum so many were drawn: ``in_stratum / drawn`` is the weight (Horvitz and Thompson 1952).
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    start: Annotated[StrictInt, Field(ge=0)]
    end: Annotated[StrictInt, Field(ge=1)]
    labels: tuple[Reading, ...]
    stratum: str = ""
    in_stratum: _Count = 1
    drawn: _Count = 1

    @model_validator(mode="after")
    def _fits(self) -> "AlertLabels":
        if not self.labels:
            raise ValueError("at least one reader's label is needed")
        if self.end <= self.start:
            raise ValueError("end must be greater than start")
        if self.drawn > self.in_stratum:
            raise ValueError("drawn must not exceed in_stratum")
        return self

    @property
    def weight(self) -> float:
        """How many quotes it stands for."""
        return self.in_stratum / self.drawn

    @property
    def misleads(self) -> bool:
        """Whether a reader says that it misleads."""
        return not MISLEADS.isdisjoint(self.labels)


class _Row(NamedTuple):
    """A labelled quote, whether the text has it, and what it is judged; None where it is no headline quote."""

    labels: AlertLabels
    in_text: bool
    outcome: Outcome | None = None
    alert: str | None = None
    check: str | None = None
    reason: str | None = None


def evaluate(data: Sequence[str], texts: Sequence[str], encode: Encode | None = None) -> Report:
    """Judge all articles of the corpora, and compare alerts and outcomes of the labelled quotes with their labels.

    Figures: ``headline_quotes``, ``alerts``, ``per_1000``, ``checks``, ``checks_per_1000`` and the number of each kind,
    over all articles; over the labelled quotes, weighted, each with Wilson's 95 % interval at the effective number of
    rows (Kish 1965): ``recall`` and ``precision`` of alerts (a reader says that it misleads), ``precision_<kind>``, of
    checks too (the same, and of an absent one as follows), and ``absent_precision`` (a reader says absent, reported or
    broken, and the words stand nowhere in the text); and ``alpha`` between readers. A row is a labelled quote.
    """
    labelled = read_rows(AlertLabels, data)
    wanted = {labels.id for _, labels in labelled}
    judged: dict[str, tuple[str, str, list[Judgement]]] = {}
    counted = Counter[str]()
    settings = load_settings()
    seen: set[str] = set()
    for _, identifier, record in read_articles(texts):
        if identifier in seen:
            continue  # two corpora may hold the same article
        seen.add(identifier)
        title, body = record["title"], record["text"]
        judgements: list[Judgement] = []
        if find_quotes(title, "headline"):
            judgements = check_article(title, body, language=record.get("language"), encode=encode, settings=settings)
        counted["headline_quotes"] += len(judgements)
        for one in judgements:
            counted.update({"alerts": one.alert is not None, "checks": one.check is not None})
            counted.update(each for each in (one.alert, one.check) if each)
        if identifier in wanted:
            judged[identifier] = title, body, judgements
    rows: list[_Row] = []
    for place, labels in labelled:
        if labels.id not in judged:
            refuse(f"{place}: id {labels.id}", "no such article with title and text", "name its corpus by --texts")
        title, body, judgements = judged[labels.id]
        if labels.end > len(title):
            refuse(f"{place}: field end", str(labels.end), f"the title has {len(title)} characters")
        quote = fold(title[labels.start : labels.end])
        in_text = find_parts([quote], fold(body), dominant_script(quote.letters)) is not None
        found = _nearest(labels, judgements)
        rows.append(_Row(labels, in_text, *((found.outcome, found.alert, found.check, found.reason) if found else ())))
    details = [
        {
            "place": place, "id": row.labels.id, "labels": list(row.labels.labels), "outcome": row.outcome,
            "alert": row.alert, "check": row.check, "reason": row.reason, "weight": round(row.labels.weight, 4),
        }
        for (place, _), row in zip(labelled, rows, strict=True)
    ]  # fmt: skip
    return Report("alerts", _figures(rows, counted), details)


def _nearest(labels: AlertLabels, judgements: Sequence[Judgement]) -> Judgement | None:
    """The headline quote that shares most characters with the labelled span: marks may be read better than then."""

    def shared(one: Judgement) -> int:
        return min(one.headline.end, labels.end) - max(one.headline.start, labels.start)

    best = max(judgements, key=shared, default=None)
    return best if best is not None and shared(best) > 0 else None


def _is_absent(row: _Row) -> bool:
    return not row.in_text and not NOT_QUOTED.isdisjoint(row.labels.labels)


def _is_right(row: _Row) -> bool:
    """Whether what is shown is right: a reader says that it misleads, or of an absent one that it is."""
    return row.labels.misleads or (row.check == Kind.ABSENT and _is_absent(row))


def _figures(rows: Sequence[_Row], counted: Counter[str]) -> dict[str, float]:
    quotes = counted["headline_quotes"]
    figures: dict[str, float] = {"headline_quotes": quotes}
    for name, rate in (("alerts", "per_1000"), ("checks", "checks_per_1000")):
        per_1000 = share_figures(rate, counted[name], quotes)
        figures |= {name: counted[name], **{key: 1000 * value for key, value in per_1000.items()}}
    figures |= {name: counted[name] for name in Kind}
    figures |= {"labelled": len(rows), "not_found": sum(row.outcome is None for row in rows)}

    def share(name: str, chosen: Sequence[_Row], holds: Callable[[_Row], bool]) -> None:
        figures.update(weighted_figures(name, [(holds(row), row.labels.weight) for row in chosen]))
        figures[f"{name}_n"] = len(chosen)

    share("precision", [row for row in rows if row.alert], _is_right)
    for kind in Kind:
        share(f"precision_{kind}", [row for row in rows if kind in (row.alert, row.check)], _is_right)
    share("recall", [row for row in rows if row.labels.misleads], lambda row: row.alert is not None)
    share("absent_precision", [row for row in rows if row.outcome is Outcome.ABSENT], _is_absent)
    read = [row.labels.labels for row in rows]
    sides = [[str(label in MISLEADS) for label in labels] for labels in read]
    return figures | {"alpha": krippendorff_alpha(read), "alpha_misleads": krippendorff_alpha(sides)}
