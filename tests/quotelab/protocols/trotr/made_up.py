"""Made-up judged pairs of contexts: six texts of six uses each, and vectors of them."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from quotelake.topics.head import Vectors, unit

TOPICS = ("wedding", "match", "bank")
TEXTS = tuple(f"quote {letter}" for letter in "abcdef")


def encode(texts: Sequence[str]) -> Vectors:
    """A number for each topic, the quote as written as loud as it, and noise of the whole text."""
    rows = []
    for text in texts:
        noise = np.random.default_rng(list(text.encode())).normal(size=8)
        rows.append([*(float(topic in text) for topic in TOPICS), *(float(quote in text) for quote in TEXTS), *noise])
    return unit(np.array(rows))


def without_noise(x: Vectors, *_: object) -> Vectors:
    """What a head would learn: the topics count, nothing else does."""
    return np.diag([1.0] * len(TOPICS) + [0.01] * (x.shape[1] - len(TOPICS))).astype(np.float32)


def write_folder(folder: Path) -> Path:
    """Six texts of six uses each, from one topic to three; one fold that tests on two unseen texts."""
    uses, pairs, judgments = ["dataID\tcontext\tindices_target_token\tlemma"], ["instanceID\tdataIDs"], []
    fold: dict[str, list[list[object]]] = {"train": [], "dev": [], "test": [], "test.oov": []}
    for number, quote in enumerate(TEXTS):
        topics = [TOPICS[use % (1 + number % 3)] for use in range(6)]
        for use, topic in enumerate(topics):
            said = f"{topic} no {use}: "
            uses.append(f"{number}-{use}\t{said}{quote}\t{len(said)}:{len(said + quote)}\t{quote}")
        for a in range(6):
            for b in range(a):
                name, value = f"{number}-{a}-{b}", 4 if topics[a] == topics[b] else 1
                pairs.append(f"{name}\t{number}-{a},{number}-{b}")
                judgments += [f"{name}\t{value}\tann1", f"{name}\t{value}\tann2"]
                row = [name, f"{number}-{a}", f"{number}-{b}", value, int(value == 4)]
                fold["train" if number < 3 else "dev" if number == 3 else "test"].append(row)
                if number > 3:
                    fold["test.oov"].append(row)
    for name, lines in (
        ("uses", uses),
        ("instances", pairs),
        ("judgments", ["instanceID\tlabel\tannotator", *judgments]),
    ):
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    # Ranks need pairs of both kinds in each part.
    fold["dev"] += fold["train"][-4:]
    gold = [f"{quote},{(number % 3) / 3}" for number, quote in enumerate(TEXTS)]
    (folder / "trac_gold_scores.csv").write_text("\n".join(["lemma,topic_variation", *gold]), "utf-8")
    (folder / "folds.json.gz").write_bytes(gzip.compress(json.dumps({"folds": {"1": fold}}).encode()))
    return folder
