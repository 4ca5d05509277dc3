"""Protocol ``speakers``: the full name that a speaker's pronoun is resolved to, compared with the person people marked.

Giving no name is not an error: it is counted separately, and accuracy is over the names given.
"""

import argparse
from collections.abc import Sequence
from enum import Enum
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
    """The person whom a pronoun, the source of a quote, refers to.

    Attributes:
        content: spans of the quote.
        pronoun: span of its source.
        names: spans of mentions of the person by full name, one for each wording; empty if there is none.
        surname: span of a mention by the surname alone, if there is one.
    """

    content: tuple[LabelSpan, ...]
    pronoun: LabelSpan
    names: tuple[LabelSpan, ...]
    surname: LabelSpan | None = None


class Resolution(Enum):
    """Result of a case."""

    CORRECT = "correct"
    WRONG = "wrong"
    REFUSED = "refused"
    NO_SPEAKER = "no_speaker"


def evaluate(data: Sequence[str], texts: Sequence[str] = (), part: str | None = None) -> Report:
    """Compare the names that pronouns are resolved to with those marked.

    Args:
        data: paths or globs of label files.
        texts: paths or globs of corpora, for texts that the label files do not hold.
        part: take only rows of this part.

    Returns:
        Counts: ``cases``; of these ``no_speaker`` (no quote of ours in the content has the pronoun as its speaker),
        ``refused`` (one has, but without a name) and ``resolved`` (with a name); of the resolved ``correct``.
        ``accuracy`` is correct / resolved, ``refusal_rate`` is refused / (refused + resolved), and
        ``refused_without_name`` counts the refused cases whose person the text never names in full. A row of the report
        is a case: its outcome, and the span of the name if it is wrong.

    Raises:
        InputError: see :func:`~quotelab.labels.texts.read_labels`.
    """
    rows: list[dict[str, Any]] = []
    counts = dict.fromkeys(Resolution, 0)
    without_name = 0
    cases = read_labels(data, SpeakerLabels, texts, part)
    for case in cases:
        outcome, name = judge(case)
        counts[outcome] += 1
        without_name += outcome is Resolution.REFUSED and not case.labels.names
        rows.append({"place": case.place, "id": case.labels.id, "outcome": outcome.value, "resolved_to": name})
    resolved = counts[Resolution.CORRECT] + counts[Resolution.WRONG]
    refused = counts[Resolution.REFUSED]
    figures: dict[str, float] = {"cases": len(cases), "no_speaker": counts[Resolution.NO_SPEAKER], "refused": refused}
    figures |= {"refused_without_name": without_name, "resolved": resolved, "correct": counts[Resolution.CORRECT]}
    figures |= {"accuracy": ratio(counts[Resolution.CORRECT], resolved)}
    figures |= {"refusal_rate": ratio(refused, refused + resolved)}
    return Report("speakers", figures, rows)


def judge(case: Labelled[SpeakerLabels]) -> tuple[Resolution, list[int | None] | None]:
    """Return the outcome of a case, and the span of a wrong name.

    Several quotes may have the pronoun as their speaker; if one of them has a wrong name, the case is wrong.

    Raises:
        InputError: a labelled span ends after the text.
    """
    full = [case.cut(span, "names") for span in case.labels.names]
    surname = case.cut(case.labels.surname, "surname") if case.labels.surname else None
    case.cut(case.labels.pronoun, "pronoun")
    for span in case.labels.content:
        case.cut(span, "content")
    first, last = case.labels.pronoun
    outcome = Resolution.NO_SPEAKER
    quotes = find_quotes(case.text, case.labels.mode)
    for quote, speaker in zip(quotes, find_speakers(case.text, quotes, case.labels.mode, "en"), strict=True):
        if speaker is None or not (speaker.start <= first and last <= speaker.end):
            continue
        if not any(start < quote.end and quote.start < end for start, end in case.labels.content):
            continue
        if speaker.name is None:
            outcome = Resolution.REFUSED if outcome is Resolution.NO_SPEAKER else outcome
        elif any(same_name(speaker.name, name) for name in full) or (not full and speaker.name == surname):
            outcome = Resolution.CORRECT
        else:
            return Resolution.WRONG, [speaker.name_start, speaker.name_end]
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


def report(options: argparse.Namespace) -> Report:
    """The protocol as the command runs it."""
    return evaluate(options.data, options.texts, options.part)
