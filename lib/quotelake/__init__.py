"""Quotelake: who is quoted saying what, which headlines bend it, and how quotes travel from topic to topic.

A text at a time, in plain Python, without Spark. The quotes of a text, and who says each of them:

>>> import quotelake
>>> body = "“I doubt that we can win this year,” said Ana Bell. “The boys are tired.”"
>>> quotes = quotelake.find_quotes(body)
>>> [(quote.text, quote.start, quote.end) for quote in quotes]
[('I doubt that we can win this year,', 1, 35), ('The boys are tired.', 53, 72)]
>>> [speaker.text for speaker in quotelake.find_speakers(body, quotes)]
['Ana Bell', 'Ana Bell']

What a headline makes of them:

>>> [judgement] = quotelake.check_article("Bell: “We can win this year”", body)
>>> judgement.outcome.value, judgement.alert, judgement.best.by
('excerpt', 'negation', 'Ana Bell')
>>> judgement.differences[0].phrase
'a negation is lost (“doubt that we”)'

A lake that a run has made answers questions in SQL: ``quotelake.open("lake").sql("SELECT * FROM headline_alerts")``.

A corpus of any size goes through ``quotelake score``, which runs the same functions on Spark and keeps what they find
in tables; ``docs/CODEBOOK.md`` defines each outcome, and :class:`Encoder` turns texts into the vectors of both.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from quotelake.article import to_frame
    from quotelake.contextomy.judgement import Judgement
    from quotelake.drafts.check import Checked
    from quotelake.embeddings.encoder import Encoder
    from quotelake.query.engines import Choice, Engine
    from quotelake.quotes.spans import find_quotes
    from quotelake.quotes.speakers import find_speakers
    from quotelake.settings import Settings

__all__ = ["Encoder", "check_article", "check_text", "find_quotes", "find_speakers", "open", "to_frame"]
__version__ = "0.1.0"

#: Where a name is defined that is imported when it is first asked for: :class:`Encoder` brings torch, which takes
#: seconds, and workers of Spark import this package for a single module.
_DEFINED_IN = {
    "Encoder": "quotelake.embeddings.encoder",
    "find_quotes": "quotelake.quotes.spans",
    "find_speakers": "quotelake.quotes.speakers",
    "to_frame": "quotelake.article",
}


def check_article(
    headline: str,
    body: str,
    *,
    language: str | None = None,
    encode: "Callable[[Sequence[str]], npt.NDArray[np.float32]] | None" = None,
    settings: "Settings | None" = None,
) -> "list[Judgement]":
    """Judge every quote of a headline by the body of its article, as a run over a corpus would.

    Args:
        headline: title as it stands, its quotation marks included.
        body: text as it stands.
        language: ISO 639-1 code, such as ``en``; detected unless given.
        encode: ``Encoder().encode``, or that of another model the detector was made for. Without it a quote that no
            rule settles is scored by its words alone.
        settings: those of :func:`quotelake.settings.load_settings` unless given.

    Returns:
        A judgement per headline quote, in their order; none for a headline without quotes. ``as_dict()`` gives one as
        plain values, :func:`quotelake.article.to_frame` all as a frame.

    Raises:
        InputError: headline or body is missing, such as None or NaN, or is no text.

    >>> check_article("No quote here", "“Nobody said so,” said Ana Bell.")
    []
    """
    from quotelake.article import article_of, judge_article
    from quotelake.errors import given_text
    from quotelake.settings import load_settings

    settings = settings or load_settings()
    headline, body = given_text(headline, "headline"), given_text(body, "body")
    return judge_article(article_of(headline, body, language, settings.ingest), settings, encode)


def check_text(
    text: str,
    sources: Mapping[str, str] | Sequence[str] = (),
    *,
    lake: "str | Path | None" = None,
    reader: str | None = None,
    settings: "Settings | None" = None,
) -> "list[Checked]":
    r"""Check every quotation of a text, such as a draft or a summary, against its sources: transcripts, articles.

    Args:
        text: in plain text.
        sources: texts; or by name, whose suffix says the format: ``.md``, ``.html``, else plain text.
        lake: one of its articles may be the source too, found by the wording of the quotation.
        reader: address of a server whose language model, ``settings.reader.model``, reads each quotation with its
            source too; both are sent there.
        settings: those of :func:`quotelake.settings.load_settings` unless given.

    Returns:
        An entry per outermost quotation, in their order: see :class:`quotelake.drafts.check.Checked`.

    Raises:
        InputError: there is no lake with quotes at this place; or the text or a source is missing, or is no text.

    >>> talk = "RUIZ: If the council agrees, we will rebuild the pier.\nBELL: It is a disgrace."
    >>> for one in check_text("“We will rebuild the pier,” said Ruiz. “We have the money,” she added.", [talk]):
    ...     print(one.text, "|", one.outcome.value, one.kind, one.found and one.found.passage)
    We will rebuild the pier, | excerpt condition RUIZ: If the council agrees, we will rebuild the pier.
    We have the money, | absent absent None
    """
    from quotelake.drafts.archive import open_archive
    from quotelake.drafts.check import check
    from quotelake.drafts.formats import read_plain
    from quotelake.errors import InputError, given_text
    from quotelake.settings import load_settings

    if isinstance(sources, str) or not isinstance(sources, Iterable):
        raise InputError(f"sources: expected a list of texts, found {sources!r:.60}; give [text], or [] for none")
    given_text(text, "text")
    named = sources if isinstance(sources, Mapping) else {f"source {n}": each for n, each in enumerate(sources, 1)}
    plain = [read_plain(given_text(each, name), name) for name, each in named.items()]
    archive = None if lake is None else open_archive(str(lake))
    settings = settings or load_settings()
    asked = settings.reader.model_copy(update={"url": reader}) if reader else None
    return check(read_plain(text, ""), plain, settings, archive, asked)


def open(lake: "str | Path", engine: "Choice" = "auto", as_of: str | None = None) -> "Engine":
    """Open a lake for questions in SQL, as its last complete run left it, or that of a past night.

    Args:
        lake: its directory or address.
        engine: ``duckdb`` speaks DuckDB's SQL, ``spark`` Spark's; ``auto``: DuckDB on a local disk, else Spark.
        as_of: label of a night, or id of a run; None: the last.

    Returns:
        What answers: ``.sql(statement)`` gives a dict per row, with times in UTC; ``.view(name)`` and
        ``.arrow(statement)`` give Arrow tables, for pandas and Polars. ``.pages(statement)`` gives lists of rows, and
        ``.batches(statement)`` Arrow batches, of answers that are too large for memory.

    Raises:
        InputError: there is no lake at this place, no run on it was ever completed, none has this label or id, or what
            it left is gone.
    """
    from quotelake.query.engines import open_engine

    def start() -> "Engine":
        from quotelake.query.spark import start_engine

        return start_engine("open", str(lake), as_of=as_of)

    return open_engine(str(lake), start, engine, as_of)


if not TYPE_CHECKING:  # a checker of types knows the names above, and takes no other name for one of them

    def __getattr__(name: str) -> object:
        """Import a public name when it is first asked for."""
        if name not in _DEFINED_IN:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it offers {', '.join(__all__)}")
        value = globals()[name] = getattr(import_module(_DEFINED_IN[name]), name)
        return value

    def __dir__() -> list[str]:
        """List the public names too that were not asked for yet."""
        return sorted({*globals(), *__all__})


def _prefer_installed_pyspark() -> None:
    # Modules in the zip that spark-submit puts first are compiled anew at every start of a job and of a worker: half a
    # second each.
    unpacked = [path for path in sys.path if not path.endswith((".zip", ".jar"))]
    if "pyspark" not in sys.modules and any((Path(path) / "pyspark" / "version.py").is_file() for path in unpacked):
        sys.path[:] = [path for path in sys.path if not path.endswith(("/pyspark.zip", "-src.zip"))]


_prefer_installed_pyspark()
