"""A headline quote before the rules: its body beside it, and what several rules ask of both, computed once."""

import re
from dataclasses import dataclass
from functools import cached_property

from quotelake.compare.folding import Folded, dominant_script
from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.containment import Containment, containment, parts
from quotelake.contextomy.same_speaker import Who, same_speaker
from quotelake.contextomy.sides import Body, BodyQuote, HeadlineQuote
from quotelake.settings import ContextomySettings
from quotelake.text import words

#: Opening marks of newspaper claims; a headline that quotes speech with them names its speaker.
SINGLE_MARKS = frozenset("'‘‚‛`’＇")
#: Words of speech, not of claims: whoever says them speaks of themselves or to somebody.
SPOKEN = frozenset(("i", "me", "my", "we", "us", "our", "you", "your"))
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
        """Whether the speaker of a body quote is the headline's, as far as that can be told."""
        who = self.body.quotes[place].speaker
        if who not in self._same_speaker:
            if len(self._same_speaker) == MOST_SPEAKERS:
                return None
            self._same_speaker[who] = same_speaker(self.headline.speaker, who, self.body.text)
        return self._same_speaker[who]

    @cached_property
    def _same_speaker(self) -> dict[Who | None, bool | None]:
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
    def is_impersonal(self) -> bool:
        """Whether it stands in single marks, the headline names no speaker, and it says no *I*, *we* or *you*."""
        quote = self.headline
        if quote.kind != "direct" or quote.speaker is not None or quote.marks[:1] not in SINGLE_MARKS:
            return False
        return SPOKEN.isdisjoint(re.split("['’]", word)[0] for word in words(quote.text))

    @property
    def is_fragment(self) -> bool:
        """Whether it states nothing by itself: a word or a few, no predicate."""
        return self.headline.kind != "direct" and self.headline.reason != "predicate"
