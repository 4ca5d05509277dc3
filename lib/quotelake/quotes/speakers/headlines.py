"""English attribution in headlines, where verbs may be capitalised and a colon replaces a verb of saying.

The noun phrase that begins a clause is the speaker if it can speak, and only a preposition follows it before a colon
(*Ruiz on the vote: “…”*), a person acts before a colon (*Ruiz blocks the plan: “…”*), or a verb of saying governs the
quote.
"""

from typing import Final

from quotelake.quotes.lexicon import ENGLISH
from quotelake.quotes.lexicon import WORDS as en
from quotelake.quotes.speakers import headline_subjects as subjects
from quotelake.quotes.speakers.clauses import QUOTE, Clauses, Found, Phrase

#: Forms that report, without those of thought.
_SURE: Final = ENGLISH.cues.keys() - ENGLISH.weak
#: What ends a clause.
_SIGNS: Final = frozenset((":", "—", "–", "-", "|"))
#: Verbs that give a name to their object, which may be long.
_NAMING: Final = frozenset(("call", "describe", "label", "dub", "brand", "deem"))
#: What follows a passive participle (*Ruiz attacked for saying “…”*).
_BEHIND_PASSIVE: Final = frozenset(("for", "by", "of", "as", "on"))
#: What follows a participle that describes a group (*Families divided at the border: “…”*).
_BEHIND_STATE: Final = frozenset(("at", "by", "for", "in", "from"))
#: Question words that also begin an explanation (*Ana Ruiz: Why the mayor left*).
_ASKING: Final = frozenset(("why", "how", "what", "where", "when", "who"))
#: Most words between a verb and the quote that it governs: of saying or naming, of appraisal, of thought.
_FAR: Final = 14
_NEAR: Final = 8
_ADJACENT: Final = 3
#: At this distance a verb of saying outweighs a name before a colon.
_BESIDE: Final = 3


def before(c: Clauses, quote: int, floor: int, low: int) -> Found | None:
    """Attribution before the quote at word ``quote``; verbs are after ``floor``, the sentence begins at ``low``."""
    begin = c.behind_last_of(_SIGNS, quote, low)
    if begin == quote > low:
        return _of_clause(c, c.behind_last_of(_SIGNS, quote - 1, low), quote - 1)
    found = _of_verb(c, begin, max(begin, floor + 1), quote)
    if begin == low or c.words[begin - 1] != ":":
        return found
    if found and found.cue is not None and c.low[found.cue] in ENGLISH.says and quote - found.cue <= _BESIDE:
        return found
    if c.low[begin] in _ASKING or (c.low[begin] in en["question_words"] and c.text.rstrip().endswith("?")):
        return None
    head = c.behind_last_of(_SIGNS, begin - 1, low)
    phrase = _speaking(c, head, begin - 1)
    person = phrase if phrase and subjects.is_person(c, phrase) else None
    return _label(c, head, begin - 1) or found or _of_subject(c, person, begin - 1, "before")


def behind(c: Clauses, found: Found | None) -> Found | None:
    """The attribution that the rules for sentences found after a quote, if its subject can speak."""
    if found is None:
        return None
    phrase, cue = found.speaker, found.cue
    if cue is None:
        alone = subjects.first_phrase(c, phrase.start, phrase.end)
        return found if alone and alone.end == phrase.head and subjects.can_speak(c, phrase) else None
    participle = c.low[cue][-2:] == "ed" and c.words[cue - 1] == "," and cue == len(c.words) - 1
    return None if participle or not subjects.can_speak(c, phrase, c.low[cue]) else found  # “…” vote, explained


def after_colon(c: Clauses, quote: int, stop: int) -> Found | None:
    """Clause after a quote and a colon whose verb reports: *“We lost”: Ruiz slams the vote*."""
    low = quote + 1
    phrase = _speaking(c, low + 1, stop) if low < stop and c.words[low] == ":" else None
    if phrase is None:
        return None
    if phrase.end == stop:
        name = all(word[0].isupper() for word in c.words[phrase.start : phrase.end])
        return Found(phrase, low, "after", "headline") if name else None
    return _of_subject(c, phrase, stop, "after")


def _of_subject(c: Clauses, phrase: Phrase | None, stop: int, how: str) -> Found | None:
    """Attribution by a subject and its verb of saying (*Ruiz rips Odell: Mayor using “…”*)."""
    cue = subjects.verb_behind(c, phrase, stop) if phrase else None
    return Found(phrase, cue, how, "headline") if phrase and cue is not None and c.low[cue] in _SURE else None


def _speaking(c: Clauses, low: int, high: int) -> Phrase | None:
    phrase = subjects.first_phrase(c, low, high)
    return phrase if phrase and subjects.can_speak(c, phrase) else None


def _label(c: Clauses, low: int, colon: int) -> Found | None:
    """A speaker, and at most a preposition with its noun, before a colon."""
    phrase = _speaking(c, low, colon)
    only = phrase is not None and (phrase.end == colon or c.low[phrase.end] in en["prepositions"])
    return Found(phrase, colon, "colon", "headline") if phrase and only else None


def _of_clause(c: Clauses, low: int, colon: int) -> Found | None:
    """Attribution by the clause before a colon, directly before the quote."""
    found = _label(c, low, colon) or _of_verb(c, low, max(low, colon - 2), colon)
    phrase = None if found else _speaking(c, low, colon)
    if phrase is None:
        return found
    verb = subjects.verb_behind(c, phrase, colon)
    if verb is None:  # How does the person feel?
        following = c.low[phrase.end]
        acts = following == "," or following in en["auxiliaries"] or subjects.is_predicate(c, phrase.end, colon)
    elif c.low[verb] in ENGLISH.cues or c.low[verb + 1] == "back":
        return Found(phrase, verb, "before", "headline")
    else:
        acts = c.low[verb][-2:] != "ed" or c.low[verb + 1] not in _BEHIND_STATE
    return Found(phrase, colon, "colon", "headline") if acts and subjects.is_person(c, phrase) else None


def _of_verb(c: Clauses, low: int, floor: int, quote: int) -> Found | None:
    """Attribution by the nearest verb of saying from ``floor`` on that governs the quote."""
    for k in range(quote - 1, floor - 1, -1):
        form = c.low[k]
        if form not in ENGLISH.cues or k == low or not _governs(c, k, quote):
            continue
        particle = form == "back" and subjects.is_verb(c, k - 1, low)  # Ruiz fires back
        phrase = subjects.of_verb(c, k - particle, low)
        if phrase and subjects.can_speak(c, phrase, form):
            return Found(phrase, k, "before", "headline")
    return None


def _governs(c: Clauses, k: int, quote: int) -> bool:
    """Whether the verb at ``k`` may report the quote: near enough, and neither passive nor a noun."""
    form, following = c.low[k], c.low[k + 1]
    lemma, ahead = ENGLISH.cues[form], c.low[k - 1]
    if quote - k > 1 + (
        _FAR if form in ENGLISH.says or lemma in _NAMING else _ADJACENT if form in ENGLISH.weak else _NEAR
    ):
        return False
    if ahead in ("not", "never") or ahead.endswith(("n't", "n’t")):
        return False
    if ahead in en["prepositions"] and form[-3:] != "ing":
        return ahead == "to" and form in ENGLISH.says  # but: a search for answers
    passive = following in _BEHIND_PASSIVE or (following == QUOTE and lemma in _NAMING)
    if passive and form[-2:] == "ed" and form not in ENGLISH.says:
        return False
    if form != lemma:
        return True
    # A plain form is a verb after a plural, a pronoun, an auxiliary or a comma.
    return subjects.is_plural(c, k - 1) or ahead == "," or ahead in en["auxiliaries"] or ahead in en["pronouns"]
