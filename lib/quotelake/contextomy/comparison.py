"""A headline quote beside its body: what the rules ask of both, measured once, and the judgement a rule makes of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.judgement import MISATTRIBUTED, Judgement, Outcome, other_speaker
from quotelake.contextomy.letters import Containment, blocks_of, containment, parts
from quotelake.contextomy.nearly import Near, near
from quotelake.contextomy.operators import Operator
from quotelake.contextomy.quotes import Body, HeadlineQuote, Text
from quotelake.contextomy.senses import Sense, senses
from quotelake.contextomy.speakers import Who, same_speaker
from quotelake.settings import ContextomySettings
from quotelake.text.align import find_parts
from quotelake.text.fold import Folded, Span
from quotelake.text.language import dominant_script
from quotelake.text.omissions import NO_OMISSIONS, Omissions

#: Share of n-grams from which the utterance behind a quote is recognised in scripts other than Latin [ours].
RECOGNISED_ELSEWHERE: Final = 1 / 3
#: Speakers of one body that the headline's is compared with; each is looked for in all of the body.
MOST_SPEAKERS: Final = 32


@dataclass(frozen=True)
class Comparison:
    """A headline quote and the body it is compared with."""

    headline: HeadlineQuote
    body: Body
    settings: ContextomySettings
    languages: Languages | None = None  #: that can be told apart and compared; None: all are taken for comparable

    def judge(
        self,
        outcome: Outcome | None,
        reason: str,
        best: int | None = None,
        *,
        omissions: Omissions = NO_OMISSIONS,
        operators: Sequence[Operator] = (),
        passage: Span | None = None,
    ) -> Judgement:
        """Make the judgement of what a rule found, or of a quote that none settled.

        Where a passage outside quotes decided, or no body quote shares anything, none is the best: any would mislead.

        Args:
            outcome: None: the detector decides.
            reason: the rule, in a few words.
            best: place of the body quote that decided.
            omissions: what is left out of it.
            operators: which of that governs the headline quote, the gravest first.
            passage: where its words stand outside quotes.
        """
        shares = self.containment if best is None else containment(self.headline, self.body.quotes, self.body, best)
        is_outside = passage is not None or (outcome is not None and not shares.in_best)
        places = (None, None) if is_outside else (shares.best, shares.second)
        match, two = self._speaker_match(shares), self._two_speakers(shares.best, shares.second)
        reason = "; ".join([*(each.phrase for each in operators), reason])
        alert, score, severity, blocks = None, None, None, None
        if outcome is None and shares.best is not None:
            compared = [self.body.quotes[place] for place in (shares.best, shares.second) if place is not None]
            blocks = blocks_of(self.headline, *compared)
        elif outcome is Outcome.CONTEXTOMIZED:
            alert, score, severity = "contextomized", 1.0, 1.0
        elif other := other_speaker(outcome, match, two_speakers=two):
            reason, alert, severity = f"{reason}; {other}", "wrong_speaker", MISATTRIBUTED
        elif operators:
            alert, severity = "risky_excerpt", operators[0].severity
        return Judgement(
            self.headline,
            outcome,
            reason,
            alert,
            score,
            severity,
            best=self.body.as_printed(places[0]),
            second=self.body.as_printed(places[1]),
            passage=passage,
            body_quotes=len(self.body.quotes),
            speaker_match=match,
            two_speakers=two,
            containment=shares,
            omissions=omissions,
            blocks=blocks,
            near=self.near if outcome is None else None,
        )

    @cached_property
    def parts(self) -> list[Folded]:
        """The headline quote between its ellipses."""
        return parts(self.headline)

    @cached_property
    def script(self) -> str | None:
        """Script of the headline quote."""
        return dominant_script("".join(part.letters for part in self.parts))

    def find(self, text: Text) -> list[Span] | None:
        """Where the parts of the headline quote stand in a text, one after the other; None if one is missing."""
        found = find_parts(self.parts, text.folded, self.script)
        return None if found is None else [text.place(*part) for part in found]

    @cached_property
    def containment(self) -> Containment:
        """How much of the headline quote stands where."""
        return containment(self.headline, self.body.quotes, self.body)

    @property
    def is_carried(self) -> bool:
        """Whether two body quotes together hold as much of it as a joined quote has."""
        return (self.containment.in_union or 0.0) >= self.settings.joined_containment

    @cached_property
    def senses(self) -> list[list[Sense]]:
        """Of each body quote, the passages with the words of the headline quote; see :func:`.senses.senses`."""
        return [senses(self.headline, quote) for quote in self.body.quotes]

    @cached_property
    def near(self) -> Near:
        """The nearest passage of the body; outside Latin script told by n-grams.

        Also recognised is a quote that a body quote says by opposites: *did not win*, *lost*.
        """
        if self.script in ("latin", None):
            found = near(self.headline.plain, self.body.plain)
            return found if found.is_recognised else replace(found, is_recognised=any(self.senses))
        share = self.containment.in_union or 0.0
        difference = "a body quote has some of its words, in another statement"
        return Near(is_recognised=share >= RECOGNISED_ELSEWHERE, difference=difference)

    def is_by_another(self, place: int) -> bool:
        """Whether a body quote is by another speaker than the headline's, plainly credited or not."""
        return self._compared_speakers(self.headline.speaker, self.body.quotes[place].speaker) is False

    def _speaker_match(self, shares: Containment) -> bool | None:
        """Whether who says it in the body is whom the headline names; only where a body quote carries the words.

        It is not only where the headline plainly credits them, and no other body quote with them may be by its speaker.
        """
        quotes, best = self.body.quotes, shares.best
        if best is None or (shares.in_best or 0.0) < self.settings.joined_containment:
            return None
        match = self._compared_speakers(self.headline.speaker, quotes[best].speaker)
        if match is not False:
            return match
        others = (at for at in range(len(quotes)) if at != best and not self.is_by_another(at))
        return None if not self.headline.is_credited or any(self.find(quotes[at]) for at in others) else False

    def _two_speakers(self, best: int | None, second: int | None) -> bool:
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
