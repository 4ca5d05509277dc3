"""The form of a headline quote: a claim, a statement or a name; credited, denied; and what supports a claim. Pure.

English, by small lists and patterns, without a parser.
"""

import re
from typing import Final

from quotelake.contextomy.passages import Near, nearest
from quotelake.contextomy.quotes import HeadlineQuote, Text
from quotelake.factuality.operators import Clause, factuality
from quotelake.factuality.reading import WORDS, Reading, pattern
from quotelake.factuality.statements import FINITE
from quotelake.text.fold import Span, fold
from quotelake.text.language import SYLLABIC, dominant_script
from quotelake.text.lexicon import NOT, table

NEGATED: Final = pattern("negated")
DENIES: Final = pattern("denies")
_DENIED_OUTSIDE: Final = re.compile(r"(?<!\w)(?:if|unless)(?!\w)|\?\s*\Z", re.IGNORECASE)
#: Words that report in headlines; some do in bodies hardly.
_REPORTING: Final = table("reporting_verbs") | {"alleges", "alleged", "according"}
#: Words that are no noun.
_NO_NOUNS: Final = WORDS["function"] | table("reporting_verbs")
#: Opening marks of newspaper claims; a headline that quotes speech with them names its speaker.
SINGLE_MARKS: Final = frozenset("'‘‚‛`’＇")
#: Words of speech, not of claims: whoever says them speaks of themselves or to somebody.
SPOKEN: Final = frozenset(("i", "me", "my", "we", "us", "our", "you", "your"))
#: Words of an attribute, of a phrase that nobody is credited with, and of a label before a noun [ours].
MOST_ATTRIBUTE, MOST_PHRASE, MOST_LABEL = 6, 3, 2
#: Least share of the 3-grams of its words of content in one body sentence that supports a short claim: of 272 claims of
#: BBC headlines 76 % are supported by their article, 5 % by another article of the same section [measured].
CLAIM_CONTAINMENT: Final = 0.67
#: Words of a sentence without a verb that :data:`FINITE` knows [ours].
_LEAST_SENTENCE: Final = 4
_NEXT_WORD: Final = re.compile(r"[\"'”’»]?\s++([\w’'-]++)")


def is_impersonal(quote: HeadlineQuote) -> bool:
    """Whether it is in single marks, the headline names no speaker, and it has no *I*, *we* or *you*."""
    if quote.kind != "direct" or quote.speaker is not None or quote.marks[:1] not in SINGLE_MARKS:
        return False
    return SPOKEN.isdisjoint(re.split("['’]", word)[0] for word in quote.words)


def is_claim(quote: HeadlineQuote) -> bool:
    """Whether it claims something in single marks instead of quoting an utterance.

    Short claims are a kind of their own. A longer one continues the headline's sentence: *Sales 'fail to lift the
    high street'*.
    """
    continues = quote.reason == "words" and quote.text[:1].islower()
    return quote.kind == "claim" or (continues and is_impersonal(quote))


def is_sentence(quote: HeadlineQuote) -> bool:
    """Whether it has a finite verb, or begins as a sentence does and goes on in small letters."""
    if FINITE.search(quote.text):
        return True
    written = quote.text.split()
    is_capital = quote.kind == "direct" and quote.text[:1].isupper() and len(written) >= _LEAST_SENTENCE
    return is_capital and 2 * sum(word[:1].islower() for word in written) > len(written)


def is_denied(quote: HeadlineQuote) -> bool:
    """Whether the headline around it denies it: *Firm denies plan 'to cut jobs'*."""
    return NEGATED.search(quote.around.text) is not None or DENIES.search(quote.before) is not None


def _has_saying(around: Text, *, plainly: bool = False) -> bool:
    """Whether a headline names a speaker before a colon or has a word of saying; plainly: not *slams* or *touts*."""
    if re.search(r"^[^:]{2,60}:|–\s*[A-Z]|—\s*[A-Z]", around.text):
        return True
    return not (_REPORTING.isdisjoint(around.words) and (plainly or WORDS["headline_saying"].isdisjoint(around.words)))


def is_attributive(quote: HeadlineQuote) -> bool:
    """Whether it is the attribute of the noun behind it: *the 'keep your plan' pledge*."""
    noun = _NEXT_WORD.match(quote.after)
    if noun is None or noun[1].lower() in WORDS["function"]:
        return False
    if noun[1].lower() in WORDS["attribute_nouns"]:
        return True
    determiner = re.search(r"(?<![\w’'-])([\w’'-]++)\s{0,8}[\"'“‘«]?\Z", quote.before)
    return determiner is not None and (
        determiner[1].lower() in WORDS["determiners"] or re.search(r"['’]s$|s['’]$", determiner[1]) is not None
    )


def mention_of(quote: HeadlineQuote) -> str | None:
    """What marks are instead of a quotation, as a phrase; None if they may quote."""
    tokens = quote.text.replace("- ", "-").split()
    following = _NEXT_WORD.match(quote.after)
    noun = following[1].lower() if following else ""
    ends = quote.text.rstrip().endswith((",", ".", "!", "?"))  # as utterances do
    if len(tokens) <= MOST_ATTRIBUTE and noun and noun.removesuffix("s") not in WORDS["speech"]:
        is_label = not ends and (len(tokens) <= MOST_LABEL or not _has_saying(quote.around))
        if is_attributive(quote) or (is_label and noun not in _NO_NOUNS | WORDS["copula"]):
            return "an attribute of what follows"
    is_within = quote.around.text.strip(" \"'“”‘’«»")
    if len(tokens) <= MOST_PHRASE and is_within and not _has_saying(quote.around, plainly=True):
        return "a few words credited to nobody"
    return None


def is_asserted(quote: HeadlineQuote) -> bool:
    """Whether the headline claims what its quote says: it does not only name something, nor deny it, nor ask."""
    states = FINITE.search(quote.text) is not None
    if len(quote.words) <= MOST_ATTRIBUTE and (is_attributive(quote) or (not states and mention_of(quote))):
        return False
    if is_denied(quote) or _DENIED_OUTSIDE.search(quote.around.text):
        return False
    headline = Reading(f"{quote.before}{quote.text}{quote.after}")
    inside = headline.within(len(quote.before), len(quote.before) + len(quote.text))
    if not inside:
        return True
    clause = Clause(headline, inside[0], inside[-1], 0, len(headline.tokens), is_headline=True)
    return all(one.kind != "negation" for one in factuality(clause))


def supporting_sentence(claim: HeadlineQuote, text: Text) -> Span | None:
    """Find the first sentence of a text that has enough of the content words of a claim and does not deny it.

    Words are compared by their character 3-grams (2-grams where characters are syllables). That serves as stemming:
    "cutting" shares two of its five 3-grams with "cuts". Enough is :data:`CLAIM_CONTAINMENT` of them. A headline that
    denies the claim is supported by a sentence that does.
    """
    size = 2 if dominant_script(claim.folded.letters) in SYLLABIC else 3
    grams = []
    for word in [word for word in claim.folded.words if word not in WORDS["claim_function"]] or claim.folded.words:
        if len(word) > size:
            grams += [word[place : place + size] for place in range(len(word) - size + 1)]
        else:
            grams.append(word if len(word) == size else f" {word} ")
    for start, end in text.sentences if grams else ():
        sentence = text.text[start:end]
        padded = f" {' '.join(fold(sentence).words)} "
        if sum(gram in padded for gram in grams) < CLAIM_CONTAINMENT * len(grams):
            continue
        if is_denied(claim) or not denies(sentence, claim.reading):
            return start, end
    return None


def denies(sentence: str, claim: Reading) -> bool:
    """Whether a sentence has the words of a claim one after the other, and each time only one of the two negates."""
    keys = [key for key in claim.keys if key != NOT]
    found = [near for near in nearest(keys, Reading(sentence)) if near.share == 1] if keys else []
    return bool(found) and all(_is_negated(near, claim) for near in found)


def _is_negated(near: Near, claim: Reading) -> bool:
    reading, first, last, _ = near.passage
    clause = Clause(reading, first, last, *reading.sentences[first])
    outside = sum(one.kind == "negation" for one in factuality(clause))
    inside = sum(token.key == NOT for token in reading.tokens[first : last + 1]) - claim.keys.count(NOT)
    return (outside + inside) % 2 == 1
