"""Protocol ``speakers``: the full name that a speaker's pronoun is resolved to, compared with the person people marked.

Giving no name is not an error: it is counted separately, and accuracy is over the names given.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from quotelab.labels.texts import Labelled, Labels, LabelSpan, read_labels
from quotelab.report import Report
from quotelab.statistics import ratio
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers
from quotelake.text.words import words

#: Words before or after a name that do not make it another name. They are listed here and not taken from the evaluated
#: rules, so that an entry missing there shows as an error.
_TITLES = frozenset((
    "mr", "mrs", "ms", "miss", "dr", "prof", "professor", "sir", "dame", "lord", "lady", "rev", "reverend", "pope",
    "president", "vice", "sen", "senator", "rep", "representative", "congressman", "congresswoman", "gov", "governor",
    "mayor", "secretary", "prime", "minister", "chancellor", "king", "queen", "prince", "princess", "gen", "general",
    "col", "colonel", "maj", "major", "capt", "captain", "lt", "lieutenant", "sgt", "sergeant", "sheriff", "judge",
    "justice", "attorney", "ambassador", "chairman", "chairwoman", "former",
))  # fmt: skip
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))


class SpeakerLabels(Labels):
    """Spans of a quote, of the pronoun that is its source, and of the person: by full name, if any, and by surname."""

    content: tuple[LabelSpan, ...]
    pronoun: LabelSpan
    names: tuple[LabelSpan, ...]
    surname: LabelSpan | None = None


def evaluate(data: Sequence[str], texts: Sequence[str] = (), part: str | None = None) -> Report:
    """Compare the names that pronouns are resolved to with those marked.

    Figures: Counts: ``cases``; of these ``no_speaker`` (no quote of ours in the content has the pronoun as its
    speaker), ``refused`` (one has, but without a name) and ``resolved`` (with a name); of the resolved ``correct``.
    ``accuracy`` is correct / resolved, ``refusal_rate`` is refused / (refused + resolved), and ``refused_without_name``
    counts the refused cases whose person the text never names in full. A row is a case.
    """
    rows: list[dict[str, Any]] = []
    counts = Counter[str]()
    without_name = 0
    cases = read_labels(data, SpeakerLabels, texts, part)
    for case in cases:
        outcome, name = _judge(case)
        counts[outcome] += 1
        without_name += outcome == "refused" and not case.labels.names
        rows.append({"place": case.place, "id": case.labels.id, "outcome": outcome, "resolved_to": name})
    resolved, refused = counts["correct"] + counts["wrong"], counts["refused"]
    figures: dict[str, float] = {"cases": len(cases), "no_speaker": counts["no_speaker"], "refused": refused}
    figures |= {"refused_without_name": without_name, "resolved": resolved, "correct": counts["correct"]}
    figures |= {"accuracy": ratio(counts["correct"], resolved), "refusal_rate": ratio(refused, refused + resolved)}
    return Report("speakers", figures, rows)


def _judge(case: Labelled[SpeakerLabels]) -> tuple[str, list[int | None] | None]:
    """The outcome of a case, which is wrong if one quote by the pronoun has a wrong name; and the span of that name."""
    labels = case.labels
    full = [case.text[start:end] for start, end in labels.names]
    surname = case.text[slice(*labels.surname)] if labels.surname else None
    first, last = labels.pronoun
    outcome = "no_speaker"
    quotes = find_quotes(case.text, labels.mode)
    for quote, speaker in zip(quotes, find_speakers(case.text, quotes, labels.mode, "en"), strict=True):
        if speaker is None or not (speaker.start <= first and last <= speaker.end):
            continue
        if not any(start < quote.end and quote.start < end for start, end in labels.content):
            continue
        if speaker.name is None:
            outcome = "refused" if outcome == "no_speaker" else outcome
        elif any(same_name(speaker.name, name) for name in full) or (not full and speaker.name == surname):
            outcome = "correct"
        else:
            return "wrong", [speaker.name_start, speaker.name_end]
    return outcome, None


def same_name(one: str, other: str) -> bool:
    """Whether two full names agree, ignoring case, titles, and anything between given name and surname.

    >>> same_name("Sen. Ana B. Ruiz", "Ana Ruiz"), same_name("Leo Ruiz", "Ana Ruiz"), same_name("Ruiz", "Ana Ruiz")
    (True, False, False)
    """
    ends = [_ends(name) for name in (one, other)]
    return ends[0] == ends[1] and ends[0] is not None


def _ends(name: str) -> tuple[str, str] | None:
    """First and last word of a name, without titles before it, suffixes behind it, and a possessive."""
    parts = [part.replace("’", "'").removesuffix("'s") for part in words(name)]
    while len(parts) > 1 and parts[0] in _TITLES:
        del parts[0]
    while len(parts) > 1 and parts[-1] in _SUFFIXES:
        del parts[-1]
    return (parts[0], parts[-1]) if parts else None
