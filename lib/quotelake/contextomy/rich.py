"""The rich set of features, for Korean: each kind of feature over syllables and over jamo, and word by word."""

from collections.abc import Sequence
from itertools import combinations_with_replacement

from quotelake.contextomy.rich_letters import VIEW, view_features
from quotelake.contextomy.rich_words import WORDING, wording_features
from quotelake.contextomy.spelling import Spelled

#: Features whose products a linear detector is given too, and about their mean, from which they are taken: how much
#: one says depends on another, such as the length [measured: AUC +.001, Brier -.001].
CENTRES = {
    "jamo_tiled_4_pair": 0.5,
    "letters_containment_1_pair": 0.7,
    "letters_tiled_2_pair": 0.6,
    "words_pair": 0.6,
    "letters_length_log": 2.8,
}
_PAIRS = tuple(combinations_with_replacement(CENTRES, 2))

#: What each feature says.
RICH = {
    **{f"letters_{name}": f"{meaning}; a syllable is a letter" for name, meaning in VIEW.items()},
    **{f"jamo_{name}": f"{meaning}; a jamo is a letter" for name, meaning in VIEW.items()},
    **WORDING,
    **{f"{one}*{other}": "product of the two, each less its centre" for one, other in _PAIRS},
}


def rich_features(headline: Spelled, quotes: Sequence[Spelled]) -> dict[str, float]:
    """Compute the features of :data:`RICH`; all are 0 where there is nothing to compare."""
    if not headline.letters or not any(quote.letters for quote in quotes):
        return dict.fromkeys(RICH, 0.0)
    best, letters = view_features(headline.letters, [quote.letters for quote in quotes])
    _, jamo = view_features(headline.fine, [quote.fine for quote in quotes])
    found = {
        **{f"letters_{name}": value for name, value in letters.items()},
        **{f"jamo_{name}": value for name, value in jamo.items()},
        **wording_features(headline, quotes, best),
    }
    centred = {name: found[name] - centre for name, centre in CENTRES.items()}
    return found | {f"{one}*{other}": centred[one] * centred[other] for one, other in _PAIRS}
