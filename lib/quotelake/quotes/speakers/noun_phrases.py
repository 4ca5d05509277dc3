"""English noun phrases, found from one of their ends, and the type of speaker of one: by words and capital letters."""

from functools import lru_cache
from typing import Final

from quotelake.quotes import lexicon as en
from quotelake.quotes.speakers.clauses import POSSESSIVE, QUOTE, STOP, Clauses, Phrase
from quotelake.text.lexicon import word_set

#: Most words of a noun phrase that are read; a longer one is cut.
_LONGEST: Final = 14
_ENDS_ASIDE: Final = frozenset((",", ";", ":", "—", "–", STOP, QUOTE))
_JOINING_A_NAME: Final = frozenset(("of", "from", "for"))
_JOINING_A_ROLE: Final = frozenset(("of", "for", "from", "at", "with"))
#: Determiners that can be a noun phrase alone.
_ALONE: Final = word_set("another others some many most few one both all none neither several")
_NEVER_ALONE: Final = en.DETERMINERS - _ALONE
_PLURAL: Final = en.CROWD | en.SOURCES
ROLES: Final = en.ROLES | _PLURAL | en.TITLES
NOUNS: Final = ROLES | en.DOCUMENTS | en.ORGANISATIONS
_LINKING: Final = en.JOINING | en.DETERMINERS
#: Words that end a noun phrase when it is read backwards, or forwards; and those that begin none.
_BEFORE_PHRASE: Final = en.BREAKS | en.AUXILIARIES
_BEHIND_PHRASE: Final = _BEFORE_PHRASE | en.ADVERBS | en.PREPOSITIONS
_NO_START: Final = (en.BREAKS | en.PREPOSITIONS) - en.PRONOUNS
#: Types of speakers by words; of a pronoun by itself, else by the head of its phrase.
_PRONOUNS: Final = {
    "crowd": frozenset(("they", "we", "everyone")),
    "anonymous": word_set("another others somebody someone nobody one some many"),
    "organisation": frozenset(("it",)),
}


def is_noun(c: Clauses, k: int) -> bool:
    """Whether a form of a verb of saying is a noun here (*his call for*, *Trump's proposed*)."""
    form, before = c.low[k], c.low[k - 1] if k else ""
    if len(before) > 2 and before[-2:] in POSSESSIVE:
        return True
    if form not in en.NOUN_VERBS or before in en.PRONOUNS or before in en.ADVERBS or form[-3:] == "ing":
        return form in en.NOUN_VERBS and before in en.DETERMINERS
    if form[-1] != "s":  # A plain form would need a plural subject.
        return before[-1:] != "s" and before not in (",", ")")
    return before in en.DETERMINERS or (c.words[k - 1][0].islower() and before not in NOUNS)


def backwards(c: Clauses, last: int, low: int) -> Phrase | None:
    """Noun phrase that ends at ``last`` and begins at ``low`` or later; None if there is none."""
    words, lows = c.words, c.low
    low = max(low, last - _LONGEST)
    k = last
    while k >= low:
        word = lows[k]
        if word == "and":
            if not _only_names(c, k - 1, low):
                break
        elif (
            word in _BEFORE_PHRASE
            or not words[k][0].isalnum()
            or (word in en.CUES and words[k] == word and not _is_head_noun(c, k))
        ):
            break
        k -= 1
        if word in en.DETERMINERS and not (k >= low and lows[k] in _LINKING):
            break
    start = k + 1
    while start <= last and lows[start] in en.ADVERBS:
        start += 1
    if start > last or lows[last] in en.TIME_WORDS or lows[last] in en.PREPOSITIONS:
        return None
    start = _behind_preposition(c, start, last)
    if start > last or (start == last and lows[last] in _NEVER_ALONE):
        return None
    return Phrase(start, last + 1, last + 1)


def forwards(c: Clauses, start: int, high: int, clause: bool = False) -> Phrase | None:
    """Noun phrase that begins at ``start``, with its apposition; without it if the verb of a ``clause`` follows."""
    words, lows = c.words, c.low
    if start >= high:
        return None
    first = lows[start]
    if first == "@":
        return Phrase(start, start + 2, start + 2)
    alone = first in en.PRONOUNS and not (
        first in en.DETERMINERS and start + 1 < high and words[start + 1][0].isupper()
    )
    if alone:
        return Phrase(start, start + 1, start + 1)
    adverb = first[-2:] == "ly" and words[start][0].islower() and not words[min(start + 1, high - 1)][0].isupper()
    if adverb or first.replace("’", "'").partition("'")[0] in _NO_START:
        return None
    k = start
    named = role = False  # Whether a name is in front, lower-case words aside; whether the phrase has a role.
    while k < min(high, start + _LONGEST):
        word = lows[k]
        if words[k][0].isupper() or words[k][0].isdigit():
            if word in en.TIME_WORDS and not (k + 1 < high and words[k + 1][0].isupper()):
                break
            named = words[k][0].isupper() and word not in en.DETERMINERS
        elif not _continues_phrase(c, k, start, high, named=named, role=role, clause=clause):
            break
        elif word in en.JOINING:
            named = False
        elif word in ROLES:
            role = True
        k += 1
    if k == start or (k == start + 1 and first in _NEVER_ALONE):
        return None
    return Phrase(start, k, k if clause else apposition(c, k, high, start))


def apposition(c: Clauses, k: int, high: int, head: int) -> int:
    """End of the apposition after the noun phrase from ``head`` to ``k``; ``k`` if there is none.

    A relative clause counts only after a full name without another apposition: elsewhere it is new information.
    """
    full = k - head > 1 and c.words[head][0].isupper() and c.words[k - 1][0].isupper()
    if k < high and c.words[k] == "(":
        k = min(c.next_of({")"}, k, high) + 1, high)
    start = k
    while k + 1 < high and c.words[k] == "," and _explains(c, k + 1, high):
        k = c.next_of(_ENDS_ASIDE, k + 1, high)
    if k - start <= 2 and full and k + 1 < high and c.words[k] == "," and c.low[k + 1] in ("who", "whose"):
        k = c.next_of(_ENDS_ASIDE, k + 1, high)
    return k


def _continues_phrase(c: Clauses, k: int, start: int, high: int, *, named: bool, role: bool, clause: bool) -> bool:
    """Whether a word in lower case, or a sign, continues the phrase from ``start``; the verb of a clause does not."""
    word, before = c.low[k], c.low[k - 1]
    following = c.low[k + 1] if k + 1 < high else ""
    if not (word[0].isalnum() or word == "&"):
        return False
    if word in en.DETERMINERS:
        return k == start or before in en.JOINING
    if word in en.JOINING:  # mayor of, Ana Ruiz of
        if role:
            return word in _JOINING_A_ROLE
        return not clause and word in (_JOINING_A_NAME if named else ("of",))
    if word == "and" and not clause:  # bookseller and poet Ada Roe; Ana Ruiz and Lee Odell
        return any(one[0].isupper() for one in c.words[k + 1 : min(high, k + 2 + (not named))])
    if word in _BEHIND_PHRASE:
        return False
    if word in ROLES or word in en.PARTICLES or k == start:
        return True
    owned = before[-2:] in POSSESSIVE
    if not clause:
        return not named or owned or c.low[start] in en.DETERMINERS or following in ROLES  # Avalon city mayor
    if before in NOUNS and c.words[k - 1][0].islower() and word not in NOUNS:
        return False
    if named and not owned:
        return following in ROLES or (word in NOUNS and c.low[start] in en.DETERMINERS)  # the Avalon report
    return not (word in en.CUES or word[-2:] == "ed") or _is_head_noun(c, k)


def _is_head_noun(c: Clauses, k: int) -> bool:
    """Whether a form of a verb is a noun that can speak here (*the report said*)."""
    return is_noun(c, k) or (k > 0 and c.low[k] in NOUNS and c.low[k - 1] in en.DETERMINERS)


def _only_names(c: Clauses, k: int, low: int) -> bool:
    """Whether all words from the start of the clause to ``k`` are capitalised."""
    end = k
    while k >= low and c.words[k][0].isupper() and c.low[k] not in en.TIME_WORDS:
        k -= 1
    return k < end and (k < low or not c.words[k][0].isalnum())


def _behind_preposition(c: Clauses, start: int, last: int) -> int:
    """Start of the noun phrase up to ``last`` without an adverbial before it (*in Ohio the mayor*)."""
    lead = start if c.low[start] in en.PREPOSITIONS else -1
    for k in range(start, last + 1):
        if c.low[k] in en.PREPOSITIONS and c.low[k] not in en.JOINING:
            lead = k
    if lead < 0:
        return start
    k = last
    while k > lead and c.low[k] not in en.DETERMINERS and c.low[k] not in en.PREPOSITIONS:
        k -= 1
    return k if k > lead and c.low[k] in en.DETERMINERS else k + 1


def _explains(c: Clauses, k: int, high: int) -> bool:
    """Whether the words from ``k``, after a comma, are an apposition, an age or a place."""
    word = c.low[k]
    if word in en.TIME_WORDS:
        return False
    if word in en.DETERMINERS or word in NOUNS or word in ("of", "from", "now") or not c.words[k][0].islower():
        return word[0].isalnum()
    if word[-3:] == "ing":
        return k + 1 < high and c.low[k + 1] in ROLES  # managing director
    return not (word in _BEHIND_PHRASE or word[-2:] == "ly" or word in en.PRONOUNS or word in en.CUES)


@lru_cache(maxsize=16_384)
def speaker_type(words: tuple[str, ...]) -> str:
    """Type of an English speaker by the words of its phrase, apposition excluded.

    >>> [speaker_type(tuple(name.split())) for name in ("Ana Ruiz", "the Harbour Authority", "one aide")]
    ['person', 'organisation', 'anonymous']
    """
    low = [word.lower().removesuffix("'s").removesuffix("’s").rstrip(".") for word in words]
    if len(low) == 1 and words[0] != "US" and low[0] in en.PRONOUNS:
        return next((kind for kind, pronouns in _PRONOUNS.items() if low[0] in pronouns), "person")
    end = next((k for k in range(1, len(low)) if low[k] in en.JOINING and not _in_name(words, k)), len(low))
    head = low[end - 1]
    if words[end - 1][:1].isupper() and not (end == 1 and head in en.ROLES):
        return _of_name(words[:end], low[:end])
    indefinite = low[0] in en.INDEFINITE
    if head in en.DOCUMENTS:
        return "document"
    if head in en.ORGANISATIONS:
        return "organisation"
    several = head in en.SOURCES and (indefinite or head[-1:] == "s" or head == "people")
    if head in en.CROWD and not (indefinite and several):
        return "crowd"
    roles = head[-1:] == "s" and head[:-1] in en.ROLES
    return "anonymous" if several or indefinite or roles else "person"


def _of_name(words: tuple[str, ...], low: list[str]) -> str:
    head = low[-1]
    if head in en.DOCUMENTS and (len(words) > 1 or head not in en.ORGANISATIONS):
        return "document"
    lower = [word for word, raw in zip(low, words, strict=True) if raw[:1].islower()]
    if low[0] == "the" and en.ROLES.isdisjoint(lower) and en.TITLES.isdisjoint(low):
        return "organisation"
    acronym = len(words) == 1 and len(head) > 1 and words[0].isupper() and "." not in words[0]
    return "organisation" if acronym or head in en.ORGANISATIONS else "person"


def _in_name(words: tuple[str, ...], k: int) -> bool:
    """Whether *of* is part of a name (*the Bank of Avalon*)."""
    return k + 1 < len(words) and words[k - 1][:1].isupper() and words[k + 1][:1].isupper() and words[k] == "of"
