"""The subject of a verb in an English headline: which words are verbs, and which noun phrases can speak.

Any word may be capitalised, so names and the end of a noun phrase are recognised by lists of words and by endings.
"""

from typing import Final

from quotelake.quotes.lexicon import ENGLISH
from quotelake.quotes.lexicon import WORDS as en
from quotelake.quotes.speakers.clauses import POSSESSIVE, Clauses, Phrase
from quotelake.quotes.speakers.people import plain
from quotelake.text.lexicon import word_set

_AGENT: Final = tuple(word_set("er or ist ian man woman ee ers ors ists ians men ees"))
_TOPIC: Final = tuple(word_set("tion sion ism ness ship ance ence ment ity tions sions ments ities"))
#: Short forms of roles and parties that headlines use.
_SHORT: Final = word_set("dem dems gop pm mp mps vp ag cop cops mom dad")
#: Most words of a speaker, and of a noun phrase.
_LONGEST_SPEAKER: Final = 8
_LONGEST: Final = 9
_COMMA: Final = frozenset(",")
_PAUSES: Final = frozenset(",;…")
#: Words before the subject of another clause than the first.
_CLAUSE: Final = word_set("as while after before but when because if that and though")
#: Prepositions after which a form in *-ing* has the subject of its sentence.
_BEFORE_GERUND: Final = word_set("after before by in while when ,")
#: Words before a document that says something (*amid lawsuit alleging “…”*).
_AMID: Final = word_set("amid after as over despite")

_PEOPLE: Final = (
    en["titles"]
    | en["honorifics"]
    | en["sources"]
    | en["crowd"]
    | en["roles"]
    | {f"{r}s" for r in en["roles"]}
    | _SHORT
)
_SPEAKING: Final = _PEOPLE | en["speaking_nouns"] | en["organisations"]
_PLURAL: Final = en["crowd"] | en["sources"] | {"media", "gop", "police"}
_PERSONAL: Final = en["pronouns"] - en["determiners"]
_VERBS: Final = ENGLISH.cues.keys() - _PEOPLE
_GIVEN: Final = en["male_names"] | en["female_names"]


def _third_person(verb: str) -> str:
    if verb[-1] == "y" and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "o", "z")) else "s")


_THIRD: Final = frozenset(map(_third_person, en["headline_verbs"]))


def is_verb(c: Clauses, k: int, start: int) -> bool:
    """Whether the word at ``k`` is the verb of the subject that begins at ``start``."""
    word, lower = c.low[k], c.words[k][0].islower()
    if k == start or word[-2:] in POSSESSIVE or word in _PEOPLE:
        return False
    if word in en["headline_pasts"] or (word in _THIRD and (lower or word not in _SPEAKING)):
        return True
    lemma = ENGLISH.cues.get(word)
    if lemma is not None and word != lemma:
        noun = word in _SPEAKING or (word[:-1] in en["documents"] and word not in ENGLISH.says)
        return lower or word[-1] != "s" or not noun
    if lemma is not None or word in en["headline_verbs"]:
        return is_plural(c, k - 1) and word not in _SPEAKING
    if not lower or word in en["topic_nouns"] or _is_role(word):
        return False
    if word[-1] == "s" and word[-2:] != "ss":  # Ruiz barnstorms Avalon; but: Avalon sports minister
        near = [each for each in c.words[k + 1 : k + 3] if each[0].islower()]
        plain_verb = bool(near) and (near[0] in en["headline_verbs"] or ENGLISH.cues.get(near[0]) == near[0])
        return c.words[k - 1][0].isupper() and not plain_verb and not any(map(_is_role, near))
    return word[-2:] == "ed" or (is_plural(c, k - 1) and c.words[k - 1][0].islower())


def is_predicate(c: Clauses, k: int, high: int) -> bool:
    """Whether a lower-case word behind a name is an adjective that is said of it (*Ruiz defiant amid row*)."""
    if not c.words[k][0].islower() or c.words[k - 1][0].islower() or _is_role(c.low[k]):
        return False
    following = c.low[k + 1].replace("’", "'").partition("'")[0] if k + 1 < high else ""
    return following in en["prepositions"] or following in en["breaks"] or following in _PERSONAL


def is_plural(c: Clauses, k: int) -> bool:
    """Whether the word at ``k`` looks like a plural noun."""
    word = c.low[k]
    return word in _PLURAL or (word[-1] == "s" and word[-2:] not in ("ss", "us", "is", *POSSESSIVE))


def is_person(c: Clauses, phrase: Phrase) -> bool:
    """Whether a phrase that can speak is a person or several, and no organisation or document."""
    head = c.low[phrase.head - 1]
    return head in _PEOPLE or not (head in _SPEAKING or head in en["documents"])


def can_speak(c: Clauses, phrase: Phrase, cue: str | None = None) -> bool:
    """Whether a noun phrase can be a speaker; ``cue`` is the form of the verb that shows it, if there is one."""
    words = [plain(word) for word in c.low[phrase.start : phrase.head]]
    first, reports = words[0], cue in ENGLISH.says
    acronym = len(first) > 1 and c.words[phrase.start].isupper()  # US, WHO
    if (first in _PERSONAL and not acronym) or (first.isdecimal() and len(words) == 1):
        return cue is not None and len(words) == 1 and first in _PERSONAL and first not in ("who", "it")
    if len(words) == 1 and first in _VERBS:
        return False  # Said by who: “…”
    if len(words) > _LONGEST_SPEAKER or (first in en["headline_labels"] and (not reports or len(words) == 1)):
        return False
    gerund = first[-3:] == "ing" and first not in _PEOPLE
    if gerund and not en["headline_verbs"].isdisjoint((first[:-3], first[:-3] + "e")):
        return False
    core = next((n for n, word in enumerate(words) if n and word in en["prepositions"]), len(words))
    last = phrase.start + core - 1
    verb = first in en["headline_verbs"] or ENGLISH.cues.get(first) == first
    if verb and len(words) == 1 and cue is not None and first in en["headline_verbs"]:
        return False  # Take this: “…”
    if verb and len(words) > 1 and (words[1] == "the" or words[1] in en["determiners"] or words[1] in _PERSONAL):
        return False  # Meet the people
    head, lower = words[core - 1], c.words[last][0].islower()
    if head in _PEOPLE or head in en["speaking_nouns"]:
        return True
    topic = head in en["topic_nouns"] or head in en["no_agents"] or (len(words) > 1 and head.endswith(_TOPIC))
    if head in _SPEAKING or head in en["documents"]:
        named = len(words) > 1 and c.words[phrase.start][0].isupper() and en["common_words"].isdisjoint(words[:-1])
        alone = len(words) == 1 and not lower and head not in en["common_words"]
        return reports or (named if head in en["topic_nouns"] else lower or len(words) > 1 or alone)
    if lower:
        return not topic and (head.endswith(_AGENT) or (reports and first == "the" and is_plural(c, last)))
    titled = not _PEOPLE.isdisjoint(words[:-1]) or first in _GIVEN
    return titled or (not topic and en["common_words"].isdisjoint(words))


def first_phrase(c: Clauses, low: int, high: int) -> Phrase | None:
    """The noun phrase that begins a clause, after an introductory phrase that ends in a comma."""
    start = low
    if start < high and c.low[start] in en["prepositions"]:
        start = c.next_of(_COMMA, start, high) + 1
    end = start
    while end < min(high, start + _LONGEST) and _continues_phrase(c, end, start, high):
        end += 1
    return Phrase(start, end, end) if end > start else None


def of_verb(c: Clauses, verb: int, low: int) -> Phrase | None:
    """Subject of the verb: of its own clause, or of the first clause if it follows a comma or *and*."""
    main = first_phrase(c, low, verb + 1)
    begin = verb
    while begin > low:
        k, word = begin - 1, c.low[begin - 1]
        joins = word == "and" and main is not None and k < main.end  # two names of the first subject
        if not joins and (word in _CLAUSE or word in _PAUSES):
            break
        if word == "who" and c.words[k] != "WHO":
            antecedent = first_phrase(c, low, k)
            return antecedent if antecedent and antecedent.end == k else None
        begin = k
    phrase = first_phrase(c, begin, verb + 1)
    if phrase and _reaches(c, phrase, verb):
        return phrase
    gerund = c.low[verb][-3:] == "ing"
    if gerund and verb - 2 > low and c.low[verb - 1] in en["documents"] and c.low[verb - 2] in _AMID:
        return Phrase(verb - 1, verb, verb)
    bare = all(is_adverb(c, k) for k in range(begin, verb))
    return main if begin > low and bare and (not gerund or c.low[begin - 1] in _BEFORE_GERUND) else None


def verb_behind(c: Clauses, phrase: Phrase, stop: int) -> int | None:
    """Position of the verb that follows a subject, behind auxiliaries and adverbs; None if none does."""
    k = _behind_auxiliaries(c, phrase.end, stop)
    return k if k < stop and is_verb(c, k, phrase.start) else None


def is_adverb(c: Clauses, k: int) -> bool:
    """Whether the word at ``k`` is an adverb, and no part of a title or role."""
    return c.low[k] in en["adverbs"] or (c.words[k][-2:] == "ly" and c.words[k][0].islower())


def _is_role(word: str) -> bool:
    return word in _SPEAKING or (word.endswith(_AGENT))


def _reaches(c: Clauses, phrase: Phrase, verb: int) -> bool:
    """Whether the verb is that of the subject, perhaps behind a preposition with its noun."""
    k = phrase.end
    return (k < verb and c.low[k] in en["prepositions"]) or _behind_auxiliaries(c, k, verb) == verb


def _behind_auxiliaries(c: Clauses, k: int, stop: int) -> int:
    """The first word from ``k`` on that is neither an auxiliary nor an adverb, or ``stop``."""
    while k < stop and (c.low[k] in en["auxiliaries"] or is_adverb(c, k)):
        k += 1
    return k


def _continues_phrase(c: Clauses, k: int, start: int, high: int) -> bool:
    word, raw = c.low[k], c.words[k]
    following = c.words[k + 1] if k + 1 < high else ""
    if word == ",":  # Ruiz, Odell reject the plan
        return following[:1].isupper() and not is_verb(c, k + 1, start) and c.low[k + 1] != "who"
    if word in ("and", "of", "&"):
        return following[:1].isalnum()
    if not raw[0].isalnum() or word in en["breaks"] or word in en["prepositions"]:
        return False
    if word in en["auxiliaries"] or is_adverb(c, k):
        return False
    return not (is_verb(c, k, start) or is_predicate(c, k, high))
