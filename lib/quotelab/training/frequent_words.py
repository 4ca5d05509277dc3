"""Make the list of frequent words: ``quotelab train frequent-words LAKE [FILE …] > FILE``.

A word's frequency is the share of different canonical texts of its script that have it, so that the words of a language
with few texts are not at the end. Texts are the variants of a lake, and the quotes of files of articles
(headline_quote, body_quotes). Listed are words of letters only: numbers are never frequent. Words that are equally
frequent stand in the order of their letters.
"""

import re
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from quotelab.training.articles import read_articles
from quotelake.query.ask import DuckEngine
from quotelake.quotes.keys import canonical_text
from quotelake.text.language import dominant_script

#: Script → most words of it, and a word of it. A word in fewer than :data:`_FEWEST` texts is not listed.
SIZES: Final = {"latin": (4000, re.compile(r"[a-z]+(?:'[a-z]+)*")), "hangul": (500, re.compile(r"[가-힣]+"))}
_FEWEST: Final = 20


def frequent_words(texts: Iterable[str]) -> list[str]:
    """Words of different canonical texts, the most frequent first."""
    counts: dict[str, Counter[str]] = {script: Counter() for script in SIZES}
    totals: Counter[str] = Counter()
    for text in texts:
        script = dominant_script(text)
        if script in SIZES:
            totals[script] += 1
            counts[script].update(word for word in set(text.split()) if SIZES[script][1].fullmatch(word))
    shares: dict[str, float] = {}
    for script, (size, _) in SIZES.items():
        most = sorted(counts[script].items(), key=lambda each: (-each[1], each[0]))[:size]
        shares |= {word: count / totals[script] for word, count in most if count >= _FEWEST}
    return sorted(shares, key=lambda word: (-shares[word], word))


def configure(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("lake", metavar="LAKE")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="files of articles")


def run(options: Namespace) -> None:
    """Print the list of the lake and the files."""
    with DuckEngine(options.lake) as engine:
        found = {str(row["canonical_text"]) for row in engine.answer("SELECT canonical_text FROM variants").rows}
    for article in (article for file in options.files for article in read_articles(file)):
        quotes = (article.headline_quote, *article.body_quotes)
        found |= {text for quote in quotes if (text := canonical_text(quote))}
    print("\n".join(frequent_words(found)))
