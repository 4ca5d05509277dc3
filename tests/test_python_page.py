"""The page about the Python interface shows what its examples do."""

import doctest
from pathlib import Path

import quotelake

PAGE = Path(__file__).parents[1] / "docs" / "PYTHON.md"


def test_every_example_of_the_page_gives_what_it_shows():
    told: list[str] = []
    examples = doctest.DocTestParser().get_doctest(PAGE.read_text("utf-8"), {}, PAGE.name, str(PAGE), 0)
    doctest.DocTestRunner(verbose=False).run(examples, out=told.append)
    assert not told, "".join(told)
    assert examples.examples, "a page without examples shows nothing"


def test_every_public_name_is_on_the_page():
    text = PAGE.read_text("utf-8")
    assert [name for name in quotelake.__all__ if f"quotelake.{name}(" not in text] == []
