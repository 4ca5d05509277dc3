"""A small corpus of our own for the first run and the tests: 80 news articles and 240 tweets, March to May 2024.

Outlets, people, places and events are invented; reused lines are proverbs, verses out of copyright or slogans made up
for the corpus. Beside the records lies what is true of them (``truth_*``): the outcome of every headline quote, who
quotes which reused line, and the facts of every document. ``news_broken.jsonl`` holds records broken in one way each,
``tweets_more.jsonl`` what a second night brings.
"""

import json
from importlib.resources import files
from typing import Any

from quotelake.errors import InputError

#: What the first run reads: source as declared in the settings, and file.
_INPUTS = (
    ("sample_news", "news.jsonl"),
    ("sample_news", "news_broken.jsonl"),
    ("sample_tweets", "tweets.jsonl"),
)


def sample_inputs() -> list[tuple[str, str]]:
    """What the first run reads: name of a declared source, path of a file of it.

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
    """What is true of the sample corpus, as written down by its authors.

    Args:
        name: ``headlines_news``, ``reuse_news``, ``reuse_tweets`` (a list, one entry a line of the file),
            ``documents_news`` or ``documents_tweets`` (one object).

    Raises:
        InputError: no such truth in the corpus.

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
