"""English attribution in headlines, where verbs may be capitalised and a colon replaces a verb of saying.

The noun phrase that begins a clause is the speaker if it can speak, and only a preposition follows it before a colon
(*Ruiz on the vote: “…”*), a person acts before a colon (*Ruiz blocks the plan: “…”*), or a verb of saying governs the
quote.
"""

from typing import Final

from quotelake.quotes.lexicon import ENGLISH
from quotelake.quotes.lexicon import WORDS as en
from quotelake.quotes.speakers import headline_subjects as subjects
from quotelake.quotes.speakers.clauses import Clauses, Found, Phrase

#: Forms that report, without those of thought.
_SURE: Final = ENGLISH.cues.keys() - ENGLISH.weak
#: What ends a clause.
_SIGNS: Final = frozenset((":", "—", "–", "-", "|"))
#: Most words between a verb and the quote that it governs.
_FAR: Final = 14


def before(c: Clauses, quote: int, floor: int, low: int) -> Found | None:
    """Attribution before the quote at word ``quote``; verbs are after ``floor``, the sentence begins at ``low``."""
    begin = c.behind_last_of(_SIGNS, quote, low)
    if begin == quote > low:
        return _of_clause(c, c.behind_last_of(_SIGNS, quote - 1, low), quote - 1)
    label = _label(c, c.behind_last_of(_SIGNS, begin - 1, low), begin - 1) if begin > low else None
    return label or _of_verb(c, begin, max(begin, floor + 1), quote)


def behind(c: Clauses, found: Found | None) -> Found | None:
    """The attribution that the rules for sentences found after a quote, if its subject can speak."""
    if found is None:
        return None
    return found if subjects.can_speak(c, found.speaker, None if found.cue is None else c.low[found.cue]) else None


def after_colon(c: Clauses, quote: int, stop: int) -> Found | None:
    """Clause after a quote and a colon whose verb reports: *“We lost”: Ruiz slams the vote*."""
    low = quote + 1
    phrase = _speaking(c, low + 1, stop) if low < stop and c.words[low] == ":" else None
    cue = subjects.verb_behind(c, phrase, stop) if phrase else None
    return Found(phrase, cue, "after", "headline") if phrase and cue is not None and c.low[cue] in _SURE else None


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
    phrase = _speaking(c, low, colon)
    if phrase is None:
        return None
    verb = subjects.verb_behind(c, phrase, colon)
    if verb is not None and c.low[verb] in ENGLISH.cues:
        return Found(phrase, verb, "before", "headline")
    return Found(phrase, colon, "colon", "headline")


def _of_verb(c: Clauses, low: int, floor: int, quote: int) -> Found | None:
    """Attribution by the nearest verb of saying from ``floor`` on, not far from the quote."""
    for k in range(quote - 1, max(floor - 1, low, quote - _FAR), -1):
        form = c.low[k]
        if form in ENGLISH.cues:
            particle = form == "back" and subjects.is_verb(c, k - 1, low)  # Ruiz fires back
            phrase = subjects.of_verb(c, k - particle, low)
            if phrase and subjects.can_speak(c, phrase, form):
                return Found(phrase, k, "before", "headline")
    return None
