"""A headline quote beside its body, as the rules see the two, and whether the two can be compared at all. Pure.

By strings only texts of one language can be compared, by a model those of the languages it knows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from quotelake.contextomy.detector import Detector
from quotelake.contextomy.headline import is_claim, is_impersonal
from quotelake.contextomy.judgement import JOINED_CONTAINMENT
from quotelake.contextomy.letters import Containment, containment, shared_ngrams
from quotelake.contextomy.matching import Match
from quotelake.contextomy.quotes import Body, HeadlineQuote, Text, are_read_by_words
from quotelake.contextomy.speakers import SpeakerMention, same_speaker
from quotelake.settings import Settings
from quotelake.text.align import find_parts
from quotelake.text.fold import Span
from quotelake.text.language import UNDETERMINED, detect_language

#: Share of n-grams from which the utterance behind a quote is recognised in scripts other than Latin [ours].
RECOGNISED_ELSEWHERE: Final = 1 / 3


@dataclass(frozen=True, slots=True)
class Languages:
    """Languages that are detected, and those whose texts a cosine compares, as ISO 639-1 codes."""

    distinguished: tuple[str, ...]
    confidence: float  #: least probability of a detected language, 0 to 1
    compared: tuple[str, ...] = ()  #: see :func:`compared_languages`

    def foreign(self, quote: str, language: str) -> str | None:
        """Language of a quote if it is known, differs from the body's, and no model compares the two; else None."""
        if language == UNDETERMINED:
            return None
        found = detect_language(quote, self.distinguished, self.confidence)
        return None if found in (UNDETERMINED, language) or {found, language} <= set(self.compared) else found


def languages_of(settings: Settings, compared: tuple[str, ...]) -> Languages:
    """Languages that the settings detect, and those ``compared``, from :func:`compared_languages`."""
    return Languages(settings.ingest.languages, settings.ingest.language_confidence, compared)


def compared_languages(settings: Settings, detector: Detector, model: str | None) -> tuple[str, ...]:
    """Languages in which cosines of a model count: those of the settings, if the detector was made for its weights.

    To another detector the cosines of a model (name or directory, or None) mean nothing. Errors are those of
    :meth:`~quotelake.contextomy.detector.Detector.knows`.
    """
    return settings.model.languages if model is not None and detector.knows(model) else ()


@dataclass(frozen=True)
class Comparison:
    """A headline quote beside the body, and what is measured of both when a rule first needs it."""

    headline: HeadlineQuote
    body: Body
    match: Match  #: the passage of the body that comes nearest, and in what it differs
    languages: Languages | None = None  #: those that can be compared; None: all are taken for comparable

    @cached_property
    def shared(self) -> Sequence[int]:
        """See :func:`.letters.shared_ngrams`."""
        return shared_ngrams(self.headline, self.body.quotes)

    @cached_property
    def containment(self) -> Containment:
        """How much of it the best body quotes contain."""
        return containment(self.headline, self.shared)

    @cached_property
    def is_contained(self) -> bool:
        """Whether two body quotes together contain as much of it as of a joined quote."""
        return (self.containment.in_union or 0.0) >= JOINED_CONTAINMENT

    @cached_property
    def is_read_by_words(self) -> bool:
        """See :func:`.quotes.are_read_by_words`."""
        return are_read_by_words(self.headline, self.body)

    @property
    def is_recognised(self) -> bool:
        """Whether the body has the utterance behind it: in Latin script by words, else by n-grams."""
        if self.headline.is_latin:
            return self.match.passage is not None
        return (self.containment.in_union or 0.0) >= RECOGNISED_ELSEWHERE

    @property
    def is_worded_by_newspaper(self) -> bool:
        """Whether it claims something without a speaker: its words need not be anybody's."""
        return is_impersonal(self.headline) or (is_claim(self.headline) and self.headline.speaker is None)

    def find(self, text: Text) -> list[Span] | None:
        """Find the parts of the headline quote in a text, one after the other; None if one is missing."""
        found = find_parts(self.headline.parts, text.folded, self.headline.script)
        return None if found is None else [text.folded.place(*part) for part in found]

    def is_by_another(self, place: int) -> bool:
        """Whether a body quote is by another speaker than the headline's, plainly credited or not."""
        return same_speaker(self.headline.speaker, self.body.quotes[place].speaker, self.body.text) is False

    def speaker_match(self, shares: Containment) -> bool | None:
        """Whether the headline names the speaker of the best body quote; only where that contains the words.

        False only where the headline plainly credits them, and no other body quote with them may be by its speaker.
        """
        quotes, best = self.body.quotes, shares.best
        if best is None or (shares.in_best or 0.0) < JOINED_CONTAINMENT:
            return None
        match = same_speaker(self.headline.speaker, quotes[best].speaker, self.body.text)
        if match is not False:
            return match
        others = (at for at in range(len(quotes)) if at != best and not self.is_by_another(at))
        speaker = quotes[best].speaker
        is_sure = self.headline.is_credited and speaker is not None and speaker.how != "continued"
        return None if not is_sure or any(self.find(quotes[at]) for at in others) else False

    def is_denied(self, best: int | None) -> bool:
        """Whether the body says that the words of its best quote were not said, and no other quote of it has them."""
        quotes = self.body.quotes
        if best is None or not quotes[best].is_denied or self.headline.is_denied:
            return False
        return not any(not quote.is_denied and self.find(quote) for quote in quotes)

    def has_two_speakers(self, shares: Containment) -> bool:
        """Whether the best two quotes are by two persons with names, and the headline names one speaker for both."""
        speaker = self.headline.speaker
        if shares.best is None or shares.second is None or speaker is None or speaker.type != "person":
            return False
        one, other = (self.body.quotes[place].speaker for place in (shares.best, shares.second))
        if one is None or one.name is None or one.name.split()[-1] not in one.text:
            return False
        return same_speaker(SpeakerMention(one.name, one.name, one.type, one.name), other, self.body.text) is False
