r"""Pairs of sentences with scores of semantic relatedness, as in STR-2022 (Abdalla et al. 2023).

The file ``sem_text_rel_ranked.csv`` has the columns Index, SourceID, SubsetID, PairID, Text (two sentences with a
newline between) and Score (0 to 1). Its terms forbid redistribution, so it is read from wherever its user keeps it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from quotelab.labels.tables import number, table_rows
from quotelake.files.jsonl import refuse

#: What stands between the sentences: a newline, or what became of it in an export.
_BETWEEN = tuple(map(re.compile, (r"\n", r"\r", r"\\n", r"\t")))
_OPTIONAL = ("PairID", "SourceID", "SubsetID", "DocID")


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two sentences and how related people find them. Key: pair_id.

    Attributes:
        source: corpus of the pair, such as STS; empty where the file names none.
        subset: how it was sampled from there; empty where the file names none.
        score: 0 (least related) to 1.
    """

    pair_id: str
    source: str
    subset: str
    first: str
    second: str
    score: float


def read_sentence_pairs(path: Path) -> list[SentencePair]:
    """Read pairs in their order; only Text and Score are needed, and PairID is the line where there is none.

    An older edition of the corpus names the source in DocID.

    Raises:
        InputError: the file cannot be read or has no pair, a text has not two sentences, or a score is not in [0, 1];
            it names file and line.
    """
    pairs: list[SentencePair] = []
    for place, row in table_rows(path, ("Text", "Score"), optional=_OPTIONAL):
        sentences = _sentences(row["Text"])
        if len(sentences) != 2:
            refuse(place, f"{len(sentences)} sentences in Text", "give two, with a newline between")
        score = number(place, row["Score"])
        if not 0 <= score <= 1:
            refuse(place, f"the score {row['Score']}", "give one from 0 to 1")
        name, source = row["PairID"].strip() or place, row["SourceID"].strip() or row["DocID"].strip()
        pairs.append(SentencePair(name, source, row["SubsetID"].strip(), sentences[0], sentences[1], score))
    return pairs or refuse(str(path), "no pair", "give a row for each pair")


def _sentences(text: str) -> list[str]:
    r"""Divide a text at the first kind of break that it has.

    >>> _sentences("One.\r\n\nTwo\tmore."), _sentences(r"One.\nTwo.")
    (['One.', 'Two\tmore.'], ['One.', 'Two.'])
    """
    for between in _BETWEEN:
        found = [each.strip() for each in between.split(text) if each.strip()]
        if len(found) > 1:
            return found
    return [text.strip()] if text.strip() else []


def texts_of(pairs: Sequence[SentencePair]) -> list[str]:
    """Different sentences of pairs, sorted."""
    return sorted({text for pair in pairs for text in (pair.first, pair.second)})
