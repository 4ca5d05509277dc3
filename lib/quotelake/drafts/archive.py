"""The articles of a lake that may have a quotation, as sources. No Spark on a local disk."""

from collections.abc import Mapping
from typing import Any, Final

from quotelake.drafts.check import Archive
from quotelake.drafts.formats import Plain, unformatted
from quotelake.errors import InputError
from quotelake.lake.place import is_local
from quotelake.query.lookup import MAX_WORDS, open_lookup

#: Groups of known quotes that are read for a quotation, and uses of each.
_GROUPS, _USES = 5, 3
_BODIES: Final = """
    SELECT body, outlet, published_at, coalesce(headline, url) AS title FROM documents
    WHERE doc_id IN ({ids}) ORDER BY published_at NULLS LAST, doc_id
"""


def open_archive(lake: str) -> Archive:
    """Open a lake for quotations: of each the documents whose quotes are nearest by wording.

    Raises:
        InputError: there is no lake with quotes in this directory.
    """
    if not is_local(lake):
        raise InputError(f"--lake {lake} is an address; quotations are looked up in a lake on this machine")
    lookup = open_lookup(lake, by_meaning=False)

    def find(text: str) -> list[Plain]:
        query = " ".join(text.split()[: MAX_WORDS // 2])  # a part finds the whole; punctuation may split its words
        uses = [use for found in lookup.find(query, _GROUPS, uses=_USES) for use in found.listed]
        if not uses:
            return []
        # Ids are hexadecimal, so nothing needs to be escaped.
        ids = ", ".join(sorted({f"'{use['doc_id']}'" for use in uses}))
        return [unformatted(row["body"], _name(row)) for row in lookup.run_sql(_BODIES.format(ids=ids))]

    return find


def _name(row: Mapping[str, Any]) -> str:
    date = None if row["published_at"] is None else f"{row['published_at']:%Y-%m-%d}"
    return ", ".join(filter(None, (row["outlet"] or "unknown outlet", date, row["title"])))
