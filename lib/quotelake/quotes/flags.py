"""Flags of a quote by the words beside it in its sentence: nobody said it, or it is a translation.

Words that nobody said are ``denied`` (*Ruiz never said “…”*) or ``withdrawn`` by a correction, and have no speaker: a
verb of uttering beside the quote must be negated, denied or called wrong. The words of a language are its table
``denials``. The cues of ``translated`` (*he said in Spanish*) are English.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple

from quotelake.quotes.lexicon import EN, SENTENCE_END
from quotelake.quotes.pairing import Span
from quotelake.text.lexicon import load_lexicon, reporting, word_set

#: Flags of quotes that nobody said.
DENIED: Final = frozenset(("denied", "withdrawn"))
#: Characters beside a quote in which it is withdrawn or translated, in front in which it is denied, and behind it.
_FAR: Final = 160
_NEAR: Final = 70
_AFTER: Final = 60
#: Most words between the verb and the quote: to whom it was said, what it is.
_REACH: Final = 8
#: Most words from *nobody* to its verb.
_SUBJECT: Final = 5
#: Ends of sentences; behind an abbreviation a sentence may begin too late, which costs nothing here.
_ENDS: Final = re.compile(r"[.?!] |\n")
_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|,")
_IN_LANGUAGE: Final = rf" in (?=[A-Z])(?:{'|'.join(sorted(EN['foreign_languages']))})(?!\w)"
_SPEAKING: Final = "|".join(sorted(EN["reporting_verbs"] | word_set("speaking spoke speaks sang sings")))
_INTERPRETED: Final = (
    r"ranslat(?:ed from|ed by|ed as|or|ion)",
    r"hrough (?:an|a|his|her|their) (?:\w+ )?interpreter",
)
#: Cues of a translation, each beginning with literal text, which the engine finds fast; and one with its verb.
_CUES: Final = tuple(map(re.compile, (*_INTERPRETED, _IN_LANGUAGE)))
_TRANSLATED: Final = re.compile(rf"{'|'.join(_INTERPRETED)}|\b(?i:{_SPEAKING})\b.{{0,60}}?{_IN_LANGUAGE}")


class Denials(NamedTuple):
    """What a language says beside words that were not said; texts are words in lower case, a space before each."""

    signs: Sequence[str]  #: of which each denial has one
    withdrawing: Sequence[str]  #: phrases of a correction
    openings: frozenset[str]  #: the first two words of each
    verb: re.Pattern[str]
    before: re.Pattern[str]
    behind: re.Pattern[str]
    only: frozenset[str]  #: words that make a negation none


@cache
def denials_of(language: str | None) -> Denials | None:
    """The words of a language by its ISO 639-1 code, English for None; None where it has no table."""
    code = language or "en"
    room = "quotelake.text.lexicon" if code == "en" else "quotelake.quotes"
    if "denials" not in load_lexicon(code, room):
        return None
    table = load_lexicon(code, room)["denials"]
    lists = {name: words.split() if isinstance(words, str) else words for name, words in table.items()}
    says = reporting(code, "say", room=room).items()
    verbs = [form for form, lemma in says if lemma in lists["uttering"]] + lists["relaying"] + lists["wrong"]
    verb, relaying, wrongly = _any(verbs), _any(lists["relaying"]), _any(lists["wrongly"])
    no_verb = rf"(?: (?!{verb}(?!\S))\S+)"
    between = rf"(?: {_any(lists['between'])}){{0,{_SUBJECT}}}"
    nobody = rf"{_any(lists['nobody'])}(?: [^\s,]+){{0,{_SUBJECT}}}?"
    negated = rf"(?:{_any(lists['negations'] + lists['denying'])}|\w+n['’]t|{nobody})"
    denied = (
        rf"(?: {negated}{between} {verb}| {verb} {_any(lists['negations_behind'])}"
        rf"| {wrongly}{between} {relaying}| {relaying} {wrongly}| {_any(lists['wrong'])})(?!\S)"
    )
    follows = rf"(?:{no_verb}| {_any(lists['chained'])} {verb}){{0,{_REACH}}}"
    before = rf"(?:{denied}| {_any(lists['refusing'])} {verb}(?!\S)){follows}\Z| {_any(lists['denying'])}(?: \w+)? ,\Z"
    behind = rf"\A{no_verb}{{0,{_REACH}}}?{denied}"
    patterns = re.compile(verb), re.compile(before), re.compile(behind)
    openings = frozenset(" ".join(phrase.split()[:2]) for phrase in lists["withdrawing"])
    return Denials(lists["signs"], lists["withdrawing"], openings, *patterns, word_set(table["only"]))


def mark_spans(text: str, spans: Sequence[Span], language: str | None) -> None:
    """Flag the spans of a text whose words are denied, withdrawn or translated."""
    cues = sorted(found.start() for cue in _CUES for found in cue.finditer(text)) if spans else []
    for span in spans:
        at = bisect_left(cues, span.opened_at - _FAR)
        if cues[at : at + 1] and cues[at] < span.closed_at + _FAR:
            ahead = text[max(0, span.opened_at - _FAR) : span.opened_at + 1]  # its mark begins a sentence
            beside = SENTENCE_END.split(ahead)[-1], SENTENCE_END.split(text[span.closed_at : span.closed_at + _FAR])[0]
            if any(map(_TRANSLATED.search, beside)):
                span.flags += ("translated",)
    denials = denials_of(language)
    if denials is None or not spans:
        return
    near = [text[max(0, span.opened_at - _NEAR) : span.opened_at].lower() for span in spans]
    behind = [text[span.closed_at - 1 : span.closed_at + _AFTER].lower() for span in spans]
    joined = "\n".join((*near, *behind))
    signs = [sign for sign in denials.signs if sign in joined]  # of most texts few are left
    lower = text.lower()
    corrects = any(opening in lower for opening in denials.openings)
    for span, ahead, following in zip(spans, near, behind, strict=True):
        if corrects:
            before = text[max(0, span.opened_at - _FAR) : span.opened_at + 1]  # the mark begins a sentence
            sentence = SENTENCE_END.split(before)[-1].lower()
            if any(phrase in sentence for phrase in denials.withdrawing) and denials.verb.search(sentence):
                span.flags += ("withdrawn",)
                continue
        here, there = [sign for sign in signs if sign in ahead], [sign for sign in signs if sign in following]
        if not here and not there:
            continue
        words = _words(_ENDS.split(ahead)[-1]) if here else ""
        goes_on = text[span.closed_at - 2 : span.closed_at - 1] not in ".!?"
        words_behind = _words(_ENDS.split(following)[0]) if there and goes_on else ""
        denied = denials.only.isdisjoint(words.split()[-_REACH:]) and denials.before.search(words)
        if denied or (denials.only.isdisjoint(words_behind.split()) and denials.behind.search(words_behind)):
            span.flags += ("denied",)


def _any(words: Iterable[str]) -> str:
    """A pattern of any of the words or phrases; of none, one that nothing matches."""
    return rf"(?:{'|'.join(map(re.escape, words)) or '(?!)'})"


def _words(text: str) -> str:
    return "".join(f" {word}" for word in _WORD.findall(text))
