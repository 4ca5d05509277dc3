"""Protocol ``polnear``: what counts as found, which quotes the speakers are measured on, and floors on real data."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quotelab.protocols import polnear
from quotelab.protocols.polnear import evaluate, same_source
from quotelake.errors import InputError
from quotelake.quotes.spans import Quote, find_quotes


def span(text: str, part: str) -> list[int]:
    start = text.index(part)
    return [start, start + len(part)]


def article(text: str, *attributions: tuple[str | None, str, list[str]]) -> dict[str, Any]:
    """An article of source, cue and contents."""
    marked = [
        {
            "source": [span(text, source)] if source else [],
            "cue": [span(text, cue)],
            "content": [span(text, content) for content in contents],
        }
        for source, cue, contents in attributions
    ]
    return {"id": "1", "text": text, "attributions": marked, "attributed_spans": [one["content"] for one in marked]}


@pytest.fixture
def figures(tmp_path: Path) -> Callable[..., dict[str, float]]:
    def run(*articles: dict[str, Any]) -> dict[str, float]:
        path = tmp_path / "articles.jsonl"
        path.write_text("\n".join(map(json.dumps, articles)), "utf-8")
        return evaluate(path).figures

    return run


TEXT = "“We lost it,” Mayor Ana Ruiz said. “It rained,” Lee Odell wrote."


def test_everything_right(figures: Callable[..., dict[str, float]]):
    found = figures(
        article(TEXT, ("Mayor Ana Ruiz", "said", ["“We lost it,”"]), ("Lee Odell", "wrote", ["“It rained,”"]))
    )
    assert (found["recall_exact"], found["inside"], found["speaker_precision"], found["speaker_recall"]) == (1, 1, 1, 1)


def test_a_wrong_speaker_counts_against_both(figures: Callable[..., dict[str, float]]):
    found = figures(article(TEXT, ("Lee Odell", "said", ["“We lost it,”"]), ("Lee Odell", "wrote", ["“It rained,”"])))
    assert (found["speaker_precision"], found["speaker_recall"]) == (0.5, 0.5)


def test_the_last_rows_are_of_the_rules(tmp_path: Path):
    path = tmp_path / "articles.jsonl"
    row = article(TEXT, ("Lee Odell", "said", ["“We lost it,”"]), ("Lee Odell", "wrote", ["“It rained,”"]))
    path.write_text(f"{json.dumps(row)}\n{json.dumps(row)}\n", "utf-8")
    *articles, rule = evaluate(path).rows
    assert rule == {"rule": "behind: subject, verb", "given": 4, "right": 2}
    assert [each["rules"] for each in articles] == [{"behind: subject, verb": (2, 1)}] * 2


def test_a_quote_without_a_source_is_outside(figures: Callable[..., dict[str, float]]):
    found = figures(article(TEXT, (None, "said", ["“We lost it,”"]), ("Lee Odell", "wrote", ["“It rained,”"])))
    assert (found["quotes_with_source"], found["speaker_precision"]) == (1, 1)


def test_the_shortest_content_counts(figures: Callable[..., dict[str, float]]):
    inner = ("Mayor Ana Ruiz", "said", ["“We lost it,”"])
    outer = ("Lee Odell", "wrote", ["“We lost it,”", "“It rained,”"])
    assert figures(article(TEXT, outer, inner))["speaker_recall"] == 1


def test_a_marked_content_we_do_not_call_direct_counts_against_recall(figures: Callable[..., dict[str, float]]):
    text = "Lee Odell spoke. The so-called “experts” went. “We lost it,” he said."
    found = figures(article(text, ("Lee Odell", "spoke", ["“experts”"]), ("he", "said", ["“We lost it,”"])))
    assert (found["quotes_with_source"], found["speaker_precision"], found["speaker_recall"]) == (2, 1, 0.5)
    assert (found["recall_exact"], found["recall_direct"]) == (1, 0.5)


def test_words_nobody_attributed_are_not_inside(figures: Callable[..., dict[str, float]]):
    found = figures(article(TEXT, ("Mayor Ana Ruiz", "said", ["“We lost it,”"])))
    assert (found["recall_exact"], found["inside"], found["inside_direct"]) == (1, 0.5, 0.5)


def test_paragraphs_of_one_quote(figures: Callable[..., dict[str, float]]):
    text = "“It rained.\n\n“It rained again,” Ana Ruiz said."
    found = figures(article(text, ("Ana Ruiz", "said", ["“It rained.\n\n“It rained again,”"])))
    assert (found["multi_paragraph"], found["multi_paragraph_total"]) == (1, 1)


def test_a_quote_marked_paragraph_by_paragraph_is_one_quote(figures: Callable[..., dict[str, float]]):
    text = "“It rained.\n\n“It rained again,” Ana Ruiz said."
    found = figures(article(text, ("Ana Ruiz", "said", ["“It rained.", "“It rained again,”"])))
    assert (found["multi_paragraph"], found["multi_paragraph_total"]) == (1, 1)


def test_a_part_of_a_continued_quote_does_not_count_as_found(
    figures: Callable[..., dict[str, float]], monkeypatch: pytest.MonkeyPatch
):
    def paragraph_by_paragraph(text: str) -> list[Quote]:
        return [
            quote._replace(start=start, end=end, segments=((start, end),))
            for quote in find_quotes(text)
            for start, end in quote.segments
        ]

    text = "“It rained.\n\n“It rained again,” Ana Ruiz said."
    monkeypatch.setattr(polnear, "find_quotes", paragraph_by_paragraph)
    monkeypatch.setattr(polnear, "find_speakers", lambda text, quotes: [None] * len(quotes))
    found = figures(article(text, ("Ana Ruiz", "said", ["“It rained.", "“It rained again,”"])))
    assert (found["multi_paragraph"], found["multi_paragraph_total"]) == (0, 1)


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("“It rained.”\n\n“It rained again,” he said.", ["“It rained.”", "“It rained again,”"]),
        ("“It rained,” he said.\n\n“It rained again.”", ["“It rained,”", "“It rained again.”"]),
        ("He saw “rain” fall.\n\n“It rained again,” he said.", ["“rain” fall", "“It rained again,”"]),
    ],
)
def test_two_quotes_are_no_continued_one(figures: Callable[..., dict[str, float]], text: str, contents: list[str]):
    assert figures(article(text, ("he", "said", contents)))["multi_paragraph_total"] == 0


SOURCES = {
    "itself": ("Ana Ruiz", "Ana Ruiz", True),
    "with its apposition": ("Ana Ruiz, the mayor", "Ana Ruiz, the mayor of Avalon,", True),
    "name only, little said of it": ("Ana Ruiz", "Ana Ruiz, mayor", True),
    "name only, much said of it": ("Ana Ruiz", "Ana Ruiz, who built the harbour of Avalon with her own hands", False),
    "surname": ("Ruiz", "Ana Ruiz", True),
    "given name": ("Ana", "Ana Ruiz", False),
    "possessive": ("Ana Ruiz", "Ana Ruiz’s", True),
    "head of a phrase": ("a spokesman for the union", "a spokesman for the union", True),
    "complement of a phrase": ("the union", "a spokesman for the union", False),
    "a paragraph": ("It rained, and then, as he had often done, Lee Odell rose and said so", "Lee Odell", False),
}


@pytest.mark.parametrize("name", SOURCES)
def test_same_source(name: str):
    speaker, source, expected = SOURCES[name]
    assert same_source(speaker, source) is expected


@pytest.mark.parametrize(
    "content", ["", '{"text": "It rained."}', "[1]", '{"text": 1, "attributed_spans": [], "attributions": []}']
)
def test_another_file_is_refused(tmp_path: Path, content: str):
    path = tmp_path / "other.jsonl"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=r"other\.jsonl"):
        evaluate(path)


@pytest.mark.slow
@pytest.mark.real_data
def test_floors_on_the_real_articles(data: Callable[[str], Path]):
    found = evaluate(data("polnear/dev_and_200_train.jsonl.gz")).figures
    assert found["speaker_precision"] > 0.94
    assert found["multi_paragraph_total"] == 9 and found["multi_paragraph"] >= 8
    assert found["speaker_recall"] > 0.875
    assert found["recall_exact"] > 0.98
