"""Pending requests to delete documents, of a user or of records of a source: a file of the lake until they are done.

A user's also purge the history of the tables, at once; that of a source's is left to ``maintain``, by a second file.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from quotelake.settings import Settings
from quotelake.sources.keyed_hashes import author_key, forgotten_mark, hash_author, key_place
from quotelake.text.ids import content_id

if TYPE_CHECKING:  # ``forget`` refuses requests before it imports Spark
    from quotelake.lake.tables import Lake

#: The file.
PENDING: Final = "_forget.json"
#: File that says that the history of the tables is still to be purged.
HISTORY_DUE: Final = "_forget_history"
#: A request: values by kind (:data:`quotelake.sources.keyed_hashes.KINDS`).
Entry = Mapping[str, Sequence[str]]


class ForgetRequest(NamedTuple):
    """What a user names to be deleted: a ``doc_id`` or native id, an address, or the handle of the author of tweets."""

    ids: Sequence[str] = ()
    urls: Sequence[str] = ()
    authors: Sequence[str] = ()


def entries_of(request: ForgetRequest, sources: Iterable[str], key: bytes) -> list[Entry]:
    """What a user names as the values that documents have. A native id or an address may be of any source.

    ``key`` is the secret of the lake.
    """
    named = sorted(set(sources))
    natives = [(kind, each) for kind, given in (("doc_id", request.ids), ("url", request.urls)) for each in given]
    return [
        *({kind: [each], "native_key": [content_id(source, each) for source in named]} for kind, each in natives),
        *({"author_key": [hash_author(each, key)]} for each in request.authors),
    ]


def secret_of(root: str, settings: Settings) -> bytes:
    """The secret of a lake."""
    return author_key(key_place(settings.ingest.author_key_file, root))


def has_requests(lake: "Lake") -> bool:
    """Whether there is a request that was not carried out to its end."""
    return PENDING in lake.storage.names("")


def add_requests(lake: "Lake", entries: Iterable[Entry], *, purge: bool = True) -> None:
    """Add requests to those that are pending; ``purge``: the history of the tables goes with the documents."""
    before = pending_request(lake)
    new = [entry for entry in entries if entry not in before["asked"]]
    if new:
        asked = {"asked": [*before["asked"], *new], "purge": before["purge"] or purge}
        lake.storage.write(PENDING, json.dumps(before | asked))


def add_deletions(lake: "Lake", settings: Settings, native_keys: Collection[str]) -> int:
    """Request the deletion of articles and tweets that records name; return how many the lake never had.

    Of these a mark keeps them out, and no request is left.
    """
    if not native_keys:
        return 0
    stored = lake.rows_of("documents", lake.ids("native_key", native_keys), ["native_key"])
    there = {row["native_key"] for row in stored.select("native_key").distinct().collect()}
    unknown = sorted({*native_keys} - there)
    write_marks(lake, settings, {"native_key": unknown})
    add_requests(lake, [{"native_key": [each]} for each in sorted(there)], purge=False)
    return len(unknown)


def write_marks(lake: "Lake", settings: Settings, values: Mapping[str, Iterable[str]]) -> None:
    """Keep documents out by marks of their values, by kind; those that are marked already stay so."""
    key = secret_of(lake.root, settings)
    known = {row["mark"] for row in lake.small_rows("forgotten", ["mark"])}
    rows = [{"mark": forgotten_mark(kind, value, key), "kind": kind} for kind in values for value in values[kind]]
    if new := [row for row in rows if row["mark"] not in known]:
        lake.append_new(lake.frame(new, "forgotten"), "forgotten")


def pending_request(lake: "Lake") -> dict[str, Any]:
    """The pending entries, ``asked``, the ``plan`` of those that are being carried out, and whether to ``purge``."""
    written = lake.storage.read(PENDING)
    # Releases that did not note it purged always.
    found: dict[str, Any] = {"asked": [], "plan": None, "purge": written is not None} | json.loads(written or "{}")
    return found
