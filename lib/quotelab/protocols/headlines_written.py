"""Protocol ``headlines_written``: headlines written to mislead or to be fair, against what the judgement flags.

Every headline was written on a real article, labelled by its writer, and read once more by a reader who did not see the
label. Headlines on which the two differ are counted and left out.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, StrictStr

from quotelab.labels.readings import Readings
from quotelab.labels.texts import read_articles, read_rows
from quotelab.report import Report
from quotelab.statistics import ratio, share_figures
from quotelake import check_article
from quotelake.contextomy.judgement import Judgement
from quotelake.files.jsonl import refuse
from quotelake.reader.answers import Reading
from quotelake.reader.instruction import questions_of
from quotelake.settings import Settings, load_settings


def _named(kind: str) -> str:
    if kind in ("low", "high", "with_notes") or kind.startswith("by_alert") or kind.endswith("_n"):
        raise ValueError(
            "a kind must not be low, high, with_notes or by_alert, nor end in _n: other figures are named so"
        )
    return kind


class WrittenHeadline(BaseModel):
    """A headline written on article ``id``, and what two say of it. Grain: a headline. Further fields are ignored.

    M: it misleads, F: it is fair, D: doubtful. ``kind`` names what was done to the words of the article, such as
    negation_lost or clipped_harmless; ``set`` names the part of the file, such as dev. ``body`` is the text of the
    article, None where a corpus has it.
    """

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str
    headline: StrictStr
    label: Literal["M", "F"]
    second: Literal["M", "D", "F"]
    kind: Annotated[StrictStr, AfterValidator(_named)]
    set: str | None = None
    body: str | None = None
    language: str = "en"


def judged(
    data: Sequence[str], texts: Sequence[str], settings: Settings, part: str | None = None
) -> tuple[list[tuple[WrittenHeadline, list[Judgement]]], int]:
    """Judge each headline on which both agree on its article, now in the row; count those on which they differ."""
    rows = read_rows(WrittenHeadline, data)
    written = [(place, row) for place, row in rows if part in (None, row.set)]
    if not written:
        names = ", ".join(sorted({row.set or "(none)" for _, row in rows}))
        refuse(f"--part {part}", "no such row", f"the sets of these files are: {names}")
    agreed = [(place, row) for place, row in written if row.label == row.second]
    articles = {row.id: (row.body, row.language) for _, row in agreed if row.body is not None}
    wanted = {row.id for _, row in agreed}
    for _, identifier, record in read_articles(texts):
        if identifier in wanted and identifier not in articles:  # two corpora may hold the same article
            articles[identifier] = record["text"], record.get("language") or "en"
    found = []
    for place, row in agreed:
        if row.id not in articles:
            refuse(f"{place}: id {row.id}", "no such article with title and text", "name its corpus by --texts")
        body, language = articles[row.id]
        judgements = check_article(row.headline, body, language=language, settings=settings)
        found.append((row.model_copy(update={"body": body}), judgements))
    return found, len(written) - len(agreed)


def readings_of(
    found: Sequence[tuple[WrittenHeadline, Sequence[Judgement]]], readings: Readings
) -> dict[tuple[str, str, int], Reading | None]:
    """The reading of each headline quote, by article, headline and where the quote begins in it."""
    questions = {
        (row.id, row.headline, question.start): question
        for row, judgements in found
        for question in questions_of(judgements, row.body or "", "complete")
    }
    return dict(zip(questions, readings.read([*questions], [*questions.values()]), strict=True))


def evaluate(
    data: Sequence[str], texts: Sequence[str], part: str | None = None, readings: Readings | None = None
) -> Report:
    """Judge each headline on its article by the shipped settings, without a model, and count those that are flagged.

    A headline is flagged if one of its quotes has an alert or a check, or ``readings`` find that it misleads, which
    counts as an alert. Corpora, for rows without a body, are JSONL with
    ``id`` or ``ID``, ``title`` and ``text``; articles are English unless a ``language`` is stated. If a part is named,
    only the headlines of this ``set`` are judged.

    Figures: ``n_misleading``, ``n_fair`` and ``disagreed``; ``found``, the share of the misleading that is flagged, and
    ``accused``, that of the fair, with Wilson's 95 % interval; ``found_by_alert`` and ``accused_by_alert``, those with
    an alert; ``found_with_notes`` and ``accused_with_notes``, those with a note too; ``found_KIND`` of each misleading
    kind and ``accused_KIND`` of each fair kind with a flagged headline, of ``_n`` headlines; with readings
    ``quotes_read``, ``quotes_discarded``, ``quotes_failed``, ``quotes_not_read``, ``tokens_in`` and ``tokens_out``.
    A row of the report is a headline: id, headline, kind, label, and outcome, alert, check and reason of its first
    flagged quote, or else of its first one, None without a quote; with readings those of its quotes.
    """
    found, disagreed = judged(data, texts, load_settings(), part)
    by_quote = {} if readings is None else readings_of(found, readings)
    read, flagged = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    alerted, noted = Counter[str](), Counter[str]()
    details: list[dict[str, Any]] = []
    for row, judgements in found:
        read_as = [by_quote.get((row.id, row.headline, one.headline.start)) for one in judgements]
        misleading = [reading is not None and reading.verdict == "misleading" for reading in read_as]
        flags = [
            one for one, misleads in zip(judgements, misleading, strict=True) if one.alert or one.check or misleads
        ]
        read[row.label, row.kind] += 1
        flagged[row.label, row.kind] += bool(flags)
        alerted[row.label] += any(misleading) or any(one.alert for one in judgements)
        noted[row.label] += bool(flags) or any(one.differences for one in judgements)
        shown = next(iter(flags or judgements), None)
        details.append({
            **{name: getattr(row, name) for name in ("id", "headline", "kind", "label")},
            **{name: shown and getattr(shown, name) for name in ("outcome", "alert", "check", "reason")},
            **({} if readings is None else {"readings": [each and asdict(each) for each in read_as]}),
        })  # fmt: skip
    shares: dict[str, float] = {}
    kinds: dict[str, float] = {}
    totals: dict[str, int] = {}
    for label, name in (("M", "found"), ("F", "accused")):
        of_label = sorted(each for each in read if each[0] == label)
        totals[label] = sum(read[each] for each in of_label)
        shares |= share_figures(name, sum(flagged[each] for each in of_label), totals[label])
        shares |= share_figures(f"{name}_by_alert", alerted[label], totals[label])
        shares[f"{name}_with_notes"] = ratio(noted[label], totals[label])
        for each in of_label:
            if label == "M" or flagged[each]:
                kinds |= {f"{name}_{each[1]}": ratio(flagged[each], read[each]), f"{name}_{each[1]}_n": read[each]}
    counts = {"n_misleading": totals["M"], "n_fair": totals["F"], "disagreed": disagreed}
    if readings is not None:
        states = Counter("not_read" if each is None else each.status for each in by_quote.values())
        counts |= {f"quotes_{state}": states[state] for state in ("read", "discarded", "failed", "not_read")}
        for name in ("tokens_in", "tokens_out"):
            counts[name] = sum(getattr(each, name) for each in by_quote.values() if each is not None)
    return Report("headlines_written", counts | shares | kinds, details)
