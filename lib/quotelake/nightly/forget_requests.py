"""Pending requests to delete documents, of a user or of records of a source: a file of the lake until they are done."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from quotelake.lake.tables import Lake
from quotelake.settings import Settings
from quotelake.sources.keyed_hashes import author_key, hash_author, key_place
from quotelake.text.ids import content_id

#: The file.
PENDING: Final = "_forget.json"
#: A request: values by kind (:data:`quotelake.sources.keyed_hashes.KINDS`).
Entry = Mapping[str, Sequence[str]]


class ForgetRequest(NamedTuple):
    """What a user names to be deleted: a ``doc_id`` or native id, an address, or the handle of the author of tweets."""

    ids: Sequence[str] = ()
    urls: Sequence[str] = ()
    authors: Sequence[str] = ()


def entries_of(lake: Lake, settings: Settings, request: ForgetRequest) -> list[Entry]:
    """What a user names as the values that documents have. A native id or an address may be of any source."""
    sources = sorted({*settings.sources, *(row["source"] for row in lake.small_rows("files", ["source"]))})
    key = author_key(key_place(settings.ingest.author_key_file, lake.root))

    def articles(native: str) -> list[str]:
        return [content_id(source, native) for source in sources]

    return [
        *({"doc_id": [each], "native_key": articles(each)} for each in request.ids),
        *({"url": [each], "native_key": articles(each)} for each in request.urls),
        *({"author_key": [hash_author(each, key)]} for each in request.authors),
    ]


def has_requests(lake: Lake) -> bool:
    """Whether there is a request that was not carried out to its end."""
    return PENDING in lake.storage.names("")


def add_requests(lake: Lake, entries: Iterable[Entry]) -> None:
    """Add requests to those that are pending."""
    before = pending_request(lake)
    new = [entry for entry in entries if entry not in before["asked"]]
    if new:
        lake.storage.write(PENDING, json.dumps(before | {"asked": [*before["asked"], *new]}))


def pending_request(lake: Lake) -> dict[str, Any]:
    """The pending entries, ``asked``, and the ``plan`` of those that are being carried out."""
    found: dict[str, Any] = json.loads(lake.storage.read(PENDING) or '{"asked": [], "plan": null}')
    return found
