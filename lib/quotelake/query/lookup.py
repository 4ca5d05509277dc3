"""The known quotes of a lake nearest to a text, by wording and by meaning, group by group, with their uses.

A use is a quote of any kind in a headline, a body or a tweet, in reposts and inside other quotes too. (The view
``quote_uses`` has only those that count for topics.) No Spark on a local disk.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from quotelake.embeddings import models
from quotelake.errors import InputError, VersionError
from quotelake.lake.place import is_local
from quotelake.query.catalog import named_statements
from quotelake.query.engines import AutoEngine, Engine, Rows, RunSql, usable_cores
from quotelake.query.vectors import Progress, Vectors, vectors_of
from quotelake.query.wording import MIN_WORDS, WordingMatch, Wordings, count_canonical_words
from quotelake.quotes.keys import canonical_text
from quotelake.text.words import count_words

#: Score from which a quote is found. Two texts of six words that differ in two of them have .67.
MIN_SCORE: Final = 0.6
#: Words of the longest text that is looked up: longer than any quote of news, and a page of text is a mistake.
MAX_WORDS: Final = 600
#: Quotes that are embedded before an answer, which takes some seconds; if more have no vector, none is.
MAX_TEXTS: Final = 1000
#: Folder of a lake with the vectors for looking up by meaning, a file per model.
FOLDER: Final = "_lookup"
#: Statements for the known texts, and for uses of some groups.
TEXTS, _USES = named_statements("quotelake.query", "lookup.sql").values()
#: Gives the cosine of a text with each known one, NaN for one without vector.
Cosines = Callable[[str], Vectors]
#: Columns of a row that are no part of the use.
_NO_USE: Final = ("group_id", "place", "position", "uses", "documents", "outlets")


class Known(NamedTuple):
    """Canonical texts of the quotes of a lake, by variant id; each list has one entry per text."""

    ids: list[str]
    texts: list[str]
    groups: list[str]


class LookupResult(NamedTuple):
    """A group of known quotes that is near to the text."""

    group_id: str
    quote: str  #: canonical text of the variant nearest to the text
    variant_id: str
    #: ``same``: the same wording; ``longer``: the text is a part of the quote; ``shorter``: the quote is a part of the
    #: text; ``near``: some words differ; ``meaning``: other words with a similar meaning.
    how: str
    score: float  #: the greater of wording and meaning
    wording: float  #: 0 to 1, see :mod:`quotelake.query.wording`
    meaning: float | None  #: cosine of the vectors, -1 to 1; None where the quote has no vector
    variants: list[str]  #: canonical texts of the group
    uses: int  #: quotes of these texts in headlines, bodies and tweets
    documents: int  #: articles and tweets with such a quote; the versions of one article count once
    outlets: int
    first: Mapping[str, Any]  #: the earliest use: of a document its first version, in the body before the headline
    listed: Sequence[Mapping[str, Any]]  #: uses by date, one per article or tweet, the first use among them


def open_lookup(
    root: str,
    *,
    by_meaning: bool = True,
    index: str | None = None,
    max_texts: int | None = None,
    progress: Progress = lambda done, total, is_damaged: None,
    spark: Callable[[], Engine] | None = None,
) -> "Lookup":
    """Open a lake for looking texts up. The first time, all its quotes are embedded, later only new ones.

    ``index`` is the folder of their vectors, by default in the lake; ``max_texts`` and ``progress`` are as for
    :func:`~quotelake.query.vectors.vectors_of`. ``spark`` starts Spark where DuckDB cannot read the lake.

    Raises:
        InputError: there is no lake with quotes, the vectors cannot be written, or an address lacks index or spark.
        SettingsError: the model of the lake cannot be loaded.
        VersionError: this machine has another model of that name.
    """
    run_sql = AutoEngine(root, spark or _no_spark).sql
    quotes = run_sql(TEXTS)
    if not quotes:
        raise InputError(f"{root}: the lake holds no quotes yet, so there is nothing to look up")
    known = Known(*([row[name] for row in quotes] for name in ("variant_id", "canonical_text", "group_id")))
    if not by_meaning:
        return Lookup(run_sql, known)
    if index is None and not is_local(root):
        remedy = "name a folder of this machine for the vectors with --index, or look up by wording alone"
        raise InputError(f"--lake {root} is an address: {remedy} with --no-meaning")
    [used] = run_sql("SELECT model, dtype, fingerprint FROM active_version")  # a lake that has quotes has one
    name, fingerprint = used["model"], used["fingerprint"]
    here = models.find(name, used["dtype"]).fingerprint
    if here != fingerprint:
        raise VersionError(
            f"the embedding model {name!r} of this machine has the fingerprint {here}, the lake's {fingerprint}: "
            "install the model files that the lake was scored with, or look up by wording alone with --no-meaning"
        )
    path = Path(index if index is not None else Path(root) / FOLDER) / f"{fingerprint}.faiss"
    texts = [text if count_words(text) >= MIN_WORDS else None for text in known.texts]
    short = texts.count(None)
    if max_texts is not None and len(texts) - short > max_texts and not path.exists():
        return Lookup(run_sql, known, without_vector=len(texts) - short)
    from quotelake.embeddings.encoder import Encoder  # only here: it brings torch, which takes seconds

    encoder = Encoder(name, used["dtype"], threads=1)  # more threads of one text wait for one another
    vectors = vectors_of(path, known.ids, texts, encoder, usable_cores(), progress, max_texts)
    without_vector = int(np.isnan(vectors[:, 0]).sum()) - short
    return Lookup(run_sql, known, lambda text: vectors @ encoder.encode([text])[0], without_vector)


class Lookup:
    """Looks texts up in a lake, as the last complete run left it; without ``cosines``, by wording only.

    ``run_sql`` queries the same lake. ``without_vector`` counts quotes that are found by wording alone.
    """

    def __init__(self, run_sql: RunSql, known: Known, cosines: Cosines | None = None, without_vector: int = 0) -> None:
        self.run_sql, self._known, self._cosines, self.without_vector = run_sql, known, cosines, without_vector
        self._members: dict[str, list[int]] = {}
        for position, group in enumerate(known.groups):
            self._members.setdefault(group, []).append(position)
        self._wordings = Wordings(known.texts)

    def find(self, text: str, top: int = 10, least: float = MIN_SCORE, uses: int | None = 3) -> list[LookupResult]:
        """Find the ``top`` groups of known quotes nearest to a text, with a score of ``least`` or more, nearest first.

        The text is with or without quotation marks. Of each group ``uses`` uses are listed; None: all. An InputError:
        the text has no word, or more than :data:`MAX_WORDS`.
        """
        # A lone surrogate, from input that is not UTF-8, has no place in a tokenizer.
        canonical = canonical_text(text.encode("utf-8", "replace").decode())
        if canonical is None:
            raise InputError("the text to look up has no word")
        if (words := count_canonical_words(canonical)) > MAX_WORDS:
            fault = f"the text to look up has {words:,} words, at most {MAX_WORDS} are looked up"
            raise InputError(f"{fault}: give one quote")
        matches, meanings = self._nearest(canonical, top, least)
        rows: dict[str, Rows] = {self._known.groups[match.position]: [] for match in matches}
        for row in self.run_sql(uses_query(rows, uses)) if rows else ():
            rows[row["group_id"]].append(row)
        found = []
        for match, (group, of_group) in zip(matches, rows.items(), strict=True):
            quote, meaning, first = self._known.texts[match.position], meanings.get(match.position), of_group[0]
            its = [{name: row[name] for name in row if name not in _NO_USE} for row in of_group]
            found.append(LookupResult(
                group, quote, self._known.ids[match.position], _how(canonical, quote, match, least),
                max(match.wording, meaning or 0.0), match.wording, meaning,
                [self._known.texts[member] for member in self._members[group]],
                first["uses"], first["documents"], first["outlets"], its[0], its[:uses],
            ))  # fmt: skip
        return found

    def _nearest(self, canonical: str, top: int, least: float) -> tuple[list[WordingMatch], dict[int, float]]:
        """The nearest text of each of the ``top`` best groups by either measure; and cosines by position."""
        matches, meanings = self._wordings.near(canonical, least), dict[int, float]()
        if self._cosines is not None:
            cosines = self._cosines(canonical)
            others = {*np.flatnonzero(cosines >= least).tolist()} - {match.position for match in matches}
            matches += self._wordings.measure(canonical, sorted(others))
            positions = [match.position for match in matches]
            meanings = {position: float(cosines[position]) for position in positions if not np.isnan(cosines[position])}

        def order(match: WordingMatch) -> tuple[float, float, int]:
            return -max(match.wording, meanings.get(match.position, 0.0)), -match.wording, match.position

        best: dict[str, WordingMatch] = {}
        for match in sorted(matches, key=order):
            best.setdefault(self._known.groups[match.position], match)
        return list(best.values())[:top], meanings


def _how(canonical: str, quote: str, match: WordingMatch, least: float) -> str:
    if canonical == quote:
        return "same"
    if match.wording < least:
        return "meaning"
    known, given = count_canonical_words(quote), count_canonical_words(canonical)
    if match.changes > 0 or known == given:
        return "near"
    return "longer" if known > given else "shorter"


def uses_query(groups: Iterable[str], most: int | None) -> str:
    """Statement for uses of groups, one of each document, by date: all or ``most`` of each but one; with counts."""
    limit = "true" if most is None else f"position <= {max(most, 1)}"
    # Ids are hexadecimal, so nothing needs to be escaped.
    return _USES.format(groups=", ".join(f"'{group}'" for group in groups), limit=limit)


def _no_spark() -> Engine:
    raise InputError("DuckDB cannot read this lake, and no function that starts Spark was given")
