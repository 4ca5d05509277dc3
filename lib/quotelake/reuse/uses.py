"""A use of a quote by an outlet, and whom its article surely credits it to. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from quotelake.quotes.keys import GAP, canonical_text
from quotelake.reuse.trimming import same_sentence
from quotelake.text.fold import fold
from quotelake.text.people import name_words

#: Characters of an article that are looked at on each side of a use.
AROUND: Final = 400
#: A quotation mark inside a quote: some of its words are somebody else's.
_INNER: Final = re.compile(r"[“„«\"‘]|(?<!\w)'(?=\w)")
#: A name with such letters is two names run together by the page it was read from.
_RUN_TOGETHER: Final = re.compile(r"[a-z]{4}[A-Z]")


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a quote by an outlet.

    Attributes:
        quote_id: the quote that is this use.
        article: the same for all versions of an article.
        outlet: who publishes it.
        variant_id: variant of the text.
        words: words of the variant.
        text: the quote as used, without its marks.
        before: the article's text before it, as far as it is looked at.
        after: the same behind it.
        speaker: full name, where the article surely credits the quote to this person.
    """

    quote_id: str
    article: str
    outlet: str
    variant_id: str
    words: int
    text: str
    before: str = ""
    after: str = ""
    speaker: str | None = None


def certain_speaker(speaker: Mapping[str, Any] | None) -> str | None:
    """Full name of a speaker, if the attribution itself names the person: no pronoun, nobody taken over.

    Args:
        speaker: the struct of that name in ``quotes``.

    >>> bell = {"text": "Mayor Bell", "type": "person", "name": "Rita Bell", "how": "after"}
    >>> certain_speaker(bell), certain_speaker(bell | {"text": "she"}), certain_speaker(bell | {"how": "continued"})
    ('Rita Bell', None, None)
    """
    if speaker is None or speaker["type"] != "person" or speaker["name"] is None or speaker["how"] == "continued":
        return None
    name = name_words(speaker["name"])
    if len(name) < 2 or name[-1] not in name_words(speaker["text"]) or _RUN_TOGETHER.search(speaker["name"]):
        return None
    return str(speaker["name"])


def use_of(row: Mapping[str, Any]) -> Use:
    """A use from its row: ``quote_id``, ``native_key``, ``outlet``, ``variant_id``, ``text``, ``before``, ``after``,
    and the struct ``speaker``.
    """
    canonical = canonical_text(row["text"]) or ""
    return Use(
        quote_id=row["quote_id"],
        article=row["native_key"],
        outlet=row["outlet"],
        variant_id=row["variant_id"],
        words=sum(word != GAP for word in canonical.split()),
        text=row["text"],
        before=row["before"],
        after=row["after"],
        speaker=certain_speaker(row["speaker"]),
    )


def mentions(use: Use, name: str) -> bool:
    """Whether a use may be credited to somebody in passing: by the surname in its sentence, or in a quote within it."""
    surname = name_words(name)[-1]
    texts = [*same_sentence(use.before, use.after), *([use.text] if _INNER.search(use.text) else [])]
    return any(word.startswith(surname) for text in texts for word in fold(text).words)
