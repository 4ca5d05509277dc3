"""Print what to cite: versions, settings and counts of a lake, as a paragraph or in BibTeX with the papers."""

import re
from argparse import Namespace
from collections.abc import Callable
from datetime import datetime
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from quotelake import __version__
from quotelake.answers.statements import STATEMENTS
from quotelake.commands.lake_access import lake_engine
from quotelake.nightly.versions import DETECTOR, RULES
from quotelake.query.engines import RunSql
from quotelake.text.words import visible

#: Characters that TeX acts on. Braces are written by name: BibTeX counts them behind a backslash too.
_TEX: Final = str.maketrans(
    {each: f"\\{each}" for each in "$&#_%"}
    | {"\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)


def run(arguments: Namespace) -> None:
    """Print the citation of a lake, as its last complete run left it, or that of a past night."""
    text, bibtex = cite(lake_engine("cite", arguments.lake, arguments.as_of).sql)
    print(bibtex if arguments.format == "bibtex" else text)


def cite(run_sql: RunSql) -> tuple[str, str]:
    """Citation of the lake that ``run_sql`` reads: a paragraph on one line, and entries of BibTeX."""
    [found] = run_sql(STATEMENTS["cited_run"])
    # A lake does not keep which release computed it: this one is named where the numbers of its code are those of rows.
    ours = (found["rule_version"].partition("-")[0], found["outcomes"]) == (str(RULES.number), DETECTOR.number)
    release = f"Quotelake {__version__}" if ours else f"Quotelake (another release than {__version__})"
    sources = run_sql(STATEMENTS["cited_sources"])
    text = " ".join(_fill("cite.txt.j2", cell_text, **found, release=release, sources=sources).split())
    key = re.sub(r"[^\w-]", "", found["run_id"], flags=re.ASCII)
    return text, _fill("cite.bib.j2", as_tex, key=key, release=release, year=f"{found['started_at']:%Y}", text=text)


def _fill(template: str, finalize: Callable[[object], str], **values: object) -> str:
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, finalize=finalize, loader=PackageLoader("quotelake.commands"),
        variable_start_string="<<", variable_end_string=">>",  # BibTeX is full of braces
    )  # fmt: skip
    return environment.get_template(template).render(values)


def cell_text(value: object) -> str:
    r"""A value on one line: counts with separators, times as dates, nothing that a terminal would act on.

    >>> cell_text(1262), cell_text(datetime(2024, 6, 1, 5)), cell_text("a\n b\x1b[31m")
    ('1,262', '2024-06-01', 'a b[U+001B][31m')
    """
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d}"
    return f"{value:,}" if isinstance(value, int) else visible(" ".join(str(value).split()))


def as_tex(value: object) -> str:
    r"""The same as a part of a field of BibTeX: nothing ends the field, and TeX shows each character as it is.

    >>> as_tex("50 % of {us_news}")
    '50 \\% of \\textbraceleft{}us\\_news\\textbraceright{}'
    """
    return cell_text(value).translate(_TEX)
