"""A document → its text as stories know it: what copies of it share, and the sample by which near copies are found."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from quotelake.reuse.stories.sampling import at_level, folded_words, sample
from quotelake.text.ids import content_id

#: Words from which the text of an article is compared: a shorter one is often a notice for subscribers [ours].
MIN_WORDS: Final = 50
#: Words from which equal tweets are copies: several people may write a shorter one independently [ours].
MIN_TWEET_WORDS: Final = 12
#: Levels above that of a sample at which it is counted: texts further apart differ too much in length to be compared.
LEVELS: Final = 3


def text_of_document(document: Mapping[str, Any], rule_version: str) -> dict[str, Any]:
    """Fold and sample the body of a document.

    Equal texts have one ``text_id``, whatever their case, marks and spaces. A text that is too short to tell a copy
    from a coincidence has that of its article or tweet (``native_key``), and an empty sample; a tweet of enough words
    is compared as a whole alone, so its sample is empty too.

    Args:
        document: ``doc_id``, ``kind``, ``body``, ``native_key``.
        rule_version: version of the rules.

    Returns:
        The content columns of ``story_texts``.
    """
    kind = document["kind"]
    words = folded_words(document["body"])
    judged = len(words) >= (MIN_TWEET_WORDS if kind == "tweet" else MIN_WORDS)
    level, hashes = sample(words if judged and kind != "tweet" else [])
    return {
        "doc_id": document["doc_id"],
        "rule_version": rule_version,
        "text_id": content_id(kind, " ".join(words)) if judged else document["native_key"],
        "judged": judged,
        "words": len(words),
        "level": level,
        "sizes": [len(at_level(hashes, level + above)) for above in range(LEVELS + 1)],
        "sample": hashes.view(np.int64).tolist(),
    }
