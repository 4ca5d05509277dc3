"""Whether a headline quote and its body are in languages that can be compared. Pure."""

from dataclasses import dataclass

from quotelake.language import UNDETERMINED, detect_language
from quotelake.settings import Settings


@dataclass(frozen=True, slots=True)
class Languages:
    """Languages that can be told apart, and those a cosine compares.

    Attributes:
        told_apart: ISO 639-1 codes.
        confidence: probability from which a language counts as told, 0 to 1.
        compared: codes of the languages that the model, and the detector with it, compares with one another.
    """

    told_apart: tuple[str, ...]
    confidence: float
    compared: tuple[str, ...] = ()

    def foreign(self, quote: str, language: str) -> str | None:
        """Language of a quote that nothing here compares with a body in ``language``; None where it does.

        >>> Languages(("en", "de"), 0.8).foreign("Wir schaffen das, und wir haben so vieles geschafft", "en")
        'de'
        """
        if language == UNDETERMINED:
            return None
        own = detect_language(quote, self.told_apart, self.confidence)
        if own in (UNDETERMINED, language) or {own, language} <= set(self.compared):
            return None
        return own


def languages_of(settings: Settings, compared: tuple[str, ...]) -> Languages:
    """Languages as the settings have them; ``compared`` is empty where the detector knows no cosine of the model."""
    return Languages(settings.ingest.languages, settings.ingest.language_confidence, compared)
