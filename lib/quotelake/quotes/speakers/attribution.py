"""Attribution of a quote: the words before or after it that name its speaker, as positions of words.

``quote`` is the position of the quote, ``stop`` that of the next one or the end; ``title``: verbs may be capitalised,
as in headlines. Verbs have three strengths: *say* reports in any place, *judge* only words after it, *think* only if
the sentence has no other cue.
"""

from typing import Final

from quotelake.quotes.speakers.clauses import QUOTE, STOP, Clauses, Found, Phrase
from quotelake.quotes.speakers.headlines import can_speak
from quotelake.quotes.speakers.noun_phrases import backwards, forwards, is_noun
from quotelake.quotes.speakers.subjects import (
    begins_clause,
    begins_name,
    behind_verb,
    first_phrase,
    relayed_speaker,
    speaks,
    subject,
    subject_of_cue,
)

#: Words read after a quote, and before it.
_AFTER: Final = 30
_BEFORE: Final = 90
_DASHES: Final = frozenset(("-", "–", "—", "―", ";", "~"))
_BEHIND_QUOTE: Final = frozenset((",", "-", "–", "—", "―", "~", ")"))
_BEFORE_QUOTE: Final = frozenset((",", ":"))
#: Last characters of a quote after which a verb of saying reports it.
_ATTRIBUTED: Final = frozenset(",?!…—-")
_SIGNS: Final = frozenset((",", ";", ":", "(", "—", "–", STOP, QUOTE))
_STOPS: Final = frozenset(STOP)
#: Words between verb and quote within which no other verb can govern the quote.
_ADJACENT: Final = 4
#: At a greater distance in words, a verb of appraisal or thought seldom refers to the quote.
_FAR: Final = 14
#: Most words of a name before a colon or after a dash.
_LABEL: Final = 7


def after(c: Clauses, quote: int, stop: int, comma: bool, title: bool) -> Found | None:
    """Attribution directly after a quote, which may end in a ``comma``: *“…,” Ruiz said*, *according to Ruiz*."""
    low, stop = _clause_behind(c, quote, stop)
    if low >= stop:
        return None
    word = c.low[low]
    found = _according(c, low, stop, "after")
    if found or c.table.verb_first:
        return found or _verb_first(c, low, stop) or _as(c, low, stop)
    lower = c.words[low] == word or (title and low > quote + 1)
    if lower and (word in c.lists["finite_says"] or (comma and word[-2:] == "ed" and word not in c.table.cues)):
        phrase = _inverted(c, low, stop)
        if phrase:
            return Found(phrase, low, "after", "behind: verb, subject")
    if word in c.table.cues and c.words[low] == word:
        return None
    forms = c.lists["finite_cues" if comma else "finite_says"]
    for k in range(low + 1, min(stop, low + _AFTER)):
        if c.low[k] in forms and _is_verb(c, k, title) and c.low[k - 1] != "to":
            phrase = subject_of_cue(c, k, low)
            # The senator and nominee: the phrase begins with the first of them.
            if phrase and low + 1 < phrase.start and c.low[phrase.start - 1] in ("and", "of"):
                front = backwards(c, phrase.start - 2, low)
                phrase = phrase._replace(start=low) if front and front.start == low else phrase
            if phrase and phrase.start == low and word != "who":
                return _relayed(c, k, stop) or Found(phrase, k, "after", "behind: subject, verb")
    return None


def _according(c: Clauses, k: int, stop: int, how: str) -> Found | None:
    """Attribution by a preposition at ``k`` (*according to X*, *laut X*), or behind X (*X zufolge*)."""
    behind = k + _listed(c, k, "according")
    phrase = forwards(c, behind, stop) if behind > k else None
    if phrase is None and k < behind < stop and c.low[behind] in c.lists["joining"]:
        phrase = forwards(c, behind + 1, stop)
    if phrase and (not c.table.verb_first or begins_name(c, phrase.start)):
        return Found(phrase, k, how, f"{how}: according to")
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
    if not (_is_verb(c, low, False) or c.low[low] in c.lists["auxiliaries"]):
        return None
    phrase = behind_verb(c, low, stop)
    if phrase and c.low[low] in c.lists["relaying"]:  # “…”, zitierte die Zeitung den Minister
        phrase = forwards(c, phrase.end, stop)
    cue = next((j for j in range(low, stop) if _is_verb(c, j, False)), None)
    return Found(phrase, cue, "after", "behind: verb, subject") if phrase and cue is not None else None


def _as(c: Clauses, k: int, stop: int) -> Found | None:
    """Attribution by a clause like *wie X sagte*."""
    phrase = forwards(c, k + 1, stop) if c.low[k] in c.lists["subordinators"] else None
    verbs = range(phrase.end if phrase else stop, stop)
    cue = next((j for j in verbs if c.low[j] in c.table.says and _is_verb(c, j, False)), None)
    return Found(phrase, cue, "after", "behind: subject, verb") if phrase and cue is not None else None


def reports_behind(c: Clauses, quote: int, stop: int, ending: str) -> bool:
    """Whether a verb directly behind a quote, or at the end of its clause, reports it: the subject is its own."""
    low, stop = _clause_behind(c, quote, stop)
    if c.table.verb_first:  # but: «…», añadió.
        return low + 1 < stop and c.words[low + 1][0].isalnum() and _is_verb(c, low, False)
    if low >= stop or not (ending in _ATTRIBUTED or c.words[quote + 1] == ",") or c.low[low] in c.lists["breaks"]:
        return False
    clause = range(low, c.next_of(_SIGNS, low, stop))
    verbs = [k for k in (*clause[:1], *clause[-1:]) if c.low[k] in c.lists["finite_says"] and _is_verb(c, k, False)]
    # Ruiz, citing “a mess,” said the mayor would go: the verb behind the quote has its subject before it.
    return bool(verbs) and not (verbs[0] == low and c.lists["breaks"].intersection(c.low[low:stop]))


def is_alone(c: Clauses, quote: int, low: int) -> bool:
    """Whether the sentence of a quote from ``low`` on has nothing but verbs of saying beside it (*«…», añadió*)."""
    words = c.low[low : c.next_of(_STOPS, quote, len(c.words))]
    return c.table.verb_first and all(word in c.table.cues for word in words if word[0].isalnum())


def is_reported(c: Clauses, quote: int, low: int) -> bool:
    """Whether a form of its verb (*sei*, *sería*) shows that a sentence from ``low`` on reports speech; not *sagte*."""
    words = c.low[low : c.next_of(_STOPS, quote, len(c.words))]
    says = any(c.low[k] in c.table.says and _is_verb(c, k, False) for k in range(low, quote))
    return not says and not c.lists["reported"].isdisjoint(words)


def _relayed(c: Clauses, k: int, stop: int) -> Found | None:
    """Who says what the subject of the verb relays: *“…”, Odell quoted Ruiz as saying*."""
    if c.low[k] not in c.lists["relaying"]:
        return None
    for cue in range(k + 1, min(stop, k + _FAR)):
        if c.low[cue] in c.table.cues and c.low[cue][-3:] == "ing":
            phrase = relayed_speaker(c, cue, cue - 1, k - 1)
            return phrase and Found(phrase, cue, "after", "behind: relayed")
    return None


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
    for k in range(begin + (not c.table.verb_first), min(stop, begin + _AFTER)):
        if c.low[k] in c.lists["finite_says"] and _is_verb(c, k, False):
            if not c.table.verb_first:
                phrase = subject_of_cue(c, k, begin)
                if phrase and phrase.start > begin and c.words[phrase.start - 1] == ",":
                    return Found(phrase, k, "after", "behind: later clause")
                continue
            phrase = behind_verb(c, k, stop) or subject(c, k, low, k)
            if phrase:
                return Found(phrase, k, "after", "behind: later clause")
        if c.table.verb_first and c.words[k - 1] in _BEHIND_QUOTE:
            found = _according(c, k, stop, "after") or _as(c, k, stop)
            if found:
                return found
    return None


def before(c: Clauses, quote: int, floor: int, low: int, full: bool, title: bool) -> Found | None:
    """Attribution in the sentence before a quote: the nearest verb of saying and its subject.

    Verbs are searched for after ``floor``, the position of the quote before; subjects from ``low``, the first word of
    the sentence. ``full``: the quote is a whole sentence, so any clause before introduces it.
    """
    low = max(low, quote - _BEFORE)
    label = _label(c, quote, low)
    if label:
        return label
    vague: Found | None = None
    weak: Found | None = None
    lost: int | None = None  # The verb of saying whose subject is the first phrase of the sentence.
    for k in range(quote - 1, max(low - 1, floor), -1):
        word = c.low[k]
        if word not in c.table.cues or not _is_verb(c, k, title):
            found = _according(c, k, quote, "before")
            if found:
                return found
            continue
        found = _of_verb(c, k, low, quote) or (_according(c, k, quote, "before") if c.table.verb_first else None)
        if found is None:
            passive = quote - k <= 3 and k > low and c.low[k - 1] in c.lists["be"]
            if passive or (c.table.verb_first and word in c.lists["relaying"]):
                return None  # Ruiz was asked, “…”
            lost = lost or (k if c.table.verb_first and word in c.table.says else None)
            continue
        if c.table.verb_first:
            if word in c.table.says:
                return found
            weak = weak or found._replace(rule="before: weak verb")
            continue
        if word not in c.table.says and k < quote - _FAR:
            continue
        start = found.speaker.start
        relayed = start > low and c.low[start - 1] in c.lists["relaying"]
        gap = quote - k <= 2 and c.low[k] in c.lists["naming"] and c.low[start - 1] != "what"
        gap = gap and c.low[quote - 1] in (c.low[k], "as", "a", "an", "the")
        if not relayed and not gap and not begins_clause(c, min(start, k), low):
            continue  # Odell said Ruiz called it “a mess”: Odell speaks.
        # A pronoun in a subordinate clause more likely refers to the real speaker.
        pronoun = start > low and c.low[start] in c.lists["pronouns"]
        if word in c.table.weak or c.low[k - 1] in c.lists["modals"]:
            weak = weak or found._replace(rule="before: weak verb")
        elif pronoun and (k < quote - _ADJACENT or c.low[start - 1] == "what"):
            vague = vague or found._replace(rule="before: vague pronoun")
        else:
            return found
    return vague or weak or _without_verb(c, quote, low, lost, full)


def _clause_behind(c: Clauses, quote: int, stop: int) -> tuple[int, int]:
    """The words after a quote up to the end of its sentence, without punctuation at their beginning."""
    low = quote + 1
    while low < stop and c.words[low] in _BEHIND_QUOTE:
        low += 1
    return low, c.next_of(_STOPS, low, min(stop, low + 2 * _AFTER))


def _is_verb(c: Clauses, k: int, title: bool) -> bool:
    """Whether a word is a form of a verb of saying and a verb here: by its case, and not a noun."""
    if c.low[k] not in c.table.cues:
        return False
    needed = c.table.particles.get(c.low[k])
    if needed is not None and needed.isdisjoint(c.low[k + 1 : c.next_of(_STOPS, k, min(len(c.words), k + _BEFORE))]):
        return False
    if c.words[k] != c.low[k]:
        capitalised = title and k > 0 and c.words[k][1:] == c.low[k][1:]
        return capitalised and (c.words[k - 1][0].isupper() or c.words[k - 1] == ",")
    return not is_noun(c, k)


def _inverted(c: Clauses, verb: int, stop: int) -> Phrase | None:
    """Subject after its verb, unless it begins a clause (*said the mayor would go*)."""
    phrase = forwards(c, verb + 1, stop)
    return None if phrase and phrase.end < stop and c.low[phrase.end] in c.lists["auxiliaries"] else phrase


def _of_verb(c: Clauses, k: int, low: int, quote: int) -> Found | None:
    """The verb's subject; after the verb if the clause is between commas (*, explained Ruiz, “…”*)."""
    if c.low[k] in c.table.says and k > low and c.words[k - 1] == "," and c.low[k] not in c.lists["addressing"]:
        phrase = forwards(c, k + 1, quote)
        if phrase and c.words[phrase.start][0].isupper() and c.words[phrase.end] == ",":
            return Found(phrase, k, "before", "before: verb, subject")
    if c.table.cues[c.low[k]] == "quote":  # Odell quoted Ruiz: “…”
        phrase = forwards(c, k + 1, quote)
        if phrase and phrase.end == quote - 1 and c.words[phrase.end] in _BEFORE_QUOTE:
            return Found(phrase, k, "before", "before: relayed")
    phrase = subject(c, k, low, quote)
    return phrase and Found(phrase, k, "before", "before: subject, verb")


def _label(c: Clauses, quote: int, low: int) -> Found | None:
    """Name between a dash and a colon (*Harbour to close – Ruiz: “…”*)."""
    colon = quote - 1
    start = c.behind_last_of(_DASHES, colon, max(low, colon - _LABEL)) if c.words[colon] == ":" else 0
    named = low < start < colon and c.words[start - 1] in _DASHES and c.words[colon - 1][0].isupper()
    phrase = backwards(c, colon - 1, start) if named else None
    return phrase and Found(phrase, colon, "colon", "before: label")


def _without_verb(c: Clauses, quote: int, low: int, lost: int | None, full: bool) -> Found | None:
    """Speaker in a sentence without a verb whose subject is known: before a colon, or a comma and a quoted sentence."""
    if ":" in c.words[low : quote - 1]:
        colon = c.words.index(":", low)
        phrase = backwards(c, colon - 1, low)
        if phrase and phrase.start == low and c.words[phrase.head - 1][0].isupper() and speaks(c, phrase):
            return Found(phrase, colon, "colon", "before: name, colon, verb")
    sign = c.words[quote - 1]
    first = sign == ":" or lost is not None or (full and sign == "," and not c.table.verb_first)
    phrase = first_phrase(c, low, quote - 1) if first else None
    if phrase is None or c.low[phrase.start] in c.lists["headline_labels"]:
        return None
    if not (speaks(c, phrase) if c.table.verb_first else can_speak(c, phrase, "said")):
        return None
    if lost is not None:
        return Found(phrase, lost, "before", "before: sentence")
    if sign == ":":
        return Found(phrase, quote - 1, "colon", "before: colon")
    return Found(phrase, None, "before", "before: comma")
