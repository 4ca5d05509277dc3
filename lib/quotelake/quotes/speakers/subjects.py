"""The subject of a verb of saying in an English sentence; ``low`` is always the first word that may be read."""

from typing import Final

from quotelake.quotes import lexicon as en
from quotelake.quotes.speakers.clauses import POSSESSIVE, QUOTE, STOP, Clauses, Phrase
from quotelake.quotes.speakers.noun_phrases import ROLES, apposition, backwards, forwards, is_noun
from quotelake.text.lexicon import word_set

_COMMA: Final = frozenset(",")
_SENTENCE_SIGNS: Final = frozenset((";", ":", STOP, QUOTE))
#: Words between a verb that relays and the verb of saying; and words of the phrase between them.
_AS: Final = frozenset(("as", "of"))
_RELAYED: Final = 14
_DASHES: Final = frozenset("—–-")
_BETWEEN_ASIDES: Final = frozenset(",;:—–")
_COORDINATING: Final = frozenset(("and", "or", "but", "then"))
#: Words around a word of time between subject and verb (*Ruiz late on Monday said*).
_AROUND_TIME: Final = frozenset(("on", "last", "this", "late", "early", "earlier", "in", "a", "ago", ","))
_BEFORE_TIME: Final = _AROUND_TIME - {","}
#: Words before the subject of a clause.
_LEADS: Final = frozenset(("as", "but", "and", "that", "while", "because", "what"))
_RELATIVES: Final = frozenset(("who", "whose", "which", "whom", "where", "when"))
#: Words directly before a clause whose verb may report the quote; not *that*, *what* or *and*, whose clauses are more
#: often reported themselves.
_CLAUSE: Final = _RELATIVES | word_set("and as but while with though after before because if until")
#: Words that begin an aside.
_CLOSED: Final = _RELATIVES | en.PREPOSITIONS | en.ADVERBS | (en.DETERMINERS - {"his", "her", "their"})
_PARTIES: Final = frozenset(("democrat", "republican", "independent", "libertarian"))
_PARTY_AND_STATE: Final = frozenset(("d-", "r-", "i-"))
_PLACES: Final = frozenset(("of", "in", "from", "at", "near"))
_BEHIND_PARTICIPLE: Final = frozenset(("by", "of", "if", "whether", "about", "in", "on"))


def subject_of_cue(c: Clauses, cue: int, low: int, nested: bool = False) -> Phrase | None:
    """Subject of the verb at ``cue``; None for a passive. ``nested`` reads only the clause of the verb."""
    j, passive = _before_auxiliaries(c, cue, low)
    participle = c.low[cue][-3:] == "ing" and not passive
    relayed = relayed_speaker(c, cue, j, low)
    if relayed:
        return relayed
    if j < low or (passive and c.low[cue][-3:] != "ing" and c.low[cue] != "quoted"):
        return None
    word, raw = c.low[j], c.words[j]
    found = None
    if word == "to" or word in _COORDINATING or (participle and word in en.PREPOSITIONS):
        pass
    elif participle:
        found = _of_participle(c, j, low) if raw[0].isalnum() else None
    elif word in en.PRONOUNS and not (word in en.DETERMINERS and j > low and c.low[j - 1] in en.DETERMINERS):
        return Phrase(j, j + 1, j + 1)
    elif word == "," or word == QUOTE or raw in _DASHES:
        found = _behind_aside(c, j, low)
    elif word == ")":
        found = backwards(c, _opening(c, j, low) - 1, low)
        return found and Phrase(found.start, found.head, j + 1)
    else:
        found = backwards(c, j, low)
        return found and _with_name_in_front(c, found, low)
    return found or (None if nested else _of_sentence(c, j, low))


def relayed_speaker(c: Clauses, cue: int, j: int, low: int) -> Phrase | None:
    """Who says what another relays (*Odell quoted Ruiz as saying*, *heard Ruiz shout*); ``j``: word before the verb."""
    form = c.low[cue]
    if j <= low or form in en.RELAYING or (form[-3:] != "ing" and form != en.CUES[form] and c.low[cue - 1] != "having"):
        return None
    last = j - (c.low[j] in _AS)
    relaying = last
    while relaying > max(low, last - _RELAYED) and c.low[relaying] not in en.RELAYING:
        if c.words[relaying] in _SENTENCE_SIGNS:
            return None
        relaying -= 1
    if c.low[relaying] not in en.RELAYING:
        return None
    if relaying == last or c.low[relaying + 1] == "by":  # Ruiz was quoted (by the Avalon Post) as saying
        return subject_of_cue(c, relaying, low) if last < j else None
    found = forwards(c, relaying + 1, last + 1)
    return found if found and found.end == last + 1 else None


def begins_clause(c: Clauses, start: int, low: int) -> bool:
    """Whether a clause begins at ``start``: after a sign or conjunction, adverbs and times aside."""
    k = start - 1
    while k >= low and (c.low[k] in en.ADVERBS or c.low[k] in en.TIME_WORDS or c.low[k] in _BEFORE_TIME):
        k -= 1
    if k > low and c.low[k] == "and" and c.low[k - 1] not in ROLES:
        return not c.words[k - 1][0].isalnum()
    return k < low or not c.words[k][0].isalnum() or c.low[k] in _CLAUSE


def first_phrase(c: Clauses, low: int, high: int) -> Phrase | None:
    """First noun phrase of a sentence, after introductory phrases that end in a comma."""
    k = low
    while k < high and (c.low[k] in en.ADVERBS or c.low[k] in _COORDINATING or not c.words[k][0].isalnum()):
        k += 1
    while k < high and _introduces(c, k, high):
        k = place = c.next_of(_COMMA, k, high) + 1
        while place < high and c.words[place][0].isupper():
            place += 1
        if k < place < high - 1 and c.words[place] == ",":
            word = c.low[place + 1]
            if c.words[place + 1][0].isupper() or word in en.DETERMINERS or word in en.PRONOUNS:
                k = place + 1  # In Salem, New Hampshire, the mayor
    return forwards(c, k, high, clause=True) if k < high else None


def _of_sentence(c: Clauses, before: int, low: int) -> Phrase | None:
    """Subject of the clause before: that of the nearest finite verb of saying, else the first noun phrase."""
    for j in range(before - 1, low, -1):
        form = c.low[j]
        if form in en.CUES and c.words[j] == form and form[-3:] != "ing" and c.low[j - 1] != "to":
            found = None if is_noun(c, j) else subject_of_cue(c, j, low, nested=True)
            if found and c.low[found.start] not in _RELATIVES:
                return found
    return first_phrase(c, low, before)


def _before_auxiliaries(c: Clauses, cue: int, low: int) -> tuple[int, bool]:
    """Word before a verb with its auxiliaries, adverbs and times; and whether one of them is a form of *be*."""
    j = cue - 1
    be = False
    while j >= low and (
        c.low[j] in en.AUXILIARIES or c.low[j] in en.ADVERBS or (c.low[j][-2:] == "ly" and c.words[j] == c.low[j])
    ):
        be = be or c.low[j] in en.BE
        j -= 1
    at = j
    while at > low and (c.low[at] in en.TIME_WORDS or (at < j and c.words[at] in _AROUND_TIME)):
        at -= 1
    return at, be


def _of_participle(c: Clauses, j: int, low: int) -> Phrase | None:
    """Noun directly before a participle, if it is the speaker (*a sign saying*, *with Ruiz calling it*)."""
    found = backwards(c, j, low)
    if found is None:
        return None
    before = c.low[found.start - 1] if found.start > low else ""
    speaks = c.low[j] in en.DOCUMENTS or c.words[j][0].isupper()
    return found if before == "with" or (speaks and before not in en.PREPOSITIONS) else None


def _with_name_in_front(c: Clauses, found: Phrase, low: int) -> Phrase:
    """Add the name before an apposition that has no second comma (*Ruiz, the mayor said*)."""
    comma = found.start - 1
    if comma - 1 < low or c.words[comma] != "," or c.low[found.start] not in en.DETERMINERS:
        return found
    name = backwards(c, comma - 1, low)
    opens = name is not None and (name.start == low or not c.words[name.start - 1][0].isalnum())
    return Phrase(name.start, name.head, found.end) if name and opens and c.words[name.head - 1][0].isupper() else found


def _behind_aside(c: Clauses, end: int, low: int) -> Phrase | None:
    """Subject that an aside between commas or dashes separates from its verb: skip asides backwards."""
    verb = end
    while end > low:
        first = c.behind_last_of(_BETWEEN_ASIDES, end, low)
        opens = first == low and first < end and (c.low[first] in en.DETERMINERS or c.low[first] in ROLES)
        if first < end and (opens or not _is_aside(c, first, end, low)):
            last = _opening(c, end - 1, first) - 1 if c.words[end - 1] == ")" else end - 1
            found = backwards(c, last, first) if last >= first and c.words[last] != QUOTE else None
            if found and not (opens and found.start > first):
                start = _description(c, found, first - 1, low)
                return Phrase(start, found.head, apposition(c, found.head, verb, found.start))
            if not opens:
                return None
        end = first - 1
    return None


def _description(c: Clauses, found: Phrase, comma: int, low: int) -> int:
    """Start of a description to which a name is the apposition (*Ruiz's lawyer, Lee Odell, said*)."""
    if (
        comma <= low
        or c.words[comma] != ","
        or not (c.words[found.start][0].isupper() and c.words[comma - 1][0].islower())
    ):
        return found.start
    left = backwards(c, comma - 1, low)
    owned = left is not None and any(word[-2:] in POSSESSIVE for word in c.low[left.start : left.head])
    return left.start if left and (owned or c.low[left.start] in en.DETERMINERS) else found.start


def _is_aside(c: Clauses, first: int, end: int, low: int) -> bool:
    """Whether words between commas cannot be the subject: apposition, age, place, adverbial."""
    begin = first
    while first + 1 < end and c.low[first] in _LEADS:
        first += 1
    word = c.low[first]
    if word in _CLOSED or word[0].isdigit() or word[-3:] == "ing" or word in _PARTIES:
        return True
    if c.words[first][0].islower() and word not in en.PRONOUNS and word not in en.BREAKS:
        return True
    owned = word[-1] == "s" or any(one[-2:] in POSSESSIVE for one in c.low[first:end])
    if (owned and end - first > 1 and c.words[end - 1][0].islower()) or word[:2] in _PARTY_AND_STATE:
        return True  # Upper Thorley’s mayor; D-Va.
    before = c.behind_last_of(_COMMA, begin - 1, low) - 1
    # The rest of a place: of Tampa, Florida,
    return end - first <= 2 and before > low and not _PLACES.isdisjoint(c.low[before:begin])


def _introduces(c: Clauses, k: int, high: int) -> bool:
    """Whether an introductory phrase, which must end in a comma, begins here."""
    word = c.low[k]
    participle = word[-3:] == "ing" or (word[-2:] == "ed" and k + 1 < high and c.low[k + 1] in _BEHIND_PARTICIPLE)
    return participle or word in en.PREPOSITIONS or word in en.BREAKS or word in _AROUND_TIME


def _opening(c: Clauses, closing: int, low: int) -> int:
    """Position of the bracket that the one at ``closing`` closes, or ``low``."""
    return max(low, c.behind_last_of({"("}, closing + 1, low) - 1)
