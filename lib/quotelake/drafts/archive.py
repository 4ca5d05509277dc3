"""The articles of a lake that may have a quotation, as sources. No Spark on a local disk."""

from typing import Final

from quotelake.drafts.check import Archive
from quotelake.drafts.formats import Plain, unformatted
from quotelake.errors import InputError
from quotelake.lake.place import is_local
from quotelake.query.lookup import MAX_WORDS, open_lookup

#: Groups of known quotes that are read for a quotation, and uses of each.
_GROUPS, _USES = 5, 3
_BODIES: Final = """
    SELECT body, concat_ws(', ', coalesce(outlet, 'unknown outlet'), strftime(published_at, '%Y-%m-%d'),
        coalesce(headline, url)) AS name
    FROM documents WHERE doc_id IN ({ids}) ORDER BY published_at NULLS LAST, doc_id
"""


def open_archive(lake: str) -> Archive:
    """Open a lake for quotations: of each the documents whose quotes are nearest by wording. An InputError: none."""
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
        return [unformatted(row["body"], row["name"]) for row in lookup.run_sql(_BODIES.format(ids=ids))]

    return find
