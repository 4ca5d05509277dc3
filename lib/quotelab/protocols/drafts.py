"""Protocol ``drafts``: quotations of drafts made from articles, kept or falsified, against what ``check_text`` flags.

The drafts are made by :mod:`quotelab.synthetic.drafts`, so their truth is known.
"""

import random
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any, Final

from quotelab.labels.texts import read_articles
from quotelab.report import Report
from quotelab.statistics import share_figures
from quotelab.synthetic.drafts import FAIR, FALSE, make, usable
from quotelake import check_text
from quotelake.files.jsonl import refuse
from quotelake.settings import load_settings
from quotelake.text.ids import content_id

#: Articles that drafts are made of, and the seed of what is drawn.
_ARTICLES, _SEED = 200, 7
PARTS: Final = ("dev", "test")  # halves of a corpus, by the hash of the identifier of the article


def evaluate(data: Path, part: str | None = None) -> Report:
    """Check drafts made of articles of a corpus in English against the article of each, by the shipped settings.

    Figures: ``n_KIND`` and ``flagged_KIND`` of each kind; ``found``, the share of the falsified ones that is flagged,
    and ``accused_verbatim`` and ``accused_excerpted``, with Wilson's 95 % interval. A row of the report is a quotation.
    """
    if part not in (None, *PARTS):
        refuse(f"--part {part}", "no such part", f"the parts are: {', '.join(PARTS)}")
    wanted = [
        (content_id(str(_SEED), identifier), identifier, record["text"])
        for _, identifier, record in read_articles([str(data)])
        if part is None or PARTS[int(content_id(identifier)[0], 16) % 2] == part
    ]
    ordered = ((identifier, text, usable(text)) for _, identifier, text in sorted(wanted))
    used = list(islice((each for each in ordered if each[2]), _ARTICLES))
    if not used:
        refuse(f"--data {data}", "no article with a quotation that will do", "give a corpus of news in English")
    settings, rng = load_settings(), random.Random(_SEED)
    made, flagged = Counter[str](), Counter[str]()
    rows: list[dict[str, Any]] = []
    for (identifier, text, quotes), (_, _, others) in zip(used, [*used[1:], used[0]], strict=True):
        draft = make(text, quotes, rng.choice(others), rng)
        found = {one.quote.start: one for one in check_text(draft.text, [text], settings=settings)}
        for start, kind, said in draft.planted:
            one = found.get(start)
            made[kind] += 1
            flagged[kind] += one is not None and one.is_flagged
            rows.append({
                "id": identifier, "kind": kind, "text": one and one.text, "article": said,
                "outcome": one and one.outcome, "alert": one and one.alert,
                "speaker": one and one.quote.by, "said_by": one and one.found and one.found.speaker,
            })  # fmt: skip
    figures: dict[str, float] = {}
    for kind in (*FAIR, *FALSE):
        figures |= {f"n_{kind}": made[kind], f"flagged_{kind}": flagged[kind]}
    figures |= share_figures("found", sum(flagged[kind] for kind in FALSE), sum(made[kind] for kind in FALSE))
    for kind in FAIR:
        figures |= share_figures(f"accused_{kind}", flagged[kind], made[kind])
    return Report("drafts", figures, rows)
