"""The command ``check``: what each quote of the headline of one article is to its body, as text or JSON. No Spark."""

import json
import time
from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from quotelake.article import Article, Encode, article_of, judge_article
from quotelake.contextomy.comparable import compared_languages
from quotelake.contextomy.decide import load_detector
from quotelake.contextomy.detector import Detector
from quotelake.contextomy.judgement import Judgement
from quotelake.contextomy.quotes import Quote
from quotelake.embeddings import models
from quotelake.errors import InputError
from quotelake.quotes.spans import find_quotes
from quotelake.reporting.additions import Addition, explain_row
from quotelake.reporting.console import make_console
from quotelake.reporting.find import read_text, stated_language
from quotelake.reporting.marking import MARKS, Piece, mark_body_quote, mark_headline_quote, visible
from quotelake.settings import Settings, load_settings

#: How marks look on a terminal with colours, and the signs that stand for them without.
_STYLES: Final = {
    "quote": "bold", "found": "green", "second": "cyan", "missing": "bold red", "omitted": "yellow",
    "risky": "bold reverse yellow",
}  # fmt: skip
_SIGNS: Final = {
    "quote": ("", ""), "found": ("", ""), "second": ("<", ">"), "missing": ("{+", "+}"), "omitted": ("[-", "-]"),
    "risky": ("[!", "!]"),
}  # fmt: skip
#: Columns of a judgement that stand elsewhere in its JSON: by name, and by how their names begin.
_ELSEWHERE: Final = ("outcome", "alert", "score", "reason", "matched")
_ELSEWHERE_FROM: Final = ("best_", "second_", "omitted")
#: Characters of the longest bar to each side, and the addition to the evidence that a full bar stands for.
_BAR: Final = 12
_FULL_BAR: Final = 1.2


class LazyEncoder:
    """The model, loaded when a first quote needs it: most are settled by strings. Remembers how long that took."""

    def __init__(self, name: str, dtype: str) -> None:
        self._name, self._dtype = name, dtype
        self.seconds = 0.0

    def load(self) -> Encode:
        """Wrap the loading into a function of texts."""
        return lambda texts: self._load()(texts)

    def _load(self) -> Encode:
        from quotelake.embeddings.encoder import Encoder

        begin = time.monotonic()
        encoder = Encoder(self._name, self._dtype)
        encoder.encode(["warm"])  # torch sets itself up with the first text: part of loading
        self.seconds = time.monotonic() - begin
        return encoder.encode


def run(arguments: Namespace) -> None:
    """Read, judge, print."""
    settings = load_settings(arguments.config, arguments.set)
    article = read_article(arguments.headline, arguments.body, arguments.language, settings)
    name = arguments.model or settings.model.name or models.DEFAULT
    detector = load_detector(settings.contextomy)
    model = None if arguments.no_model or article.language not in settings.model.languages else name
    if model is not None:
        models.locate(model)  # a wrong name is said at once, whether or not the model is needed
    is_other = model is not None and not compared_languages(settings, detector, model)
    if is_other:
        model = None
    lazy = LazyEncoder(name, settings.model.dtype)
    begin = time.monotonic()
    judgements = judge_article(article, settings, None if model is None else lazy.load(), detector)
    seconds = time.monotonic() - begin - lazy.seconds
    if arguments.json:
        timed = {"seconds": round(seconds, 3), "model_seconds": round(lazy.seconds, 3)}
        print(to_json(article, judgements, detector, model=model, **timed))
        return
    if not judgements:
        print(_nothing(article.headline))
        return
    show_judgements(article, judgements, detector, make_console())
    used = _used(lazy, model, is_other=is_other)
    print(f"\nlanguage {article.language}, body {article.body_status}; judged in {seconds:.2f} s, {used}")


def read_article(headline: str, body_file: str, language: str | None, settings: Settings) -> Article:
    """Make of the arguments what the nightly job would make of a record.

    Raises:
        InputError: the file cannot be read or holds no text, or the headline is empty.
        SettingsError: the language is no ISO 639-1 code.
    """
    if not headline.strip():
        raise InputError("--headline is empty; give the headline as it stands, its quotation marks included")
    body = read_text(body_file, f"--body {body_file}", "a file with the text of the article")
    if language is not None:
        stated_language(language)
    return article_of(headline, body, language, settings.ingest)


def _used(lazy: LazyEncoder, model: str | None, *, is_other: bool) -> str:
    if is_other:
        return "without the model: the detector was made for another one, to it these cosines mean nothing"
    if model is None:
        return "without a model"
    return f"model loaded in {lazy.seconds:.1f} s" if lazy.seconds else "no model needed"


def _nothing(headline: str) -> str:
    if find_quotes(headline, "headline"):
        return "the headline has no quotation marks, only a claim behind a colon: nothing is held against the body"
    return "the headline has no quote: nothing to check"


def show_judgements(article: Article, judgements: Sequence[Judgement], detector: Detector, console: Console) -> None:
    """Print each headline quote with its outcome, the body quotes it rests on, words marked, and why this score."""
    for judgement in judgements:
        rows = _rows(judgement, article)
        console.print(_verdict(judgement))
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True)
        grid.add_column(ratio=1)
        for name, pieces, quote in rows:
            grid.add_row(f"  {name}", _text(pieces, quote, colour=_has_colour(console)))
        console.print(grid)
        console.print(_legend([pieces for _, pieces, _ in rows], colour=_has_colour(console)))
        for line in _why_score(judgement, detector):
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
    quotes = [_entry(judgement, article, detector) for judgement in judgements]
    return json.dumps({**entries, "quotes": quotes}, ensure_ascii=False, indent=2)


def _verdict(judgement: Judgement) -> Text:
    outcome = "undecided" if judgement.outcome is None else judgement.outcome.value
    score = "" if judgement.score is None else f"  score {judgement.score:.3f}"
    alert = "" if judgement.alert is None else f"  ALERT {judgement.alert}"
    line = Text("\n").append(outcome, style="bold").append(score).append(alert, style="bold red")
    return line.append(f"\n  {visible(judgement.reason)}")


def _rows(judgement: Judgement, article: Article) -> list[tuple[str, list[Piece], Quote | None]]:
    """Name, pieces and quote of each text shown; a passage outside quotes has none."""
    headline, best, second = judgement.headline, judgement.best, judgement.second
    passage = None if judgement.passage is None else article.sentences_around(judgement.passage)
    texts = [passage if best is None else best.text, None if second is None else second.text]
    matched = judgement.matched if passage is None else ()
    rows: list[tuple[str, list[Piece], Quote | None]] = [
        ("headline", mark_headline_quote(headline.text, matched, *texts), headline)
    ]
    if passage is not None:
        rows.append(("passage", mark_body_quote(passage, headline.text, (), ()), None))
    if best is not None:
        left = judgement.omissions
        rows.append(("body", mark_body_quote(best.text, headline.text, left.spans, left.classes), best))
    if second is not None:
        rows.append(("body, 2nd", mark_body_quote(second.text, headline.text, (), ()), second))
    return rows


def _text(pieces: Iterable[Piece], quote: Quote | None, *, colour: bool) -> Text:
    """A text with its marks, as a quote with its speaker, or as a passage outside quotes."""
    shown = Text("" if quote is None else "“")
    for text, name in pieces:
        before, after = ("", "") if colour or not name else _SIGNS[name]
        flat = " ".join(visible(text).split("\n"))
        shown.append(f"{before}{flat}{after}", style=_STYLES[name] if colour and name else "")
    if quote is None:
        return shown
    return shown.append("”").append("" if quote.by is None else f"  ({visible(quote.by)})", style="italic")


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


def _why_score(judgement: Judgement, detector: Detector) -> list[str]:
    """Bars of text: what each feature added to the score; or the line that says why there are none."""
    explanation = explain_row(judgement.columns(), detector)
    if explanation is None:
        return []
    if explanation.note is not None:
        return [f"  score: {explanation.note}"]
    return [
        "  what each feature added: right, it raised the score; left, it lowered it",
        *(f"    {one.words:<28}  {one.value:>5}  {_bar(one)}  {one.signed:>5}" for one in explanation.additions),
    ]


def _bar(one: Addition) -> str:
    """A bar around a line in the middle.

    >>> _bar(Addition("clauses", "clauses", "1", 0.2)), _bar(Addition("clauses", "clauses", "1", -0.3))
    ('            |██          ', '         ███|            ')
    """
    bar = "█" * min(_BAR, round(_BAR * abs(one.adds) / _FULL_BAR))
    left, right = ("", bar) if one.adds > 0 else (bar, "")
    return f"{left:>{_BAR}}|{right:<{_BAR}}"


def _additions(judgement: Judgement, detector: Detector) -> list[dict[str, Any]] | None:
    """What each feature added to the score; None where it was not weighed."""
    explanation = explain_row(judgement.columns(), detector)
    if explanation is None or explanation.note is not None:
        return None
    names = ("feature", "words", "value", "adds")
    return [{name: getattr(one, name) for name in names} for one in explanation.additions]


def _has_colour(console: Console) -> bool:
    return console.is_terminal and not console.no_color and console.color_system is not None


def _entry(judgement: Judgement, article: Article, detector: Detector) -> dict[str, Any]:
    columns = judgement.columns()
    pieces = _rows(judgement, article)[0][1]
    return {
        "outcome": columns["outcome"],
        "score": columns["score"],
        "reason": columns["reason"],
        "alert": columns["alert"],
        "headline_quote": {**_said(judgement.headline), "matched": columns["matched"], "missing": _missing(pieces)},
        "best_body_quote": {**_said(judgement.best), "omitted": columns["omitted"]} if judgement.best else None,
        "second_body_quote": _said(judgement.second) or None,
        "passage": None if judgement.passage is None else article.sentences_around(judgement.passage),
        "omitted_classes": judgement.omissions.classes,
        "additions": _additions(judgement, detector),
        **{name: columns[name] for name in columns if _stands_as_column(name)},
    }


def _stands_as_column(name: str) -> bool:
    """Whether a column is an entry under its own name; the others are in the entries of the quotes they describe."""
    return name not in _ELSEWHERE and not name.startswith(_ELSEWHERE_FROM)


def _said(quote: Quote | None) -> dict[str, Any]:
    if quote is None:
        return {}
    return {
        "text": quote.text,
        "start": quote.start,
        "end": quote.end,
        "kind": quote.kind,
        "speaker": quote.by,
        "speaker_text": None if quote.speaker is None else quote.speaker.text,
        "speaker_name": None if quote.speaker is None else quote.speaker.name,
    }


def _missing(pieces: Iterable[Piece]) -> list[tuple[int, int]]:
    """Words that are in neither body quote, as offsets in the headline quote."""
    spans, start = [], 0
    for text, name in pieces:
        if name == "missing":
            spans.append((start, start + len(text)))
        start += len(text)
    return spans
