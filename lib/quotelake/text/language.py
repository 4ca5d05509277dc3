"""The script of a text, and the language of a document: the stated one in ISO 639-1, else detected.

The detector is py3langid, a naive Bayes model over byte n-grams (Lui and Baldwin 2012, langid.py), with probabilities
normalised over the languages of ``ingest.languages``. It is loaded once per worker, the first time it is needed.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from copy import copy
from functools import cache
from typing import Any, Final

from quotelake.text.lexicon import load_lexicon, word_set

_LISTS: Final = load_lexicon("languages")
#: The languages that py3langid's model knows.
DETECTABLE = word_set(_LISTS["detectable"])
#: Scripts written without spaces: a word may begin and end anywhere.
UNSPACED = frozenset({"cjk", "thai", "lao", "khmer", "myanmar"})
#: Scripts of syllables or ideographs: two of them say about as much as four letters of an alphabet.
SYLLABIC = frozenset({"cjk", "hangul"})
_CJK_NAMES = frozenset({"cjk", "hiragana", "katakana", "ideographic"})
#: Share of letters from which a script other than Latin is dominant [ours]: texts in any script have Latin acronyms.
_NON_LATIN_SHARE = 0.25
#: ISO 639: undetermined.
UNDETERMINED = "und"
#: Characters read: the first thousand identify a language as well as the whole text.
_CHARACTERS = 1000
#: Addresses, @names, #tags and RT: they belong to no language.
_NOISE = re.compile(r"https?://\S*|www\.\S+|[@#]\w+|\bRT\b")
_LETTER = re.compile(r"[^\W\d_]")
_STATED = re.compile(r"([a-z]{2,3})(?:[-_].*)?", re.IGNORECASE | re.DOTALL)
_ISO: Final = {code: iso for iso, codes in _LISTS["other_codes"].items() for code in codes.split()}


def normalise_language(stated: str | None) -> str | None:
    """ISO 639-1 code of a stated language; None if it is not a known code."""
    found = _STATED.fullmatch((stated or "").strip())
    if found is None:
        return None
    code = found[1].lower()
    code = _ISO.get(code, code)
    return code if len(code) == 2 else None


def detect_language(text: str, languages: Sequence[str], confidence: float) -> str:
    """Detect the language of a text; ``und`` if its probability is below ``confidence`` or it has no letters.

    The first 1,000 characters count, without addresses, @names and #tags. ``languages`` are the ISO 639-1 codes of the
    possible ones, and the probability, 0 to 1, is over them.

    Raises:
        ValueError: one of the languages is not :data:`DETECTABLE`.
    """
    text = _NOISE.sub(" ", text[:_CHARACTERS])
    if _LETTER.search(text) is None:
        return UNDETERMINED
    language, probability = _identifier(tuple(languages)).classify(text)
    return str(language) if probability >= confidence else UNDETERMINED


@cache
def _identifier(languages: tuple[str, ...]) -> Any:
    identifier = copy(_model())  # a list of languages takes its columns of the model, some 4 MB
    identifier.set_languages(languages)
    return identifier


@cache
def _model() -> Any:
    """The model of all languages, some 80 MB, which forked workers share."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def dominant_script(letters: str) -> str | None:
    """``latin``, or another script of a quarter of the letters (``hangul``, ``cjk``: Han and kana …); None of none."""
    if letters.isascii():
        return "latin" if any(map(str.isalpha, letters)) else None
    counts = Counter(script for script in map(_script, letters) if script is not None)
    if not counts:
        return None
    others = Counter({script: count for script, count in counts.items() if script != "latin"})
    if others and others.most_common(1)[0][1] >= _NON_LATIN_SHARE * counts.total():
        return others.most_common(1)[0][0]
    return counts.most_common(1)[0][0]


@cache
def _script(character: str) -> str | None:
    if not character.isalpha():
        return None
    name = unicodedata.name(character, "unnamed").split(" ")[0].split("-")[0].lower()
    return "cjk" if name in _CJK_NAMES else name
