"""How a headline has its quote: as a claim, a statement or a fragment, credited, denied, as a name of something. Pure.

English, by small lists and patterns; no parser.
"""

import re
from typing import Final

from quotelake.contextomy.quotes import HeadlineQuote
from quotelake.quotes.lexicon import REPORTING_VERBS
from quotelake.text.fold import fold
from quotelake.text.lexicon import word_set
from quotelake.text.words import words

#: Words that are no content of a headline.
FUNCTION: Final = word_set(
    """a about after again against ahead all also am amid an and any are as at be because been before being between
    both but by can could did do does doing down during each even ever every few for from further get gets
    getting go goes going got had has have having he her here hers him his how i if in into is it its just like
    may me might more most must my no nor not now of off on once one only or other our out over own same says
    say said she should so some still such than that the their them then there these they this those through to
    too under until up upon us vs was way we were what when where which while who whom why will with without
    would yet you your"""
)
#: A finite verb by its form: auxiliaries, contractions, a subject pronoun before a word.
FINITE: Final = re.compile(
    r"(?<!\w)(?:am|is|are|was|were|has|have|had|do|does|did|will|would|can|could|shall|should|must|may|might|cannot|ain['’]t)"
    r"(?!\w)|n['’]t(?!\w)|(?<=\w)['’](?:re|ll|ve|m|d)(?!\w)|(?<!\w)(?:it|that|there|he|she|what|who|here)['’]s(?!\w)"
    r"|(?<!\w)(?:I|we|they|he|she|you|it|nobody|everybody|everyone|people)\s+(?:\w+ly\s+|never\s+|always\s+|all\s+)?[a-z]\w+"
    r"|(?<!\w)(?:let['’]?s|please)\s+\w",
    re.IGNORECASE,
)
#: A negation: with one in the headline, a lost negation is restored.
NEGATED: Final = re.compile(
    r"(?<!\w)(?:no|not|never|nor|none|nothing|nobody|neither|cannot|without|hardly|unable|impossible|myth|false|nicht|kein\w*|"
    r"nie|pas|ne|jamais|sans)(?!\w)|n['’]t(?!\w)",
    re.IGNORECASE,
)
#: A word that denies what follows at once: up to two words may stand between it and the quote, behind one that denies a
#: clause up to five.
DENIES: Final = re.compile(
    r"(?<!\w)(?:avoid\w*|avert\w*|den(?:y|ies|ied|ying)|refus\w+|reject\w*|rul(?:e|es|ed|ing)\s+out|oppos\w+|stop\w*|"
    r"prevent\w*|end(?:s|ed|ing)?|dismiss\w*|disput\w+|disagree\w*|block\w*|ban(?:s|ned)?|debunk\w*|wrong|fail\w*|lack\w*|"
    r"resist\w*|refut\w+|rebut\w*|doubt\w*|declin\w+|skeptic\w*|instead|less|anti|non|against)(?:\s++[\w’'-]++){0,2}\W{0,8}\Z"
    r"|(?<!\w)(?:den(?:y|ies|ied|ying)|disput\w+|doubt\w*|refut\w+|rebut\w*)(?:\s++[\w’'-]++){3,5}\W{0,8}\Z",
    re.IGNORECASE,
)
#: Letters by which two words count as forms of one.
_STEM: Final = 5
#: Words that report in headlines, and in bodies hardly.
_ALLEGING: Final = word_set("alleges alleged according")
#: Words of saying of headlines, beside the reporting verbs of bodies.
_HEADLINE_SAYING: Final = word_set(
    """accuses accused attacks blames blasts decries denounces derides dismisses hails labels likens mocks praises
    rips slams tags tears touts promises demands threatens signals defends rejects sees fears hints speaks"""
)
#: Opening marks of newspaper claims; a headline that quotes speech with them names its speaker.
SINGLE_MARKS: Final = frozenset("'‘‚‛`’＇")
#: Words of speech, not of claims: whoever says them speaks of themselves or to somebody.
SPOKEN: Final = frozenset(("i", "me", "my", "we", "us", "our", "you", "your"))
#: First words of a predicate that a headline puts in single marks after its subject.
PREDICATES: Final = word_set("is are was were has have had will would could may might must should as to not")


_DETERMINERS: Final = word_set("the a an this that these those my his her our their your its no any some")
#: Nouns that a quote before them names: what was said is known by it, and not said again here.
_ATTRIBUTE_NOUNS: Final = word_set(
    """ad ads affair agenda allegation allegations approach argument attack ban bill boast campaign candidate cause
    chant charge claim claims clause comment comments concept conspiracy controversy crew crisis crowd culture
    deal debate defense doctrine effect era excuse experiment fallout flap furor gaffe gap idea incident jab
    joke label law letter line list mantra meme memo mob model moment monologue movement myth narrative order
    party phase plan pledge policy post posts prediction problem program prophecy proposal protest protests
    rally reference remark remarks report rhetoric rule rumor rumors scandal scheme slogan slur solution speech
    state states stereotype strategy syndrome talk tax test theory tour trap tweet tweets video vote vow wing
    zone zones"""
)
#: Words of an attribute, of a phrase that nobody is credited with, and of a label before a noun [ours].
MOST_ATTRIBUTE, MOST_PHRASE, MOST_LABEL = 6, 3, 2
#: Nouns of what somebody said or wrote: before them the marks quote (*'LIBERATE!' tweets*).
_SPEECH: Final = word_set(
    "tweet comment remark speech statement letter memo email claim allegation monologue rant answer reply response"
)
_NEXT_WORD: Final = re.compile(r"[\"'”’»]?\s++([\w’'-]++)")
_COPULA: Final = word_set("is are was were isn't isn’t aren't has have becomes became remains means")
_NAME_AFTER: Final = re.compile(r"[\"'”’»]?\s++([A-Z][\w’'-]++\s++[A-Z][\w’'-]++)")


def stems(text: str) -> frozenset[str]:
    """First letters of each content word, so that *violates* and *violation* meet.

    >>> sorted(stems("if he fired Mr. Mueller"))
    ['fir', 'muell']
    """
    return frozenset(
        _stem(word) for word in fold(text).words if len(word) >= 4 and word not in FUNCTION and not word.isdigit()
    )


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word[:_STEM] if len(word) >= _STEM else word[:4]


def is_statement(text: str) -> bool:
    """Whether a text has a finite verb that can be told by its form: an auxiliary, or a pronoun before a word.

    >>> is_statement("will not look away"), is_statement("a failed attempt at humor"), is_statement("They know")
    (True, False, True)
    """
    return FINITE.search(text) is not None


def is_fragment(quote: HeadlineQuote) -> bool:
    """Whether it states nothing by itself: a word or a few, no predicate."""
    return quote.kind != "direct" and quote.reason != "predicate"


def is_impersonal(quote: HeadlineQuote) -> bool:
    """Whether it stands in single marks, the headline names no speaker, and it says no *I*, *we* or *you*."""
    if quote.kind != "direct" or quote.speaker is not None or quote.marks[:1] not in SINGLE_MARKS:
        return False
    return _says_nobody(words(quote.text))


def is_claim(quote: HeadlineQuote) -> bool:
    """Whether it claims something in single marks instead of quoting an utterance.

    Short claims are a kind of their own. A longer one continues the headline's sentence: *Sales 'fail to lift the
    high street'*.
    """
    if quote.kind == "claim":
        return True
    return is_impersonal(quote) and quote.reason == "words" and quote.text[:1].islower()


def is_claim_after_subject(quote: HeadlineQuote) -> bool:
    """Whether it goes on as a predicate, in single marks, after its subject: *CIA 'blames prince for murder'*."""
    own = words(quote.text)
    if quote.kind != "direct" or quote.marks[:1] not in SINGLE_MARKS or not quote.text[:1].islower() or not own:
        return False
    subject = re.search(r"(?<![\w’'-])([\w’'-]++)\s{0,8}\W?\Z", quote.before)
    if not _says_nobody(own) or subject is None:
        return False
    if subject[1].lower() in FUNCTION or subject[1].lower() in REPORTING_VERBS:
        return False
    return own[0] in PREDICATES or (own[0].endswith("s") and not own[0].endswith("ss"))


def _says_nobody(own: list[str]) -> bool:
    return SPOKEN.isdisjoint(re.split("['’]", word)[0] for word in own)


def is_denied(quote: HeadlineQuote) -> bool:
    """Whether the headline around it denies it: *Firm denies plan 'to cut jobs'*."""
    return NEGATED.search(quote.around) is not None or DENIES.search(quote.before) is not None


def is_phrase(quote: HeadlineQuote) -> bool:
    """Whether it is a few words within a headline that credits them to nobody: *a “smart” shop*.

    In single marks such a phrase is a claim, so it gets no other outcome in double ones.
    """
    if quote.kind != "direct" or quote.reason != "words" or quote.speaker is not None:
        return False
    return len(words(quote.text)) <= MOST_PHRASE and bool(words(quote.around))


def has_saying(around: str, *, plainly: bool = False) -> bool:
    """Whether the rest of a headline names a speaker before a colon, or has a word of saying.

    Args:
        around: the headline without its quote.
        plainly: only words that report, not those that judge or threaten too (*slams*, *touts*).
    """
    if re.search(r"^[^:]{2,60}:|–\s*[A-Z]|—\s*[A-Z]", around):
        return True
    own = words(around)
    if not (REPORTING_VERBS.isdisjoint(own) and _ALLEGING.isdisjoint(own)):
        return True
    return not (plainly or _HEADLINE_SAYING.isdisjoint(own))


def is_attributive(quote: HeadlineQuote) -> bool:
    """Whether it stands before a noun as its attribute: *the 'keep your plan' pledge*.

    >>> is_attributive(HeadlineQuote("arm the rebels", None, before="Obama's “", after="” strategy could fail"))
    True
    >>> is_attributive(HeadlineQuote("nonsense", None, before="He calls it “", after="”, aides say"))
    False
    """
    noun = _NEXT_WORD.match(quote.after)
    if noun is None or noun[1].lower() in FUNCTION:
        return False
    if noun[1].lower() in _ATTRIBUTE_NOUNS:
        return True
    determiner = re.search(r"(?<![\w’'-])([\w’'-]++)\s{0,8}[\"'“‘«]?\Z", quote.before)
    return determiner is not None and (
        determiner[1].lower() in _DETERMINERS or re.search(r"['’]s$|s['’]$", determiner[1]) is not None
    )


def mention_of(quote: HeadlineQuote, body: str) -> str | None:
    """Say as what the marks name something; None if they may quote.

    Args:
        quote: a quote of a headline.
        body: the article, in which an epithet's bearer is named.

    >>> mention_of(HeadlineQuote("arm the rebels", None, before="Bell's “", after="” strategy fails"), "")
    'an attribute of what follows'
    """
    tokens = quote.text.replace("- ", "-").split()
    following = _NEXT_WORD.match(quote.after)
    noun = following[1].lower() if following else ""
    if len(tokens) <= MOST_ATTRIBUTE and noun and noun.removesuffix("s") not in _SPEECH:
        is_uttered = noun in FUNCTION or noun in REPORTING_VERBS  # what follows is no noun
        ends = quote.text.rstrip().endswith((",", ".", "!", "?"))  # as utterances do
        is_label = not ends and (len(tokens) <= MOST_LABEL or not has_saying(quote.around))
        if is_attributive(quote) or (is_label and not is_uttered and noun not in _COPULA):
            return "an attribute of what follows"
    opens = not quote.before.strip(" \"'“‘«")
    if opens and noun in _COPULA and not quote.text.rstrip().endswith((",", ".", "!", "?")):
        return "the subject of the headline"
    name = _NAME_AFTER.match(quote.after)
    if len(tokens) <= MOST_PHRASE and name and re.sub(r"['’]s$", "", name[1]) in body:
        return "an epithet of the name that follows"
    if len(tokens) == 1 and "-" in tokens[0].strip("-"):
        return "a coinage"
    is_within = quote.around.strip(" \"'“”‘’«»")
    if len(tokens) <= MOST_PHRASE and is_within and not has_saying(quote.around, plainly=True):
        return "a few words credited to nobody"
    return None
