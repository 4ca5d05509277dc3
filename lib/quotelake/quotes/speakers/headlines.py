"""English attribution in headlines, where any word may be capitalised and a colon replaces a verb of saying.

The noun phrase that begins a clause is the speaker if it can speak, and it is before a colon with at most a preposition
between (*Ruiz on the vote: “…”*), its clause ends in a colon directly before the quote (*Ruiz blocks the plan: “…”*),
or its verb of saying is near the quote.
"""

from typing import Final

from quotelake.quotes.lexicon import EN, ENGLISH
from quotelake.quotes.speakers.clauses import QUOTE, Clauses, Found, Phrase
from quotelake.quotes.speakers.people import plain
from quotelake.text.lexicon import word_set

#: What ends a clause.
_SIGNS: Final = frozenset((":", "—", "–", "-", "|"))
#: What is before the subject of another clause than the first.
_CLAUSE: Final = word_set("as while after before but when because if that and though , ; …")
#: Endings of nouns for occupations.
_AGENT: Final = tuple(word_set("er or ist ian man woman ee ers ors ists ians men ees"))
#: At this distance a verb of saying outweighs a name before a colon.
_BESIDE: Final = 2
#: Most words between a verb and the quote that it governs.
_FAR: Final = 14

_PEOPLE: Final = EN["people"] | EN["honorifics"] | {f"{role}s" for role in EN["roles"]}
_SPEAKING: Final = _PEOPLE | EN["speaking_nouns"] | EN["organisations"] | EN["documents"]
#: Forms of verbs that are no plain forms, third persons that do not exist among them; and plain forms.
_VERBS: Final = (
    EN["headline_pasts"]
    | {form for form, lemma in ENGLISH.cues.items() if form != lemma}
    | {form for verb in EN["headline_verbs"] for form in (f"{verb}s", f"{verb}es", f"{verb[:-1]}ies")}
)


def before(c: Clauses, quote: int, floor: int, low: int) -> Found | None:
    """Attribution before the quote at word ``quote``; verbs are after ``floor``, the sentence begins at ``low``."""
    begin = c.behind_last_of(_SIGNS, quote, low)
    head = c.behind_last_of(_SIGNS, begin - 1, low)
    if begin == quote > low:
        return _before_colon(c, head, quote - 1, is_label=False)
    found = _of_verb(c, begin, max(begin, floor + 1), quote)
    if begin == low or (found and found.cue and quote - found.cue <= _BESIDE):
        return found
    return _before_colon(c, head, begin - 1, is_label=True) or found


def behind(c: Clauses, found: Found | None) -> Found | None:
    """The attribution that the rules for sentences found after a quote, if its subject can speak."""
    can = found and can_speak(c, found.speaker, None if found.cue is None else c.low[found.cue])
    return found if can else None


def after_colon(c: Clauses, quote: int, stop: int) -> Found | None:
    """Clause after a quote and a colon whose verb reports: *“We lost”: Ruiz slams the vote*."""
    low = quote + 1
    phrase = _speaking(c, low + 1, stop) if low < stop and c.words[low] == ":" else None
    if phrase is None or phrase.end == stop:
        return phrase and Found(phrase, low, "after", "headline")
    cue = _verb_behind(c, phrase, stop)
    return Found(phrase, cue, "after", "headline") if cue is not None and c.low[cue] in ENGLISH.cues else None


def can_speak(c: Clauses, phrase: Phrase, cue: str | None = None) -> bool:
    """Whether a noun phrase can be a speaker; ``cue`` is the form of the verb that shows it, if there is one."""
    words = [plain(word) for word in c.low[phrase.start : phrase.head]]
    first, alone = words[0], len(words) == 1
    acronym = len(first) > 1 and c.words[phrase.start].isupper()  # US, WHO
    if first in EN["pronouns"] and first not in EN["determiners"] and not acronym:
        return cue is not None and alone and first not in ("who", "it")
    if first in EN["headline_labels"] or (first[-3:] == "ing" and first not in _PEOPLE):
        return False
    if alone and cue is not None and first in EN["headline_verbs"]:
        return False  # Take this: “…”
    core = next((n for n, word in enumerate(words) if n and word in EN["prepositions"]), len(words))
    head = words[core - 1]
    if head in _SPEAKING:
        return cue in ENGLISH.says or head not in EN["topic_nouns"]
    if c.words[phrase.start + core - 1][0].islower():
        return head.endswith(_AGENT)
    topic = c.table.has(head, "topic_nouns", "no_agents") or not EN["common_words"].isdisjoint(words)
    return not topic or not _PEOPLE.isdisjoint(words[:-1])


def _speaking(c: Clauses, low: int, high: int) -> Phrase | None:
    phrase = _first_phrase(c, low, high)
    return phrase if phrase and can_speak(c, phrase) else None


def _before_colon(c: Clauses, low: int, colon: int, *, is_label: bool) -> Found | None:
    """Attribution by the clause before a colon; behind the speaker a label has at most a preposition with its noun."""
    phrase = _speaking(c, low, colon)
    if phrase is None or (is_label and phrase.end < colon and c.low[phrase.end] not in EN["prepositions"]):
        return None
    verb = _verb_behind(c, phrase, colon)
    if verb is not None and c.low[verb] in ENGLISH.cues:
        return Found(phrase, verb, "before", "headline")
    return Found(phrase, colon, "colon", "headline")


def _of_verb(c: Clauses, low: int, floor: int, quote: int) -> Found | None:
    """Attribution by the nearest verb of saying from ``floor`` on, not far from the quote."""
    for k in range(quote - 1, max(floor - 1, low, quote - _FAR), -1):
        form = c.low[k]
        passive = form[-2:] == "ed" and form not in ENGLISH.says  # Ruiz attacked for saying “…”
        passive = passive and c.low[k + 1] in (QUOTE, "for", "by", "of", "as", "on")
        if form in ENGLISH.cues and not passive:
            particle = form == "back" and _is_verb(c, k - 1)  # Ruiz fires back
            phrase = _subject(c, k - particle, low)
            if phrase and can_speak(c, phrase, form):
                return Found(phrase, k, "before", "headline")
    return None


def _subject(c: Clauses, verb: int, low: int) -> Phrase | None:
    """Subject of the verb: of its own clause, or of the first clause if it follows a comma or *and*."""
    main = _first_phrase(c, low, verb + 1)
    begin = verb
    while begin > low and (c.low[begin - 1] not in _CLAUSE or (main is not None and begin <= main.end)):
        begin -= 1
    phrase = _first_phrase(c, begin, verb + 1)
    if phrase and _behind_auxiliaries(c, phrase.end, verb) == verb:
        return phrase
    return main if begin > low and _behind_auxiliaries(c, begin, verb) == verb else None


def _is_verb(c: Clauses, k: int) -> bool:
    """Whether the word at ``k``, behind the first of a clause, is a verb."""
    word = c.low[k]
    if word in _VERBS:
        return True
    if word in ENGLISH.cues or word in EN["headline_verbs"]:
        return c.low[k - 1][-1] == "s" and word not in EN["documents"]  # after a plural; Jobs report: …
    verbal = c.words[k][0].islower() and (word[-2:] == "ed" or word[-1] == "s")
    return verbal and word not in _SPEAKING and word not in EN["topic_nouns"] and not word.endswith(_AGENT)


def _verb_behind(c: Clauses, phrase: Phrase, stop: int) -> int | None:
    """Position of the verb that follows a subject, behind auxiliaries and adverbs; None if none does."""
    k = _behind_auxiliaries(c, phrase.end, stop)
    return k if k < stop and _is_verb(c, k) else None


def _behind_auxiliaries(c: Clauses, k: int, stop: int) -> int:
    """The first word from ``k`` on that is neither an auxiliary nor an adverb, or ``stop``."""
    while k < stop and c.is_beside_verb(k):
        k += 1
    return k


def _first_phrase(c: Clauses, low: int, high: int) -> Phrase | None:
    """The noun phrase that begins a clause."""
    end = low
    while end < high and _continues_phrase(c, end, low, high):
        end += 1
    return Phrase(low, end, end) if end > low else None


def _continues_phrase(c: Clauses, k: int, start: int, high: int) -> bool:
    word = c.low[k]
    following = c.words[k + 1] if k + 1 < high else ""
    if word == ",":  # Ruiz, Odell reject the plan
        return following[:1].isupper() and not _is_verb(c, k + 1) and c.low[k + 1] != "who"
    if word in ("and", "of", "&"):
        return following[:1].isalnum()
    closed = c.table.has(word, "breaks", "prepositions") or c.is_beside_verb(k)
    return word[0].isalnum() and not closed and (k == start or not _is_verb(c, k))
