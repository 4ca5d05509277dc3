"""The bench of the recipes asks each of the page's statements, under its question."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.query.lakes import complete
from tests.running import Done

from quotelab.benchmarks.recipes import recipes_of
from quotelake.errors import InputError

PAGE = Path(__file__).parents[3] / "docs" / "QUERIES.md"


def test_each_recipe_is_a_question_with_the_statement_below_it():
    found = recipes_of(PAGE)
    assert [statement for _, statement in found] == re.findall(r"```sql\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(found) >= 15 and all(question.endswith("?") and question[0].isupper() for question, _ in found)


def test_a_page_that_is_not_there_or_has_none_is_named(tmp_path: Path):
    (tmp_path / "x.md").write_text("none")
    for name, told in (("nope.md", "No such file"), ("x.md", "no ```sql block")):
        with pytest.raises(InputError, match=f"--page .*{name}: {told}"):
            recipes_of(tmp_path / name)


@pytest.mark.process
def test_rows_and_seconds_of_each_are_printed_and_the_slowest_again(lab: Callable[..., Done], tmp_path: Path):
    complete(tmp_path, "r1")
    done = lab("bench", "recipes", "--lake", tmp_path, "--page", PAGE)
    assert done.code == 0 and done.out.count("│") == 4 * len(recipes_of(PAGE)), done.error
    assert "the slowest by a new process: " in done.out
