"""What ``check --text`` does: prints each quotation of a text beside its source, as text, JSON and a page. No Spark."""

import glob
import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from quotelake.answers.marking import Piece, mark_body_quote, mark_headline_quote
from quotelake.answers.words import ENGLISH
from quotelake.commands.console import Row, make_console, print_judgement, print_line
from quotelake.commands.options import TO_LOOK_AT, read_text
from quotelake.contextomy.judgement import Outcome, RankedDifference
from quotelake.drafts.archive import open_archive
from quotelake.drafts.captions import SUFFIXES as CAPTIONS
from quotelake.drafts.check import Checked, check
from quotelake.drafts.formats import HTML, MARKDOWN, Plain, read_plain
from quotelake.drafts.office import READERS
from quotelake.errors import InputError
from quotelake.files.outputs import write_atomically
from quotelake.pages.page import fill
from quotelake.settings import load_settings

#: An outcome in words, of a quotation that its source may have.
OUTCOMES: Final = {
    Outcome.IDENTICAL: "verbatim", Outcome.EXCERPT: "excerpt", Outcome.MODIFIED: "nearly the same words",
    Outcome.JOINED: "joined from two places", Outcome.CONTEXTOMIZED: "the source says something else",
    Outcome.IN_BODY_UNQUOTED: "outside quotation marks", Outcome.ABSENT: "in no source",
    Outcome.NOT_A_QUOTATION: "left alone", Outcome.NOT_COMPARABLE: "not checked",
}  # fmt: skip
#: Endings of the texts that are read of a folder.
SUFFIXES: Final = (".txt", *MARKDOWN, *HTML, *CAPTIONS, *READERS)
#: What a mark means, as :data:`quotelake.answers.marking.MARKS`.
MEANINGS: Final = {
    "found": "in both", "missing": "not in that passage", "omitted": "left out", "risky": "where the two differ",
}  # fmt: skip


def run(arguments: Namespace) -> int:
    """Read, check, print, write the page."""
    if arguments.headline is not None or arguments.body is not None:
        raise InputError("--text is checked against --sources; leave --headline and --body out")
    if not arguments.sources and arguments.lake is None:
        raise InputError("nothing to hold the text against; give --sources FILE, --lake DIR or both")
    settings = load_settings(arguments.config, [*arguments.set, *arguments.reader])
    draft = _read("--text", arguments.text)
    sources = [_read("--sources", name) for given in arguments.sources for name in files_of(given)]
    archive = None if arguments.lake is None else open_archive(arguments.lake)
    checked = check(draft, sources, settings, archive, settings.reader if arguments.reader else None)
    names = [*(source.name for source in sources), *([f"lake {arguments.lake}"] if arguments.lake else [])]
    if arguments.html is not None:
        write_atomically(arguments.html, render(checked, draft.name, names))
    if arguments.json:
        quotes = list(map(as_dict, checked))
        print(json.dumps({"text": draft.name, "sources": names, "quotes": quotes}, ensure_ascii=False, indent=2))
    else:
        print_checked(checked, make_console())
    return TO_LOOK_AT if any(one.is_flagged for one in checked) else 0


def files_of(name: str) -> list[str]:
    """The files that ``--sources`` means: of a folder all texts, of a pattern those it matches. An InputError: none."""
    if Path(name).is_dir():
        found = sorted(str(each) for each in Path(name).rglob("*") if each.suffix.lower() in SUFFIXES)
    elif glob.has_magic(name) and not Path(name).exists():
        found = sorted(each for each in glob.glob(name, recursive=True) if Path(each).is_file())
    else:
        return [name]
    if not found:
        raise InputError(f"--sources {name}: no file of a text in it; texts end in {', '.join(SUFFIXES)}")
    return found


def _read(option: str, name: str) -> Plain:
    read = read_plain(read_text(name, f"{option} {name}", "a file with the text"), name)
    if not read.text.strip():
        raise InputError(f"{option} {name}: holds no text between its markup")
    return read


def summary(checked: Sequence[Checked]) -> str:
    """How many quotations there are, and how many to look at."""
    flagged = sum(one.is_flagged for one in checked)
    left = sum(one.outcome is Outcome.NOT_A_QUOTATION for one in checked)
    others = "the others stand in a source as written"
    return f"{len(checked):,} quotations: {flagged:,} to look at, {left:,} left alone, {others}"


def phrase_of(difference: RankedDifference) -> str:
    """A difference with the words of both sides.

    >>> phrase_of(RankedDifference("number", "alert", 0.8, "12", "14", ""))
    'another number: “12” in the source, “14” in the text'
    """
    both = ((difference.said, "source"), (difference.own, "text"))
    sides = ", ".join(f"“{words}” in the {side}" for words, side in both if words)
    kind = "in no source" if difference.kind == Outcome.ABSENT else ENGLISH.named("kinds", difference.kind)
    return f"{'note: ' if difference.tier == 'note' else ''}{kind}{': ' if sides else ''}{sides}"


def marked_texts(one: Checked) -> tuple[list[Piece], list[Piece]]:
    """The quotation and the passage of its source with their marks; the passage is empty where there is none."""
    if one.found is None:
        return [(one.text, "")], []
    passage = one.found.passage
    words = mark_body_quote(passage, one.text, one.found.omitted, [each.said for each in one.differences])
    return mark_headline_quote(one.text, (), passage, None), words


def print_checked(checked: Sequence[Checked], console: Console) -> None:
    """Print each quotation with its line, its outcome and its differences from the source; then the numbers."""
    for one in checked:
        title = Text(f"line {one.line:,}: ").append(OUTCOMES[one.outcome], style="bold")
        kind = "" if one.kind in (None, one.outcome) else f": {ENGLISH.named('kinds', one.kind or '')}"
        title.append(f"  TO LOOK AT{kind}" if one.is_flagged else "", style="bold red")
        quotation, passage = marked_texts(one)
        rows: list[Row] = [("text", quotation, one.quote), *([("source", passage, None)] if passage else [])]
        print_judgement(console, title, _lines(one), rows, MEANINGS)
    print_line(console, f"\n{summary(checked)}")


def _lines(one: Checked) -> Iterator[str]:
    if one.reason:
        yield one.reason
    yield from (phrase_of(each) for each in one.differences if each.kind != Outcome.ABSENT)
    if one.found is not None:
        by = f", {one.found.speaker}" if one.found.speaker else ""
        yield f"{one.found.source}, line {one.found.line:,}{by}"
    if one.reading is not None:
        yield one.reading.described("the reader")


def as_dict(one: Checked) -> dict[str, Any]:
    """Plain values; offsets are code points, of files with markup in their plain text."""
    quote, found = one.quote, one.found
    return {
        **{key: getattr(quote, key) for key in ("text", "start", "end", "kind")},
        "line": one.line,
        "speaker": quote.by,
        **{key: getattr(one, key) for key in ("outcome", "alert", "check", "severity", "is_flagged")},
        "reason": one.reason or None,
        "differences": [{key: getattr(each, key) for key in ("kind", "tier", "severity", "said", "own")}
                        for each in one.differences],
        "reading": one.reading and asdict(one.reading),
        "source": None if found is None else {key: getattr(found, key) for key in found.__dataclass_fields__},
    }  # fmt: skip


def render(checked: Sequence[Checked], name: str, sources: Sequence[str]) -> str:
    """One self-contained page: what to look at, the gravest first, then the rest in the order of the text."""
    flagged = sorted((one for one in checked if one.is_flagged), key=lambda one: -(one.severity or 0.0))
    others = [one for one in checked if not one.is_flagged]
    parts = [[(one, *marked_texts(one)) for one in part] for part in (flagged, others)]
    return fill(
        "drafts.html.j2", name=Path(name).name, sources=sources, parts=parts, summary=summary(checked),
        outcomes=OUTCOMES, meanings=MEANINGS, phrase_of=phrase_of,
    )  # fmt: skip
