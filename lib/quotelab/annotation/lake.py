"""Uses of reused quotes and of watched texts in a lake, as people are shown them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from quotelab.labels.judged import Use
from quotelake.query.engines import RunSql
from quotelake.text.ids import content_id

_HANDLE: Final = re.compile(r"(?<![\w@])[@＠]\w{1,30}")
_QUOTES = """
SELECT u.group_id AS target_id, u.quote AS target, u.kind, u.source, u.native_id, u.doc_id, u.start, u.end,
  c.context_start, c.context_end, u.context, u.masked_hash, coalesce(u.story_id, u.doc_id) AS story
FROM quote_uses u
JOIN contexts c ON c.quote_id = u.quote_id AND c.rule_version = u.rule_version
WHERE u.status = 'ok' AND u.direct AND u.group_id IN ({ids})"""
_WATCHED = """
SELECT u.text_digest AS target_id, u.text AS target, u.kind, u.source, u.native_id, u.doc_id, u.start, u.end,
  h.context_start, h.context_end, u.context, u.masked_hash, u.doc_id AS story
FROM watch_uses u
JOIN watch_hits h ON h.text_digest = u.text_digest AND h.doc_id = u.doc_id AND h.field = u.field
  AND h.start = u.start AND h.rule_version = u.rule_version
WHERE u.status = 'ok' AND u.text_digest IN ({ids})"""


class Tweets(StrEnum):
    """How tweets are passed on."""

    IDS = "ids"  #: their ids only; whoever annotates looks them up
    HANDLES_MASKED = "masked"  #: their texts, with every handle replaced
    TEXTS = "texts"  #: their texts


@dataclass(frozen=True, slots=True)
class Found:
    """A use as it is passed on, and the row of the lake it comes from. Key: use.use_id."""

    use: Use
    row: Mapping[str, Any]

    def source_row(self, tweets: Tweets) -> dict[str, str]:
        """The row of ``sources.tsv``."""
        names = ("kind", "source", "native_id", "doc_id", "context_start", "context_end", "start", "end")
        passed_on = tweets if self.row["kind"] == "tweet" else Tweets.TEXTS
        return {"dataID": self.use.use_id, **{name: str(self.row[name]) for name in names}, "passed_on": str(passed_on)}


def eligible(run_sql: RunSql, fewest: int) -> dict[str, str]:
    """Quotes and watched texts with at least so many distinct contexts: id to kind, ``quote`` or ``watch``."""
    rows = run_sql(
        "SELECT group_id, kind FROM topic_variation_ranking "
        f"WHERE period = 'all' AND status <> 'watched' AND n_distinct_contexts >= {fewest}"
    )
    return {row["group_id"]: row["kind"] for row in rows}


def find_uses(run_sql: RunSql, targets: Mapping[str, str], tweets: Tweets) -> list[Found]:
    """Uses of quotes and watched texts: of each distinct context, article with its versions, and story only one.

    The use kept is the first by the hash of its context, so that it does not depend on the order of arrival.
    """
    rows: list[dict[str, Any]] = []
    for kind, statement in (("quote", _QUOTES), ("watch", _WATCHED)):
        ids = ", ".join(f"'{each}'" for each in sorted(targets) if targets[each] == kind)
        rows += run_sql(statement.format(ids=ids)) if ids else []
    rows.sort(key=lambda row: (row["target_id"], row["masked_hash"], row["doc_id"], row["start"]))
    seen: set[tuple[str, ...]] = set()
    found: list[Found] = []
    for row in rows:
        target, native = row["target_id"], row["native_id"] or row["doc_id"]
        once = (("context", row["masked_hash"]), (row["source"], native), ("story", row["story"]))
        keys = {(target, *each) for each in once}
        if not keys & seen:
            name = content_id(target, row["doc_id"], row["start"])[:16]
            start, end = row["start"] - row["context_start"], row["end"] - row["context_start"]
            use = Use(name, row["context"], start, end, row["target"])
            use = _passed_on(use, native, tweets) if row["kind"] == "tweet" else use
            found.append(Found(use, {**row, "native_id": native}))
        seen |= keys
    return found


def with_texts(run_sql: RunSql, uses: Sequence[Use], sources: Iterable[Mapping[str, str]]) -> list[Use]:
    """Put contexts from a lake into uses that ``sources`` says were passed on as ids, where it has their documents."""
    source = {row["dataID"]: row for row in sources if row["passed_on"] == Tweets.IDS}
    ids = ", ".join(f"'{each}'" for each in sorted({row["doc_id"] for row in source.values()})) or "''"
    rows = run_sql(f"SELECT doc_id, body FROM documents WHERE doc_id IN ({ids})")
    bodies = {row["doc_id"]: row["body"] for row in rows}
    filled = []
    for use in uses:
        row = source.get(use.use_id)
        if row is not None and row["doc_id"] in bodies:
            first, last, start, end = (int(row[name]) for name in ("context_start", "context_end", "start", "end"))
            context = bodies[row["doc_id"]][first:last]
            use = use._replace(context=context, start=start - first, end=end - first)
        filled.append(use)
    return filled


def mask_handles(text: str) -> str:
    """Replace the handles in a text.

    >>> mask_handles("RT @Someone: ask a@b.example, or @other_one")
    'RT @user: ask a@b.example, or @user'
    """
    return _HANDLE.sub("@user", text)


def _passed_on(use: Use, native: str, tweets: Tweets) -> Use:
    if tweets is Tweets.IDS:
        text = f"[tweet {native}]"
        return use._replace(context=text, start=0, end=len(text))
    if tweets is Tweets.TEXTS:
        return use
    parts = (use.context[: use.start], use.context[use.start : use.end], use.context[use.end :])
    before, quote, after = map(mask_handles, parts)
    return use._replace(context=before + quote + after, start=len(before), end=len(before) + len(quote))
