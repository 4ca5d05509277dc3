"""Words between marks that nobody said: denied (*Ruiz never said “…”*), or withdrawn by a correction.

Such a quote has the flag ``denied`` or ``withdrawn`` and no speaker. A verb of uttering beside the quote, in its
sentence, must be negated, denied or called wrong. The words of a language are its table ``denials``.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from quotelake.quotes.lexicon import SENTENCE_END
from quotelake.quotes.pairing import Span
from quotelake.text.lexicon import load_lexicon, reporting, word_set

#: Flags of quotes that nobody said.
DENIED: Final = frozenset(("denied", "withdrawn"))
#: Characters before a quote that are read, and behind it.
_BEFORE: Final = 160
_AFTER: Final = 60
#: Characters before a quote in which it is denied.
_NEAR: Final = 70
#: Most words between the verb and the quote: to whom it was said, what it is.
_REACH: Final = 8
#: Most words from *nobody* to its verb.
_SUBJECT: Final = 6
#: Ends of sentences; behind an abbreviation a sentence may begin too late, which costs nothing here.
_ENDS: Final = (". ", "? ", "! ", "\n")
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|,")


class Denials:
    """The words of a language, in lower case: lists of words, and of phrases."""

    def __init__(self, language: str) -> None:
        """Read the table ``denials``, beside the language's other tables of quotes or in its lexicon."""
        room = (
            "quotelake.quotes" if "denials" in load_lexicon(language, "quotelake.quotes") else "quotelake.text.lexicon"
        )
        table = load_lexicon(language, room)["denials"]
        self.words = {name: word_set(words) for name, words in table.items() if isinstance(words, str)}
        self.phrases = {name: tuple(phrases) for name, phrases in table.items() if not isinstance(phrases, str)}
        says = reporting(language, "say", room=room)
        uttering = {form for form, lemma in says.items() if lemma in self.words["uttering"]}
        self.forms = uttering | self.words["relaying"] | self.words["wrong"]
        self.signs = tuple(table["signs"])
        self.correcting = {phrase.split()[0] for phrase in self.phrases["withdrawing"]}

    def flag_before(self, words: Sequence[str]) -> str | None:
        """The flag of a quote behind the words of its sentence."""
        if not self.forms.isdisjoint(words) and self._has(words, "withdrawing"):
            return "withdrawn"
        near = words[-_REACH:]
        if not self.words["only"].isdisjoint(near):
            return None
        if near[-1:] == [","] and not self.words["denying"].isdisjoint(near[-3:]):
            return "denied"
        verb = self._last_form(words, len(words))
        if verb > 0 and words[verb - 1] in self.words["chained"] and not self._is_denied(words, verb):
            verb = self._last_form(words, verb - 1)  # quoted Ruiz as saying
        return "denied" if len(words) - verb <= _REACH and self._is_denied(words, verb) else None

    def flag_behind(self, words: Sequence[str]) -> str | None:
        """The flag of a quote before the rest of its sentence."""
        verb = next((k for k, word in enumerate(words) if word in self.forms), -1)
        return "denied" if self.words["only"].isdisjoint(words) and self._is_denied(words, verb) else None

    def _last_form(self, words: Sequence[str], end: int) -> int:
        return next((k for k in range(end - 1, -1, -1) if words[k] in self.forms), -1)

    def _has(self, words: Sequence[str], name: str) -> bool:
        text = f" {' '.join(words)} "
        return any(f" {phrase} " in text for phrase in self.phrases[name])

    def _is_denied(self, words: Sequence[str], verb: int) -> bool:
        if verb < 0:
            return False
        k = verb - 1
        while k >= 0 and words[k] in self.words["between"]:
            k -= 1
        ahead = words[max(0, verb - _SUBJECT) : verb]
        clause = ahead[len(ahead) - ahead[::-1].index(",") :] if "," in ahead else ahead
        beside = words[max(0, k - 1) : verb] if k < 0 or words[k] != "," else []
        is_wrong = words[verb] in self.words["relaying"] and not self.words["wrongly"].isdisjoint(beside)
        return (
            is_wrong
            or words[verb] in self.words["wrong"]
            or not self.words["denying"].isdisjoint(beside)
            or any(word.endswith(("n't", "n’t")) for word in beside)
            or self._has(clause, "nobody")
            or self._has(beside, "negations")
            or self._has(words[verb + 1 : verb + 2], "negations_behind")
        )


@cache
def denials_of(language: str | None) -> Denials | None:
    """The words of a language by its ISO 639-1 code, English for None; None where it has no table."""
    code = language or "en"
    rooms = ("quotelake.quotes", "quotelake.text.lexicon")
    return Denials(code) if any("denials" in load_lexicon(code, room) for room in rooms) else None


def mark_denied(text: str, spans: Sequence[Span], language: str | None) -> None:
    """Flag the spans of a text whose words are denied or withdrawn."""
    denials = denials_of(language)
    if denials is None or not spans:
        return
    near = [text[max(0, span.opened_at - _NEAR) : span.opened_at].lower() for span in spans]
    behind = [text[span.closed_at - 1 : span.closed_at + _AFTER].lower() for span in spans]
    beside = "\n".join((*near, *behind))
    signs = [sign for sign in denials.signs if sign in beside]  # of most texts few are left
    corrects = any(word in text for word in denials.correcting)
    for span, ahead, following in zip(spans, near, behind, strict=True):
        flag = None
        if corrects:
            before = text[max(0, span.opened_at - _BEFORE) : span.opened_at + 1]  # the mark begins a sentence
            cut = max((found.end() for found in SENTENCE_END.finditer(before)), default=0)
            flag = denials.flag_before(_WORD.findall(before[cut:].lower()))
        if flag is None and _has_any(ahead, signs):
            flag = denials.flag_before(_WORD.findall(ahead, max(ahead.rfind(end) for end in _ENDS) + 1))
        if flag is None and text[span.closed_at - 2 : span.closed_at - 1] not in ".!?" and _has_any(following, signs):
            ends = [at for end in _ENDS if (at := following.find(end)) >= 0]
            flag = denials.flag_behind(_WORD.findall(following, 0, min(ends, default=len(following))))
        if flag:
            span.flags += (flag,)


def _has_any(text: str, signs: Iterable[str]) -> bool:
    for sign in signs:  # noqa: SIM110  ``any`` takes twice as long, for each quote
        if sign in text:
            return True
    return False
