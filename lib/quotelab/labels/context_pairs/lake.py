"""Uses of reused quotes and of watched texts in a lake, as people are shown them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from quotelab.labels.phitag import Use
from quotelake.query.ask import Ask
from quotelake.text.ids import content_id

#: A handle in a tweet, and what stands for it.
_HANDLE: Final = re.compile(r"(?<![\w@])[@＠]\w{1,30}")
MASKED_HANDLE: Final = "@user"

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
    """A use, and where it comes from. Key: use.use_id.

    Attributes:
        use: as it is passed on.
        kind, source, native_id, doc_id: of the document.
        start, end: of the context in the body, in code points.
        first, last: start and end of the use in the body.
    """

    use: Use
    kind: str
    source: str
    native_id: str
    doc_id: str
    start: int
    end: int
    first: int
    last: int


def eligible(ask: Ask, fewest: int) -> dict[str, str]:
    """Quotes and watched texts with at least so many distinct contexts: id to kind, ``quote`` or ``watch``."""
    rows = ask(
        "SELECT group_id, kind FROM topic_variation_ranking "
        f"WHERE period = 'all' AND status <> 'watched' AND n_distinct_contexts >= {fewest}"
    )
    return {row["group_id"]: row["kind"] for row in rows}


def draw_targets(ids: Iterable[str], most: int, seed: int) -> list[str]:
    """At most so many of them, by hash."""
    return sorted(ids, key=lambda each: content_id("target", seed, each))[:most]


def find_uses(ask: Ask, targets: Mapping[str, str], tweets: Tweets) -> list[Found]:
    """Uses of quotes and watched texts: of each distinct context, article with its versions, and story only one.

    Copies of one text are related anyway, and nobody has to judge them. The use kept is the first by the hash of its
    context, so that it does not depend on the order of arrival.

    Args:
        ask: queries the lake.
        targets: id to kind, of :func:`eligible`.
        tweets: how tweets are passed on.
    """
    rows: list[dict[str, Any]] = []
    for kind, statement in (("quote", _QUOTES), ("watch", _WATCHED)):
        ids = ", ".join(f"'{each}'" for each in sorted(targets) if targets[each] == kind)
        rows += ask(statement.format(ids=ids)) if ids else []
    rows.sort(key=lambda row: (row["target_id"], row["masked_hash"], row["doc_id"], row["start"]))
    seen: set[tuple[str, ...]] = set()
    found: list[Found] = []
    for row in rows:
        target, document = row["target_id"], (row["source"], row["native_id"] or row["doc_id"])
        keys = {(target, "context", row["masked_hash"]), (target, *document), (target, "story", row["story"])}
        if not keys & seen:
            found.append(_found(row, tweets))
        seen |= keys
    return found


def with_texts(ask: Ask, uses: Sequence[Use], rows: Iterable[Mapping[str, str]]) -> list[Use]:
    """Put contexts from a lake into uses that were passed on as ids.

    Args:
        ask: queries the lake.
        uses: all uses of an export.
        rows: where each use comes from, as the export recorded it.

    Returns:
        The uses in their order; one whose document the lake no longer holds keeps its id for a text.
    """
    place = {row["dataID"]: row for row in rows}
    ids = ", ".join(f"'{each}'" for each in sorted({row["doc_id"] for row in place.values()}))
    bodies = {row["doc_id"]: row["body"] for row in ask(f"SELECT doc_id, body FROM documents WHERE doc_id IN ({ids})")}
    filled = []
    for use in uses:
        row = place.get(use.use_id)
        if row is None or row["doc_id"] not in bodies or row["passed_on"] != Tweets.IDS:
            filled.append(use)
            continue
        start, end, first, last = (int(row[name]) for name in ("context_start", "context_end", "start", "end"))
        filled.append(use._replace(context=bodies[row["doc_id"]][start:end], start=first - start, end=last - start))
    return filled


def mask_handles(text: str) -> str:
    """Replace the handles in a text.

    >>> mask_handles("RT @Someone: ask a@b.example, or @other_one")
    'RT @user: ask a@b.example, or @user'
    """
    return _HANDLE.sub(MASKED_HANDLE, text)


def _found(row: Mapping[str, Any], tweets: Tweets) -> Found:
    name = content_id(row["target_id"], row["doc_id"], row["start"])[:16]
    native = row["native_id"] or row["doc_id"]
    start, end = row["start"] - row["context_start"], row["end"] - row["context_start"]
    use = Use(name, row["context"], start, end, row["target"])
    if row["kind"] == "tweet":
        use = _passed_on(use, native, tweets)
    offsets = (row[name] for name in ("context_start", "context_end", "start", "end"))
    return Found(use, row["kind"], row["source"], native, row["doc_id"], *offsets)


def _passed_on(use: Use, native: str, tweets: Tweets) -> Use:
    if tweets is Tweets.IDS:
        text = f"[tweet {native}]"
        return use._replace(context=text, start=0, end=len(text))
    if tweets is Tweets.TEXTS:
        return use
    before, quote, after = (
        mask_handles(part)
        for part in (use.context[: use.start], use.context[use.start : use.end], use.context[use.end :])
    )
    return use._replace(context=before + quote + after, start=len(before), end=len(before) + len(quote))
