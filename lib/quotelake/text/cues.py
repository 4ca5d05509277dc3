"""Words that negate, limit or weaken a statement; an excerpt must not omit them silently. Data, by class and language.

``*`` means any letters, so ``kein*`` begins a word and ``*n't`` ends one; everything else is a whole word or phrase.
The lists are short on purpose: each word nearly always has the meaning of its class.

Sources. English negation: absolute and approximate negators of Huddleston and Pullum, *The Cambridge Grammar of the
English Language* (2002), ch. 9, without ``few`` and ``little``. English conditions: the conditional subordinators of
Quirk et al., *A Comprehensive Grammar of the English Language* (1985), §15.33-35, and ``when``, ``until``. English
hedges: the part of Hyland, *Metadiscourse* (2005), that weakens the speaker's commitment [ours]. German, French and
Korean: [ours], the counterparts of these.
"""

import re
from collections.abc import Mapping
from functools import cache

#: Stands for any negation; a letter, so that folding keeps it as a word.
NOT = "ʔ"
#: Script → languages whose cues are searched for in its texts. They are searched for together: hardly a cue of one
#: language means something else in another.
LANGUAGES: Mapping[str, tuple[str, ...]] = {"latin": ("en", "de", "fr"), "hangul": ("ko",)}

NEGATION: Mapping[str, tuple[str, ...]] = {
    "en": (
        "not", "*n't", "*n’t", "cannot", "no", "never", "none", "no one", "nobody", "nothing", "nowhere", "neither",
        "nor", "without", "hardly", "scarcely", "barely", "rarely", "seldom",
    ),
    "de": ("nicht", "nichts", "nie", "niemals", "niemand*", "kein*", "nirgend*", "weder", "ohne", "kaum"),
    "fr": (
        "ne", "n'*", "n’*", "pas", "non", "jamais", "aucun*", "rien", "personne ne", "ni", "sans", "nulle part",
        "guère",
    ),
    "ko": ("안", "못*", "*않*", "*없*", "*아니*", "*아닌*", "*아닙*", "*지 마*", "*지 말*", "*불가능*", "결코"),
}  # fmt: skip
CONDITION: Mapping[str, tuple[str, ...]] = {
    "en": (
        "if", "unless", "when", "until", "provided", "provided that", "providing that", "as long as", "so long as",
        "in case", "on condition", "on the condition", "in the event", "assuming", "supposing", "given that", "except",
    ),
    "de": ("wenn", "falls", "sofern", "solange", "sobald", "vorausgesetzt", "es sei denn", "außer"),
    "fr": (
        "si", "s'il", "s’il", "s'ils", "s’ils", "sauf", "à moins", "à condition", "pourvu", "tant que", "quand",
        "lorsque", "lorsqu*", "au cas où",
    ),
    "ko": ("*다면", "*라면", "*으면", "*하면", "*되면", "만약*", "만일*", "*경우*", "*전제로", "*조건으로"),
}  # fmt: skip
HEDGE: Mapping[str, tuple[str, ...]] = {
    "en": (
        "may", "might", "could", "perhaps", "maybe", "possibly", "probably", "presumably", "apparently", "seemingly",
        "seem", "seems", "seemed", "appears to", "appear to", "appeared to", "likely", "unlikely", "i think",
        "i believe", "i guess", "i suppose", "i suspect", "i hope", "i feel", "i would say", "we think", "we believe",
        "we hope", "in my opinion", "in my view", "as far as i", "i 'm not sure", "i'm not sure", "not certain",
        "sort of", "kind of",
    ),
    "de": (
        "vielleicht", "möglicherweise", "wahrscheinlich", "womöglich", "vermutlich", "eventuell", "wohl", "könnte*",
        "dürfte*", "anscheinend", "scheinbar", "ich glaube", "ich denke", "ich hoffe", "meiner meinung", "es scheint",
    ),
    "fr": (
        "peut-être", "probablement", "sans doute", "éventuellement", "pourrait", "pourraient", "pourrais", "semble",
        "semblent", "il se peut", "je crois", "je pense", "j'espère", "j’espère", "à mon avis", "selon moi",
    ),
    "ko": (
        "아마*", "어쩌면", "*수도 있*", "*것 같*", "*듯하*", "*듯 하*", "*로 보인*", "*으로 보이*", "*지도 모*",
        "*생각한다", "*생각합니다", "*가능성*",
    ),
}  # fmt: skip
#: What is set against the words before it.
CONTRAST: Mapping[str, tuple[str, ...]] = {
    "en": ("but", "however", "nevertheless", "nonetheless", "on the other hand", "at the same time", "then again"),
    "de": ("aber", "jedoch", "allerdings", "dennoch", "trotzdem", "andererseits"),
    "fr": ("mais", "cependant", "toutefois", "pourtant", "néanmoins", "en revanche"),
    "ko": ("그러나", "하지만", "다만", "그렇지만"),
}
#: What is granted, before or behind what is stated.
CONCESSION: Mapping[str, tuple[str, ...]] = {
    "en": ("although", "though", "even if", "despite", "in spite of", "whereas", "notwithstanding"),
    "de": ("obwohl", "obgleich", "trotz", "wenngleich", "wohingegen"),
    "fr": ("bien que", "bien qu'*", "bien qu’*", "quoique", "malgré", "alors que"),
    "ko": ("*지만", "*는데도", "*음에도", "*함에도", "*더라도"),
}
#: An excerpt that begins with one of these (Korean: ends with one) reads as a question even without a question mark.
QUESTION: Mapping[str, tuple[str, ...]] = {
    "en": (
        "who", "whom", "whose", "what", "which", "when", "where", "why", "how", "is", "are", "was", "were", "do",
        "does", "did", "can", "could", "will", "would", "should", "shall", "have", "has", "had", "may", "must",
    ),
    "de": ("wer", "wen", "wem", "wessen", "was", "welche*", "wann", "wo", "woher", "wohin", "warum", "wieso", "wie"),
    "fr": ("qui", "que", "qu'*", "qu’*", "quoi", "quel*", "quand", "où", "pourquoi", "comment", "combien", "est-ce"),
    "ko": ("까", "냐", "는가", "은가", "인가", "나요", "가요", "는지"),
}  # fmt: skip

#: Negative only where no punctuation follows: "No, we won" answers, "no money" negates.
ANSWERS = frozenset({"no", "non"})
#: Only in lower case: May is a month.
CASED = frozenset({"may"})


_BY_NAME: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "NEGATION": NEGATION, "CONDITION": CONDITION, "HEDGE": HEDGE, "QUESTION": QUESTION,
    "CONTRAST": CONTRAST, "CONCESSION": CONCESSION,
}  # fmt: skip


@cache
def cue_pattern(name: str, script: str) -> re.Pattern[str] | None:
    """Compile one pattern for the cues of a class in all languages of a script; None for a script without lists.

    Args:
        name: ``NEGATION``, ``CONDITION``, ``HEDGE``, ``QUESTION``, ``CONTRAST`` or ``CONCESSION``.
        script: as :func:`quotelake.text.folding.dominant_script` names it.
    """
    lists: Mapping[str, tuple[str, ...]] = _BY_NAME[name]
    words: dict[tuple[str, str], list[str]] = {}  # by the edges required before and after them
    for language in LANGUAGES.get(script, ()):
        for cue in sorted(lists[language], key=len, reverse=True):  # *no one* before *no*
            edges = ("" if cue.startswith("*") else r"(?<!\w)", "" if cue.endswith("*") else r"(?!\w)")
            words.setdefault(edges, []).append(_expression(cue))
    # Edges are outside the alternatives, so that the engine can select an alternative by its first letter.
    groups = [f"{before}(?:{'|'.join(alternatives)}){after}" for (before, after), alternatives in words.items()]
    return re.compile("|".join(groups), re.IGNORECASE) if groups else None


def begins_cue(word: str, name: str) -> bool:
    """Whether a word in small letters is the first one of a cue of several words, of a class in any language.

    >>> [word for word in ("no", "nulle", "part", "하지") if begins_cue(word, "NEGATION")]
    ['no', 'nulle', '하지']
    """
    firsts = (cue.split()[0] for cues in _BY_NAME[name].values() for cue in cues if " " in cue)
    return any(word == first or (first[0] == "*" and word.endswith(first[1:])) for first in firsts)


def sign_negations(text: str) -> str:
    """The text with :data:`NOT` for each negation of a language in Latin script, every other character in its place.

    >>> sign_negations("We will never go")
    'We will ʔ     go'
    """
    pattern = cue_pattern("NEGATION", "latin")
    assert pattern is not None  # there are lists for this script
    return pattern.sub(lambda found: NOT + " " * (len(found.group()) - 1), text)


def _expression(cue: str) -> str:
    word = re.escape(cue.strip("*")).replace(r"\ ", r"\s+")
    if cue in CASED:
        word = f"(?-i:{word})"
    if cue in ANSWERS:
        word += r"(?!\w|\s*[,.!;:])"
    return word
