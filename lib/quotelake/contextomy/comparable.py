"""Which languages can be compared with which: by strings only the same, by a model those it knows. Pure."""

from dataclasses import dataclass

from quotelake.contextomy.detector import Detector
from quotelake.settings import Settings
from quotelake.text.language import UNDETERMINED, detect_language


@dataclass(frozen=True, slots=True)
class Languages:
    """Languages that can be told apart, and those whose texts a cosine compares.

    Attributes:
        told_apart: ISO 639-1 codes.
        confidence: probability from which a language counts as told, 0 to 1.
        compared: codes of the languages that the model compares with one another, see :func:`compared_languages`.
    """

    told_apart: tuple[str, ...]
    confidence: float
    compared: tuple[str, ...] = ()

    def foreign(self, quote: str, language: str) -> str | None:
        """Language of a quote if it is known, differs from the body's, and no model compares the two; else None.

        >>> Languages(("en", "de"), 0.8).foreign("Wir schaffen das, und wir haben so vieles geschafft", "en")
        'de'
        """
        if language == UNDETERMINED:
            return None
        found = detect_language(quote, self.told_apart, self.confidence)
        if found in (UNDETERMINED, language) or {found, language} <= set(self.compared):
            return None
        return found


def compared_languages(settings: Settings, detector: Detector, model: str | None) -> tuple[str, ...]:
    """Languages in which cosines of a model count: those of the settings, if the detector was made for its weights.

    To another detector the model's cosines mean nothing: every score then rests on strings alone.

    Args:
        settings: name the languages of the model.
        detector: see :meth:`~quotelake.contextomy.detector.Detector.knows`.
        model: name or directory, as in ``[model] name``; None for no model.

    Raises:
        SettingsError: there is no such model.
    """
    return settings.model.languages if model is not None and detector.knows(model) else ()


def languages_of(settings: Settings, compared: tuple[str, ...]) -> Languages:
    """Languages that the settings tell apart, and those ``compared``, from :func:`compared_languages`."""
    return Languages(settings.ingest.languages, settings.ingest.language_confidence, compared)
