"""What a detector weighs: named features of a headline quote against its body quotes. Pure.

Two sets. ``transfer`` is few, says the same in any script, and every feature is *support*: another body quote, or more
text in one, never lowers it. ``rich`` is for Korean, where labels abound. The number of body quotes is a feature of
neither: in the file of Song et al. (2023) 81 % of the articles with one quote are positive and 31 % of those with five,
so a detector that sees it learns the sample. Sources: containment, Broder (1997); tiling,
:mod:`quotelake.contextomy.tiling`; which of them help, [measured] on that file.
"""

from collections.abc import Callable, Mapping, Sequence

from quotelake.contextomy.rich import RICH, rich_features
from quotelake.contextomy.spelling import Spelled, spell
from quotelake.contextomy.support import SUPPORT, support_features

#: Changes whenever a feature means something else, so that a detector is never fed what it was not trained on.
FEATURES_VERSION = "2"

Extractor = Callable[[Spelled, Sequence[Spelled]], dict[str, float]]
#: Sets by name: what each feature says, and the function that computes them.
FEATURE_SETS: Mapping[str, tuple[Mapping[str, str], Extractor]] = {
    "transfer": (SUPPORT, support_features),
    "rich": (RICH, rich_features),
}


def extract(feature_set: str, headline_quote: str, body_quotes: Sequence[str]) -> dict[str, float]:
    """Compute the features of a headline quote; all are finite, whatever the texts are.

    Args:
        feature_set: one of :data:`FEATURE_SETS`.
        headline_quote: its text without marks.
        body_quotes: texts of the body's quotes without marks; may be empty.

    Raises:
        KeyError: there is no such set.

    >>> extract("transfer", "We will fix it", ["He asked.", "We will fix it by May"])["coverage"]
    1.0
    """
    _, extractor = FEATURE_SETS[feature_set]
    headline, quotes = spell(headline_quote, body_quotes)
    return extractor(headline, quotes)
