"""A headline quote beside its body: what the rules ask of both, computed once, and the judgement a rule makes of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.containment import Containment, containment, parts
from quotelake.contextomy.judgement import MISATTRIBUTED, Judgement, Outcome, other_speaker
from quotelake.contextomy.nearly import Near, near
from quotelake.contextomy.operators import Operator
from quotelake.contextomy.plain import read_plain
from quotelake.contextomy.quotes import Body, HeadlineQuote
from quotelake.contextomy.senses import Sense, may_contradict, senses
from quotelake.contextomy.speakers import Who, same_speaker
from quotelake.contextomy.tiling import blocks_of
from quotelake.settings import ContextomySettings
from quotelake.text.align import find_parts
from quotelake.text.fold import Folded, Span
from quotelake.text.language import dominant_script
from quotelake.text.omissions import NO_OMISSIONS, Omissions
from quotelake.text.wording import Wording, read_wording

#: Share of n-grams from which the utterance behind a quote is recognised in scripts other than Latin [ours].
RECOGNISED_ELSEWHERE: Final = 1 / 3
#: Speakers of one body that the headline's is compared with; each is looked for in all of the body.
MOST_SPEAKERS: Final = 32


@dataclass(frozen=True)
class Comparison:
    """A headline quote and the body it is compared with.

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
        shares = self.containment(best)
        is_outside = passage is not None or (outcome is not None and not shares.in_best)
        places = (None, None) if is_outside else (shares.best, shares.second)
        reason = "; ".join([*(operator.phrase for operator in operators), reason])
        judgement = Judgement(
            self.headline,
            outcome,
            reason,
            best=self.body.as_printed(places[0]),
            second=self.body.as_printed(places[1]),
            passage=passage,
            body_quotes=len(self.body.quotes),
            speaker_match=self._speaker_match(shares),
            two_speakers=self._two_speakers(shares.best, shares.second),
            containment=shares,
            omissions=omissions,
        )
        if outcome is None:
            texts = [self.body.quotes[place].text for place in places if place is not None]
            return replace(judgement, near=self.near, blocks=blocks_of(self.headline.text, *texts) if texts else None)
        if outcome is Outcome.CONTEXTOMIZED:
            return replace(judgement, alert="contextomized", score=1.0, severity=1.0)
        other = other_speaker(outcome, judgement.speaker_match, two_speakers=judgement.two_speakers)
        if other is not None:
            return replace(judgement, reason=f"{reason}; {other}", alert="wrong_speaker", severity=MISATTRIBUTED)
        if operators:
            return replace(judgement, alert="risky_excerpt", severity=operators[0].severity)
        return judgement

    @cached_property
    def parts(self) -> list[Folded]:
        """The headline quote between its ellipses."""
        return parts(self.headline.text)

    @cached_property
    def script(self) -> str | None:
        """Script of the headline quote."""
        return dominant_script("".join(part.letters for part in self.parts))

    def find_in_quote(self, place: int) -> list[Span] | None:
        """Where the parts of the headline quote stand in the letters of a body quote, one after the other."""
        return find_parts(self.parts, self.body.folded_quotes[place], self.script)

    def speaker_match(self, place: int) -> bool | None:
        """Whether the speaker of a body quote is the headline's; False only where the headline plainly credits it."""
        match = self._compared_speakers(self.headline.speaker, self.body.quotes[place].speaker)
        return None if match is False and not self.headline.is_credited else match

    def is_by_another(self, place: int) -> bool:
        """Whether a body quote is by another speaker than the headline's, plainly credited or not."""
        return self._compared_speakers(self.headline.speaker, self.body.quotes[place].speaker) is False

    def _speaker_match(self, shares: Containment) -> bool | None:
        """Whether who says it in the body is whom the headline names; only where a body quote carries the words.

        It is not if no other body quote with the words may be by the headline's speaker either.
        """
        best = shares.best
        if best is None or (shares.in_best or 0.0) < self.settings.joined_containment:
            return None
        match = self.speaker_match(best)
        if match is not False:
            return match
        others = (
            place for place in range(len(self.body.quotes)) if place != best and self.speaker_match(place) is not False
        )
        return None if any(self.find_in_quote(place) for place in others) else False

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
            found = near(read_plain(self.headline.text), self.body.plain)
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
