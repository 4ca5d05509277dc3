"""Whether a headline quote can be compared with a body: by its language, and by signs that the body is not whole. Pure.

By strings only texts of one language can be compared, by a model those of the languages it knows. A quote that is not
found in the body of another page, or in one that begins in the middle, says nothing about its headline.
"""

import re
from dataclasses import dataclass
from typing import Final

from quotelake.contextomy.detector import Detector
from quotelake.contextomy.headline import stems
from quotelake.contextomy.quotes import Text
from quotelake.settings import Settings
from quotelake.text.language import UNDETERMINED, detect_language
from quotelake.text.words import count_words

#: Words of content of a headline from which missing ones in the body count; least share that it has [ours].
_LEAST_STEMS, _LEAST_SHARE = 3, 0.2
#: Code points in which a surname with a title and without its first name shows that the text begins in the middle.
_BEGINNING: Final = 400
_SURNAME: Final = re.compile(r"(?<!\w)(?:Mr|Mrs|Ms)\.?\s([A-Z][\w’'-]+)")
_VIDEO: Final = re.compile(r"\[?\(?\b(?:video|watch|live\s+(?:updates?|stream|blog))\b\]?\)?", re.IGNORECASE)
#: Words of a body that a headline calls a video; a transcript has more [ours].
_VIDEO_WORDS: Final = 150


@dataclass(frozen=True, slots=True)
class Languages:
    """Languages that are detected, and those whose texts a cosine compares, as ISO 639-1 codes."""

    distinguished: tuple[str, ...]
    confidence: float  #: least probability of a detected language, 0 to 1
    compared: tuple[str, ...] = ()  #: see :func:`compared_languages`

    def foreign(self, quote: str, language: str) -> str | None:
        """Language of a quote if it is known, differs from the body's, and no model compares the two; else None.

        >>> Languages(("en", "de"), 0.8).foreign("Wir schaffen das, und wir haben so vieles geschafft", "en")
        'de'
        """
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


def not_whole(around: str, body: Text, speaker: str | None = None) -> str | None:
    """The reason why a body is not the whole article of a headline; None without a sign.

    ``around`` is the headline without its quote, ``speaker`` the full name of the person that it credits.

    >>> not_whole("Mayor Bell:", Text("and that was all he said on Friday."))
    'the body begins in the middle of a sentence'
    """
    text = body.text
    if text.lstrip(" \n\t\"'“‘")[:1].islower() or text.lstrip().startswith(("…", "...")):
        return "the body begins in the middle of a sentence"
    n = count_words(text)
    if n < _VIDEO_WORDS and _VIDEO.search(around):
        return f"the body is the page of a video: {n} words"
    named = _SURNAME.search(text, 0, _BEGINNING)
    if named and not re.search(rf"(?<!\w){re.escape(named[1])}(?!\w)", text[: named.start()]):
        return f"the body begins in the middle: “{named[0]}” without a first name"
    body_stems, headline_stems = stems(body), stems(Text(around))
    if speaker is not None and len(speaker.split()) > 1 and stems(Text(speaker)).isdisjoint(body_stems):
        return f"the body never names {speaker}"
    if len(headline_stems) >= _LEAST_STEMS and len(headline_stems & body_stems) < _LEAST_SHARE * len(headline_stems):
        return "the body is about something else: it has hardly a word of the headline"
    return None
