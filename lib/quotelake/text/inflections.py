"""A word without tense, number and British spelling: *took* and *takes*, *called* and *call*, *harbours* and *harbor*.

English, by endings and a table of irregular forms. It is rough: *speed* loses its end as *called* does, and *united*
and *units* are one. That does no harm where both texts are read alike and their other words are the same. [ours]
"""

import re
from functools import cache, lru_cache
from typing import Final

#: Irregular forms, by the word that they are forms of.
_FORMS: Final = {
    "bear": "bore borne", "become": "became", "begin": "began begun", "bend": "bent", "bind": "bound",
    "bite": "bit bitten", "bleed": "bled", "blow": "blew blown", "break": "broke broken", "bring": "brought",
    "build": "built", "burn": "burnt", "buy": "bought", "catch": "caught", "choose": "chose chosen", "cling": "clung",
    "come": "came", "creep": "crept", "deal": "dealt", "die": "died dying", "dig": "dug", "draw": "drew drawn",
    "dream": "dreamt", "drink": "drank drunk", "drive": "drove driven", "eat": "ate eaten", "fall": "fell fallen",
    "feed": "fed", "feel": "felt", "fight": "fought", "find": "found", "flee": "fled", "fly": "flew flown",
    "forbid": "forbade forbidden", "forget": "forgot forgotten", "forgive": "forgave forgiven", "free": "freed",
    "freeze": "froze frozen", "get": "got gotten", "give": "gave given", "go": "went gone goes going",
    "grow": "grew grown", "hang": "hung", "hear": "heard", "hide": "hid hidden", "hold": "held", "keep": "kept",
    "know": "knew known", "lay": "laid", "lead": "led", "lean": "leant", "learn": "learnt", "leave": "left",
    "lend": "lent", "lie": "lied lying", "light": "lit", "lose": "lost", "make": "made", "mean": "meant",
    "meet": "met", "owe": "owed owing", "pay": "paid", "ride": "rode ridden", "ring": "rang rung",
    "rise": "rose risen", "run": "ran", "say": "said", "see": "saw seen", "seek": "sought", "sell": "sold",
    "send": "sent", "shake": "shook shaken", "shoot": "shot", "show": "shown", "shrink": "shrank shrunk",
    "sing": "sang sung", "sink": "sank sunk", "sit": "sat", "sleep": "slept", "slide": "slid", "speak": "spoke spoken",
    "spell": "spelt", "spend": "spent", "stand": "stood", "steal": "stole stolen", "stick": "stuck",
    "strike": "struck", "sue": "sued suing", "swear": "swore sworn", "sweep": "swept", "swim": "swam swum",
    "swing": "swung", "take": "took taken", "teach": "taught", "tear": "tore torn", "tell": "told", "think": "thought",
    "throw": "threw thrown", "tie": "tied tying", "use": "used using", "wake": "woke woken", "wear": "wore worn",
    "weep": "wept", "win": "won", "write": "wrote written", "child": "children", "man": "men", "woman": "women",
}  # fmt: skip
#: With these before it, a form is one of the word with these before it: *misled*, *rebuilt*, *withdrawn*.
_PREFIXES: Final = ("", "mis", "out", "over", "re", "under", "with")
_BASES: Final = {
    prefix + form: prefix + base for prefix in _PREFIXES for base, forms in _FORMS.items() for form in forms.split()
}
#: British endings and the American ones.
_SPELLING: Final = (
    (re.compile(r"isation$"), "ization"),
    (re.compile(r"(?<=[a-z]{3})is(e|ed|ing)$"), r"iz\1"),
    (re.compile(r"ys(e|ed|ing)$"), r"yz\1"),
    (re.compile(r"(?<=[a-z]{2})our(ed|ing|ite|able)?$"), r"or\1"),
    (re.compile(r"(?<=[a-z][bt])re$"), "er"),
    (re.compile(r"(?<=[aeiou])ller$"), "ler"),
    (re.compile(r"(?<=[a-z]{3})ence$"), "ense"),
    (re.compile(r"ogue$"), "og"),
    (re.compile(r"(?<=c)ei(?=v)"), "ie"),  # a common misspelling
)
_ENDING: Final = re.compile(r"(?<=[a-z]{2})(?:ing|ed)$")
_VOWEL: Final = re.compile(r"[aeiouy]")
_DOUBLED: Final = re.compile(r"(?<=[a-z]{2})([b-df-hj-np-tv-z])\1$")


@lru_cache(maxsize=1 << 14)
def base_form(word: str) -> str:
    """The word that a folded word is a form of, cut to what all its forms share.

    >>> [base_form(word) for word in ("takes", "taking", "took", "travelled", "parties", "organised")]
    ['tak', 'tak', 'tak', 'travel', 'party', 'organiz']
    """
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    word = _BASES.get(word, word)
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui":
        word = word[:-1]
    for pattern, american in _SPELLING:
        word = pattern.sub(american, word)
    stem = _ENDING.sub("", word)
    if len(stem) > 2 and _VOWEL.search(stem):
        word = stem
    stem = word.rstrip("e")
    word = stem if len(stem) > 2 else word
    if word.endswith("i"):
        return word[:-1] + "y"
    return _DOUBLED.sub(r"\1", word)


def beginning(base: str) -> str:
    """Letters that all forms of a word begin with; none if it is irregular.

    >>> beginning(base_form("carried")), beginning(base_form("taken"))
    ('car', '')
    """
    return "" if base in _irregular() else base.rstrip("y")[:3]


@cache
def _irregular() -> frozenset[str]:
    return frozenset(map(base_form, _BASES.values()))
