"""A small corpus written for the first run and the tests: 80 news articles and 240 tweets, March to May 2024.

Outlets, people, places and events are invented; reused lines are proverbs, verses out of copyright or slogans made up
for the corpus. The files ``truth_*`` hold the correct results: the outcome of each headline quote, who quotes which
reused line, and the properties of each document. ``news_broken.jsonl`` holds records with one fault each;
``tweets_more.jsonl`` is the input of a second night.
"""

import json
from importlib.resources import files
from typing import Any

from quotelake.errors import InputError

#: Input of the first run: source as declared in the settings, and file.
_INPUTS = (
    ("sample_news", "news.jsonl"),
    ("sample_news", "news_broken.jsonl"),
    ("sample_tweets", "tweets.jsonl"),
)


def sample_inputs() -> list[tuple[str, str]]:
    """Input of the first run: name of a declared source, path of one of its files.

    >>> [source for source, _ in sample_inputs()]
    ['sample_news', 'sample_news', 'sample_tweets']
    """
    return [(source, sample_path(name)) for source, name in _INPUTS]


def sample_path(name: str) -> str:
    """Path of a file of the sample corpus.

    Args:
        name: file name, such as ``news_broken.jsonl``.

    Raises:
        InputError: no such file in the corpus.

    >>> sample_path("news_broken.jsonl").endswith("news_broken.jsonl")
    True
    """
    folder = files(__name__)
    if not folder.joinpath(name).is_file():
        known = ", ".join(sorted(entry.name for entry in folder.iterdir() if ".json" in entry.name))
        raise InputError(f"sample corpus: no file {name!r}; there are: {known}")
    return str(folder.joinpath(name))


def truth(name: str) -> list[dict[str, Any]] | dict[str, Any]:
    """The correct results for the sample corpus, as its authors recorded them.

    Args:
        name: ``headlines_news``, ``reuse_news``, ``reuse_tweets`` (a list, one entry a line of the file),
            ``documents_news`` or ``documents_tweets`` (one object).

    Raises:
        InputError: the corpus has no such file.

    >>> len(truth("reuse_news"))
    2
    >>> truth("documents_news")["duplicates"]
    ['n013', 'n044']
    """
    folder = files(__name__)
    whole = folder.joinpath(f"truth_{name}.json")
    if whole.is_file():
        document: dict[str, Any] = json.loads(whole.read_text("utf-8"))
        return document
    with open(sample_path(f"truth_{name}.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
