"""A small corpus written for the first run and the tests: 80 news articles and 240 tweets, March to May 2024.

Outlets, people, places and events are invented; reused lines are proverbs, verses out of copyright or slogans made up
for the corpus. The files ``truth_*`` hold the correct results: the outcome of each headline quote, who quotes which
reused line, and the properties of each document. ``news_broken.jsonl`` holds records with one fault each;
``tweets_more.jsonl`` is the input of a second night.
"""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any


def sample_inputs() -> list[tuple[str, str]]:
    """Input of the first run: name of a source as declared in the settings, path of one of its files."""
    names = (("sample_news", "news"), ("sample_news", "news_broken"), ("sample_tweets", "tweets"))
    return [(source, sample_path(f"{name}.jsonl")) for source, name in names]


def sample_path(name: str) -> str:
    """Path of a file of the sample corpus, such as ``news_broken.jsonl``."""
    return str(files(__name__).joinpath(name))


def truth(name: str) -> Any:
    """The correct results for the sample corpus, as its authors recorded them.

    A list, one entry a line of the file, of ``headlines_news``, ``speakers_news``, ``reuse_news``, ``reuse_tweets``;
    one object of ``documents_news``, ``documents_tweets``.

    >>> truth("documents_news")["duplicates"]
    ['n013', 'n044']
    """
    if name.startswith("documents_"):
        return json.loads(Path(sample_path(f"truth_{name}.json")).read_text("utf-8"))
    with open(sample_path(f"truth_{name}.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
