"""What a lake knows, read by SQL: the canonical texts of its quotes, and where quotes of some groups are used.

A use is a quote of any kind in a headline, a body or a tweet, in reposts and inside other quotes too: whoever asks
where something was said before wants them all. (The view ``quote_uses`` has only those that count for topics.)
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quotelake.errors import InputError
from quotelake.query.ask import Ask, Rows

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


class Known(NamedTuple):
    """Canonical texts of the quotes of a lake, by variant id; lists have one entry per text."""

    ids: list[str]
    texts: list[str]
    groups: list[str]
    group_numbers: npt.NDArray[np.int64]
    """The groups as numbers, from 0."""


class Model(NamedTuple):
    """Model of a lake, as its active version names it."""

    name: str
    dtype: str
    fingerprint: str


def read_known(ask: Ask, root: str) -> Known:
    """Read the canonical texts, as the last complete run left them.

    Raises:
        InputError: the lake has no quotes.
    """
    rows = ask(TEXTS)
    if not rows:
        raise InputError(f"{root}: the lake holds no quotes yet, so there is nothing to look up")
    groups = [row["group_id"] for row in rows]
    numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    ids, texts = [row["variant_id"] for row in rows], [row["canonical_text"] for row in rows]
    return Known(ids, texts, groups, np.array([numbers[group] for group in groups], dtype=np.int64))


def read_model(ask: Ask) -> Model:
    """Read which model the lake uses. A lake that has quotes has one."""
    [row] = ask("SELECT model, dtype, fingerprint FROM active_version")
    return Model(row["model"], row["dtype"], row["fingerprint"])


def read_counts(ask: Ask, groups: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Count uses, documents (versions of one once) and outlets of some groups, at least one."""
    return {row["group_id"]: row for row in ask(counts_query(groups))}


def read_uses(ask: Ask, groups: Sequence[str], most: int | None) -> dict[str, Rows]:
    """Read the uses of some groups, at least one, in the order of their dates: one of each article or tweet.

    Args:
        ask: queries the lake.
        groups: their ids.
        most: uses of each group; None: all.
    """
    found: dict[str, Rows] = {group: [] for group in groups}
    for row in ask(uses_query(groups, most)):
        found[row["group_id"]].append(
            {name: row[name] for name in row if name not in ("group_id", "place", "position")}
        )
    return found


def counts_query(groups: Sequence[str]) -> str:
    """Statement of :func:`read_counts`."""
    return _COUNTS.format(used=_used(groups))


def uses_query(groups: Sequence[str], most: int | None) -> str:
    """Statement of :func:`read_uses`."""
    return _FIRST.format(used=_used(groups), limit="true" if most is None else f"position <= {most}")


def _used(groups: Sequence[str]) -> str:
    # Ids are hexadecimal, so nothing needs to be escaped.
    return _USED.format(around=_AROUND, groups=", ".join(f"'{group}'" for group in groups))
