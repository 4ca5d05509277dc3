"""Words between marks that nobody said: denied (*Ruiz never said “…”*), or withdrawn by a correction. English.

Such a quote has the flag ``denied`` or ``withdrawn`` and no speaker. The cue must govern the quote: no other verb of
saying is between them, and it is in the sentence before the quote or directly behind it.
"""

import re
from collections.abc import Iterable
from typing import Final

from quotelake.quotes.lexicon import CUES, SAYS, SENTENCE_END
from quotelake.quotes.pairing import Span
from quotelake.text.lexicon import word_set
from quotelake.text.words import WORD

#: Flags of quotes that nobody said.
DENIED: Final = frozenset(("denied", "withdrawn"))
#: Characters before a quote that are read, and behind it.
_BEFORE: Final = 160
_AFTER: Final = 60
#: A fast sign that a text before a quote may have a cue.
_SIGN: Final = re.compile(r"(?i)not|n['’]t|never|nobody|no one|none|den[iy]|have said|ly |version|misq|misrep|misst")
_LEMMAS: Final = word_set("say tell claim state write utter declare announce promise tweet")

_FORMS: Final = "|".join(sorted(form for form in SAYS if CUES[form] in _LEMMAS))
#: Words between the cue and the quote: whom it was said to, what it is.
_REST: Final = r"(?P<rest>(?: [\w’'-]+){0,8}[,:]? ?)\Z"
_DENIED: Final = re.compile(
    r"(?i)(?:"
    rf"(?:\b(?:not|never)|n['’]t)(?: (?:ever|once|actually|really|even|have|been))* (?:{_FORMS})"
    rf"|\b(?:nobody|no one|none)\b(?: (?!who )[\w’'-]+){{0,5}} (?:{_FORMS})"
    rf"|\bden(?:y|ies|ied|ying)(?: (?:ever|having|that|he|she|they|it|has|have|had))* (?:{_FORMS}|calling|called)"
    r"|\b(?:should|would|could|might) have (?:said|read|been)"
    r"|\b(?:misquoted|misreported|misquotes|misquoting)"
    r"|\b(?:wrongly|falsely|incorrectly|mistakenly|erroneously|inaccurately)(?: \w+)? "
    r"(?:quoted|reported|attributed|credited|said|stated|claimed|cited|accused)"
    rf"){_REST}"
)
_DENIED_BEHIND: Final = re.compile(
    r"[”\"’',. ]{1,4}(?:\w+ )?(?:was|were|is|are|been) (?:\w+ )?"
    r"(?:(?:wrongly|falsely|incorrectly|mistakenly|erroneously) (?:attributed|credited)|misattributed|never said)\b"
)
#: A sentence of a correction that repeats what was wrong.
_WITHDRAWN: Final = re.compile(
    r"(?i)\b(?:earlier|previous|prior|original|first|initial) version(?:s)? of (?:this|the|our|that) "
    r"(?:[\w’'-]+,? ){1,4}(?:\w+ly )?"
    r"(?:misquoted|misstated|quoted|said|stated|reported|had|called|gave|carried|contained|included|attributed|cited)\b"
)
#: Said as often as not behind a negation: *not only said*; what is denied of these is no quote.
_UNSURE: Final = frozenset(("only", "just", "simply", "merely", "whether", "if", "how", "why", "when", "what"))


def mark_denied(text: str, spans: Iterable[Span]) -> None:
    """Flag the spans of a text whose words are denied or withdrawn."""
    for span in spans:
        opened = span.opened_at
        before = text[max(0, opened - _BEFORE) : opened + 1]  # the mark shows that a sentence begins
        if _SIGN.search(before):
            flag = _flag(_last_sentence(before))
            if flag:
                span.flags += (flag,)
                continue
        if _DENIED_BEHIND.match(text, span.closed_at - 1, span.closed_at + _AFTER):
            span.flags += ("denied",)


def _flag(sentence: str) -> str | None:
    if _WITHDRAWN.search(sentence):
        return "withdrawn"
    found = _DENIED.search(sentence)
    if found is None:
        return None
    rest = set(map(str.lower, WORD.findall(found["rest"])))
    others = {"saying", "having", "said", "telling", "claiming", "stating"} if found[0][:3].lower() != "not" else set()
    return "denied" if _UNSURE.isdisjoint(rest) and SAYS.isdisjoint(rest - others) else None


def _last_sentence(before: str) -> str:
    cut = max((found.end() for found in SENTENCE_END.finditer(before)), default=0)
    return before[cut:].rstrip(" \"“”'‘’„«»")
