"""The whole look-up with the real model, as a person types it: by meaning, from vectors that are made once."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console
from tests.query.lakes import make_lake, use
from tests.running import Done

from quotelake.commands import lookup
from quotelake.embeddings import encoder, models

PRICE = "The price of bread has doubled since the summer"
USES = [use(PRICE), use("We will rebuild the bridge by May"), use("no comment")]
ENCODER = cache(encoder.Encoder)
ASKED = "bread costs twice as much as it did in summer"


@pytest.fixture(autouse=True)
def one_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is loaded once for all tests of this file."""
    monkeypatch.setattr(encoder, "Encoder", ENCODER)


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    found = models.find(models.DEFAULT, "float32")
    return make_lake(tmp_path / "lake", USES, fingerprint=found.fingerprint, model=models.DEFAULT)


def test_other_words_with_the_same_meaning_are_found_and_vectors_are_made_once(
    lake: Path, run_job: Callable[..., Done]
):
    first = run_job("find_quote", "--lake", lake, "--format", "json", ASKED)
    assert first.code == 0 and "embedding 2 quotes, once" in first.error, first.error
    [found] = json.loads(first.out)["found"]
    assert (found["quote"], found["how"]) == (PRICE.lower(), "meaning")
    assert found["score"] == found["meaning"] > 0.6 > found["wording"]
    [vectors] = (lake / "_lookup").iterdir()
    assert vectors.suffix == ".faiss"

    again = run_job("find_quote", "--lake", lake, "--format", "json", ASKED)
    assert (again.out, again.error) == (first.out, "")

    make_lake(lake, [use("Bread was half as expensive last summer")], vectors.stem, models.DEFAULT)
    more = run_job("find_quote", "--lake", lake, "--format", "json", ASKED)
    assert "embedding 1 quote, once" in more.error and len(json.loads(more.out)["found"]) == 2

    vectors.write_bytes(vectors.read_bytes()[:-1])
    mended = run_job("find_quote", "--lake", lake, "--format", "json", ASKED)
    assert "quotelake: damaged: the stored vectors;" in mended.error
    assert mended.out == more.out


def test_the_first_answer_is_by_wording_and_says_how_to_get_the_others(
    lake: Path, run_job: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(lookup, "MAX_TEXTS", 1)
    asked = ("--lake", lake, "--format", "json")
    with monkeypatch.context() as without:
        without.setattr(encoder, "Encoder", None)  # no model is loaded
        first = run_job("find_quote", *asked, ASKED)
        assert json.loads(first.out) == {"text": ASKED, "without_vector": 2, "found": []}
        assert json.loads(run_job("find_quote", *asked, PRICE).out)["found"][0]["how"] == "same"
        assert json.loads(run_job("find_quote", *asked, "--no-meaning", ASKED).out)["without_vector"] is None
    said, sign, command = first.error.strip().partition("; make the vectors with: ")
    assert said == "2 known quotes can be found by wording alone, for want of a vector" and sign
    assert not (lake / "_lookup").exists()
    assert command.endswith(f"quotelake lookup --lake {lake} --prepare")

    made = run_job("find_quote", "--lake", lake, "--prepare", stdin=b"not read")
    assert (made.code, made.out) == (0, "") and "embedding 2 quotes, once" in made.error
    after = run_job("find_quote", *asked, ASKED)
    assert after.error == "" and json.loads(after.out)["found"][0]["how"] == "meaning"

    found = models.find(models.DEFAULT, "float32").fingerprint
    make_lake(lake, [use(f"Number {number} is a new quote") for number in range(2)], found, models.DEFAULT)
    more = json.loads(run_job("find_quote", *asked, ASKED).out)
    assert more["found"] == json.loads(after.out)["found"] and more["without_vector"] == 2
    ready = run_job("find_quote", *asked, "--prepare", ASKED)
    assert "embedding 2 quotes, once" in ready.error and json.loads(ready.out)["without_vector"] == 0
    refused = run_job("find_quote", *asked, "--prepare", "--no-meaning", ASKED)
    assert refused.code == 2 and "--no-meaning: not allowed with argument --prepare" in refused.error


def test_a_run_makes_ready_what_the_look_up_needs(lake: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    console = Console(width=200)
    lookup.prepare(str(lake), console)
    assert "embedding 2 quotes, once" in capsys.readouterr().out
    lookup.prepare(str(lake), console)
    assert capsys.readouterr().out == "", "all are there"
    lookup.prepare(str(make_lake(tmp_path / "empty", [])), console)
    assert capsys.readouterr().out == "" and not (tmp_path / "empty" / "_lookup").exists()
    lookup.prepare("s3a://bucket/lake", console)
    assert "--index DIR --prepare" in capsys.readouterr().out


def test_the_example_of_the_page_on_python_works(
    lake: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    page = (Path(__file__).parents[2] / "docs" / "PYTHON.md").read_text("utf-8")
    [example] = re.findall(r"```python\n(from quotelake\.query\.lookup.*?)```", page, re.DOTALL)
    monkeypatch.chdir(lake.parent)
    exec(example.replace("Rome was built in a day", ASKED), {})
    assert f"meaning 0.9 {PRICE.lower()} 1" in capsys.readouterr().out
