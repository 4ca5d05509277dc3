"""Label headline quotes of a corpus: draw a sample to be read, and take the labels of two or more people back.

    quotelab label draw  --texts CORPUS.jsonl.gz … --labels FILE.jsonl --reading FILE.txt [--per-stratum 50]
    quotelab label merge --labels FILE.jsonl --pass ANNA.csv --pass BEN.csv [--adjudicated FINAL.csv]

draw writes a label file without any text, and a file to read, which shows neither outcome nor score. A pass is a CSV
with the columns item and label, and may have reason; the adjudicated one needs only the items people disagree on, which
merge names. docs/LAB.md says what the labels mean, `quotelab evaluate headlines` gives the figures.

All quotes that the detector decides are taken, of those that strings settle a sample by strata, each row with its
probability. Half is for development (part ``dev``), half for figures (``test``). The same corpora give the same sample.
"""

import json
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from quotelab.labels.headlines import HeadlineLabels, Label
from quotelab.labels.tables import table_rows
from quotelab.labels.texts import read_articles, read_rows, text_hash
from quotelab.report import positive
from quotelake import check_article
from quotelake.contextomy.judgement import Outcome
from quotelake.errors import InputError
from quotelake.files.jsonl import refuse
from quotelake.files.outputs import write_atomically
from quotelake.settings import load_settings
from quotelake.text.ids import content_id

#: Strata of which a sample is drawn; quotes of all others are taken. ``risky_excerpt``: an excerpt with an alert.
SAMPLED = frozenset({Outcome.IDENTICAL, Outcome.EXCERPT, "risky_excerpt"})


class Drawn(NamedTuple):
    """A headline quote of the sample, and the article to read."""

    labels: HeadlineLabels
    headline: str
    body: str


def draw(patterns: Sequence[str], per_stratum: int) -> list[Drawn]:
    """Draw from corpora, paths or globs; the order of the sample, by hash, tells nothing of the strata."""
    strata: dict[str, dict[str, Drawn]] = defaultdict(dict)
    settings = load_settings()
    for path, identifier, record in read_articles(patterns):
        title, body, source = record["title"], record["text"], path.name.partition(".")[0]
        for judgement in check_article(title, body, language=record.get("language"), settings=settings):
            stratum = "detector" if judgement.score is not None else str(judgement.outcome)
            stratum = "risky_excerpt" if judgement.alert and judgement.outcome is Outcome.EXCERPT else stratum
            span = (judgement.headline.start, judgement.headline.end)
            is_dev = int(content_id("part", identifier, str(list(span))), 16) % 2 == 1
            labels = HeadlineLabels(
                id=identifier, source=source, part="dev" if is_dev else "test", text_sha256=text_hash(title),
                body_sha256=text_hash(body), quote=span, stratum=stratum,
            )  # fmt: skip
            strata[stratum][content_id(source, identifier, str(span))] = Drawn(labels, title, body)
    if not strata:
        refuse(" ".join(patterns), "no headline with a quote", "name corpora whose records have title and text")
    sample: dict[str, Drawn] = {}
    for stratum, drawn in strata.items():
        chosen = sorted(drawn)[:per_stratum] if stratum in SAMPLED else list(drawn)
        for key in chosen:
            labels = drawn[key].labels.model_copy(update={"inclusion": len(chosen) / len(drawn)})
            sample[content_id("order", key)] = drawn[key]._replace(labels=labels)
    return [sample[key] for key in sorted(sample)]


def merge(
    rows: Sequence[HeadlineLabels], passes: Sequence[Mapping[int, str]], adjudicated: Mapping[int, tuple[str, str]]
) -> list[HeadlineLabels]:
    """Put labels into the rows they are of; item n is row n, from 1.

    Each pass has the labels of one person. The adjudicated label is final, else the one that all gave.
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


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    actions = parser.add_subparsers(dest="action", required=True)
    drawing = actions.add_parser("draw", help="draw a sample to be labelled")
    drawing.add_argument("--texts", nargs="+", required=True, metavar="CORPUS", help="JSONL with id, title and text")
    drawing.add_argument("--per-stratum", type=positive, default=50, metavar="N", help="of what strings settle (50)")
    drawing.add_argument("--reading", type=Path, required=True, metavar="FILE.txt", help="articles to read")
    merging = actions.add_parser("merge", help="take labels back")
    merging.add_argument("--pass", dest="passes", action="append", type=Path, required=True, metavar="FILE.csv")
    merging.add_argument("--adjudicated", type=Path, metavar="FILE.csv", help="final labels of disputed items")
    for action in (drawing, merging):
        action.add_argument("--labels", type=Path, required=True, metavar="FILE.jsonl", help="the label file")


def run(options: Namespace) -> None:
    """Draw or merge."""
    if options.action == "draw":
        if options.labels.exists():
            raise InputError(f"--labels {options.labels}: exists, and may hold labels; move it, or name another file")
        sample = draw(options.texts, options.per_stratum)
        _write(options.labels, (as_line(drawn.labels) for drawn in sample))
        reading = []
        for item, (labels, text, body) in enumerate(sample, 1):
            start, end = labels.quote
            headline = f"{text[:start]}⟦{text[start:end]}⟧{text[end:]}"
            reading.append(f"=== item {item}\n{headline}\n\n{body.strip()}\n")
        _write(options.reading, reading)
        strata = Counter((drawn.labels.stratum, drawn.labels.inclusion) for drawn in sample)
        for (stratum, inclusion), number in sorted(strata.items()):
            print(f"{stratum:<20} {number:>6,} drawn with probability {inclusion:.4g}")
        print(f"{len(sample):,} quotes to label in {options.reading}; their rows are in {options.labels}")
        return
    rows = [row for _, row in read_rows(HeadlineLabels, options.labels)]
    passes = [{item: label for item, (label, _) in read_answers(path, len(rows)).items()} for path in options.passes]
    adjudicated = read_answers(options.adjudicated, len(rows)) if options.adjudicated else {}
    disputed = [item for item in range(1, len(rows) + 1) if len({answers.get(item) for answers in passes}) > 1]
    print(f"{len(rows) - len(disputed):,} of {len(rows):,} items agreed; disputed: {disputed or 'none'}")
    _write(options.labels, map(as_line, merge(rows, passes, adjudicated)))


def read_answers(path: Path, items: int) -> dict[int, tuple[str, str]]:
    """Item to label and reason."""
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
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))
