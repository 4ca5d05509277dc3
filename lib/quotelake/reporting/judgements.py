"""The judgements on one article, for people on a console and for programs as JSON. No Spark."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from quotelake.article import Article, Judgement, Said
from quotelake.contextomy.detector import Detector
from quotelake.contextomy.flat import flatten
from quotelake.contextomy.judgement import Match, Verdict
from quotelake.reporting.additions import Addition, explain_row
from quotelake.reporting.marking import MARKS, Piece, mark_body_quote, mark_headline_quote, visible
from quotelake.text.fold import Span

#: How marks look on a terminal with colours, and the signs that stand for them without.
_STYLES: Final = {
    "quote": "bold", "found": "green", "second": "cyan", "missing": "bold red", "omitted": "yellow",
    "risky": "bold reverse yellow",
}  # fmt: skip
_SIGNS: Final = {
    "quote": ("", ""), "found": ("", ""), "second": ("<", ">"), "missing": ("{+", "+}"), "omitted": ("[-", "-]"),
    "risky": ("[!", "!]"),
}  # fmt: skip
#: Columns of a match that stand elsewhere in its JSON: by name, and by how their names begin.
_ELSEWHERE: Final = ("outcome", "alert", "score", "reason", "matched")
_ELSEWHERE_FROM: Final = ("best_", "second_", "omitted")
#: Characters of the longest bar to each side, and the addition to the evidence that a full bar stands for.
_BAR: Final = 12
_FULL_BAR: Final = 1.2


def show_judgements(judgements: Sequence[Judgement], detector: Detector, console: Console) -> None:
    """Print each headline quote with its outcome, the body quotes it rests on, words marked, and why this score."""
    for judgement in judgements:
        rows = _rows(judgement)
        console.print(_verdict(judgement.match.verdict))
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        grid.add_column(ratio=1)
        for name, pieces, said in rows:
            grid.add_row(f"  {name}", _text(pieces, said, colour=_has_colour(console)))
        console.print(grid)
        console.print(_legend([pieces for _, pieces, _ in rows], colour=_has_colour(console)))
        for line in _why_score(judgement.match, detector):
            console.print(line, markup=False, highlight=False)


def to_json(article: Article, judgements: Sequence[Judgement], detector: Detector, **run: object) -> str:
    """Write judgements as one JSON object; offsets are code points, as in the tables.

    Args:
        article: what was judged.
        judgements: of each headline quote.
        detector: the one that judged.
        run: further entries, such as the model and the seconds it took.
    """
    entries = {"headline": article.headline, "language": article.language, "body_status": article.body_status, **run}
    return json.dumps(
        {**entries, "quotes": [_entry(one, detector) for one in judgements]}, ensure_ascii=False, indent=2
    )


def _verdict(verdict: Verdict) -> Text:
    outcome = "undecided" if verdict.outcome is None else verdict.outcome.value
    score = "" if verdict.score is None else f"  score {verdict.score:.3f}"
    alert = "" if verdict.alert is None else f"  ALERT {verdict.alert}"
    line = Text("\n").append(outcome, style="bold").append(score).append(alert, style="bold red")
    return line.append(f"\n  {visible(verdict.reason)}")


def _rows(judgement: Judgement) -> list[tuple[str, list[Piece], Said | None]]:
    """Name, pieces and speaker of each text shown; a passage outside quotes has none."""
    match, headline = judgement.match, judgement.headline
    best, second = judgement.best, judgement.second
    texts = [judgement.passage if best is None else best.text, None if second is None else second.text]
    matched = _matched(match) if judgement.passage is None else ()
    rows: list[tuple[str, list[Piece], Said | None]] = [
        ("headline", mark_headline_quote(headline.text, matched, *texts), headline)
    ]
    if judgement.passage is not None:
        rows.append(("passage", mark_body_quote(judgement.passage, headline.text, (), ()), None))
    if best is not None:
        left = match.omissions
        rows.append(("body", mark_body_quote(best.text, headline.text, left.spans, left.classes), best))
    if second is not None:
        rows.append(("body, 2nd", mark_body_quote(second.text, headline.text, (), ()), second))
    return rows


def _matched(match: Match) -> Sequence[Span]:
    return () if match.containment is None else match.containment.matched


def _text(pieces: Iterable[Piece], said: Said | None, *, colour: bool) -> Text:
    """A text with its marks, as a quote with its speaker, or as a passage outside quotes."""
    shown = Text("" if said is None else "“")
    for text, name in pieces:
        before, after = ("", "") if colour or not name else _SIGNS[name]
        flat = " ".join(visible(text).split("\n"))
        shown.append(f"{before}{flat}{after}", style=_STYLES[name] if colour and name else "")
    if said is None:
        return shown
    return shown.append("”").append("" if said.by is None else f"  ({visible(said.by)})", style="italic")


def _legend(rows: Iterable[list[Piece]], *, colour: bool) -> Text:
    """Explain the marks that occur."""
    used = {name for pieces in rows for _, name in pieces}
    line = Text("  ")
    for name, meaning in MARKS.items():
        before, after = _SIGNS[name]
        if name not in used or not (colour or before):
            continue
        line.append(meaning if colour else f"{before}{after} {meaning}", style=_STYLES[name] if colour else "")
        line.append("   ")
    return line


def _why_score(match: Match, detector: Detector) -> list[str]:
    """Bars of text: what each feature added to the score; or the line that says why there are none."""
    explained = explain_row(flatten(match), detector)
    if explained is None:
        return []
    if explained.note is not None:
        return [f"  score: {explained.note}"]
    return [
        "  what each feature added: right, it raised the score; left, it lowered it",
        *(f"    {one.words:<28}  {one.value:>5}  {_bar(one)}  {one.signed:>5}" for one in explained.additions),
    ]


def _bar(one: Addition) -> str:
    """A bar around a line in the middle.

    >>> _bar(Addition("clauses", "clauses", "1", 0.2)), _bar(Addition("clauses", "clauses", "1", -0.3))
    ('            |██          ', '         ███|            ')
    """
    bar = "█" * min(_BAR, round(_BAR * abs(one.adds) / _FULL_BAR))
    left, right = ("", bar) if one.adds > 0 else (bar, "")
    return f"{left:>{_BAR}}|{right:<{_BAR}}"


def _additions(match: Match, detector: Detector) -> list[dict[str, Any]] | None:
    """What each feature added to the score; None where it was not weighed."""
    explained = explain_row(flatten(match), detector)
    if explained is None or explained.note is not None:
        return None
    names = ("feature", "words", "value", "adds")
    return [{name: getattr(one, name) for name in names} for one in explained.additions]


def _has_colour(console: Console) -> bool:
    return console.is_terminal and not console.no_color and console.color_system is not None


def _entry(judgement: Judgement, detector: Detector) -> dict[str, Any]:
    columns = flatten(judgement.match)
    pieces = _rows(judgement)[0][1]
    return {
        "outcome": columns["outcome"],
        "score": columns["score"],
        "reason": columns["reason"],
        "alert": columns["alert"],
        "headline_quote": {**_said(judgement.headline), "matched": columns["matched"], "missing": _missing(pieces)},
        "best_body_quote": {**_said(judgement.best), "omitted": columns["omitted"]} if judgement.best else None,
        "second_body_quote": _said(judgement.second) or None,
        "passage": judgement.passage,
        "omitted_classes": judgement.match.omissions.classes,
        "additions": _additions(judgement.match, detector),
        **{name: columns[name] for name in columns if _stands_as_column(name)},
    }


def _stands_as_column(name: str) -> bool:
    """Whether a column is an entry under its own name; the others are in the entries of the quotes they describe."""
    return name not in _ELSEWHERE and not name.startswith(_ELSEWHERE_FROM)


def _said(said: Said | None) -> dict[str, Any]:
    if said is None:
        return {}
    return {
        "text": said.text,
        "start": said.start,
        "end": said.end,
        "kind": said.kind,
        "speaker": said.by,
        "speaker_text": None if said.speaker is None else said.speaker["text"],
        "speaker_name": None if said.speaker is None else said.speaker["name"],
    }


def _missing(pieces: Iterable[Piece]) -> list[tuple[int, int]]:
    """Words that are in neither body quote, as offsets in the headline quote."""
    spans, start = [], 0
    for text, name in pieces:
        if name == "missing":
            spans.append((start, start + len(text)))
        start += len(text)
    return spans
