"""The fuzzer finds nothing in the kernel, and would find what is wrong with a broken one."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from quotelab.benchmarks import fuzz
from quotelab.cli import run
from quotelake.quotes.spans import Quote, find_quotes


def call(*arguments: str) -> int:
    return run(["fuzz", "quotes", *arguments])


def test_the_kernel_stands_two_thousand_hostile_inputs(capsys):
    assert call("--inputs", "2000", "--processes", "1") == 0, capsys.readouterr().out
    figures = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines()[-8:])
    values = {name: int(value.replace(",", "")) for name, value in figures.items()}
    assert (values["inputs"], values["crashes"], values["wrong offsets"], values["seed"]) == (2000, 0, 0, 7)
    assert values["quotes found"] > 2000 and values["speakers found"] > 50, "inputs without quotes would prove nothing"


@pytest.mark.slow
def test_the_seed_alone_decides_whatever_the_number_of_processes():
    one, two, other = (
        list(fuzz.fuzz(fuzz.sample_corpora(), 2500, seed, processes)) for seed, processes in ((1, 1), (1, 2), (2, 1))
    )
    assert one == two and one != other
    assert [tally.counts["inputs"] for tally in one] == [1000, 1000, 500]
    assert one[0].counts["characters"] != one[1].counts["characters"], "no two chunks are alike"


def _crash(raw: str, mode: str, language: str | None = None) -> list[Quote]:
    if "`" in raw:
        raise RecursionError("too deep")
    return find_quotes(raw, mode)


def _all(**changes: Callable[[Quote], object]) -> Callable[..., list[Quote]]:
    """A kernel that changes fields of every quote."""

    def broken(raw: str, mode: str, language: str | None = None) -> list[Quote]:
        quotes = find_quotes(raw, mode)
        return [quote._replace(**{name: change(quote) for name, change in changes.items()}) for quote in quotes]

    return broken


@pytest.mark.parametrize(
    ("broken", "fault", "detail"),
    [
        (_crash, "crashes", "RecursionError: too deep"),
        (_all(end=lambda q: q.end + 1), "wrong offsets", "is not what stands there"),
        (_all(text=lambda q: q.text.strip(".")), "wrong offsets", "is not what stands there"),
        (_all(segments=lambda q: q.segments[:1]), "wrong offsets", "segments"),
        (_all(segments=lambda q: q.segments[::-1]), "wrong offsets", "segments"),
        (_all(parent=lambda q: None), "wrong offsets", "parent None"),
        (_all(depth=lambda q: 0), "wrong offsets", "at depth 0"),
        (_all(utterance=lambda q: q.utterance + 1), "wrong offsets", "utterance"),
        (lambda raw, mode, language=None: find_quotes(raw, mode, language)[::-1], "wrong offsets", ""),
    ],
)
def test_a_broken_kernel_is_caught(monkeypatch, capsys, tmp_path: Path, broken, fault: str, detail: str):
    monkeypatch.setattr(fuzz, "find_quotes", broken)
    failures = tmp_path / "failures.jsonl"
    assert call("--inputs", "500", "--processes", "1", "--failures", str(failures)) == 1
    assert str(failures) in capsys.readouterr().out
    written = [json.loads(line) for line in failures.read_text("ascii").splitlines()]
    assert all(failure["fault"] == fault and detail in failure["detail"] for failure in written)
    text, mode = written[0]["text"], written[0]["mode"]
    with pytest.raises(RecursionError) if fault == "crashes" else nullcontext():
        assert fuzz.wrong_quotes(text, broken(text, mode)), "the input fails again"


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ({"start": 2, "end": 6, "parent": 0, "depth": 1}, None),
        ({"start": 8, "end": 9}, None),
        ({"start": 2, "end": 9, "parent": 0, "depth": 1}, "crosses quote 0"),
        ({"start": 0, "end": 1, "parent": 0, "depth": 1}, "stands behind a later one"),
    ],
)
def test_nesting_order_and_parents_are_checked(second: dict[str, int], expected: str | None):
    raw = "0123456789"
    (base,) = find_quotes("“a”")
    places = ({"start": 1, "end": 7}, second)
    quotes = [base._replace(**fields, utterance=at) for at, fields in enumerate(places)]
    quotes = [q._replace(text=raw[q.start : q.end], segments=((q.start, q.end),)) for q in quotes]
    found = fuzz.wrong_quotes(raw, quotes)
    assert found is None if expected is None else expected in found


@pytest.mark.parametrize(
    ("field", "value"),
    [("end", 10_000), ("text", "x"), ("head_end", 10_000), ("cue_start", -1), ("cue_end", None), ("name", "No One")],
)
def test_broken_speakers_are_caught(field: str, value: object):
    raw = "Ana Ruiz spoke. “We won,” she said."
    quotes = find_quotes(raw)
    speakers = fuzz.find_speakers(raw, quotes, "body", "en")
    assert fuzz.wrong_speakers(raw, quotes, speakers) is None
    assert fuzz.wrong_speakers(raw, quotes, [each and each._replace(**{field: value}) for each in speakers])
