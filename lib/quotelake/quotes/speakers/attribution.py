"""Attribution of a quote: the words before or after it that name its speaker, as positions of words.

``quote`` is the position of the quote, ``stop`` that of the next one or the end. Verbs have three strengths: *say*
reports in any place, *judge* only words after it, *think* only if the sentence has no other cue.
"""

from typing import Final

from quotelake.quotes.speakers.clauses import SIGNS, STOP, Clauses, Found
from quotelake.quotes.speakers.headlines import can_speak
from quotelake.quotes.speakers.noun_phrases import backwards, begins_name, forwards, is_noun
from quotelake.quotes.speakers.subjects import begins_clause, behind_verb, first_phrase, speaks, subject

#: Words read after a quote.
_AFTER: Final = 30
_DASHES: Final = frozenset(("-", "–", "—", "―", ";", "~"))
_BEHIND_QUOTE: Final = frozenset((",", "-", "–", "—", "―", "~", ")"))
_STOPS: Final = frozenset(STOP)
#: Last characters of a quote after which a verb of saying reports it.
_ATTRIBUTED: Final = frozenset(",?!…—-")
#: Words between verb and quote at which a pronoun more likely means somebody else than the speaker.
_ADJACENT: Final = 4
#: Words of a sentence on each side of a quote that are read: sentences of thousands take no longer.
SENTENCE: Final = 100
#: Most words of a name before a colon or after a dash.
_LABEL: Final = 7


def after(c: Clauses, quote: int, stop: int, ending: str) -> Found | None:
    """Attribution directly after a quote, perhaps ``ending`` in a comma: *“…,” Ruiz said*, *according to Ruiz*."""
    low, stop = _clause_behind(c, quote, stop)
    if low >= stop:
        return None
    word = c.low[low]
    found = _according(c, low, stop, "after")
    if found or c.table.verb_first:
        return found or _verb_first(c, low, stop)
    if word in c.lists["finite_says"] or (ending == "," and word[-2:] == "ed" and word not in c.table.cues):
        phrase = forwards(c, low + 1, stop)
        if phrase:
            return Found(phrase, low, "after", "behind: verb, subject")
    forms = c.lists["finite_cues" if ending == "," else "finite_says"]
    for k in range(low + 1, min(stop, low + _AFTER)):
        if c.low[k] in forms and _is_verb(c, k) and c.low[k - 1] != "to":
            phrase = subject(c, k, low, stop)
            if phrase and low + 1 < phrase.start and c.low[phrase.start - 1] in ("and", "of"):
                front = backwards(c, phrase.start - 2, low)  # the senator and nominee
                phrase = phrase._replace(start=low) if front and front.start == low else phrase
            if phrase and phrase.start == low and word != "who":
                other = forwards(c, k + 1, stop) if c.low[k] in c.lists["relaying"] else None
                if other and c.low[other.end : other.end + 1] == ["as"]:  # Odell quoted Ruiz as saying
                    phrase = other
                return Found(phrase, k, "after", "behind: subject, verb")
    return None


def _according(c: Clauses, k: int, stop: int, how: str) -> Found | None:
    """Attribution by a preposition at ``k`` (*according to X*, *laut X*), or behind X (*X zufolge*)."""
    behind = k + _listed(c, k, "according")
    if behind > k:
        phrase = forwards(c, behind, stop)
        named = phrase is not None and (not c.table.verb_first or begins_name(c, phrase.start))
        return Found(phrase, k, how, f"{how}: according to") if phrase and named else None
    phrase = forwards(c, k, stop) if c.table.phrases["behind"] else None
    if phrase is None or not _listed(c, phrase.end, "behind"):
        return None
    longer = forwards(c, k - 1, stop) if k else None
    return Found(longer if longer and longer.end == phrase.end else phrase, phrase.end, how, f"{how}: according to")


def _listed(c: Clauses, k: int, name: str) -> int:
    """Number of words of the listed phrase at ``k``, or 0."""
    phrases = c.table.phrases[name].get(c.low[k], ()) if k < len(c.low) else ()
    return max((len(one) for one in phrases if c.low[k : k + len(one)] == one), default=0)


def _verb_first(c: Clauses, low: int, stop: int) -> Found | None:
    """Subject behind the verb at ``low`` or its auxiliary (*“…”, hat X gesagt*)."""
    if not (_is_verb(c, low) or c.low[low] in c.lists["auxiliaries"]):
        return None
    phrase = behind_verb(c, low, stop)
    if phrase and c.low[low] in c.lists["relaying"]:  # “…”, zitierte die Zeitung den Minister
        phrase = forwards(c, phrase.end, stop)
    cue = next((j for j in range(low, stop) if _is_verb(c, j)), None)
    return Found(phrase, cue, "after", "behind: verb, subject") if phrase and cue is not None else None


def reports_behind(c: Clauses, quote: int, stop: int, ending: str) -> bool:
    """Whether a verb directly behind a quote, or at the end of its clause, reports it: the subject is its own."""
    low, stop = _clause_behind(c, quote, stop)
    clause = range(low, c.next_of(SIGNS, low, stop))
    if c.table.verb_first:  # but: «…», añadió.
        return len(clause) > 1 and _is_verb(c, low)
    attributed = ending in _ATTRIBUTED or c.words[quote + 1 : quote + 2] == [","]
    verbs = (k for k in (*clause[:1], *clause[-1:]) if c.low[k] in c.lists["finite_says"] and _is_verb(c, k))
    return attributed and any(verbs)


def is_reported(c: Clauses, quote: int) -> bool:
    """Whether the sentence of a quote reports speech: by a form of its verb (*sei*), or with only a verb of saying.

    A verb of saying in front of the quote has a subject; *«…», añadió* has none.
    """
    low = c.sentence(quote, quote - SENTENCE)
    words = c.low[low : c.next_of(_STOPS, quote, min(quote + SENTENCE, len(c.words)))]
    alone = c.table.verb_first and all(word in c.table.cues for word in words if word[0].isalnum())
    says = any(c.low[k] in c.table.says and _is_verb(c, k) for k in range(low, quote))
    return alone or (not says and not c.lists["reported"].isdisjoint(words))


def after_dash(c: Clauses, quote: int, stop: int) -> Found | None:
    """Name after a dash, up to the end of the line: *“…” – Ruiz*."""
    low = quote + 1
    if low >= stop or c.words[low] not in _DASHES or stop - low > _LABEL + 1:
        return None
    phrase = forwards(c, low + 1, stop)
    return Found(phrase, None, "after", "behind: dash") if phrase and phrase.end >= stop - 1 else None


def later(c: Clauses, quote: int, low: int, stop: int) -> Found | None:
    """Attribution at the end of the sentence: *to discuss “…” with the press, Ruiz said*."""
    begin, stop = _clause_behind(c, quote, stop)
    verb_first = c.table.verb_first
    for k in range(begin + (not verb_first), min(stop, begin + _AFTER)):
        if c.low[k] in c.lists["finite_says"] and _is_verb(c, k):
            behind = behind_verb(c, k, stop) if verb_first else None
            phrase = behind or subject(c, k, low if verb_first else begin, k)
            if phrase and (verb_first or (phrase.start > begin and c.words[phrase.start - 1] == ",")):
                return Found(phrase, k, "after", "behind: later clause")
    return None


def before(c: Clauses, quote: int, floor: int, low: int) -> Found | None:
    """Attribution in the sentence before a quote: the nearest verb of saying and its subject.

    Verbs are searched for after ``floor``, the position of the quote before; subjects from ``low``, the first word of
    the sentence.
    """
    start = c.behind_last_of(_DASHES, quote - 1, max(low, quote - 1 - _LABEL))
    if c.words[quote - 1] == ":" and start > low and c.words[start - 1] in _DASHES:
        low = start  # Harbour to close – Ruiz: “…”
    weak: Found | None = None
    for k in range(quote - 1, max(low - 1, floor), -1):
        word = c.low[k]
        if word not in c.table.cues or not _is_verb(c, k):
            found = _according(c, k, quote, "before")
            if found:
                return found
            continue
        found = _of_verb(c, k, low, quote) or (_according(c, k, quote, "before") if c.table.verb_first else None)
        if found is None:
            passive = quote - k <= 3 and k > low and c.low[k - 1] in c.lists["be"]
            if passive or (c.table.verb_first and word in c.lists["relaying"]):
                return None  # Ruiz was asked, “…”
            continue
        if c.table.verb_first:
            if word in c.table.says:
                return found
            weak = weak or found._replace(rule="before: weak verb")
            continue
        start = found.speaker.start
        relayed = start > low and c.low[start - 1] in c.lists["relaying"]
        gap = quote - k <= 2 and c.low[k] in c.lists["naming"] and c.low[start - 1] != "what"
        if not relayed and not gap and not begins_clause(c, min(start, k), low):
            continue  # Odell said Ruiz called it “a mess”: Odell speaks.
        vague = start > low and c.low[start] in c.lists["pronouns"] and k < quote - _ADJACENT
        if not vague and word not in c.table.weak and c.low[k - 1] not in c.lists["modals"]:
            return found
        weak = weak or found._replace(rule="before: weak verb")
    return weak or _without_verb(c, quote, low)


def _clause_behind(c: Clauses, quote: int, stop: int) -> tuple[int, int]:
    """The words after a quote up to the end of its sentence, without punctuation at their beginning."""
    low = quote + 1
    while low < stop and c.words[low] in _BEHIND_QUOTE:
        low += 1
    return low, c.next_of(_STOPS, low, min(stop, low + 2 * _AFTER))


def _is_verb(c: Clauses, k: int) -> bool:
    """Whether a word is a form of a verb of saying, with the particle that it needs (*teilte … mit*), and no noun."""
    needed, stop = c.table.particles.get(c.low[k]), c.next_of(_STOPS, k, min(len(c.words), k + 2 * _AFTER))
    has_particle = needed is None or not needed.isdisjoint(c.low[k + 1 : stop])
    return c.low[k] in c.table.cues and has_particle and not is_noun(c, k)


def _of_verb(c: Clauses, k: int, low: int, quote: int) -> Found | None:
    """The verb's subject; after the verb if the clause is between commas (*, explained Ruiz, “…”*)."""
    if c.low[k] in c.table.says and k > low and c.words[k - 1] == "," and c.low[k] not in c.lists["addressing"]:
        phrase = forwards(c, k + 1, quote)
        if phrase and c.words[phrase.start][0].isupper() and c.words[phrase.end] == ",":
            return Found(phrase, k, "before", "before: verb, subject")
    if c.table.cues[c.low[k]] == "quote":  # Odell quoted Ruiz: “…”
        phrase = forwards(c, k + 1, quote)
        if phrase and phrase.end == quote - 1 and c.words[phrase.end] in (",", ":"):
            return Found(phrase, k, "before", "before: relayed")
    phrase = subject(c, k, low, quote)
    return phrase and Found(phrase, k, "before", "before: subject, verb")


def _without_verb(c: Clauses, quote: int, low: int) -> Found | None:
    """Speaker in a sentence without a verb whose subject is known: before a colon, or a comma and a quoted sentence."""
    sign, colon = c.words[quote - 1], c.words[quote - 1] == ":"
    full = sign == "," and c.text[c.starts[quote]].isupper() and not c.table.verb_first
    phrase = first_phrase(c, low, quote - 1) if colon or full else None
    if phrase is None or c.low[phrase.start] in c.lists["headline_labels"]:
        return None
    if not (speaks(c, phrase) if c.table.verb_first else can_speak(c, phrase, "said")):
        return None
    return Found(phrase, quote - 1 if colon else None, "colon" if colon else "before", f"before: {sign}")
