"""The subject of a verb of saying in a sentence; ``low`` is always the first word that may be read."""

from itertools import takewhile
from typing import Final

from quotelake.quotes.speakers.clauses import POSSESSIVE, QUOTE, SIGNS, Clauses, Phrase
from quotelake.quotes.speakers.noun_phrases import apposition, backwards, begins_name, forwards, is_noun

_BREAKS: Final = SIGNS - {QUOTE}
#: Words between the parts of a verb, between a subject and its verb, and a verb that relays and the verb of saying.
_CLAUSE: Final = 40
_DASHES: Final = frozenset("—–-")
_BETWEEN_ASIDES: Final = frozenset(",;:—–")


def subject(c: Clauses, cue: int, low: int, high: int) -> Phrase | None:
    """Subject of the verb at ``cue``: in front of it, or in a language whose verbs may come first also behind."""
    if not c.table.verb_first:
        return subject_of_cue(c, cue, low)
    lists = c.lists
    parts = takewhile(lambda j: c.words[j] not in _BREAKS, range(cue - 1, max(low, cue - _CLAUSE), -1))
    finite = next((j for j in parts if c.low[j] in lists["auxiliaries"]), cue)
    relays, passive = c.low[cue] in lists["relaying"], c.low[finite] in lists["be"]
    if (passive and not relays) or (finite > low and c.low[finite - 1] in lists["coordinating"]):
        return None
    if relays and cue + 1 < len(c.words) and c.low[cue + 1] in lists["oblique"]:
        return None  # zitierte ihn
    front = _front(c, low, finite)
    behind = behind_verb(c, finite, high if finite == cue else cue)
    if behind is None and finite != cue:  # come ha detto il sindaco
        behind = behind_verb(c, cue, high)
    if relays and behind and not passive:  # Holl zitierte Bell mit den Worten: “…”
        return behind if front else None
    return behind if behind and (front is None or speaks(c, behind) > speaks(c, front)) else front


def behind_verb(c: Clauses, verb: int, high: int) -> Phrase | None:
    """The phrase behind a verb, adverbs aside."""
    return _nominative(c, c.skip(verb + 1, high, "adverbs"), high)


def _nominative(c: Clauses, k: int, high: int, clause: bool = False) -> Phrase | None:
    """The noun phrase at ``k``, if its first word is no form of an object (*den Minister nannte*)."""
    return None if k < high and c.low[k] in c.lists["oblique"] else forwards(c, k, high, clause)


def _front(c: Clauses, low: int, verb: int) -> Phrase | None:
    """The phrase that begins a clause, before its verb, with adverbs and an aside between."""
    lists = c.lists
    best: Phrase | None = None
    for s in range(verb - 1, max(low, verb - _CLAUSE) - 1, -1):
        if s > low and c.words[s - 1][0].isalnum():
            continue
        bound = c.low[s] in lists["subordinators"]
        phrase = _nominative(c, c.skip(s + bound, verb, "leads", signs=True), verb)
        between = range(phrase.end, verb) if phrase else range(0)
        aside = len(between) > 0 and c.words[between[0]] == "," == c.words[verb - 1]
        adverbs = all(c.table.has(c.low[j], "adverbs", "breaks") for j in between)
        if phrase and (adverbs or aside or (bound and all(c.words[j] != "," for j in between))):
            explains = aside and not c.table.has(c.low[phrase.end + 1], "relatives") and begins_name(c, phrase.end + 1)
            best = phrase._replace(end=verb - 1) if explains else phrase
    return best


def speaks(c: Clauses, phrase: Phrase) -> bool:
    """Whether a phrase can speak: a pronoun, a name without article, or a noun for an office or body."""
    words, table = c.words[phrase.start : phrase.head], c.table
    if c.low[phrase.start] not in c.lists["determiners"]:
        return words[0][0].isupper() or c.low[phrase.start] in c.lists["pronouns"]
    nouns = takewhile(lambda word: word not in c.lists["joining"], words[1:])
    return any(table.is_noun(word, "speaking") for word in nouns)


def subject_of_cue(c: Clauses, cue: int, low: int, nested: bool = False) -> Phrase | None:
    """Subject of the verb at ``cue``; None for a passive. ``nested`` reads only the clause of the verb."""
    lists = c.lists
    j = cue - 1
    while j >= low and (c.is_beside_verb(j) or c.low[j] in lists["times"]):
        j -= 1
    passive = c.table.any_of(c.low[j + 1 : cue], "be")
    participle = c.low[cue][-3:] == "ing" and not passive
    relayed = quoted_as(c, cue, j, low)
    if relayed:
        return relayed
    if j < low or (passive and c.low[cue][-3:] != "ing" and c.low[cue] != "quoted"):
        return None
    word, raw = c.low[j], c.words[j]
    found = None
    if word == "to" or word in lists["coordinating"]:
        pass
    elif participle:
        found = _of_participle(c, j, low) if raw[0].isalnum() else None
    elif word in lists["pronouns"]:
        return Phrase(j, j + 1, j + 1)
    elif word == "," or word == QUOTE or raw in _DASHES:
        found = _behind_aside(c, j, low)
    elif word == ")":
        opening = max(low, c.behind_last_of({"("}, j + 1, low) - 1)
        found = backwards(c, opening - 1, low)
        return found and Phrase(found.start, found.head, j + 1)
    else:
        found = backwards(c, j, low)
        return found and _with_front(c, found, low)
    return found or (None if nested else _of_sentence(c, j, low))


def quoted_as(c: Clauses, cue: int, j: int, low: int) -> Phrase | None:
    """Who says what another relays (*Odell quoted Ruiz as saying*, *heard Ruiz shout*); ``j``: word before the verb."""
    relaying_forms = c.lists["relaying"]
    last = relaying = j - (c.low[j] in ("as", "of", "for"))
    while relaying > max(low, last - _CLAUSE) and c.low[relaying] not in relaying_forms:
        relaying -= 1
    if j <= low or c.low[cue] in relaying_forms or c.low[relaying] not in relaying_forms:
        return None
    found = forwards(c, relaying + 1, last + 1)
    return found if found and found.end == last + 1 else None


def begins_clause(c: Clauses, start: int, low: int) -> bool:
    """Whether a clause begins at ``start``: after a sign or conjunction, adverbs and times aside."""
    k = start - 1
    while k >= low and c.low[k] in c.lists["times"]:
        k -= 1
    if k > low and c.low[k] == "and" and c.low[k - 1] not in c.lists["people"]:
        return not c.words[k - 1][0].isalnum()
    return k < low or not c.words[k][0].isalnum() or c.low[k] in c.lists["clause_starts"]


def first_phrase(c: Clauses, low: int, high: int) -> Phrase | None:
    """First noun phrase of a sentence, after introductory phrases that end in a comma."""
    k = c.skip(low, high, "openers", signs=True)
    while k < high and c.low[k] in c.lists["introducing"]:
        k = c.next_of({","}, k, high) + 1
    k += k + 1 < high and c.low[k] in c.lists["finite_says"] and c.words[k + 1][0].isupper()  # Added Ruiz, “…”
    return _nominative(c, k, high, clause=not c.table.verb_first) if k < high else None


def _of_sentence(c: Clauses, before: int, low: int) -> Phrase | None:
    """Subject of the clause before: that of the nearest finite verb of saying, else the first noun phrase."""
    for j in range(before - 1, low, -1):
        form = c.low[j]
        if form in c.table.cues and c.words[j] == form and form[-3:] != "ing" and c.low[j - 1] != "to":
            found = None if is_noun(c, j) else subject_of_cue(c, j, low, nested=True)
            if found:
                return found
    return first_phrase(c, low, before)


def _of_participle(c: Clauses, j: int, low: int) -> Phrase | None:
    """Noun directly before a participle, if it is the speaker (*a sign saying*, *with Ruiz calling it*)."""
    found = backwards(c, j, low)
    before = c.low[found.start - 1] if found and found.start > low else ""
    speaks = c.low[j] in c.lists["documents"] or c.words[j][0].isupper()
    return found if before == "with" or (speaks and before not in c.lists["prepositions"]) else None


def _behind_aside(c: Clauses, verb: int, low: int) -> Phrase | None:
    """Subject that an aside between commas or dashes separates from its verb: skip asides backwards."""
    end = verb
    while end > low:
        first = c.behind_last_of(_BETWEEN_ASIDES, end, low)
        if first < end and not _is_aside(c, first, end, low):
            last = c.behind_last_of({"("}, end, first) - 2 if c.words[end - 1] == ")" else end - 1
            found = backwards(c, last, first) if last >= first and c.words[last] != QUOTE else None
            end = apposition(c, found.head, verb, found.start) if found else 0
            return found and _with_front(c, found._replace(end=end), low, aside=True)
        end = first - 1
    return None


def _with_front(c: Clauses, found: Phrase, low: int, *, aside: bool = False) -> Phrase:
    """A phrase with what a comma separates from it: *Ruiz, | the mayor*; *Ruiz's lawyer, | Lee Odell*."""
    comma = found.start - 1
    front = backwards(c, comma - 1, low) if comma > low and c.words[comma] == "," else None
    if front is None:
        return found
    is_name = c.words[front.head - 1][0].isupper()
    if is_name and c.low[found.start] in c.lists["determiners"]:
        return Phrase(front.start, front.head, found.end)
    describes = aside and c.words[found.start][0].isupper() and not is_name
    return found._replace(start=front.start) if describes else found


def _is_aside(c: Clauses, first: int, end: int, low: int) -> bool:
    """Whether words between commas cannot be the subject: apposition, age, place, adverbial."""
    lists = c.lists
    first = c.skip(first, end - 1, "leads")
    word = c.low[first]
    if word[0].isdigit() or (word in lists["closed"] and word not in lists["possessives"]):
        return True
    if c.words[first][0].islower() and word not in lists["pronouns"]:
        return True
    owned = word[-1] == "s" or any(one[-2:] in POSSESSIVE for one in c.low[first:end])
    if (owned and end - first > 1 and c.words[end - 1][0].islower()) or word[:2] in ("d-", "r-", "i-"):
        return True  # Upper Thorley’s mayor; D-Va.
    before = c.behind_last_of({","}, first - 1, low) - 1  # The rest of a place: of Tampa, Florida,
    return end - first <= 2 and before > low and not lists["places"].isdisjoint(c.low[before:first])
