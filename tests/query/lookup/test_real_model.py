"""The whole look-up with the real model, as a person types it: by meaning, from vectors that are made once."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.query.lakes import make_lake, use
from tests.running import Done

from quotelake.embeddings import models

JOB = Path(__file__).parents[3] / "jobs" / "find_quote.py"
PRICE = "The price of bread has doubled since the summer"
USES = [use(PRICE), use("We will rebuild the bridge by May"), use("no comment")]
ASKED = "bread costs twice as much as it did in summer"


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    found = models.find(models.DEFAULT, "float32")
    return make_lake(tmp_path / "lake", USES, fingerprint=found.fingerprint, model=models.DEFAULT)


def test_other_words_with_the_same_meaning_are_found_and_vectors_are_made_once(
    lake: Path, run_job: Callable[..., Done]
):
    first = run_job(JOB, "--lake", lake, "--format", "json", ASKED)
    assert first.code == 0 and "embedding 2 quotes, once" in first.error, first.error
    [found] = json.loads(first.out)["found"]
    assert (found["quote"], found["how"]) == (PRICE.lower(), "meaning")
    assert found["score"] == found["meaning"] > 0.6 > found["wording"]
    [vectors] = (lake / "_lookup").iterdir()
    assert vectors.suffix == ".vectors"

    again = run_job(JOB, "--lake", lake, "--format", "json", ASKED)
    assert (again.out, again.error) == (first.out, "")

    make_lake(lake, [use("Bread was half as expensive last summer")], vectors.stem, models.DEFAULT)
    more = run_job(JOB, "--lake", lake, "--format", "json", ASKED)
    assert "embedding 1 quote, once" in more.error and len(json.loads(more.out)["found"]) == 2

    vectors.write_bytes(vectors.read_bytes()[:-1])
    mended = run_job(JOB, "--lake", lake, "--format", "json", ASKED)
    assert "quotelake: damaged: 1 stored vector;" in mended.error
    assert mended.out == more.out


def test_the_example_of_the_page_on_python_works(
    lake: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    page = (Path(__file__).parents[3] / "docs" / "PYTHON.md").read_text("utf-8")
    [example] = re.findall(r"```python\n(from quotelake\.query\.lookup.*?)```", page, re.DOTALL)
    monkeypatch.chdir(lake.parent)
    exec(example.replace("Rome was built in a day", ASKED), {})
    assert f"meaning 0.9 {PRICE.lower()} 1" in capsys.readouterr().out
