"""A headline quote before its rules: the article it stands over, folded and compared as far as a rule asks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from quotelake.compare.folding import Folded, dominant_script, fold
from quotelake.contextomy.comparable import Languages
from quotelake.contextomy.containment import BodyQuote, Containment, HeadlineQuote, containment, parts
from quotelake.contextomy.same_speaker import Who, same_speaker
from quotelake.settings import ContextomySettings
from quotelake.text import words

#: Bodies that are not all there; nothing missing in one counts against an outlet.
CUT = frozenset({"truncated", "live_update"})
#: Opening marks of newspaper claims; a headline that quotes speech with them names its speaker.
SINGLE_MARKS = frozenset("'‘‚‛`’＇")
#: Words of speech, not of claims: who says them speaks of themselves or to somebody.
SPOKEN = frozenset(("i", "me", "my", "we", "us", "our", "you", "your"))
#: Speakers of one body that the headline's is compared with; each is looked for in all of the body.
MOST_SPEAKERS = 32


@dataclass(frozen=True)
class Case:
    """A headline quote and its article; what rules share is folded once, and the body only if a rule asks for it."""

    headline: HeadlineQuote
    body: str
    body_status: str
    quotes: Sequence[BodyQuote]
    settings: ContextomySettings
    language: str
    languages: Languages | None

    @cached_property
    def parts(self) -> list[Folded]:
        """The headline quote between its ellipses."""
        return parts(self.headline.text)

    @cached_property
    def script(self) -> str | None:
        """Script of the headline quote."""
        return dominant_script("".join(part.letters for part in self.parts))

    @cached_property
    def folded_quotes(self) -> list[Folded]:
        """The body quotes, folded."""
        return [fold(quote.text) for quote in self.quotes]

    @cached_property
    def folded_body(self) -> Folded:
        """The body, folded."""
        return fold(self.body)

    def speaker_match(self, place: int) -> bool | None:
        """Whether the speaker of a body quote is the headline's, as far as that can be told."""
        who = self.quotes[place].speaker
        if who not in self._same_speaker:
            if len(self._same_speaker) == MOST_SPEAKERS:
                return None
            self._same_speaker[who] = same_speaker(self.headline.speaker, who, self.body)
        return self._same_speaker[who]

    @cached_property
    def _same_speaker(self) -> dict[Who | None, bool | None]:
        return {}

    def containment(self, best: int | None = None) -> Containment:
        """What of the headline quote stands where; ``best``: the body quote to take for the best one."""
        return containment(self.headline.text, self.folded_quotes, lambda: self.folded_body, best)

    def quote(self, place: int | None) -> BodyQuote | None:
        """The body quote at a place, if there is one."""
        return None if place is None else self.quotes[place]

    @property
    def is_claim(self) -> bool:
        """Whether it claims something in single marks instead of quoting an utterance.

        Beside the short ones, a kind of their own, longer ones that go on with the headline's sentence: *Sales 'fail to
        lift the high street'*.
        """
        if self.headline.kind == "claim":
            return True
        return self.is_impersonal and self.headline.reason == "words" and self.headline.text[:1].islower()

    @property
    def is_impersonal(self) -> bool:
        """Whether it stands in single marks, is by nobody the headline names, and speaks of no *I*, *we* or *you*."""
        own = self.headline
        if own.kind != "direct" or own.speaker is not None or own.marks[:1] not in SINGLE_MARKS:
            return False
        return SPOKEN.isdisjoint(re.split("['’]", word)[0] for word in words(own.text))

    @property
    def narration(self) -> str:
        """The body without its quotes: as many spaces stand in their place."""
        pieces, at = [], 0
        for quote in self.quotes:  # in order, and one may lie inside another
            pieces += [self.body[at : quote.start], " " * (quote.end - max(at, quote.start))]
            at = max(at, quote.end)
        return "".join([*pieces, self.body[at:]])

    @property
    def is_fragment(self) -> bool:
        """Whether it states nothing by itself: a word or a few, no predicate."""
        return self.headline.kind != "direct" and self.headline.reason != "predicate"

    @property
    def is_cut(self) -> bool:
        """Whether the body is not all there."""
        return self.body_status in CUT
