"""English words by what they do in a sentence: small lists for rules without a parser. Data and two readings. Pure."""

import re
from typing import Final

from quotelake.quotes.lexicon import REPORTING_VERBS
from quotelake.text.fold import fold
from quotelake.text.lexicon import word_set
from quotelake.text.words import words

#: Words that are no content of a headline.
FUNCTION: Final = word_set(
    """a about after again against ahead all also am amid an and any are as at be because been before being between
    both but by can could did do does doing down during each even ever every few for from further get gets
    getting go goes going got had has have having he her here hers him his how i if in into is it its just like
    may me might more most must my no nor not now of off on once one only or other our out over own same says
    say said she should so some still such than that the their them then there these they this those through to
    too under until up upon us vs was way we were what when where which while who whom why will with without
    would yet you your"""
)
#: A finite verb by its form: auxiliaries, contractions, a subject pronoun before a word.
FINITE: Final = re.compile(
    r"(?<!\w)(?:am|is|are|was|were|has|have|had|do|does|did|will|would|can|could|shall|should|must|may|might|cannot|ain['’]t)"
    r"(?!\w)|n['’]t(?!\w)|(?<=\w)['’](?:re|ll|ve|m|d)(?!\w)|(?<!\w)(?:it|that|there|he|she|what|who|here)['’]s(?!\w)"
    r"|(?<!\w)(?:I|we|they|he|she|you|it|nobody|everybody|everyone|people)\s+(?:\w+ly\s+|never\s+|always\s+|all\s+)?[a-z]\w+"
    r"|(?<!\w)(?:let['’]?s|please)\s+\w",
    re.IGNORECASE,
)
#: A negation: with one in the headline, a lost negation is restored.
NEGATED: Final = re.compile(
    r"(?<!\w)(?:no|not|never|nor|none|nothing|nobody|neither|cannot|without|hardly|unable|impossible|myth|false|nicht|kein\w*|"
    r"nie|pas|ne|jamais|sans)(?!\w)|n['’]t(?!\w)",
    re.IGNORECASE,
)
#: A word that denies what follows at once: up to two words may stand between it and the quote, behind one that denies a
#: clause up to five.
DENIES: Final = re.compile(
    r"(?<!\w)(?:avoid\w*|avert\w*|den(?:y|ies|ied|ying)|refus\w+|reject\w*|rul(?:e|es|ed|ing)\s+out|oppos\w+|stop\w*|"
    r"prevent\w*|end(?:s|ed|ing)?|dismiss\w*|disput\w+|disagree\w*|block\w*|ban(?:s|ned)?|debunk\w*|wrong|fail\w*|lack\w*|"
    r"resist\w*|refut\w+|rebut\w*|doubt\w*|declin\w+|skeptic\w*|instead|less|anti|non|against)(?:\s++[\w’'-]++){0,2}\W{0,8}\Z"
    r"|(?<!\w)(?:den(?:y|ies|ied|ying)|disput\w+|doubt\w*|refut\w+|rebut\w*)(?:\s++[\w’'-]++){3,5}\W{0,8}\Z",
    re.IGNORECASE,
)
#: Letters by which two words count as forms of one.
_STEM: Final = 5


def stems(text: str) -> frozenset[str]:
    """First letters of each content word, so that *violates* and *violation* meet.

    >>> sorted(stems("if he fired Mr. Mueller"))
    ['fir', 'muell']
    """
    return frozenset(
        _stem(word) for word in fold(text).words if len(word) >= 4 and word not in FUNCTION and not word.isdigit()
    )


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word[:_STEM] if len(word) >= _STEM else word[:4]


#: Words that report in headlines, and in bodies hardly.
_ALLEGING: Final = word_set("alleges alleged according")
#: Words of saying of headlines, beside the reporting verbs of bodies.
_HEADLINE_SAYING: Final = word_set(
    """accuses accused attacks blames blasts decries denounces derides dismisses hails labels likens mocks praises
    rips slams tags tears touts promises demands threatens signals defends rejects sees fears hints speaks"""
)


def is_credited(around: str, *, plainly: bool = False) -> bool:
    """Whether the rest of a headline names a speaker before a colon, or has a word of saying.

    Args:
        around: the headline without its quote.
        plainly: only words that report, not those that judge or threaten too (*slams*, *touts*).
    """
    if re.search(r"^[^:]{2,60}:|–\s*[A-Z]|—\s*[A-Z]", around):
        return True
    own = words(around)
    if not (REPORTING_VERBS.isdisjoint(own) and _ALLEGING.isdisjoint(own)):
        return True
    return not (plainly or _HEADLINE_SAYING.isdisjoint(own))
