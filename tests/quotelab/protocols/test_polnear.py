"""Protocol ``polnear``: what counts as found, which quotes the speakers are measured on, and floors on real data."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quotelab.protocols import polnear
from quotelab.protocols.polnear import evaluate, same_source
from quotelake.quotes.spans import Quote, find_quotes


def span(text: str, part: str) -> list[int]:
    start = text.index(part)
    return [start, start + len(part)]


def article(text: str, *attributions: tuple[str | None, list[str]]) -> dict[str, Any]:
    """An article of sources and their contents."""
    spans = [[span(text, content) for content in contents] for _, contents in attributions]
    sources = [[span(text, source)] if source else [] for source, _ in attributions]
    marked = [{"source": source, "content": content} for source, content in zip(sources, spans, strict=True)]
    return {"id": "1", "text": text, "attributions": marked, "attributed_spans": spans}


@pytest.fixture
def figures(jsonl) -> Callable[..., dict[str, float]]:
    return lambda *articles: evaluate(jsonl(*articles)).figures


TEXT = "“We lost it,” Mayor Ana Ruiz said. “It rained,” Lee Odell wrote."
LOST, RAINED = ("Mayor Ana Ruiz", ["“We lost it,”"]), ("Lee Odell", ["“It rained,”"])
WRONG = ("Lee Odell", ["“We lost it,”"])
OUTER = ("Lee Odell", ["“We lost it,”", "“It rained,”"])
SO_CALLED = "Lee Odell spoke. The so-called “experts” went. “We lost it,” he said."
CONTINUED = {"multi_paragraph": 1, "multi_paragraph_total": 1}
TWO_PARAGRAPHS = "“It rained.\n\n“It rained again,” Ana Ruiz said."


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (article(TEXT, LOST, RAINED), {"recall_exact": 1, "inside": 1, "speaker_precision": 1, "speaker_recall": 1}),
        (article(TEXT, WRONG, RAINED), {"speaker_precision": 0.5, "speaker_recall": 0.5}),
        # A quote without a source is outside.
        (article(TEXT, (None, *LOST[1:]), RAINED), {"quotes_with_source": 1, "speaker_precision": 1}),
        # The shortest content counts.
        (article(TEXT, OUTER, LOST), {"speaker_recall": 1}),
        # A marked content that we do not call direct counts against recall.
        (
            article(SO_CALLED, ("Lee Odell", ["“experts”"]), ("he", ["“We lost it,”"])),
            {"quotes_with_source": 2, "speaker_precision": 1, "speaker_recall": 0.5, "recall_direct": 0.5},
        ),
        # Words nobody attributed are not inside.
        (article(TEXT, LOST), {"recall_exact": 1, "inside": 0.5, "inside_direct": 0.5}),
        # A quote over paragraphs is one, also where it is marked paragraph by paragraph.
        (article(TWO_PARAGRAPHS, ("Ana Ruiz", [TWO_PARAGRAPHS.partition(" Ana")[0]])), CONTINUED),
        (article(TWO_PARAGRAPHS, ("Ana Ruiz", ["“It rained.", "“It rained again,”"])), CONTINUED),
    ],
)
def test_figures_by_hand(figures: Callable[..., dict[str, float]], made: dict[str, Any], expected: dict[str, float]):
    found = figures(made)
    assert {name: found[name] for name in expected} == expected


def test_the_last_rows_are_of_the_rules(jsonl):
    row = article(TEXT, WRONG, RAINED)
    *articles, rule = evaluate(jsonl(row, row)).rows
    assert rule == {"rule": "behind: subject, verb", "given": 4, "right": 2}
    assert [each["rules"] for each in articles] == [{"behind: subject, verb": (2, 1)}] * 2


def test_a_part_of_a_continued_quote_does_not_count_as_found(
    figures: Callable[..., dict[str, float]], monkeypatch: pytest.MonkeyPatch
):
    def paragraph_by_paragraph(text: str) -> list[Quote]:
        return [
            quote._replace(start=start, end=end, segments=((start, end),))
            for quote in find_quotes(text)
            for start, end in quote.segments
        ]

    monkeypatch.setattr(polnear, "find_quotes", paragraph_by_paragraph)
    monkeypatch.setattr(polnear, "find_speakers", lambda text, quotes: [None] * len(quotes))
    found = figures(article(TWO_PARAGRAPHS, ("Ana Ruiz", ["“It rained.", "“It rained again,”"])))
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
    assert figures(article(text, ("he", contents)))["multi_paragraph_total"] == 0


UNION = "a spokesman for the union"
SAME = [("Ana Ruiz, the mayor", "Ana Ruiz, the mayor of Avalon,"), ("Ana Ruiz", "Ana Ruiz, mayor"), (UNION, UNION)]
SAME += [("Ruiz", "Ana Ruiz"), ("Ana Ruiz", "Ana Ruiz’s")]
OTHERS = [("Ana Ruiz", "Ana Ruiz, who built the harbour of Avalon with her own hands"), ("Ana", "Ana Ruiz")]
OTHERS += [("It rained, and then, as he had often done, Lee Odell rose and said so", "Lee Odell"), ("the union", UNION)]


@pytest.mark.parametrize(("speaker", "source"), [*SAME, *OTHERS])
def test_same_source(speaker: str, source: str):
    assert same_source(speaker, source) is ((speaker, source) in SAME)


@pytest.mark.slow
@pytest.mark.real_data
def test_floors_on_the_real_articles(data: Callable[[str], Path]):
    found = evaluate(data("polnear/dev_and_200_train.jsonl.gz")).figures
    assert found["speaker_precision"] > 0.94
    assert found["multi_paragraph_total"] == 9 and found["multi_paragraph"] >= 8
    assert found["speaker_recall"] > 0.875
    assert found["recall_exact"] > 0.98
