"""Groups of texts in one process, as a run of the product gives them."""

from collections import defaultdict
from collections.abc import Sequence

from quotelake.quotes.keys import canonical_text
from quotelake.reuse.clusters import UseOf, decide, group_pairs
from quotelake.reuse.postings import postings_of
from quotelake.reuse.verify import EXCERPT_PAIR, pairs_within
from quotelake.reuse.words import tokenize
from quotelake.text.ids import content_id


def group_texts(texts: Sequence[str], uses: Sequence[UseOf] = ()) -> list[str | None]:
    """``group_id`` of each text as a run gives it, without Spark; None for a text without words.

    ``uses`` are the use of each text, or empty: then a short excerpt joins the only group whose texts contain it.

    >>> one, same, other = group_texts(["“We won!”", "we won", "We lost"])
    >>> one == same, one == other
    (True, False)
    """
    canonical = {text: canonical_text(text) for text in texts}
    ids = {folded: content_id(folded) for folded in canonical.values() if folded is not None}
    words = {variant: tokenize(folded) for folded, variant in ids.items()}
    pairs = list(pairs_within(postings_of(list(words), list(words.values())), words))
    places = group_pairs(pair for pair in pairs if pair.measure != EXCERPT_PAIR)
    groups = {variant: places[variant].group_id if variant in places else variant for variant in words}
    used: dict[str, set[UseOf]] = defaultdict(set)
    for text, use in zip(texts, uses, strict=bool(uses)):
        if folded := canonical[text]:
            used[ids[folded]].add(use)
    groups |= {excerpt: found.group_id for excerpt, found in decide(pairs, groups, used).items()}
    return [None if (folded := canonical[text]) is None else groups[ids[folded]] for text in texts]
