"""The public interface: its names are there and on its page, importing it costs next to nothing, types are known."""

import doctest
import json
import subprocess
import sys
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import quotelake
from quotelake.errors import InputError
from quotelake.settings import load_settings

PAGE = Path(__file__).parents[1] / "docs" / "PYTHON.md"
BODY = "“I doubt that we can win this year,” said Ana Bell. “The boys are tired,” she said."
HEADLINES = ["Bell: “We can win this year”", "Bell: “We will lose to the best club of the coast”", "No quote", "“”"]


@pytest.mark.process
def test_importing_the_package_imports_nothing_large_and_texts_need_neither_torch_nor_spark():
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('torch', 'pyspark', 'py4j', 'delta')))\n"
        "before = {*sys.modules}; import quotelake; brought = {*sys.modules} - before\n"
        "assert not brought & {'numpy', 'pandas', 'pyarrow', 'pydantic', 'sentence_transformers'}, brought\n"
        f"body = {BODY!r}; quotes = quotelake.find_quotes(body)\n"
        "print(len(quotes), len(quotelake.find_speakers(body, quotes)), len(quotelake.check_article('“We can”', body)))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "2 2 1\n"


def test_every_public_name_is_there_and_is_the_one_of_its_module():
    from quotelake.embeddings.encoder import Encoder
    from quotelake.quotes.spans import find_quotes
    from quotelake.quotes.speakers import find_speakers

    assert (quotelake.Encoder, quotelake.find_quotes, quotelake.find_speakers) == (Encoder, find_quotes, find_speakers)
    assert set(quotelake.__all__) <= set(dir(quotelake))
    assert all(getattr(quotelake, name) is not None for name in quotelake.__all__)
    with pytest.raises(AttributeError, match=r"find_quote'; it offers .*find_quotes"):
        quotelake.find_quote  # noqa: B018


def test_an_article_is_judged_by_the_settings_language_and_encoder_that_are_given():
    outcomes, cosines = [], []
    for threshold in (0.0000001, 0.9999999):
        settings = load_settings(overrides=[f"contextomy.threshold={threshold}"])
        [found] = quotelake.check_article(HEADLINES[1], BODY, settings=settings)
        outcomes.append(found.outcome)
    for language in ("en", "fr"):
        [found] = quotelake.check_article(
            HEADLINES[1], BODY, language=language, encode=lambda texts: np.eye(len(texts))
        )
        cosines.append(found.cosine_best)
    assert outcomes == ["absent", "modified"] and cosines == [0.0, None]


MISSING = [None, float("nan"), np.float64("nan"), pd.NA, pd.NaT]
NO_TEXTS = [*MISSING, b"text", 3, ["text"]]


@pytest.mark.parametrize("value", NO_TEXTS, ids=repr)
def test_what_is_no_text_is_refused_with_the_name_of_the_argument_and_what_to_do(value: Any):
    said = "is missing: leave this one out" if any(value is one for one in MISSING) else "decode it|give a str"
    for name, call in {
        "headline": lambda: quotelake.check_article(value, BODY),
        "body": lambda: quotelake.check_article(HEADLINES[0], value),
        "text": lambda: quotelake.check_text(value, [BODY]),
        "source 1": lambda: quotelake.check_text(BODY, [value]),
        "talk.md": lambda: quotelake.check_text(BODY, {"talk.md": value}),
    }.items():
        with pytest.raises(InputError, match=rf"^{name}: expected a text, found .*(?:{said})"):
            call()
    if value is not None:
        with pytest.raises(InputError, match=r"^text: expected a text"):
            quotelake.find_quotes(value)


@pytest.mark.parametrize("sources", [BODY, None, float("nan")])
def test_sources_that_are_no_list_are_refused(sources: Any):
    with pytest.raises(InputError, match=r"^sources: expected a list of texts, .*give \[text\]"):
        quotelake.check_text(BODY, sources)


def judged() -> dict[str, list[Any]]:
    return {f"article {at}": quotelake.check_article(headline, BODY) for at, headline in enumerate(HEADLINES)}


def plain(value: Any) -> bool:
    """Whether a value is of JSON's types themselves, not of classes made from them, such as enumerations."""
    if type(value) is list:
        return all(map(plain, value))
    if type(value) is dict:
        return all(type(key) is str and plain(one) for key, one in value.items())
    return value is None or type(value) in (str, int, float, bool)


def test_a_judgement_as_a_dict_is_plain_and_says_what_the_judgement_says():
    for one in chain.from_iterable(judged().values()):
        found = one.as_dict()
        assert plain(found) and json.loads(json.dumps(found)) == found
        assert (found["outcome"], found["alert"]) == (one.outcome, one.alert)
        assert found["matched"] == [list(span) for span in one.matched]
        row, spans = one.to_row(), ("matched", "omitted")
        assert {name: found[name] for name in row if name not in spans} == {
            name: value for name, value in row.items() if name not in spans
        }, "the columns of the table"
        if one.best is not None:
            assert BODY[found["best_start"] : found["best_end"]] == found["best_body_quote"] == one.best.text


def test_a_frame_has_a_row_for_each_judgement_and_its_columns_without_any():
    by_id = judged()
    frame = quotelake.to_frame(by_id)
    assert frame["article"].tolist() == [key for key, its in by_id.items() for _ in its] and len(frame) >= 2
    every = [one for its in by_id.values() for one in its]
    one_list, empty = quotelake.to_frame(every), quotelake.to_frame([])
    assert frame.drop(columns="article").equals(one_list)
    assert len(empty) == 0 and empty.dtypes.equals(one_list.dtypes)
    assert quotelake.to_frame({}).dtypes.equals(frame.dtypes)
    for row, one in zip(one_list.to_dict("records"), every, strict=True):
        for name, value in one.as_dict().items():
            assert pd.isna(row[name]) if value is None else row[name] == value
    offsets = [name for name in one_list if name.endswith(("_start", "_end"))]
    assert set(one_list[offsets].dtypes.astype(str)) == {"Int64"}, "offsets stay whole numbers where one is missing"
    assert not [value for value in one_list.to_numpy().ravel() if isinstance(value, Enum)]


@pytest.mark.parametrize("given", [[[]], [[1]], {"a": None}, ["x"], {"a": [[]]}], ids=repr)
def test_a_frame_of_something_else_than_judgements_is_refused(given: Any):
    with pytest.raises(InputError, match=r"expected judgements, found a .*dict of it by the id of each article"):
        quotelake.to_frame(given)


@pytest.mark.slow
def test_types_of_the_public_names_are_known_and_others_are_errors(tmp_path: Path):
    code = "import quotelake\nreveal_type(quotelake.find_quotes('x'))\nreveal_type(quotelake.check_article('x', 'y'))\n"
    (tmp_path / "use.py").write_text(code + "quotelake.find_quote\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", str(tmp_path / "cache"),
         str(tmp_path / "use.py")], capture_output=True, text=True, check=False,
        cwd=Path(__file__).parents[1] / "lib",
    )  # fmt: skip
    assert "fallback=quotelake.quotes.spans.Quote]" in done.stdout, done.stdout
    assert "list[quotelake.contextomy.judgement.Judgement]" in done.stdout
    assert 'Module has no attribute "find_quote"' in done.stdout


def test_every_example_of_the_page_gives_what_it_shows():
    told: list[str] = []
    examples = doctest.DocTestParser().get_doctest(PAGE.read_text("utf-8"), {}, PAGE.name, str(PAGE), 0)
    doctest.DocTestRunner(verbose=False).run(examples, out=told.append)
    assert not told, "".join(told)
    assert examples.examples, "a page without examples shows nothing"


def test_every_public_name_is_on_the_page():
    text = PAGE.read_text("utf-8")
    assert [name for name in quotelake.__all__ if f"quotelake.{name}(" not in text] == []
