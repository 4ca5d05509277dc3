"""Texts → reuse groups without Spark: the groups that :mod:`quotelake.reuse.groups` gives the variants of these texts.

A change of the grouping changes both; a test compares them on the sample lake.
"""

from collections.abc import Sequence

from quotelake.quotes.keys import variant_id


def group_texts(texts: Sequence[str]) -> list[str | None]:
    """Return the ``group_id`` of each text, in order; None for a text without words, which shares no group.

    >>> one, same, other = group_texts(["“We won!”", "we won", "We lost"])
    >>> one == same, one == other
    (True, False)
    """
    ids = {text: variant_id(text) for text in dict.fromkeys(texts)}
    return [ids[text] for text in texts]
