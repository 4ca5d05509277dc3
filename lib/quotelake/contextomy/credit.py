"""Whether a headline plainly credits its quote to the speaker found in it. Pure.

Headlines put names everywhere: *Reyes on collision course with council: “…”* credits nobody, and in *Bell: Reyes found
“…”* or *Bell calls it “…”, ally says* one person reports another. Only where name, reporting word and quote touch, and
nobody else reports, is there a statement that can be false.
"""

import re
from typing import Any, Final

from quotelake.quotes.lexicon import REPORTING_VERBS
from quotelake.text.words import words

_WORD: Final = re.compile(r"\w")


def is_credited(headline: str, start: int, end: int, speaker: dict[str, Any] | None) -> bool:
    """Say whether name, reporting word and quote touch, the name opens the headline or follows the quote, and no other
    word of the headline reports.

    Args:
        headline: the headline.
        start: of the quote, in code points.
        end: one past its end.
        speaker: the struct of that name in ``quotes``; None: nobody was found.

    >>> bell = {"start": 0, "end": 4, "cue_start": 4, "cue_end": 5}
    >>> is_credited("Bell: “We lost”", 7, 14, bell), is_credited("Bell: report tells “We lost”", 20, 27, bell)
    (True, False)
    """
    if speaker is None or speaker["cue_start"] is None:
        return False
    name, cue = (speaker["start"], speaker["end"]), (speaker["cue_start"], speaker["cue_end"])
    if name[1] <= start:
        gaps = [(0, name[0]), (name[1], cue[0]), (cue[1], start)]
    else:
        first, second = sorted((name, cue))
        gaps = [(end, first[0]), (first[1], second[0])]
    if any(_WORD.search(headline, *gap) for gap in gaps):
        return False
    others = (headline[: cue[0]], headline[cue[1] : start], headline[max(end, cue[1]) :])
    return all(REPORTING_VERBS.isdisjoint(map(str.lower, words(other))) for other in others)
