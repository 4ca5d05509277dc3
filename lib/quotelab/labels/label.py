"""Label headline quotes of a corpus: draw a sample to be read, and take the labels of two or more people back.

    quotelab label draw  --texts CORPUS.jsonl.gz … --labels FILE.jsonl --reading FILE.txt [--per-stratum 50]
    quotelab label merge --labels FILE.jsonl --pass ANNA.csv --pass BEN.csv [--adjudicated FINAL.csv]

draw writes a label file without any text, and a file to read, which shows neither outcome nor score. A pass is a CSV
with the columns item and label, and may have reason; the adjudicated one needs only the items people disagree on.
merge names these, and writes the labels into the label file. docs/LAB.md says what the labels mean; the figures,
agreement among them, are those of `quotelab evaluate headlines`.

All quotes that the detector decides are taken. Of those that strings settle a sample is drawn by strata, each row with
the probability it was drawn with. Half is for development (part ``dev``), half for figures (``test``). Draws are by
hash: the same corpora give the same sample.
"""

import json
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quotelab.labels.headlines import HeadlineLabels, Label
from quotelab.labels.tables import table_rows
from quotelab.labels.texts import checked, find_paths, text_hash
from quotelake.article import article_of, judge_article
from quotelake.contextomy.decide import Detector, load_detector
from quotelake.contextomy.judgement import Judgement, Outcome
from quotelake.errors import InputError
from quotelake.files.jsonl import json_lines, refuse
from quotelake.files.outputs import write_whole
from quotelake.settings import Settings, load_settings
from quotelake.text.ids import content_id

#: Outcomes of which a sample is drawn, by stratum; quotes of all others are taken.
SETTLED = frozenset({Outcome.IDENTICAL, Outcome.EXCERPT})


@dataclass(frozen=True, slots=True)
class Drawn:
    """A headline quote of the sample, and the article to read."""

    labels: HeadlineLabels
    headline: str
    body: str


def draw(patterns: Sequence[str], per_stratum: int, settings: Settings) -> list[Drawn]:
    """Draw from corpora.

    Args:
        patterns: paths or globs of corpora: JSONL with ``id`` or ``ID``, ``title`` and ``text``.
        per_stratum: rows to draw of ``identical``, ``excerpt`` and ``risky_excerpt`` each.
        settings: detector, thresholds and languages.

    Returns:
        The sample in an order by hash that tells nothing of the strata.

    Raises:
        InputError: a file cannot be read, or no headline of them has a quote.
    """
    strata: dict[str, list[Drawn]] = defaultdict(list)
    detector = load_detector(settings.contextomy)
    for source, record in _records(patterns):
        for judgement in _judge(record, settings, detector):
            stratum = _stratum(judgement)
            strata[stratum].append(_drawn(source, record, judgement, stratum))
    if not strata:
        refuse(" ".join(patterns), "no headline with a quote", "name corpora whose records have title and text")
    sample: list[Drawn] = []
    for stratum, drawn in strata.items():
        if stratum.removeprefix("risky_") not in SETTLED:
            sample += drawn
            continue
        chosen = sorted(drawn, key=_key)[:per_stratum]
        share = len(chosen) / len(drawn)
        sample += [Drawn(d.labels.model_copy(update={"inclusion": share}), d.headline, d.body) for d in chosen]
    return sorted(sample, key=lambda drawn: content_id("order", _key(drawn)))


def counts(sample: Sequence[Drawn]) -> dict[str, tuple[int, float]]:
    """Rows of each stratum, and the probability they were drawn with."""
    n = Counter(drawn.labels.stratum for drawn in sample)
    return {drawn.labels.stratum: (n[drawn.labels.stratum], drawn.labels.inclusion) for drawn in sample}


def merge(
    rows: Sequence[HeadlineLabels], passes: Sequence[Mapping[int, str]], adjudicated: Mapping[int, tuple[str, str]]
) -> list[HeadlineLabels]:
    """Put labels into the rows they are of.

    Args:
        rows: of a label file, in its order; item n is row n, from 1.
        passes: for each person, item to label.
        adjudicated: item to final label and reason; where all agree and nothing is stated, theirs is final.

    Raises:
        InputError: an item has no label in a pass, or people disagree and nobody adjudicated.
    """
    merged = []
    for item, row in enumerate(rows, 1):
        labels = [Label(answers[item]) for answers in passes if item in answers]
        if len(labels) < len(passes):
            refuse(f"item {item}", f"{len(labels)} labels", f"each of the {len(passes)} passes must label it")
        label, reason = adjudicated.get(item, (labels[0] if len(set(labels)) == 1 else None, row.reason))
        if label is None:
            refuse(f"item {item}", f"the labels {', '.join(labels)}", "state its final label in the adjudicated file")
        merged.append(row.model_copy(update={"labels": tuple(labels), "label": Label(label), "reason": reason}))
    return merged


def as_line(row: HeadlineLabels) -> str:
    """A row as a line of a label file."""
    return json.dumps(row.model_dump(mode="json", exclude_none=True), ensure_ascii=False)


def _records(patterns: Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path in find_paths(patterns, "--texts"):
        for _, record in json_lines(path):
            if isinstance(record, dict) and all(isinstance(record.get(name), str) for name in ("title", "text")):
                yield path.name.partition(".")[0], record


def _judge(record: Mapping[str, Any], settings: Settings, detector: Detector) -> list[Judgement]:
    article = article_of(record["title"], record["text"], record.get("language"), settings.ingest)
    return judge_article(article, settings, detector=detector)


def _stratum(judgement: Judgement) -> str:
    if judgement.alert == "risky_excerpt":
        return judgement.alert
    return str(judgement.outcome) if judgement.score is None else "detector"


def _drawn(source: str, record: Mapping[str, Any], judgement: Judgement, stratum: str) -> Drawn:
    title, body = record["title"], record["text"]
    quote = judgement.headline
    identifier, span = str(record.get("id", record.get("ID"))), (quote.start, quote.end)
    labels = HeadlineLabels(
        id=identifier, source=source, part="dev" if _is_odd("part", identifier, str(list(span))) else "test",
        text_sha256=text_hash(title), body_sha256=text_hash(body), quote=span, stratum=stratum,
    )  # fmt: skip
    return Drawn(labels, title, body)


def _is_odd(*fields: str) -> bool:
    return int(content_id(*fields), 16) % 2 == 1


def _key(drawn: Drawn) -> str:
    return content_id(str(drawn.labels.source), str(drawn.labels.id), str(drawn.labels.quote))


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    actions = parser.add_subparsers(dest="action", required=True)
    drawing = actions.add_parser("draw", help="draw a sample to be labelled")
    drawing.add_argument("--texts", nargs="+", required=True, metavar="CORPUS", help="JSONL with id, title and text")
    drawing.add_argument("--per-stratum", type=int, default=50, metavar="N", help="of what strings settle (50)")
    drawing.add_argument("--reading", type=Path, required=True, metavar="FILE.txt", help="articles to read")
    merging = actions.add_parser("merge", help="take labels back")
    merging.add_argument("--pass", dest="passes", action="append", type=Path, required=True, metavar="FILE.csv")
    merging.add_argument("--adjudicated", type=Path, metavar="FILE.csv", help="final labels of disputed items")
    for action in (drawing, merging):
        action.add_argument("--labels", type=Path, required=True, metavar="FILE.jsonl", help="the label file")


def run(options: Namespace) -> None:
    """Draw or merge."""
    if options.action == "draw":
        if options.per_stratum < 1:
            raise InputError(f"--per-stratum {options.per_stratum}: must be 1 or more")
        if options.labels.exists():
            raise InputError(f"--labels {options.labels}: exists, and may hold labels; move it, or name another file")
        sample = draw(options.texts, options.per_stratum, load_settings())
        _write(options.labels, (as_line(drawn.labels) for drawn in sample))
        _write(options.reading, (_to_read(item, drawn) for item, drawn in enumerate(sample, 1)))
        for stratum, (n, inclusion) in sorted(counts(sample).items()):
            print(f"{stratum:<20} {n:>6,} drawn with probability {inclusion:.4g}")
        print(f"{len(sample):,} quotes to label in {options.reading}; their rows are in {options.labels}")
        return
    rows = [checked(HeadlineLabels, place, value) for place, value in json_lines(options.labels)]
    if not rows:
        refuse(f"--labels {options.labels}", "no row", "name the file that draw wrote")
    passes = [{item: label for item, (label, _) in read_answers(path, len(rows)).items()} for path in options.passes]
    adjudicated = read_answers(options.adjudicated, len(rows)) if options.adjudicated else {}
    disputed = [item for item in range(1, len(rows) + 1) if len({answers.get(item) for answers in passes}) > 1]
    print(f"{len(rows) - len(disputed):,} of {len(rows):,} items agreed; disputed: {disputed or 'none'}")
    _write(options.labels, map(as_line, merge(rows, passes, adjudicated)))


def read_answers(path: Path, items: int) -> dict[int, tuple[str, str]]:
    """Item to label and reason.

    Raises:
        InputError: the file cannot be read, lacks a column, or has an item or label that is none, or one twice.
    """
    answers: dict[int, tuple[str, str]] = {}
    for place, row in table_rows(path, ("item", "label"), optional=("reason",)):
        item = int(row["item"]) if row["item"].isdecimal() and len(row["item"]) < 10 else 0
        if not 1 <= item <= items:
            refuse(place, f"item {row['item']!r}", f"items are 1 to {items}")
        if row["label"] not in set(Label):
            refuse(place, f"label {row['label']!r}", f"labels are {', '.join(Label)}")
        if item in answers:
            refuse(place, f"item {item} again", "leave one of them out")
        answers[item] = (row["label"], row["reason"])
    return answers


def _write(path: Path, lines: Iterable[str]) -> None:
    # A headline may hold a lone surrogate, which UTF-8 cannot encode.
    write_whole(path, "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))


def _to_read(item: int, drawn: Drawn) -> str:
    start, end = drawn.labels.quote
    headline = f"{drawn.headline[:start]}⟦{drawn.headline[start:end]}⟧{drawn.headline[end:]}"
    return f"=== item {item}\n{headline}\n\n{drawn.body.strip()}\n"
