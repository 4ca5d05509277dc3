"""A headline quote beside its body: what the rules ask of both, measured once, and the judgement a rule makes of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.differences import Difference, Kind
from quotelake.contextomy.fidelity import Held, hold
from quotelake.contextomy.headline import is_claim, is_impersonal
from quotelake.contextomy.judgement import (
    CARRIED,
    JOINED_CONTAINMENT,
    SAID,
    Judgement,
    Outcome,
    noted,
    other_speaker,
    ranked,
)
from quotelake.contextomy.letters import Containment, containment, parts
from quotelake.contextomy.quotes import Body, HeadlineQuote, Text
from quotelake.contextomy.speakers import Who, same_speaker
from quotelake.settings import ContextomySettings
from quotelake.text.align import find_parts
from quotelake.text.fold import Folded, Span
from quotelake.text.forms import name_words
from quotelake.text.language import UNDETERMINED, dominant_script
from quotelake.text.omissions import NO_OMISSIONS, Omissions, cues_in, cues_left_out, script_of, sentences_with
from quotelake.text.words import words

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
        passage: Span | None = None,
    ) -> Judgement:
        """Make the judgement of what a rule found, or of a quote that none settled.

        Where a passage outside quotes decided, or no body quote shares anything, none is the best: any would mislead.

        Args:
            outcome: None: the detector decides.
            reason: the rule, in a few words.
            best: place of the body quote that decided.
            omissions: what is left out of it.
            passage: where its words stand outside quotes.
        """
        shares = self.containment if best is None else containment(self.headline, self.body.quotes, best)
        is_outside = passage is not None or (outcome is not None and not shares.in_best)
        places = (None, None) if is_outside else (shares.best, shares.second)
        match, two = self._speaker_match(shares), self._two_speakers(shares.best, shares.second)
        found: list[Difference] = []
        is_own = self.is_worded_by_newspaper and not self.held.is_exact
        if outcome is Outcome.CONTEXTOMIZED or (outcome in SAID and not is_own):
            found = list(self.held.differences if self.is_read else self._left_out(best, omissions))
        if other := other_speaker(outcome, match, two_speakers=two):
            found.append(other)
        elif outcome in CARRIED and match is None and shares.best is not None and self.is_by_another(shares.best):
            found.append(Difference(Kind.CREDIT))
        judgement = Judgement(
            self.headline,
            outcome,
            reason,
            best=self.body.as_printed(places[0]),
            second=self.body.as_printed(places[1]),
            passage=passage,
            body_quotes=len(self.body.quotes),
            speaker_match=match,
            two_speakers=two,
            containment=shares,
            omissions=omissions,
        )
        if outcome is not None:
            return ranked(judgement, found, self.settings)
        notes = [each._replace(is_sure=False) for each in self.held.differences] if self.is_read else []
        return replace(
            judgement,
            recognised=self.is_recognised,
            difference=self.difference,
            differences=noted(notes, self.settings),
        )

    def _left_out(self, best: int | None, omissions: Omissions) -> Iterator[Difference]:
        """What an excerpt leaves out and the headline lacks, by class: words around the cue, or the sentence asked."""
        if best is None or not omissions.classes:
            return
        quote = self.body.quotes[best]
        kept = self.find(quote) or omissions.spans
        cues = {cue.name: cue.span for cue in reversed(cues_left_out(quote.text, kept, omissions.classes))}
        for name in omissions.classes:
            if name in cues and cues_in(name.upper(), self.headline.around, script_of(quote.text)):
                continue
            [(start, end, _), *_] = sentences_with(quote.text, [cues.get(name, kept[-1])])
            for first, last in omissions.spans if name in cues else ():
                if first <= cues[name][0] < last:
                    start, end = max(start, first), min(end, last)
            yield Difference(Kind(name), " ".join(quote.text[start:end].split()))

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
        return containment(self.headline, self.body.quotes)

    @property
    def is_carried(self) -> bool:
        """Whether two body quotes together hold as much of it as a joined quote has."""
        return (self.containment.in_union or 0.0) >= JOINED_CONTAINMENT

    @property
    def is_read(self) -> bool:
        """Whether its words are read one by one: in English, or in an unknown language that may be it."""
        return self.script in ("latin", None) and self.body.language in ("en", UNDETERMINED)

    @property
    def is_worded_by_newspaper(self) -> bool:
        """Whether it claims something without a speaker: its words need not be anybody's."""
        return is_impersonal(self.headline) or (is_claim(self.headline) and self.headline.speaker is None)

    @cached_property
    def held(self) -> Held:
        """What the body has of its words, and in what the two differ."""
        return hold(self.headline, self.parts, self.body, self.script)

    @property
    def is_recognised(self) -> bool:
        """Whether the utterance behind it is recognisable in the body: in Latin script by words, else by n-grams."""
        if self.script in ("latin", None):
            return self.held.passage is not None
        return (self.containment.in_union or 0.0) >= RECOGNISED_ELSEWHERE

    @property
    def difference(self) -> str | None:
        """What the body says otherwise, where words are not read one by one."""
        return None if self.script in ("latin", None) else "a body quote has some of its words, in another statement"

    def is_by_another(self, place: int) -> bool:
        """Whether a body quote is by another speaker than the headline's, plainly credited or not."""
        return self._compared_speakers(self.headline.speaker, self.body.quotes[place].speaker) is False

    def _speaker_match(self, shares: Containment) -> bool | None:
        """Whether who says it in the body is whom the headline names; only where a body quote carries the words.

        It is not only where the headline plainly credits them, and no other body quote with them may be by its speaker.
        """
        quotes, best = self.body.quotes, shares.best
        if best is None or (shares.in_best or 0.0) < JOINED_CONTAINMENT:
            return None
        match = self._compared_speakers(self.headline.speaker, quotes[best].speaker)
        if match is not False:
            return match
        others = (at for at in range(len(quotes)) if at != best and not self.is_by_another(at))
        is_doubtful = not self.headline.is_credited or self._is_named_beside(best)
        return None if is_doubtful or any(self.find(quotes[at]) for at in others) else False

    def _is_named_beside(self, best: int) -> bool:
        """Whether the headline's speaker is named beside a quote whose own paragraph does not name who says it."""
        quote, who = self.body.quotes[best], self.headline.speaker
        if quote.speaker is None or who is None:
            return False
        surname = name_words(quote.speaker.name or "")[-1:]
        if quote.speaker.how != "continued" and set(surname) <= set(name_words(quote.speaker.text)):
            return False
        text = self.body.text
        paragraph, end = text.rfind("\n", 0, quote.start) + 1, text.find("\n", quote.end)
        start = text.rfind("\n", 0, len(text[:paragraph].rstrip())) + 1
        beside = text[start : end if end >= 0 else len(text)]
        return not set(name_words(who.name or who.head)[-1:]).isdisjoint(words(beside))

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
