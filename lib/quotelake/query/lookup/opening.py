"""Where has this been said before: the known quotes of a lake nearest to a text, group by group, with their uses.

A use is a quote of any kind in a headline, a body or a tweet, in reposts and inside other quotes too: whoever asks
where something was said before wants them all. (The view ``quote_uses`` has only those that count for topics.)
"""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from quotelake.embeddings import models
from quotelake.errors import InputError, VersionError
from quotelake.lake.place import is_local
from quotelake.query.ask import Ask, Engine, reader_of
from quotelake.query.lookup.meaning import Progress, Vectors, bring_up_to_date
from quotelake.query.lookup.wording import LEAST_WORDS, Near, Wordings, size_of
from quotelake.quotes.keys import canonical_text
from quotelake.text.words import count_words

#: Score from which a quote is found. Two texts of six words that differ in two of them have .67.
LEAST: Final = 0.6
#: Words of the longest text that is looked up: longer than any quote of news, and a page of text is a mistake.
MOST_WORDS: Final = 600
#: Quotes that are embedded before an answer, which takes some seconds; if more have no vector, none is.
AT_ONCE: Final = 1000
#: Where a lake keeps the vectors for looking up by meaning: a file per model.
FOLDER: Final = "_lookup"
#: Characters of a body shown before and after a use.
_AROUND: Final = 200
# Quotes that stand in headlines only have no group: they are groups of one.
TEXTS: Final = """
    SELECT n.variant_id, n.canonical_text, coalesce(g.group_id, n.variant_id) AS group_id
    FROM (
      SELECT DISTINCT q.variant_id FROM quotes q JOIN active_version a ON a.rule_version = q.rule_version
    ) AS u
    JOIN variants n ON n.variant_id = u.variant_id
    LEFT JOIN (
      SELECT v.variant_id, v.group_id FROM variant_groups v JOIN active_version a ON a.rule_version = v.rule_version
    ) AS g ON g.variant_id = n.variant_id
    ORDER BY n.variant_id
"""
_USED: Final = """
    SELECT
      coalesce(g.group_id, q.variant_id) AS group_id, q.text AS text_as_used, q.field, q.start, q.end,
      q.kind AS quote_kind, coalesce(q.speaker.name, q.speaker.head) AS speaker,
      d.published_at, d.kind, d.outlet, d.headline, d.url, d.wire_credit, d.is_repost, d.native_key, d.doc_id,
      CASE WHEN q.field = 'headline' THEN d.headline ELSE
        substring(d.body, greatest(q.start - {around}, 0) + 1, q.end - greatest(q.start - {around}, 0) + {around})
      END AS context
    FROM quotes q
    JOIN active_version a ON a.rule_version = q.rule_version
    LEFT JOIN variant_groups g ON g.variant_id = q.variant_id AND g.rule_version = q.rule_version
    JOIN documents d ON d.doc_id = q.doc_id
    WHERE coalesce(g.group_id, q.variant_id) IN ({groups})
"""
_COUNTS: Final = """
    SELECT group_id, count(*) AS uses, count(DISTINCT native_key) AS documents, count(DISTINCT outlet) AS outlets
    FROM ({used}) AS u GROUP BY group_id
"""
# Of a document, its first use stands for all: in its first version, in the body before the headline.
_FIRST: Final = """
    SELECT * FROM (
      SELECT f.*, row_number() OVER (PARTITION BY group_id ORDER BY published_at NULLS LAST, doc_id) AS position
      FROM (
        SELECT u.*, row_number() OVER (
          PARTITION BY group_id, native_key ORDER BY published_at NULLS LAST, doc_id, field, start) AS place
        FROM ({used}) AS u
      ) AS f WHERE place = 1
    ) AS o WHERE {limit} ORDER BY group_id, position
"""


#: Gives of a text its vector, or its cosine with each known text.
OfText = Callable[[str], Vectors]


class Known(NamedTuple):
    """Canonical texts of the quotes of a lake, by variant id; each list has one entry per text."""

    ids: list[str]
    texts: list[str]
    groups: list[str]


class Found(NamedTuple):
    """A group of known quotes that is near to the text."""

    group_id: str
    quote: str
    """Canonical text of the variant nearest to the text."""
    variant_id: str
    how: str
    """``same``: the same wording; ``longer``: the text is a part of the quote; ``shorter``: the quote is a part of the
    text; ``near``: some words differ; ``meaning``: other words with a similar meaning."""
    score: float
    """The greater of wording and meaning."""
    wording: float
    """0 to 1, see :mod:`quotelake.query.lookup.wording`."""
    meaning: float | None
    """Cosine of the vectors, -1 to 1; None where the quote has no vector."""
    variants: list[str]
    """Canonical texts of the group."""
    uses: int
    """Quotes of these texts in headlines, bodies and tweets."""
    documents: int
    """Articles and tweets with such a quote; the versions of one article count once."""
    outlets: int
    first: Mapping[str, Any]
    """The earliest use: of a document its first version, in the body before the headline."""
    listed: Sequence[Mapping[str, Any]]
    """Uses in the order of their dates, one per article or tweet, the first use among them."""


def open_lookup(
    root: str,
    *,
    by_meaning: bool = True,
    index: str | None = None,
    most: int | None = None,
    progress: Progress = lambda done, total, damaged: None,
    spark: Callable[[], Engine] | None = None,
) -> "Lookup":
    """Open a lake for looking texts up. The first time, all its quotes are embedded, later only new ones.

    Args:
        root: directory or address of the lake.
        by_meaning: look texts up by meaning too.
        index: folder of the vectors; None: in the lake.
        most: if more quotes than these have no vector, none is embedded, and they are found by wording alone;
            :attr:`Lookup.without_vector` counts them. None: all are embedded.
        progress: learns how the vectors are brought up to date.
        spark: starts Spark; called only where DuckDB cannot read the lake, as at an address.

    Raises:
        InputError: there is no lake with quotes, the vectors cannot be written, or the lake is an address and no
            ``index`` or no ``spark`` is given.
        SettingsError: the model of the lake cannot be loaded.
        VersionError: this machine has another model of that name.
    """
    ask = reader_of(root, spark or _no_spark)
    rows = ask(TEXTS)
    if not rows:
        raise InputError(f"{root}: the lake holds no quotes yet, so there is nothing to look up")
    known = Known(*([row[name] for row in rows] for name in ("variant_id", "canonical_text", "group_id")))
    if not by_meaning:
        return Lookup(ask, known)
    if index is None and not is_local(root):
        raise InputError(
            f"--lake {root} is an address: name a folder of this machine for the vectors with --index, or look up by "
            "wording alone with --no-meaning"
        )
    [used] = ask("SELECT model, dtype, fingerprint FROM active_version")  # a lake that has quotes has one
    name, fingerprint = used["model"], used["fingerprint"]
    here = models.find(name, used["dtype"]).fingerprint
    if here != fingerprint:
        raise VersionError(
            f"the embedding model {name!r} of this machine has the fingerprint {here}, the lake's {fingerprint}: "
            "install the model files that the lake was scored with, or look up by wording alone with --no-meaning"
        )
    path = Path(index if index is not None else Path(root) / FOLDER) / f"{fingerprint}.vectors"
    rows_of = [at for at, text in enumerate(known.texts) if count_words(text) >= LEAST_WORDS]
    if most is not None and len(rows_of) > most and not path.exists():
        return Lookup(ask, known, without_vector=len(rows_of))
    from quotelake.embeddings.encoder import Encoder  # only here: it brings torch, which takes seconds

    encoder = Encoder(name, used["dtype"], threads=1)  # more threads of one text wait for one another
    ids, texts = [known.ids[at] for at in rows_of], [known.texts[at] for at in rows_of]
    threads = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    vectors = bring_up_to_date(path, ids, texts, encoder, threads, progress, most)
    meaning = meaning_by(rows_of, vectors, len(known.ids), lambda text: encoder.encode([text])[0])
    return Lookup(ask, known, meaning, int(np.isnan(vectors[:, 0]).sum()))


def meaning_by(rows: Sequence[int], vectors: Vectors, number: int, embed: OfText) -> OfText:
    """A function of a text that gives its cosine with each of a number of known texts; NaN for those without a vector.

    ``rows`` has the place among the known texts of each of the ``vectors``, which are of unit length, or NaN. Exact:
    every vector is compared.
    """
    import faiss  # only here: it loads a library for numbers of its own, which most commands never use

    places = np.asarray(rows, dtype=np.int64)
    faiss.omp_set_num_threads(1)  # a busy machine makes threads wait for one another

    def cosines(text: str) -> Vectors:
        found = np.full(number, np.nan, dtype=np.float32)
        found[places] = faiss.pairwise_distances(embed(text)[None], vectors, metric=faiss.METRIC_INNER_PRODUCT)[0]
        return found

    return cosines


class Lookup:
    """Looks texts up in a lake, as the last complete run left it; without :func:`meaning_by`, by wording only.

    ``ask`` answers statements on the same lake. ``without_vector`` counts quotes that are found by wording alone, for
    want of a vector.
    """

    def __init__(self, ask: Ask, known: Known, meaning: OfText | None = None, without_vector: int = 0) -> None:
        self.ask, self._known, self._meaning, self.without_vector = ask, known, meaning, without_vector
        numbers = {group: number for number, group in enumerate(dict.fromkeys(known.groups))}
        self._groups = np.array([numbers[group] for group in known.groups], dtype=np.int64)
        self._wordings = Wordings(known.texts, self._groups)

    def find(self, text: str, top: int = 10, least: float = LEAST, uses: int | None = 3) -> list[Found]:
        """Find the groups of known quotes nearest to a text, the nearest first.

        Args:
            text: what is looked up, with or without quotation marks.
            top: groups found at most.
            least: least score of a group.
            uses: uses listed of each group; None: all.

        Raises:
            InputError: the text holds no word, or more than :data:`MOST_WORDS`.
        """
        # A lone surrogate, from input that is not UTF-8, has no place in a tokenizer.
        canonical = canonical_text(text.encode("utf-8", "replace").decode())
        if canonical is None:
            raise InputError("the text to look up holds no word")
        words = size_of(canonical)
        if words > MOST_WORDS:
            raise InputError(
                f"the text to look up has {words:,} words, at most {MOST_WORDS} are looked up: give one quote"
            )
        best, meanings = self._nearest(canonical, top, least)
        if not best:
            return []
        groups = [self._known.groups[near.position] for near in best]
        counts = {row["group_id"]: row for row in self.ask(counts_query(groups))}
        used: dict[str, list[dict[str, Any]]] = {group: [] for group in groups}
        for row in self.ask(uses_query(groups, None if uses is None else max(uses, 1))):  # the first is told anyway
            use = {name: row[name] for name in row if name not in ("group_id", "place", "position")}
            used[row["group_id"]].append(use)
        found = []
        for near, group in zip(best, groups, strict=True):
            quote, meaning = self._known.texts[near.position], meanings.get(near.position)
            members = np.flatnonzero(self._groups == self._groups[near.position])
            number = counts[group]
            found.append(Found(
                group, quote, self._known.ids[near.position], _how(canonical, quote, near, least),
                max(near.wording, meaning or 0.0), near.wording, meaning, [self._known.texts[at] for at in members],
                number["uses"], number["documents"], number["outlets"], used[group][0], used[group][:uses],
            ))  # fmt: skip
        return found

    def _nearest(self, canonical: str, top: int, least: float) -> tuple[list[Near], dict[int, float]]:
        """The nearest text of each of the ``top`` best groups by either measure; and cosines by position."""
        near, meanings = self._wordings.nearest(canonical, least, top), dict[int, float]()
        if self._meaning is not None:
            cosines = self._meaning(canonical)
            close = np.flatnonzero(cosines >= least)
            close = close[np.argsort(-cosines[close], kind="stable")]
            first = list(dict.fromkeys(self._groups[close].tolist()))[:top]
            others = {*close[np.isin(self._groups[close], first)].tolist()} - {each.position for each in near}
            near += self._wordings.measure(canonical, sorted(others))
            meanings = {at: float(cosines[at]) for each in near if not np.isnan(cosines[at := each.position])}
        near.sort(key=lambda each: (-max(each.wording, meanings.get(each.position, 0.0)), -each.wording, each.position))
        best: dict[int, Near] = {}
        for each in near:
            best.setdefault(self._groups[each.position], each)
        return list(best.values())[:top], meanings


def _how(canonical: str, quote: str, near: Near, least: float) -> str:
    if canonical == quote:
        return "same"
    if near.wording < least:
        return "meaning"
    if near.changes > 0:
        return "near"
    known, asked = size_of(quote), size_of(canonical)
    return "longer" if known > asked else "shorter" if known < asked else "near"


def counts_query(groups: Iterable[str]) -> str:
    """Statement for the uses, documents (versions of one once) and outlets of some groups, at least one."""
    return _COUNTS.format(used=_used(groups))


def uses_query(groups: Iterable[str], most: int | None) -> str:
    """Statement for the first ``most`` uses of each of some groups, or all, one of each article or tweet, by date."""
    return _FIRST.format(used=_used(groups), limit="true" if most is None else f"position <= {most}")


def _used(groups: Iterable[str]) -> str:
    # Ids are hexadecimal, so nothing needs to be escaped.
    return _USED.format(around=_AROUND, groups=", ".join(f"'{group}'" for group in groups))


def _no_spark() -> Engine:
    raise InputError("DuckDB cannot read this lake, and no function that starts Spark was given")
