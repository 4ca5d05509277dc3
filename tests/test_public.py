"""The public interface: its names are there and on its page, importing it costs next to nothing, types are known."""

import doctest
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import quotelake
from quotelake.article import article_of, judge_article
from quotelake.settings import load_settings

PAGE = Path(__file__).parents[1] / "docs" / "PYTHON.md"
BODY = "“I doubt that we can win this year,” said Ana Bell. “The boys are tired,” she said."
HEADLINES = ["Bell: “We can win this year”", "Bell: “We will lose to the best club of the coast”", "No quote", "“”"]


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.process
def test_importing_the_package_imports_nothing_large():
    code = "import sys; before = {*sys.modules}; import quotelake; print(*({*sys.modules} - before))"
    brought = {name.split(".")[0] for name in python(code).split()}
    assert not brought & {"torch", "pyspark", "numpy", "pandas", "pyarrow", "pydantic", "sentence_transformers"}


@pytest.mark.process
def test_quotes_speakers_and_judgements_need_neither_torch_nor_spark():
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('torch', 'pyspark', 'py4j', 'delta')))\n"
        f"import quotelake; body = {BODY!r}; quotes = quotelake.find_quotes(body)\n"
        "print(len(quotes), len(quotelake.find_speakers(body, quotes)), len(quotelake.check_article('“We can”', body)))"
    )
    assert python(code) == "2 2 1"


def test_every_public_name_is_there_and_is_the_one_of_its_module():
    from quotelake.embeddings.encoder import Encoder
    from quotelake.quotes.spans import find_quotes
    from quotelake.quotes.speakers import find_speakers

    assert (quotelake.Encoder, quotelake.find_quotes, quotelake.find_speakers) == (Encoder, find_quotes, find_speakers)
    assert set(quotelake.__all__) <= set(dir(quotelake))
    assert all(getattr(quotelake, name) is not None for name in quotelake.__all__)
    with pytest.raises(AttributeError, match=r"find_quote'; it offers .*find_quotes"):
        quotelake.find_quote  # noqa: B018


@pytest.mark.parametrize("headline", HEADLINES)
def test_check_article_judges_as_its_parts_do(headline: str):
    def encode(texts: list[str]) -> np.ndarray:
        return np.eye(len(texts), 400, dtype=np.float32)

    for threshold in (0.0000001, 0.9999999):
        settings = load_settings(overrides=[f"contextomy.threshold={threshold}"])
        article = article_of(headline, BODY, "en", settings.ingest)
        for vectors in (None, encode):
            found = quotelake.check_article(headline, BODY, language="en", settings=settings, encode=vectors)
            assert found == judge_article(article, settings, vectors)
    shipped = load_settings()
    expected = judge_article(article_of(headline, BODY, "en", shipped.ingest), shipped)
    assert quotelake.check_article(headline, BODY, language="en") == expected


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
