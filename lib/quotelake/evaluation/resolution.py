"""Protocol ``speakers``: the full name that a speaker's pronoun is resolved to, against who people say is meant.

To refuse is no error: it is counted apart, and the accuracy is that of the names given.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Any

from quotelake.evaluation.metrics import ratio
from quotelake.evaluation.report import Report
from quotelake.labels.texts import Labelled, Labels, LabelSpan, read_labels
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers
from quotelake.text import words

#: What may stand before a name, or behind it, without making it another one. Kept here, not taken from the rules that
#: are evaluated: an entry missing there must show as an error.
_TITLES = frozenset((
    "mr", "mrs", "ms", "miss", "dr", "prof", "professor", "sir", "dame", "lord", "lady", "rev", "reverend", "pope",
    "president", "vice", "sen", "senator", "rep", "representative", "congressman", "congresswoman", "gov", "governor",
    "mayor", "secretary", "prime", "minister", "chancellor", "king", "queen", "prince", "princess", "gen", "general",
    "col", "colonel", "maj", "major", "capt", "captain", "lt", "lieutenant", "sgt", "sergeant", "sheriff", "judge",
    "justice", "attorney", "ambassador", "chairman", "chairwoman", "former",
))  # fmt: skip
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))


class SpeakerLabels(Labels):
    """Who is meant by the pronoun that is the source of a quote.

    Attributes:
        content: spans of what is said.
        pronoun: span of its source.
        names: spans of mentions of that person by a full name, one for each wording; empty if there is none.
        surname: span of a mention by the surname alone, if there is one.
    """

    content: tuple[LabelSpan, ...]
    pronoun: LabelSpan
    names: tuple[LabelSpan, ...]
    surname: LabelSpan | None = None


class Outcome(Enum):
    """What became of a case."""

    CORRECT = "correct"
    WRONG = "wrong"
    REFUSED = "refused"
    NO_SPEAKER = "no_speaker"


def evaluate(data: Sequence[str], texts: Sequence[str] = (), part: str | None = None) -> Report:
    """Compare the names that pronouns are resolved to with those marked.

    Args:
        data: paths or globs of label files.
        texts: of the corpora that hold the texts which the label files do not.
        part: take only rows of this part.

    Returns:
        The counts ``cases``; of these ``no_speaker`` (no quote of ours in the content has the pronoun as its speaker),
        ``refused`` (it has, without a name), ``resolved`` (with a name) and of these ``correct``. ``accuracy`` is
        correct / resolved, ``refusal_rate`` refused / (refused + resolved), ``refused_without_name`` counts the refused
        whose person the text never names in full. A row of the report is a case: its outcome, and the span resolved
        to when it is wrong.

    Raises:
        InputError: see :func:`~quotelake.labels.texts.read_labels`.
    """
    rows: list[dict[str, Any]] = []
    counts = dict.fromkeys(Outcome, 0)
    without_name = 0
    cases = read_labels(data, SpeakerLabels, texts, part)
    for case in cases:
        outcome, name = judge(case)
        counts[outcome] += 1
        without_name += outcome is Outcome.REFUSED and not case.labels.names
        rows.append({"place": case.place, "id": case.labels.id, "outcome": outcome.value, "resolved_to": name})
    resolved = counts[Outcome.CORRECT] + counts[Outcome.WRONG]
    refused = counts[Outcome.REFUSED]
    figures: dict[str, float] = {"cases": len(cases), "no_speaker": counts[Outcome.NO_SPEAKER], "refused": refused}
    figures |= {"refused_without_name": without_name, "resolved": resolved, "correct": counts[Outcome.CORRECT]}
    figures |= {"accuracy": ratio(counts[Outcome.CORRECT], resolved)}
    figures |= {"refusal_rate": ratio(refused, refused + resolved)}
    return Report("speakers", figures, rows)


def judge(case: Labelled[SpeakerLabels]) -> tuple[Outcome, list[int | None] | None]:
    """Tell what became of a case, and the span of a wrong name.

    Several quotes may have the pronoun as their speaker; one wrong name among theirs makes the case wrong.

    Raises:
        InputError: a labelled span ends behind the text.
    """
    full = [case.cut(span, "names") for span in case.labels.names]
    surname = case.cut(case.labels.surname, "surname") if case.labels.surname else None
    case.cut(case.labels.pronoun, "pronoun")
    for span in case.labels.content:
        case.cut(span, "content")
    first, last = case.labels.pronoun
    outcome = Outcome.NO_SPEAKER
    quotes = find_quotes(case.text, case.labels.mode)
    for quote, speaker in zip(quotes, find_speakers(case.text, quotes, case.labels.mode, "en"), strict=True):
        if speaker is None or not (speaker.start <= first and last <= speaker.end):
            continue
        if not any(start < quote.end and quote.start < end for start, end in case.labels.content):
            continue
        if speaker.name is None:
            outcome = Outcome.REFUSED if outcome is Outcome.NO_SPEAKER else outcome
        elif any(same_name(speaker.name, name) for name in full) or (not full and speaker.name == surname):
            outcome = Outcome.CORRECT
        else:
            return Outcome.WRONG, [speaker.name_start, speaker.name_end]
    return outcome, None


def same_name(one: str, other: str) -> bool:
    """Whether two full names are of one wording but for case, titles and what stands between given name and surname.

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
