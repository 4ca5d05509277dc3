"""A source as a body that quotations are compared with: its quotes, and the turns of a transcript. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from operator import attrgetter
from typing import Final, NamedTuple

from quotelake.article import Article
from quotelake.contextomy.quotes import Body, BodyQuote, body_of
from quotelake.contextomy.speakers import SpeakerMention
from quotelake.quotes.extract import quotes_of_document
from quotelake.quotes.keys import match_key
from quotelake.quotes.lexicon import EN, ENGLISH
from quotelake.quotes.speakers.people import speaker_type
from quotelake.text.forms import name_words
from quotelake.text.lexicon import table, word_set

TIME: Final = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?"
#: A time stamp in brackets, which is no speech.
_STAMP: Final = re.compile(rf"[\[(]\s?{TIME}\s?[\])]")
_NAME: Final = (
    r"(?P<name>[^\Wa-z_][\w.'’&-]{0,30}"
    r"(?:(?: (?:[^\Wa-z_]|of |the |d[aei] |van |von |la )| {2,3}[^\Wa-z_\d])[\w.'’&-]{0,30}){0,4})"
)
#: A role before it, which no verb, preposition, pronoun or article is a part of: *Council leader Paul Finch*.
_OTHER: Final = "|".join(sorted((EN["no_name"] | ENGLISH.cues.keys()) - EN["noun_verbs"] - EN["titles"] - {"of"}))
_TITLE: Final = (
    rf"(?:(?=[^\n:>]{{5,160}}[:>])(?!(?i:{_OTHER})\b)[^\Wa-z_][\w'’-]{{0,30}} "
    rf"(?:(?!(?:{_OTHER})\b)[a-z][\w'’-]{{0,30}} ){{1,3}}(?!\d))??"
)
#: Behind it a role, a party or how somebody takes part: in brackets, behind a comma, a stroke or a bar.
_ROLE: Final = r"(?:,? [(\[][^)\]\n]{1,60}[)\]]|, [^:\n([]{1,60}| ?[/|] ?[^:\n([]{1,40}){0,3}"
#: Signs of lists, mail, Markdown and captions before a name, and a time.
_LEAD: Final = rf"^[ \t>»›*_•·●▪–—-]{{0,40}}(?:[\[(<]?{TIME}[\])>]?[ \t,–-]{{1,4}})?[\[(<*_]{{0,3}}"
#: *NAME:*, *Role Name:*, *Name (role):*, *NAME, role:* and *NAME >>* before what they say.
_COLON: Final = re.compile(
    rf"{_LEAD}(?P<who>{_TITLE}{_NAME}{_ROLE})[\])>*_]{{0,3}}[ \t]{{0,40}}(?:[\[(]?{TIME}[\])]?[ \t]{{0,9}})?"
    r"(?::[*_–—-]{0,2}|>>)(?=\s)",
    re.MULTILINE,
)
#: *Mr. BELL.* in records of parliaments.
_TITLED: Final = re.compile(
    rf"{_LEAD}(?P<who>(?:Mr|Mrs|Ms|Miss|Dr|Rep|Sen|Gov|[A-Z][a-z]{{3,14}})\.? (?P<name>[A-Z]{{2}}[A-Z'’-]{{0,30}}))"
    r"\.(?=\s+[A-Z“\"])",
    re.MULTILINE,
)
#: A line that begins as others do that name a speaker, in another form: what follows is nobody's.
_UNKNOWN: Final = re.compile(
    rf"{_LEAD}(?:(?:[^\Wa-z_][^\s:;]{{0,30}}|of|the|for|from|[(\[][^)\]\n]{{1,40}}[)\]])[ \t]?){{1,7}}"
    r"(?::|;|>|(?<=[ \t])[–—-]{1,2}|(?<=[A-Z]{2})\.|(?<=\n[QA])\.)[*_–—-]{0,2}(?=\s)",
    re.MULTILINE,
)
#: A name alone on a line: in capitals, or with a time.
_ALONE: Final = re.compile(
    rf"^[ \t]{{0,40}}(?:(?P<before>{TIME})[ \t]{{1,9}})?(?P<who>{_NAME}{_ROLE})"
    rf"[ \t]{{0,40}}(?P<behind>{TIME})?[ \t]{{0,40}}\n(?=[^\n])",
    re.MULTILINE,
)
#: A label in capitals, in which a draft's *Delgado* is not found.
_CAPITALS: Final = re.compile(r"^[A-Z .,'’-]{3,60}:", re.MULTILINE)
#: Beginnings of lines that name no speaker; *Q* does.
_LABELS: Final = (table("headline_labels") - {"q"}) | word_set(
    "advertisement contact contributing correction credit editor's editor’s just more related reports source sources re"
)


class Turn(NamedTuple):
    """Uninterrupted speech: its span, and how the transcript names the speaker."""

    start: int
    end: int
    who: str  #: with the role
    name: str  #: empty where it is not understood


def is_turn(line: str) -> bool:
    """Whether a line may begin a turn."""
    return _COLON.match(line) is not None


def find_turns(text: str) -> list[Turn]:
    """The turns of a transcript, or of the part of a text that is one.

    There are none if fewer than two lines name a speaker, or nobody comes back in a text that begins otherwise. Who is
    named once has the one line: *Venue: Town Hall* begins no speech.
    """
    found, titled, alone = (
        [each for each in pattern.finditer(text) if each["name"].lower().split()[0] not in _LABELS]
        for pattern in (_COLON, _TITLED, _ALONE)
    )
    found += titled
    alone = [each for each in alone if each["name"].isupper() or each["before"] or each["behind"]]
    if len({each["name"] for each in alone}) < len(alone):  # speakers come back, headings do not
        found = sorted([*found, *alone], key=lambda each: each.start())
    times = Counter(_last(each["name"]) for each in found)
    if len(found) < 2 or (len(times) == len(found) and text[: found[0].start()].strip()):
        return []
    known = {each.start() for each in found}
    found += [each for each in _UNKNOWN.finditer(text) if each.start() not in known]
    found.sort(key=lambda each: each.start())
    turns = []
    for each, after in zip(found, [*(one.start() for one in found[1:]), len(text)], strict=True):
        speech = text[each.end() : after]
        start = each.end() + len(speech) - len(speech.lstrip())
        name, who = each.groupdict().get("name", ""), each.groupdict().get("who", "")
        speech = speech.strip() if name and times[_last(name)] > 1 else speech.strip().partition("\n")[0]
        turns.append(Turn(start, start + len(speech), who, name))
    return turns


def _last(name: str) -> str:
    return name.casefold().split()[-1]


def source_body(text: str, language: str) -> Body:
    """Make a whole body of a source: its quotes and, in a transcript, its turns, which are quotes of their speakers."""
    text = _STAMP.sub(lambda found: " " * len(found[0]), text)
    document = Article("", text, language, "complete").document
    body = body_of(document, list(quotes_of_document(document, rule_version="")))
    turns = list(_turn_quotes(text))
    if not turns:
        return body
    inside = [quote for quote in body.quotes if _is_inside(quote, turns)]
    text = _CAPITALS.sub(lambda found: found[0].title(), text)
    return Body(text, "complete", sorted([*turns, *inside], key=lambda quote: (quote.start, -quote.end)), language)


def _turn_quotes(text: str) -> Iterator[BodyQuote]:
    turns = find_turns(text)
    times = Counter(_last(turn.name) for turn in turns if turn.name)
    for turn in turns:
        speech = text[turn.start : turn.end]
        if not turn.name:
            yield BodyQuote(speech, match_key(speech), "direct", None, turn.start)
            continue
        words = tuple(word.capitalize() if word.isupper() else word for word in turn.name.split())
        is_name = (len(words) > 1 or times[_last(turn.name)] > 1) and len(words[-1]) > 1 and words[-1].isalpha()
        kind = speaker_type(words)
        name = turn.name if is_name and kind == "person" and name_words(turn.name) else None
        speaker = SpeakerMention(turn.who, turn.name, kind, name, "colon")
        yield BodyQuote(speech, match_key(speech), "direct", speaker, turn.start)


def _is_inside(quote: BodyQuote, turns: list[BodyQuote]) -> bool:
    """Whether a quote is part of one turn, or of none."""
    first = bisect_right(turns, quote.start, key=attrgetter("start")) - 1
    last = bisect_left(turns, quote.end, key=attrgetter("start")) - 1
    if first == last and first >= 0:
        return quote.end <= turns[first].end or turns[first].end <= quote.start
    return first == last
