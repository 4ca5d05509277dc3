"""English attribution: the clause before or after a quote that names its speaker, as positions of words.

``quote`` is the position of the quote, ``stop`` that of the next one or the end; ``title``: verbs may be capitalised,
as in headlines. Verbs have three strengths (``en.toml``): *say* reports in any place, *judge* only words after it,
*think* only if the sentence has no other cue.
"""

from typing import Final

from quotelake.quotes import lexicon as en
from quotelake.quotes.speakers.clauses import QUOTE, STOP, Clauses, Found, Phrase
from quotelake.quotes.speakers.headline_subjects import can_speak
from quotelake.quotes.speakers.noun_phrases import NOUNS, backwards, forwards, is_noun
from quotelake.quotes.speakers.subjects import begins_clause, first_phrase, relayed_speaker, subject_of_cue
from quotelake.text.lexicon import word_set

#: Words read after a quote, and before it.
_AFTER: Final = 30
_BEFORE: Final = 90
_DASHES: Final = frozenset(("-", "–", "—", ";", "~"))
_BEHIND_QUOTE: Final = frozenset((",", "-", "–", "—", "~", ")"))
_BEFORE_QUOTE: Final = frozenset((",", ":"))
_COLON: Final = frozenset(":")
#: Words of labels, whether of articles or of lines that lead to others.
_LABELS: Final = en.HEADLINE_LABELS | word_set(
    "related more next also see don’t don't miss this that our the all story quote day of in to"
)
#: Last characters of a quote after which a verb of saying reports it.
_ATTRIBUTED: Final = frozenset(",?!…—-")
_SIGNS: Final = frozenset((",", ";", ":", "(", "—", "–", STOP, QUOTE))
_STOPS: Final = frozenset(STOP)
#: Words between verb and quote within which no other verb can govern the quote.
_ADJACENT: Final = 4
#: Verbs whose object is the addressee, not the speaker.
_ADDRESSED: Final = frozenset(("tell", "ask", "urge", "remind", "assure", "reassure", "warn", "advise"))
#: At a greater distance in words, a verb of appraisal or thought seldom refers to the quote.
_FAR: Final = 14
#: Most words of a name before a colon or after a dash.
_LABEL: Final = 7
#: Most words of a role before a name that follows its verb.
_ROLE: Final = 3
#: Forms that can follow their subject after a quote.
_FINITE: Final = frozenset(form for form in en.CUES if form[-3:] != "ing")
_FINITE_SAYS: Final = _FINITE & en.SAYS
_TRIGGERS: Final = en.CUES.keys() | {"to"}


def after(c: Clauses, quote: int, stop: int, comma: bool, title: bool) -> Found | None:
    """Attribution directly after a quote, which may end in a ``comma``: *“…,” Ruiz said*, *according to Ruiz*."""
    low, stop = _clause_behind(c, quote, stop)
    if low >= stop:
        return None
    word = c.low[low]
    if word == "according" and c.low[low + 1 : low + 2] == ["to"]:
        phrase = forwards(c, low + 2, stop)
        return phrase and Found(phrase, low, "after", "behind: according to")
    lower = c.words[low] == word or (title and low > quote + 1)
    if lower and (word in _FINITE_SAYS or (comma and word[-2:] == "ed" and word not in en.CUES)):
        phrase = _inverted(c, low, stop, sure=comma or c.words[quote + 1] == ",")
        if phrase:
            return Found(phrase, low, "after", "behind: verb, subject")
    if word in en.CUES and c.words[low] == word:
        return None
    forms = _FINITE if comma else _FINITE_SAYS
    for k in _verbs(c, forms, low + 1, min(stop, low + _AFTER), title):
        if c.low[k - 1] != "to":
            phrase = subject_of_cue(c, k, low)
            if phrase and phrase.start == low and word != "who":
                return _relayed(c, k, stop) or Found(phrase, k, "after", "behind: subject, verb")
    return None


def reports_behind(c: Clauses, quote: int, stop: int, ending: str) -> bool:
    """Whether a verb directly behind a quote, or at the end of its clause, reports it: the subject is its own."""
    low, stop = _clause_behind(c, quote, stop)
    if low >= stop or not (ending in _ATTRIBUTED or c.words[quote + 1] == ",") or c.low[low] in en.BREAKS:
        return False
    clause = range(low, c.next_of(_SIGNS, low, stop))
    verbs = [k for k in (*clause[:1], *clause[-1:]) if c.low[k] in _FINITE_SAYS and _is_verb(c, k, False)]
    # Ruiz, citing “a mess,” said the mayor would go: the verb behind the quote has its subject before it.
    return bool(verbs) and not (verbs[0] == low and en.BREAKS.intersection(c.low[low:stop]))


def _relayed(c: Clauses, k: int, stop: int) -> Found | None:
    """Who says what the subject of the verb relays: *“…”, Odell quoted Ruiz as saying*."""
    if c.low[k] not in en.RELAYING:
        return None
    for cue in range(k + 1, min(stop, k + _FAR)):
        if c.low[cue] in en.CUES and c.low[cue][-3:] == "ing":
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


def later(c: Clauses, quote: int, stop: int) -> Found | None:
    """Attribution at the end of the sentence: *to discuss “…” with the press, Ruiz said*."""
    low, stop = _clause_behind(c, quote, stop)
    for k in _verbs(c, _FINITE_SAYS, low + 1, min(stop, low + _AFTER), False):
        phrase = subject_of_cue(c, k, low)
        if phrase and phrase.start > low and c.words[phrase.start - 1] == ",":
            return Found(phrase, k, "after", "behind: later clause")
    return None


def before(c: Clauses, quote: int, floor: int, low: int, full: bool, title: bool) -> Found | None:
    """Attribution in the sentence before a quote: the nearest verb of saying and its subject.

    Verbs are searched for after ``floor``, the position of the quote before; subjects from ``low``, the first word of
    the sentence. ``full``: the quote is a whole sentence, so any clause before introduces it.
    """
    low = _behind_label(c, max(low, quote - _BEFORE), quote)
    label = _label(c, quote, low)
    if label:
        return label
    floor = max(low - 1, floor)
    vague: Found | None = None
    weak: Found | None = None
    for k in reversed([k for k in range(floor + 1, quote) if c.low[k] in _TRIGGERS]):
        word = c.low[k]
        if word not in en.CUES or not _is_verb(c, k, title):
            inverted = k == low and word in en.SAYS and c.words[k][1:] == word[1:]  # Said Ruiz: “…”
            if inverted or (word == "to" and k > low and c.low[k - 1] == "according"):
                phrase = forwards(c, k + 1, quote)
                if phrase and not inverted:
                    return Found(phrase, k - 1, "before", "before: according to")
                if phrase and (phrase.end == quote or c.words[phrase.end] in _BEFORE_QUOTE):
                    return Found(phrase, k, "before", "before: verb, subject first")
            continue
        found = _of_verb(c, k, low, quote)
        if found is None:
            if quote - k <= 3 and k > low and c.low[k - 1] in en.BE:
                return None  # Ruiz was asked, “…”
            continue
        if word not in en.SAYS and k < quote - _FAR:
            continue
        start = found.speaker.start
        relayed = start > low and c.low[start - 1] in en.RELAYING
        if not relayed and not begins_clause(c, min(start, k), low):
            continue  # Odell said Ruiz called it “a mess”: Odell speaks.
        # A pronoun in a subordinate clause more likely refers to the real speaker.
        pronoun = start > low and c.low[start] in en.PRONOUNS
        if word in en.WEAK or c.low[k - 1] in en.MODALS:
            weak = weak or found._replace(rule="before: weak verb")
        elif pronoun and (k < quote - _ADJACENT or c.low[start - 1] == "what"):
            vague = vague or found._replace(rule="before: vague pronoun")
        else:
            return found
    return vague or weak or _without_verb(c, quote, low, full)


def _clause_behind(c: Clauses, quote: int, stop: int) -> tuple[int, int]:
    """The words after a quote up to the end of its sentence, without punctuation at their beginning."""
    low = quote + 1
    while low < stop and c.words[low] in _BEHIND_QUOTE:
        low += 1
    return low, c.next_of(_STOPS, low, min(stop, low + 2 * _AFTER))


def _verbs(c: Clauses, forms: frozenset[str], low: int, high: int, title: bool) -> list[int]:
    return [k for k, word in enumerate(c.low[low:high], low) if word in forms and _is_verb(c, k, title)]


def _is_verb(c: Clauses, k: int, title: bool) -> bool:
    """Whether a form of a verb of saying is a verb here: by its case, and not a noun."""
    if c.words[k] != c.low[k]:
        capitalised = title and k > 0 and c.words[k][1:] == c.low[k][1:]
        return capitalised and (c.words[k - 1][0].isupper() or c.words[k - 1] == ",")
    return not is_noun(c, k)


def _inverted(c: Clauses, verb: int, stop: int, *, sure: bool) -> Phrase | None:
    """Subject after its verb, unless it begins a clause (*said the mayor would go*).

    Where the verb is not ``sure`` to report, the subject must begin with a known word or a name.
    """
    phrase = forwards(c, verb + 1, stop)
    if phrase is None or (phrase.end < stop and c.low[phrase.end] in en.AUXILIARIES):
        return None
    first = c.low[phrase.start]
    if first in en.PRONOUNS or first in en.DETERMINERS or first in NOUNS:
        return phrase
    if sure:
        return phrase
    capitals = [word[0].isupper() for word in c.words[phrase.start : phrase.head]]
    name = capitals.index(True) if True in capitals else len(capitals)
    # A role of at most three lower-case words may precede two capitalised ones (said soprano Ana Ruiz).
    return phrase if name == 0 or (name <= _ROLE and capitals[name : name + 2] == [True, True]) else None


def _of_verb(c: Clauses, k: int, low: int, quote: int) -> Found | None:
    """The verb's subject; after the verb if the clause is between commas (*, explained Ruiz, “…”*)."""
    if c.low[k] in en.SAYS and k > low and c.words[k - 1] == "," and en.CUES[c.low[k]] not in _ADDRESSED:
        phrase = forwards(c, k + 1, quote)
        if phrase and c.words[phrase.start][0].isupper() and c.words[phrase.end] == ",":
            return Found(phrase, k, "before", "before: verb, subject")
    if en.CUES[c.low[k]] == "quote":  # Odell quoted Ruiz: “…”
        phrase = forwards(c, k + 1, quote)
        if phrase and phrase.end == quote - 1 and c.words[phrase.end] in _BEFORE_QUOTE:
            return Found(phrase, k, "before", "before: relayed")
    phrase = subject_of_cue(c, k, low)
    return phrase and Found(phrase, k, "before", "before: subject, verb")


def _label(c: Clauses, quote: int, low: int) -> Found | None:
    """Name between a dash and a colon (*Harbour to close – Ruiz: “…”*)."""
    colon = quote - 1
    if colon <= low or c.words[colon] != ":":
        return None
    start = c.behind_last_of(_DASHES, colon, max(low, colon - _LABEL))
    named = low < start < colon and c.words[start - 1] in _DASHES and c.words[start][0].isupper()
    phrase = backwards(c, colon - 1, start) if named and c.words[colon - 1][0].isupper() else None
    return phrase and Found(phrase, colon, "colon", "before: label")


def _behind_label(c: Clauses, low: int, quote: int) -> int:
    """First word behind a label of what follows (*Read more: Ruiz: “…”*)."""
    colon = c.next_of(_COLON, low, min(quote, low + _LABEL))
    words = set(c.low[low:colon])
    return colon + 1 if colon < quote and words and words <= _LABELS else low


def _without_verb(c: Clauses, quote: int, low: int, full: bool) -> Found | None:
    """Speaker in a sentence without a verb of saying: before a colon, or before a comma and a quoted sentence."""
    if low >= quote:
        return None
    if ":" in c.words[low : quote - 1]:
        colon = c.words.index(":", low)
        phrase = backwards(c, colon - 1, low)
        if phrase and phrase.start == low and c.words[phrase.head - 1][0].isupper():
            return Found(phrase, colon, "colon", "before: name, colon, verb")
    sign = c.words[quote - 1]
    phrase = first_phrase(c, low, quote - 1) if sign == ":" or (full and sign == ",") else None
    if phrase is None or not can_speak(c, phrase, "said"):
        return None
    if sign == ":":
        return Found(phrase, quote - 1, "colon", "before: colon")
    return Found(phrase, None, "before", "before: comma")
