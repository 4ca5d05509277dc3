"""The codebook and the page on factuality say what the code does: each example is run, every list is complete."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from quotelab.labels.headlines import Label
from quotelake.article import article_of, judge_article
from quotelake.contextomy.decide import load_detector
from quotelake.contextomy.differences import Kind as DifferenceKind
from quotelake.contextomy.judgement import Judgement, Outcome
from quotelake.quotes.extract import quotes_of_document
from quotelake.quotes.kinds import KINDS
from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers
from quotelake.quotes.speakers.clauses import SPEAKER_TYPES
from quotelake.reuse.comparisons import Use, certain_speaker, compare, use_of
from quotelake.reuse.differences import Kind
from quotelake.settings import Settings, load_settings
from quotelake.sources.rejects import Problem, Reason

DOCS = Path(__file__).parents[1] / "docs"
CODEBOOK = (DOCS / "CODEBOOK.md").read_text("utf-8")
FACTUALITY = (DOCS / "FACTUALITY.md").read_text("utf-8")
LAB = (DOCS / "LAB.md").read_text("utf-8")


def rows(*header: str, page: str = CODEBOOK) -> Iterator[list[str]]:
    """Rows of the tables of a page, the codebook unless named, under a header."""
    inside = False
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if inside and cells and set(cells[0]) != {"-"}:
            yield cells
        inside = bool(cells) and (inside or cells == list(header))


def judged(headline: str, body: str) -> Judgement:
    """The only quote of a headline, by the shipped settings and without a model."""
    settings = load_settings()
    [judgement] = judge_article(article_of(headline, body, None, settings.ingest), settings)
    return judgement


@pytest.mark.parametrize(("headline", "body", "outcome"), [*rows("headline", "body", "outcome")])
def test_an_example_has_the_outcome_the_codebook_says(headline: str, body: str, outcome: str):
    assert judged(headline, body).outcome == outcome


DIFFERENT = [*rows("headline", "body", "difference", page=FACTUALITY)]


@pytest.mark.parametrize(("headline", "body", "difference"), DIFFERENT)
def test_an_example_has_the_one_difference_the_page_says(headline: str, body: str, difference: str):
    found = [
        each.kind if each.tier == "alert" else f"{each.kind} ({each.tier})"
        for each in judged(headline, body).differences
    ]
    assert found == ([] if difference == "fair" else [difference])


def test_each_difference_has_an_example():
    shown = [difference.partition(" (")[0] for *_, difference in DIFFERENT]
    assert {*shown} == {"fair", *DifferenceKind}


@pytest.mark.parametrize(("others", "own", "flag"), [*rows("two other outlets", "this outlet", "flag")])
def test_an_example_of_outlets_has_the_flag_the_codebook_says(others: str, own: str, flag: str):
    bodies = {"one": others, "two": others, "own": own}
    found = compare([use_in(body, outlet) for outlet, body in bodies.items()], 2, 100)[-1]
    flags = {"trimmed": found.trimmed, "credited_otherwise": found.credited_elsewhere is not None}
    assert [name for name, holds in flags.items() if holds] == ([] if flag == "none" else [flag])


def use_in(body: str, outlet: str) -> Use:
    """The first quote of a body, as the chain makes a use of it."""
    document = {"doc_id": outlet, "kind": "news", "language": "en", "headline": None, "body": body}
    quote = next(quotes_of_document(document, "1"))
    around = {"before": body[: quote["start"]], "after": body[quote["end"] :]}
    speaker = certain_speaker(quote["speaker"])
    return use_of({**quote, **around, "native_key": outlet, "outlet": outlet, "language": "en", "speaker": speaker})


def test_every_name_is_explained():
    assert {kind.strip("` ") for row in rows("kind", "what it is") for kind in row[0].split(",")} == set(Kind)
    assert {label.strip("`") for _, _, label in rows("", "question", "label", page=LAB)} == set(Label)
    assert {outcome for _, _, outcome in rows("headline", "body", "outcome")} == set(Outcome)
    assert [row[0] for row in rows("reason", "what was found")] == [f"`{reason}`" for reason in Reason]
    assert [row[0] for row in rows("problem", "what was found")] == [f"`{problem}`" for problem in Problem]
    assert {row[0] for row in rows("kind", "what it is", "example")} == {f"`{kind}`" for kind in KINDS}
    assert [row[0] for row in rows("type", "who speaks", "example")] == [f"`{kind}`" for kind in SPEAKER_TYPES]


def test_each_difference_has_its_severity_and_the_tier_of_the_shipped_settings():
    kinds = load_settings().contextomy.kinds
    expected = [[f"`{kind}`", f"{kind.severity:g}".removeprefix("0"), getattr(kinds, kind)] for kind in DifferenceKind]
    found = rows("difference", "the headline quote", "severity", "list", page=FACTUALITY)
    assert [[row[0], *row[2:]] for row in found] == expected


def test_a_claim_and_a_nickname_of_the_kinds_are_what_the_table_says():
    for kind, _, example in rows("kind", "what it is", "example"):
        mode = "headline" if kind in ("`claim`", "`colon_claim`") else "body"
        assert [f"`{quote.kind}`" for quote in find_quotes(example, mode)] == [kind], example


def test_an_example_has_the_speaker_the_codebook_says():
    for how, _, example in rows("how", "where the speaker stands", "example"):
        last = find_speakers(example, find_quotes(example))[-1]
        assert last is not None and (f"`{last.how}`", last.name) == (how, "Ana Ruiz"), example
    for kind, _, example in rows("type", "who speaks", "example"):
        [speaker] = find_speakers(example, find_quotes(example))
        assert speaker is not None and f"`{speaker.type}`" == kind, example


def test_settings_and_versions_it_names_exist():
    detector = load_detector(load_settings().contextomy)
    assert f"`{detector.feature_set}-{detector.features_version}`" in CODEBOOK
    sections = {name: info.annotation for name, info in Settings.model_fields.items()}
    named = re.findall(r"`(ingest|contexts|contextomy|topics|model)\.(\w+)`", CODEBOOK)
    assert named
    for section, key in named:
        assert key in sections[section].model_fields, f"{section}.{key}"
