"""A headline quote before the rules: its body beside it, and what several rules ask of both, computed once."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.containment import Containment, containment, parts
from quotelake.contextomy.excerpts import Excerpt, is_attributive, is_statement
from quotelake.contextomy.nearly import Near, near, plain_of
from quotelake.contextomy.quotes import Body, BodyQuote, HeadlineQuote
from quotelake.contextomy.senses import Sense, may_contradict, senses
from quotelake.contextomy.speakers import Who, same_speaker
from quotelake.contextomy.wordclasses import DENIES, FUNCTION, NEGATED, is_credited
from quotelake.quotes.lexicon import REPORTING_VERBS
from quotelake.settings import ContextomySettings
from quotelake.text.align import find_parts
from quotelake.text.fold import Folded
from quotelake.text.language import dominant_script
from quotelake.text.lexicon import word_set
from quotelake.text.wording import Wording, read_wording
from quotelake.text.words import words

#: Opening marks of newspaper claims; a headline that quotes speech with them names its speaker.
SINGLE_MARKS = frozenset("'‘‚‛`’＇")
#: Words of speech, not of claims: whoever says them speaks of themselves or to somebody.
SPOKEN = frozenset(("i", "me", "my", "we", "us", "our", "you", "your"))
#: Words of a phrase in marks that nobody is said to utter; as many as scare quotes of bodies have.
MOST_PHRASE_WORDS = 3
#: Share of n-grams from which the utterance behind a quote is recognised in scripts other than Latin [ours].
RECOGNISED_ELSEWHERE = 1 / 3
#: First words of a predicate that a headline puts in single marks after its subject.
PREDICATES = word_set("is are was were has have had will would could may might must should as to not")
#: Words of a clause that states something, whatever its verb; and most words of an attribute [ours].
LEAST_CLAUSE, MOST_ATTRIBUTE_WORDS = 4, 6
#: Speakers of one body that the headline's is compared with; each is looked for in all of the body.
MOST_SPEAKERS = 32


@dataclass(frozen=True)
class Case:
    """A headline quote and the body it is held against.

    Attributes:
        headline: the quote of the headline.
        body: the body with its quotes.
        settings: thresholds.
        languages: those that can be told apart and compared; None: all are taken for comparable.
    """

    headline: HeadlineQuote
    body: Body
    settings: ContextomySettings
    languages: Languages | None

    @cached_property
    def parts(self) -> list[Folded]:
        """The headline quote between its ellipses."""
        return parts(self.headline.text)

    @cached_property
    def script(self) -> str | None:
        """Script of the headline quote."""
        return dominant_script("".join(part.letters for part in self.parts))

    def speaker_match(self, place: int) -> bool | None:
        """Whether the speaker of a body quote is the headline's; False only where the headline plainly credits it."""
        match = self._compared_speakers(self.headline.speaker, self.body.quotes[place].speaker)
        return None if match is False and not self.headline.is_credited else match

    def is_by_another(self, place: int) -> bool:
        """Whether a body quote is by another speaker than the headline's, plainly credited or not."""
        return self._compared_speakers(self.headline.speaker, self.body.quotes[place].speaker) is False

    def is_by_none_but_another(self, place: int) -> bool:
        """Whether no body quote with the words may be by the headline's speaker, given one that is by another."""
        others = (at for at in range(len(self.body.quotes)) if at != place and self.speaker_match(at) is not False)
        return not any(find_parts(self.parts, self.body.folded_quotes[at], self.script) for at in others)

    def two_speakers(self, best: int | None, second: int | None) -> bool:
        """Whether two body quotes are by two persons with names, and the headline names one speaker for both."""
        who = self.headline.speaker
        if best is None or second is None or who is None or who.type != "person":
            return False
        one, other = (self.body.quotes[place].speaker for place in (best, second))
        if one is None or one.name is None or one.name.split()[-1] not in one.text:
            return False
        return self._compared_speakers(Who(one.name, one.name, one.type, one.name), other) is False

    def _compared_speakers(self, one: Who | None, other: Who | None) -> bool | None:
        if (one, other) not in self._same_speaker:
            if len(self._same_speaker) == MOST_SPEAKERS:
                return None
            self._same_speaker[one, other] = same_speaker(one, other, self.body.text)
        return self._same_speaker[one, other]

    @cached_property
    def _same_speaker(self) -> dict[tuple[Who | None, Who | None], bool | None]:
        return {}

    def containment(self, best: int | None = None) -> Containment:
        """How much of the headline quote stands where; ``best``: place of the body quote to take for the best one."""
        if best not in self._containment:
            quotes, text = self.body.folded_quotes, self.headline.text
            self._containment[best] = containment(text, quotes, lambda: self.body.folded, best)
        return self._containment[best]

    @cached_property
    def _containment(self) -> dict[int | None, Containment]:
        return {}

    @cached_property
    def wording(self) -> Wording:
        """The headline quote, word by word."""
        return read_wording(self.headline.text)

    @cached_property
    def near(self) -> Near:
        """The nearest passage of the body; outside Latin script told by n-grams.

        Also recognised is a quote that a body quote says by opposites: *did not win*, *lost*.
        """
        if self.script in ("latin", None):
            found = near(plain_of(self.headline.text), self.body.plain)
            says = not found.is_recognised and any(map(self.senses, range(len(self.body.quotes))))
            return replace(found, is_recognised=True) if says else found
        share = self.containment().in_union or 0.0
        difference = "a body quote has some of its words, in another statement"
        return Near(None, share, is_recognised=share >= RECOGNISED_ELSEWHERE, difference=difference)

    def senses(self, place: int) -> Sequence[Sense]:
        """Passages of a body quote with the words of the headline quote; see :func:`.senses.senses`."""
        if not may_contradict(self.wording, self.body.folded_quotes[place].letters):
            return ()
        return list(senses(self.wording, self.body.wording(place)))

    def quote(self, place: int | None) -> BodyQuote | None:
        """The body quote at a place, if there is one."""
        return None if place is None else self.body.quotes[place]

    @property
    def is_claim(self) -> bool:
        """Whether it claims something in single marks instead of quoting an utterance.

        Short claims are a kind of their own. A longer one continues the headline's sentence: *Sales 'fail to lift the
        high street'*.
        """
        if self.headline.kind == "claim":
            return True
        return self.is_impersonal and self.headline.reason == "words" and self.headline.text[:1].islower()

    @property
    def is_claim_after_subject(self) -> bool:
        """Whether it goes on as a predicate, in single marks, after its subject: *CIA 'blames prince for murder'*."""
        quote, own = self.headline, words(self.headline.text)
        if quote.kind != "direct" or quote.marks[:1] not in SINGLE_MARKS or not quote.text[:1].islower() or not own:
            return False
        if not SPOKEN.isdisjoint(re.split("['’]", word)[0] for word in own):
            return False
        subject = re.search(r"(?<![\w’'-])([\w’'-]++)\s{0,8}\W?\Z", quote.before)
        if subject is None or subject[1].lower() in FUNCTION or subject[1].lower() in REPORTING_VERBS:
            return False
        return own[0] in PREDICATES or (own[0].endswith("s") and not own[0].endswith("ss"))

    @property
    def is_impersonal(self) -> bool:
        """Whether it stands in single marks, the headline names no speaker, and it says no *I*, *we* or *you*."""
        quote = self.headline
        if quote.kind != "direct" or quote.speaker is not None or quote.marks[:1] not in SINGLE_MARKS:
            return False
        return SPOKEN.isdisjoint(re.split("['’]", word)[0] for word in words(quote.text))

    @property
    def is_denied(self) -> bool:
        """Whether the headline around it denies it: *Firm denies plan 'to cut jobs'*."""
        quote = self.headline
        return NEGATED.search(quote.around) is not None or DENIES.search(quote.before) is not None

    @property
    def is_phrase(self) -> bool:
        """Whether it is a few words within a headline that credits them to nobody: *a “smart” shop*.

        In single marks such a phrase is a claim, so it gets no other outcome in double ones.
        """
        quote = self.headline
        if quote.kind != "direct" or quote.reason != "words" or quote.speaker is not None:
            return False
        return len(words(quote.text)) <= MOST_PHRASE_WORDS and bool(words(quote.around))

    def excerpt_at(self, clause: str) -> Excerpt:
        """The headline quote as an excerpt of a body quote.

        Args:
            clause: what the body quote has before it in its clause. Four words or more that begin a clause with a
                word of content are taken for a statement, whatever their verb.
        """
        quote, own = self.headline, words(self.headline.text)
        begins = not words(clause) and len(own) >= LEAST_CLAUSE and own[0] not in FUNCTION
        return Excerpt(
            text=quote.text,
            before=quote.before,
            after=quote.after,
            is_statement=is_statement(quote.text) or begins,
            is_credited=quote.speaker is not None or is_credited(quote.around),
            is_attributive=len(own) <= MOST_ATTRIBUTE_WORDS and is_attributive(quote.before, quote.after),
        )

    @property
    def is_fragment(self) -> bool:
        """Whether it states nothing by itself: a word or a few, no predicate."""
        return self.headline.kind != "direct" and self.headline.reason != "predicate"
