"""Protocol ``watch``: how surely watched texts are found, on changed uses and lookalikes that are made with a seed.

An edit exchanges a word for another one, leaves one out, or adds one. Words that negate and numbers are not edited:
the text would have another meaning. What is made is put into a sentence of other words.
"""

import random
from collections import Counter
from pathlib import Path
from typing import Any, Final, NamedTuple

from quotelab.report import Report
from quotelab.statistics import ratio
from quotelake.files.jsonl import refuse
from quotelake.text.fold import fold_letters
from quotelake.watch.find import Finder, Hit
from quotelake.watch.lists import read_list
from quotelake.watch.words import COMMON, NEGATIONS, is_number, pattern_of

RATES: Final = (0.0, 0.1, 0.2, 0.3)  # shares of the words that are edited
#: Changed uses made at each rate, at least; texts that only look like a watched one, and their kinds.
USES, LOOKALIKES = 1000, 300
KINDS: Final = ("joined", "half", "sharing", "shuffled", "negated")
TOLERANCE: Final = 2  # code points by which an end may be off: a mark or a full stop
_SEED: Final = 20240601
#: Words that replace words and surround a text: of an invented report, so that they are in few watched texts.
_WORDS: Final = """
harbour ledger clerk paint kettle ferry lamp orchard cabinet tunnel pastry violin carpet glacier summit parcel
museum hedge printer candle meadow barrel ticket curtain compass pigeon saddle quarry anchor blanket cinema
engine gravel helmet island jacket ladder magnet needle oyster pepper rabbit satchel trumpet umbrella velvet
walnut yacht
"""
OTHERS: Final = tuple(_WORDS.split())
_BEFORE: Final = ("Later the {} said:", "On the {} it read", "A {} wrote", "In the {} they repeat that", "RT @{}:", "")
_AFTER: Final = ("and left the {}.", "(from the {})", "#{}", "said the {}.", "")
_MARKS: Final = (("“", "”"), ('"', '"'), ("'", "'"), ("", ""), ("", ""))


class Planted(NamedTuple):
    """A text in its sentence: the whole, and start and end of what was planted, in code points."""

    text: str
    start: int
    end: int

    def overlaps(self, hit: Hit) -> bool:
        """Whether a hit shares a character with what was planted."""
        return hit.start < self.end and self.start < hit.end

    def is_at(self, hit: Hit) -> bool:
        """Whether both ends of a hit are within :data:`TOLERANCE`."""
        return abs(hit.start - self.start) <= TOLERANCE and abs(hit.end - self.end) <= TOLERANCE


def evaluate(path: Path) -> Report:
    """Search made uses of the texts of a watch-list for them, and texts that only look like them.

    Figures: ``texts_exact_only``: texts that are searched for unchanged and left out of what follows. Of each rate of
    edits ``recall_R``: the share of made uses that a hit of their text overlaps; ``spans_R``: the share of these hits
    with both ends within :data:`TOLERANCE`; ``sure_R``: the share of made uses with a sure hit. ``false_hits`` among
    ``lookalikes``, by kind too, and ``precision``: right hits among all hits in uses and lookalikes;
    ``precision_sure``: the same of sure hits. Rows: missed uses and false hits.
    """
    listed = read_list(path)
    texts = [text.wordings[0] for text in listed if not pattern_of(0, text.wordings[0]).exact]
    if not texts:
        refuse(str(path), "no text with three words of content", "name a list of longer texts")
    finder, rng = Finder([[text] for text in texts]), random.Random(_SEED)
    figures: dict[str, float] = {"texts": len(listed), "texts_exact_only": len(listed) - len(texts)}
    rows: list[dict[str, Any]] = []
    right = wrong = sure_right = sure_wrong = 0
    each = -(-USES // len(texts))
    for rate in RATES:
        uses = found = exact = sure = 0
        for entry, text in [(entry, text) for entry, text in enumerate(texts) for _ in range(each)]:
            made = plant(restyled(edited(text, rate, rng), rng), rng)
            hits = finder.find(made.text)
            right_hits = [hit for hit in hits if hit.entry == entry and made.overlaps(hit)]
            others = [hit for hit in hits if not made.overlaps(hit)]
            wrong, sure_wrong = wrong + len(others), sure_wrong + sum(hit.sure for hit in others)
            sure += any(hit.sure for hit in right_hits)
            uses, found, exact = uses + 1, found + bool(right_hits), exact + any(made.is_at(hit) for hit in right_hits)
            if not right_hits:
                rows.append({"fault": "missed", "rate": rate, "watched": text, "text": made.text})
        right, sure_right = right + found, sure_right + sure
        figures |= {f"recall_{rate}": ratio(found, uses), f"spans_{rate}": ratio(exact, found)}
        figures |= {f"sure_{rate}": ratio(sure, uses)}
    kinds: Counter[str] = Counter()
    lookalikes = []
    for number in range(LOOKALIKES):
        text, other = rng.sample(texts, 2) if len(texts) > 1 else (texts[0], " ".join(OTHERS[:8]))
        kind = KINDS[number % len(KINDS)]
        lookalikes.append((kind, lookalike(kind, text, other, rng)))
    for kind, text in lookalikes:
        hits = finder.find(plant(text, rng).text)
        kinds[kind] += bool(hits)
        sure_wrong += any(hit.sure for hit in hits)
        rows += [{"fault": "false", "kind": kind, "watched": texts[hit.entry], "text": text} for hit in hits[:1]]
    wrong += kinds.total()
    figures |= {"uses": each * len(texts) * len(RATES), "lookalikes": LOOKALIKES, "false_hits": kinds.total()}
    figures |= {f"false_hits_{kind}": kinds[kind] for kind in KINDS}
    figures |= {"precision": ratio(right, right + wrong), "precision_sure": ratio(sure_right, sure_right + sure_wrong)}
    return Report("watch", figures, rows)


def edited(text: str, rate: float, rng: random.Random) -> str:
    """Edit a share of the words of a text, of a rate above 0 at least one."""
    words = text.split()
    folded = [fold_letters(word.strip(",.;:!?")) for word in words]
    places = [at for at, word in enumerate(folded) if word not in NEGATIONS and not is_number(word)]
    count = min(max(round(rate * len(words)), int(rate > 0)), len(places))
    for at in sorted(rng.sample(places, count), reverse=True):
        edit = rng.choice(("exchange", "leave out", "add"))
        if edit == "exchange":
            words[at] = rng.choice(OTHERS)
        elif edit == "add":
            words.insert(at, rng.choice(OTHERS))
        elif len(words) > 1:
            del words[at]
    return " ".join(words)


def restyled(text: str, rng: random.Random) -> str:
    """Change case and punctuation, but no word."""
    style = rng.choice((str, str.upper, str.lower))
    words = [style(word) if rng.random() < 0.9 else word.upper() for word in text.split()]
    spaces = (", ", " – ", "  ")
    return "".join(word + (rng.choice((" ", *spaces)) if rng.random() < 0.1 else " ") for word in words).strip()


def plant(text: str, rng: random.Random) -> Planted:
    """Put a text into a sentence, in quotation marks or not."""
    opening, closing = rng.choice(_MARKS)
    before = rng.choice(_BEFORE).format(rng.choice(OTHERS))
    after = rng.choice(_AFTER).format(rng.choice(OTHERS))
    before += " " if before else ""
    start = len(before + opening)
    return Planted(f"{before}{opening}{text}{closing} {after}".rstrip(), start, start + len(text))


def lookalike(kind: str, text: str, other: str, rng: random.Random) -> str:
    """A text that only looks like a watched one, of one of :data:`KINDS`.

    joined: its first half and the second half of another. half: one half of it among other words. sharing: two fifths
    of the words in their places. shuffled: the same words, none beside the one it was beside. negated: without its
    negation, or with one before its last word of content.
    """
    words, others = text.split(), other.split()
    middle = len(words) // 2
    if kind == "joined":
        return " ".join([*words[:middle], *others[len(others) - len(others) // 2 :]])
    if kind == "half":
        rest = rng.sample(OTHERS, len(words) - middle)
        return " ".join([*words[:middle], *rest] if rng.random() < 0.5 else [*rest, *words[len(words) - middle :]])
    if kind == "sharing":
        kept = set(rng.sample(range(len(words)), int(0.4 * len(words))))
        return " ".join(word if at in kept else rng.choice(OTHERS) for at, word in enumerate(words))
    if kind == "shuffled":
        rng.shuffle(words)
        middle = -(-len(words) // 2)
        pairs = zip(words[:middle], [*words[middle:], ""], strict=False)
        return " ".join(word for pair in pairs for word in pair if word)
    without = [word for word in words if fold_letters(word.strip(",.;:!?")) not in NEGATIONS]
    if len(without) < len(words):
        return " ".join(without)
    at = max((at for at, word in enumerate(words[:-1]) if fold_letters(word) not in COMMON), default=middle)
    return " ".join([*words[:at], "not", *words[at:]])
