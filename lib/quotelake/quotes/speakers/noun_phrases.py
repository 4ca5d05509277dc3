"""Noun phrases, found from one of their ends: by the words of the language and by capital letters."""

from typing import Final

from quotelake.quotes.speakers.clauses import POSSESSIVE, SIGNS, Clauses, Phrase

#: Most words of a noun phrase that are read; a longer one is cut.
_LONGEST: Final = 14


def is_noun(c: Clauses, k: int) -> bool:
    """Whether a form of a verb of saying is a noun here (*his call for*, *Trump's proposed*)."""
    form, before = c.low[k], c.low[k - 1] if k else ""
    if len(before) > 2 and before[-2:] in POSSESSIVE:
        return True
    if form not in c.lists["noun_verbs"]:
        return False
    if before in c.lists["pronouns"] or before in c.lists["adverbs"] or form[-3:] == "ing":
        return before in c.lists["determiners"]
    if form[-1] != "s":  # A plain form would need a plural subject.
        return before[-1:] != "s" and before not in (",", ")")
    return before in c.lists["determiners"] or (c.words[k - 1][0].islower() and before not in c.lists["speaking"])


def begins_name(c: Clauses, k: int) -> bool:
    """Whether a word begins the name of a person or body: a capital, determiner, pronoun or noun for an office."""
    return c.words[k][0].isupper() or c.table.has(c.low[k], "determiners", "pronouns", "people")


def backwards(c: Clauses, last: int, low: int) -> Phrase | None:
    """Noun phrase that ends at ``last`` and begins at ``low`` or later; None if there is none."""
    words, lows, lists = c.words, c.low, c.lists
    k = last
    while k >= low:
        word = lows[k]
        if word == "and":
            if not _only_names(c, k - 1, low):
                break
        elif (
            word in lists["no_phrase"]
            or not words[k][0].isalnum()
            or (word in c.table.cues and words[k] == word and not is_noun(c, k))
        ):
            break
        k -= 1
    start = k + 1
    if start > last or lows[last] in lists["time_words"] or lows[last] in lists["prepositions"]:
        return None
    start = _behind_preposition(c, start, last)
    if start > last or (start == last and lows[last] in lists["articles"]):
        return None
    return Phrase(start, last + 1, last + 1)


def forwards(c: Clauses, start: int, high: int, clause: bool = False) -> Phrase | None:
    """Noun phrase that begins at ``start``, with its apposition; without it if the verb of a ``clause`` follows."""
    words, lows, lists = c.words, c.low, c.lists
    if start >= high:
        return None
    first = lows[start]
    if first == "@":
        return Phrase(start, start + 2, start + 2)
    noun_next = start + 1 < high and (words[start + 1][0].isupper() or lows[start + 1] in lists["people"])
    if first in lists["pronouns"] and not (first in lists["determiners"] and noun_next):
        return Phrase(start, start + 1, start + 1)
    if first.replace("’", "'").partition("'")[0] in lists["no_start"]:
        return None
    nominal = words[start][0].isupper() or first in lists["determiners"] or first in lists["people"]
    if c.table.verb_first and not (nominal or c.table.capitalised_nouns):
        return None
    k = start
    named = role = False  # Whether a name is in front, lower-case words aside; whether the phrase has a role.
    while k < min(high, start + _LONGEST):
        word = lows[k]
        if words[k][0].isupper() or words[k][0].isdigit():
            named = words[k][0].isupper() and word not in lists["determiners"]
        elif not _continues_phrase(c, k, start, high, named=named, role=role, clause=clause):
            break
        elif word in lists["joining"]:
            named = False
        elif word in lists["people"]:
            role = True
        named = named and word[-2:] not in POSSESSIVE  # what is owned is the head
        k += 1
    while k > start + 1 and words[k - 1][0].islower():
        if not (c.table.capitalised_nouns or c.table.has(lows[k - 1], "joining", "determiners")):
            break
        k -= 1
    if k == start or (k == start + 1 and first in lists["articles"]):
        return None
    if c.table.capitalised_nouns and not any(word[0].isupper() for word in words[start:k]):
        return None
    return Phrase(start, k, k if clause else apposition(c, k, high, start))


def apposition(c: Clauses, k: int, high: int, head: int) -> int:
    """End of the apposition after the noun phrase from ``head`` to ``k``; ``k`` if there is none.

    A relative clause counts only after a full name without another apposition: elsewhere it is new information.
    """
    full = k - head > 1 and c.words[head][0].isupper() and c.words[k - 1][0].isupper()
    k = _behind_bracket(c, k, high)
    start = k
    if c.table.verb_first:
        phrase = forwards(c, k + 1, high, clause=True) if k < high and c.words[k] == "," else None
        if phrase is None:
            return k
        end = _behind_bracket(c, phrase.end, high)
        return end if end >= high or not c.words[end][0].isalnum() or c.low[end] in c.table.cues else k
    while k + 1 < high and c.words[k] == "," and _explains(c, k + 1, high):
        k = c.next_of(SIGNS, k + 1, high)
    if k - start <= 2 and full and k + 1 < high and c.words[k] == "," and c.low[k + 1] in ("who", "whose"):
        k = c.next_of(SIGNS, k + 1, high)
    return k


def _behind_bracket(c: Clauses, k: int, high: int) -> int:
    """One past the bracket that opens at ``k``, or ``k``."""
    return min(c.next_of({")"}, k, high) + 1, high) if k < high and c.words[k] == "(" else k


def _continues_phrase(c: Clauses, k: int, start: int, high: int, *, named: bool, role: bool, clause: bool) -> bool:
    """Whether a word in lower case, or a sign, continues the phrase from ``start``; the verb of a clause does not."""
    lists, word, before = c.lists, c.low[k], c.low[k - 1]
    following = c.low[k + 1] if k + 1 < high else ""
    if not (word[0].isalnum() or word == "&"):
        return False
    if word in lists["joining"] and k > start:  # mayor of, Ana Ruiz of
        if role:
            return word in lists["joining_roles"]
        return (c.table.verb_first or not clause) and word in lists["joining_names"]
    if word in lists["determiners"]:
        return k == start or before in lists["joining"] or before in lists["determiners"]
    if word == "and" and not clause:  # bookseller and poet Ada Roe; Ana Ruiz and Lee Odell
        return any(one[0].isupper() for one in c.words[k + 1 : min(high, k + 2 + (not named))])
    if word in lists["places"] and c.table.verb_first:  # the head of the union in Kiel, Ute Holl
        comma = next((j for j in range(k + 1, high) if not c.words[j][0].isupper()), high)
        return k + 1 < comma < high and c.words[comma] == ","
    if word in lists["behind_phrase"]:
        return False
    people = lists["people"]
    if word in people or word in lists["particles"] or k == start:
        return True
    if not clause:
        return not named or c.low[start] in lists["determiners"] or following in people  # Avalon city mayor
    if named:
        return following in people or (word in lists["speaking"] and c.low[start] in lists["determiners"])
    return not (word in c.table.cues or word[-2:] == "ed") or is_noun(c, k)


def _only_names(c: Clauses, k: int, low: int) -> bool:
    """Whether all words from the start of the clause to ``k`` are capitalised."""
    end = k
    while k >= low and c.words[k][0].isupper() and c.low[k] not in c.lists["time_words"]:
        k -= 1
    return k < end and (k < low or not c.words[k][0].isalnum())


def _behind_preposition(c: Clauses, start: int, last: int) -> int:
    """Start of the noun phrase up to ``last`` without an adverbial before it (*in Ohio the mayor*)."""
    lists = c.lists
    lead = start if c.low[start] in lists["prepositions"] else -1
    for k in range(start, last + 1):
        if c.low[k] in lists["prepositions"] and c.low[k] not in lists["joining"]:
            lead = k
    if lead < 0:
        return start
    k = last
    while k > lead and c.low[k] not in lists["determiners"] and c.low[k] not in lists["prepositions"]:
        k -= 1
    return k if k > lead and c.low[k] in lists["determiners"] else k + 1


def _explains(c: Clauses, k: int, high: int) -> bool:
    """Whether the words from ``k``, after a comma, are an apposition, an age or a place."""
    lists, word = c.lists, c.low[k]
    is_nominal = word in lists["determiners"] or word in lists["speaking"] or word in ("of", "from", "now")
    if is_nominal or not c.words[k][0].islower():
        return word[0].isalnum()
    if word[-3:] == "ing":
        return k + 1 < high and c.low[k + 1] in lists["people"]  # managing director
    return not (c.table.has(word, "behind_phrase", "pronouns") or word[-2:] == "ly" or word in c.table.cues)
