"""Check the quotes of a headline against its article, or those of any text against its sources. No Spark.

{command} --headline 'Mayor: "We will rebuild"' --body article.txt
curl … | {command} --headline TEXT --body - --json
{command} --text DRAFT --sources FILE… [--lake DIR] [--html OUT.html]

The last holds every quotation of a draft, a summary or a press release against transcripts, articles and a lake.
The suffix of a file says its format: .md, .html, or else plain text. Exit status 0: there is nothing to look at: each
quotation of a text stands in a source as written; 3: there is something.
"""

import json
import re
import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from quotelake.answers.explanations import describe_difference, explain_row, rule_of
from quotelake.answers.marking import MARKS, mark_body_quote, mark_headline_quote
from quotelake.article import Article, Encode, article_of, judge_article
from quotelake.commands.console import Row, make_console, print_judgement, print_line
from quotelake.commands.options import TO_LOOK_AT, read_text
from quotelake.contextomy.comparison import compared_languages
from quotelake.contextomy.decide import load_detector
from quotelake.contextomy.detector import Detector
from quotelake.contextomy.judgement import Judgement
from quotelake.contextomy.quotes import Quote
from quotelake.embeddings import models
from quotelake.errors import InputError
from quotelake.quotes.spans import find_quotes
from quotelake.reader.answers import Reading
from quotelake.reader.instruction import questions_of
from quotelake.settings import load_settings

#: Columns of a judgement that have another place in its JSON.
_ELSEWHERE: Final = re.compile(
    "(?:outcome|alert|to_check|score|reason|matched|differences)$|headline_|best_|second_|omitted"
)
#: Characters of the longest bar to each side, and the addition to the evidence that a full bar stands for.
_BAR: Final = 12
_FULL_BAR: Final = 1.2


def run(arguments: Namespace) -> int:
    """Read, judge, print."""
    if arguments.text is not None:
        from quotelake.commands import check_text

        return check_text.run(arguments)
    for option in ("sources", "lake", "html"):
        if getattr(arguments, option):
            raise InputError(f"--{option} goes with --text FILE, the text that is checked; give that too")
    if arguments.headline is None or arguments.body is None:
        raise InputError("nothing to check; give --headline TEXT and --body FILE, or --text FILE and --sources FILE")
    if not arguments.headline.strip():
        raise InputError("--headline is empty; give the headline as it stands, its quotation marks included")
    settings = load_settings(arguments.config, [*arguments.set, *arguments.reader])
    body = read_text(arguments.body, f"--body {arguments.body}", "a file with the text of the article")
    article = article_of(arguments.headline, body, arguments.language, settings.ingest)
    name = arguments.model or settings.model.name or models.DEFAULT
    detector = load_detector(settings.contextomy)
    loading = 0.0  # seconds

    def load_and_encode(texts: Sequence[str]) -> Any:
        """Called once at most, when a first quote needs the model: most are settled by strings."""
        from quotelake.embeddings.encoder import Encoder

        nonlocal loading
        begin = time.monotonic()
        encoder = Encoder(name, settings.model.dtype)
        encoder.encode(["warm"])  # torch sets itself up with the first text: part of loading
        loading = time.monotonic() - begin
        return encoder.encode(texts)

    encode: Encode | None = None
    without = "without a model"
    if not arguments.no_model and article.language in settings.model.languages:
        models.locate(name)  # a wrong name is an error whether or not the model is needed
        if compared_languages(settings, detector, name):
            encode = load_and_encode
        else:
            without = "without the model: the detector was made for another one, to it these cosines mean nothing"
    begin = time.monotonic()
    judgements = judge_article(article, settings, encode, detector)
    seconds = time.monotonic() - begin - loading
    readings: list[Reading | None] = [None] * len(judgements)
    if arguments.reader:
        from quotelake.reader.client import Reader

        readings = [*Reader(settings.reader).read_all(questions_of(judgements, article.body, article.body_status))]
    if arguments.json:
        timed = {"seconds": round(seconds, 3), "model_seconds": round(loading, 3)}
        read = [one and asdict(one) for one in readings]
        print(to_json(article, judgements, detector, model=name if encode else None, readings=read, **timed))
    elif judgements:
        for judgement, reading in zip(judgements, readings, strict=True):
            _print(judgement, article, detector, make_console())
            if reading is not None:
                print_line(make_console(), f"  {reading.described(settings.reader.model)}")
        loaded = f"model loaded in {loading:.1f} s" if loading else "no model needed"
        status = f"language {article.language}, body {article.body_status}"
        print(f"\n{status}; judged in {seconds:.2f} s, {loaded if encode else without}")
    elif find_quotes(article.headline, "headline"):
        print("the headline has no quotation marks, only a claim behind a colon: nothing is held against the body")
    else:
        print("the headline has no quote: nothing to check")
    misleads = any(one is not None and one.verdict == "misleading" for one in readings)
    return TO_LOOK_AT if misleads or any(one.alert or one.check for one in judgements) else 0


def _print(judgement: Judgement, article: Article, detector: Detector, console: Console) -> None:
    """Print a headline quote: outcome, differences, the body quotes it rests on, and what made the score."""
    title = Text("undecided" if judgement.outcome is None else judgement.outcome.value, style="bold")
    title.append("" if judgement.score is None else f"  score {judgement.score:.3f}")
    title.append("" if judgement.alert is None else f"  ALERT {judgement.alert}", style="bold red")
    title.append("" if judgement.check is None else f"  CHECK {judgement.check}", style="bold")
    differences = [one._asdict() for one in judgement.differences]
    lines = [f"{'note: ' if each['tier'] == 'note' else ''}{describe_difference(each)}" for each in differences]
    lines.append(rule_of(judgement.reason, differences))
    print_judgement(console, title, lines, _rows(judgement, article), MARKS)
    explanation = explain_row(judgement.columns(), detector)
    if explanation is None:
        return
    meaning = "what each feature added: right, it raised the score; left, it lowered it"
    print_line(console, f"  score: {explanation.note}" if explanation.note else f"  {meaning}")
    for one in explanation.additions:
        bar = "█" * min(_BAR, round(_BAR * abs(one.adds) / _FULL_BAR))
        sides = f"{'':>{_BAR}}|{bar:<{_BAR}}" if one.adds > 0 else f"{bar:>{_BAR}}|{'':<{_BAR}}"
        print_line(console, f"    {one.words:<28}  {one.value:>5}  {sides}  {one.signed:>5}")


def _rows(judgement: Judgement, article: Article) -> list[Row]:
    headline, best, second = judgement.headline, judgement.best, judgement.second
    passage = None if judgement.passage is None else article.sentences_around(judgement.passage)
    best_text, second_text = (None if quote is None else quote.text for quote in (best, second))
    matched = judgement.matched if passage is None else ()
    marked = mark_headline_quote(headline.text, matched, best_text or passage, second_text)
    rows: list[Row] = [("headline", marked, headline)]
    words = [one.said for one in judgement.differences]
    for name, text, omitted, differing, quote in (
        ("passage", passage, (), words, None),
        ("body", best_text, judgement.omitted, words, best),
        ("body, 2nd", second_text, (), [], second),
    ):
        if text is not None:
            rows.append((name, mark_body_quote(text, headline.text, omitted, differing), quote))
    return rows


def to_json(article: Article, judgements: Sequence[Judgement], detector: Detector, **run: object) -> str:
    """Write judgements and facts on the run as one JSON object; offsets are code points, as in the tables."""
    entries = {"headline": article.headline, "language": article.language, "body_status": article.body_status, **run}
    quotes = [_judgement_as_dict(judgement, article, detector) for judgement in judgements]
    return json.dumps({**entries, "quotes": quotes}, ensure_ascii=False, indent=2)


def _judgement_as_dict(judgement: Judgement, article: Article, detector: Detector) -> dict[str, Any]:
    columns, best = judgement.as_dict(), judgement.best
    explanation = explain_row(columns, detector)
    additions = [one._asdict() for one in explanation.additions] if explanation else []
    missing, end = [], 0  # words that are in neither body quote
    for text, name in _rows(judgement, article)[0][1]:
        end += len(text)
        if name == "missing":
            missing.append((end - len(text), end))
    return {
        **{name: columns[name] for name in ("outcome", "score", "reason", "alert", "to_check")},
        "headline_quote": {**_quote_as_dict(judgement.headline), "matched": columns["matched"], "missing": missing},
        "best_body_quote": {**_quote_as_dict(best), "omitted": columns["omitted"]} if best else None,
        "second_body_quote": _quote_as_dict(judgement.second) if judgement.second else None,
        "passage": None if judgement.passage is None else article.sentences_around(judgement.passage),
        "differences": columns["differences"],
        "additions": additions or None,
        **{name: columns[name] for name in columns if not _ELSEWHERE.match(name)},
    }


def _quote_as_dict(quote: Quote) -> dict[str, Any]:
    return {
        **{name: getattr(quote, name) for name in ("text", "start", "end", "kind")},
        "speaker": quote.by,
        "speaker_text": None if quote.speaker is None else quote.speaker.text,
        "speaker_name": None if quote.speaker is None else quote.speaker.name,
    }
