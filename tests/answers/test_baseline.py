"""A run that is far from the runs before it is told, and no other; the line of a run is written whatever its end."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from quotelake.answers.baseline import compare_runs, silent_feeds
from quotelake.commands.chain import complain
from quotelake.commands.run_log import logged
from quotelake.errors import InputError, LakeBusyError, RejectShareError, SilentFeedError, Status
from quotelake.lake.runs import Run
from quotelake.settings import load_settings

NOW = datetime(2024, 6, 1, 3, tzinfo=UTC)
LEAST = load_settings().report.norm_documents


def run(
    nth: int, documents: dict[str, int], scores: float = 20.0, hours: float | None = None, night: str | None = None
) -> list[dict[str, Any]]:
    """Rows of a run as ``run_summary`` shows them, so many hours ago; it reads a source, or does not name it."""
    of_run = {"nth": nth, "night": night, "started_at": NOW - timedelta(hours=24 * nth if hours is None else hours)}
    records = {f"{source}.records": number + 1 for source, number in documents.items()}
    sources = {f"{source}.documents": number for source, number in documents.items()}
    stages = [("sources", 0.0, {**records, **sources}), ("scores", scores, {"quotes": 9}), ("run", 99.0, {})]
    return [of_run | {"stage": stage, "seconds": seconds, "counts": counts} for stage, seconds, counts in stages]


def told(now: dict[str, int], scores: float = 20.0, before: int = 7, **others: int) -> list[str]:
    """What is far of a run after some runs of 100 documents of ``a``, 6 of ``b`` and, in every second, 50 of ``c``."""
    rows = run(1, now, scores)
    for nth in range(2, before + 2):
        rows += run(nth, {"a": 100, "b": 6} | ({"c": 50} if nth % 2 else {}))
    for nth in range(others.get("empty", 0)):
        rows += run(before + 2 + nth, {})
    return [figure["far"] for figure in compare_runs(rows) if figure["far"]]


USUAL = {"a": 100, "b": 6}


def test_a_run_like_those_before_it_is_not_far():
    assert told(USUAL) == told({**USUAL, "c": 50}) == told({"a": 50, "b": 12}, 39.0) == told({**USUAL, "new": 9}) == []


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ({"a": 49, "b": 6}, "source a: 49 documents; the median of 7 runs is 100"),
        ({"a": 201, "b": 6}, "source a: 201 documents; the median of 7 runs is 100"),
        ({"a": 100}, "source b: 0 documents; the median of 7 runs is 6"),
    ],
)
def test_a_source_with_few_many_or_no_documents_is_far(now: dict[str, int], expected: str):
    assert told(now) == [expected]
    assert told(now, before=6) == [], "six runs are no norm"
    assert told(now, before=6, empty=3) == [], "nor are runs that read nothing"


def silent(now: dict[str, int], outlets: dict[str, int], before: int = 7) -> list[str]:
    """Messages on a run after runs of 100 documents of ``a``: 40 of Post, 10 of Echo, in every second 30 of Sun."""
    rows = run(1, now) + [row for nth in range(2, before + 2) for row in run(nth, {"a": 100})]
    usual = [{"Post": 40, "Echo": 10} | ({"Sun": 30} if nth % 2 else {}) for nth in range(2, before + 2)]
    counts = [
        {"nth": nth, "source": "a", "outlet": outlet, "documents": number}
        for nth, its in enumerate([outlets, *usual], 1)
        for outlet, number in its.items()
    ]
    return [row["message"] for row in silent_feeds(rows, [*counts, {**counts[0], "outlet": None}], LEAST)]


USUAL_OUTLETS = {"Post": 40, "Echo": 10}


@pytest.mark.parametrize(
    ("now", "outlets", "expected"),
    [
        (100, USUAL_OUTLETS, []),
        (500, {"Post": 400, "Echo": 5, "New": 1}, []),  # far, but not silent; just half of the norm
        (100, {"Post": 19, "Echo": 10}, ["Post (a) brought only 19 documents; 40 are usual."]),
        (100, {"Post": 40}, ["Echo (a) brought nothing; 10 are usual."]),
        (49, {"Post": 0}, ["The source a brought only 49 documents; 100 are usual."]),  # its outlets are not told again
    ],
)
def test_a_feed_is_silent_below_half_of_its_norm(now: int, outlets: dict[str, int], expected: list[str]):
    assert silent({"a": now}, outlets) == expected
    assert silent({"a": now}, outlets, before=6) == [], "six runs are no norm"


def test_few_documents_of_an_outlet_and_runs_that_read_no_file_are_never_silent():
    rows = run(1, {"a": 100}) + [row for nth in range(2, 9) for row in run(nth, {"a": 100})]
    counts = [{"nth": nth, "source": "a", "outlet": "Post", "documents": 40} for nth in range(2, 9)]
    assert silent_feeds(rows, counts, LEAST) and not silent_feeds(rows, counts, 41)
    [told] = silent_feeds(rows, [{**row, "outlet": "P\x1b[2J\nost"} for row in counts], LEAST)
    assert told["message"].startswith("P[U+001B][2J ost (a) brought nothing"), "a terminal must not obey an outlet"
    assert silent({"b": 9}, {}) == ["The source a brought nothing; 100 are usual."]
    assert silent({}, {}) == []


def test_a_run_that_brought_nothing_at_all_is_silent_from_the_second_night_on():
    """Protects: a feed that dies in the first week, before there is a norm, is not a quiet success."""
    nothing, some = run(1, {"a": 0, "b": 0}), run(2, {"a": 9})
    assert [row["message"] for row in silent_feeds(nothing + some, [], LEAST)] == ["The run brought nothing at all."]
    assert silent_feeds(nothing, [], LEAST) == silent_feeds(nothing + run(2, {"a": 0}), [], LEAST) == []
    assert silent_feeds(run(1, {"a": 0, "b": 1}) + some, [], LEAST) == [], "before there is a norm few are not too few"
    assert silent_feeds(run(1, {}) + some, [], LEAST) == [], "a run without inputs, such as one that forgets"
    assert silent({"a": 0}, {}) == ["The source a brought nothing; 100 are usual."], "then each source is named"


def test_runs_of_a_night_count_as_one():
    """Protects: the same command, given again by hand behind a good run, ends well; a feed that is missing stays so."""
    week = [row for nth in range(3, 10) for row in run(nth, {"a": 100, "b": 50})]
    good, again = run(2, {"a": 100, "b": 50}, hours=0.5), run(1, {"a": 0, "b": 0}, hours=0)
    assert silent_feeds(again + good + week, [], LEAST) == silent_feeds(again + good, [], LEAST) == []
    half = run(2, {"a": 100, "b": 0}, hours=0.5)
    [missing] = silent_feeds(again + half + week, [], LEAST)
    assert missing["message"] == "The source b brought nothing; 50 are usual."
    assert silent_feeds(run(1, {"b": 50}, hours=0) + half + week, [], LEAST) == [], "it came in the second run"
    for later in (run(1, {"a": 0, "b": 0}, hours=-12), run(1, {"a": 0, "b": 0}, night="2", hours=0)):
        assert len(silent_feeds(later + good + week, [], LEAST)) == 2, "another night"
    hourly = [row for nth in range(2, 9) for row in run(nth, {"a": 100}, hours=nth)]
    assert len(silent_feeds(run(1, {"a": 0}, hours=1) + hourly, [], LEAST)) == 1


def test_a_strict_run_ends_with_the_graver_of_two_statuses():
    complain([], [])
    with pytest.raises(SilentFeedError, match="Post brought nothing") as silent_alone:
        complain([], ["Post brought nothing."])
    with pytest.raises(RejectShareError, match=r"(?s)too many.*Post brought nothing"):
        complain(["too many"], ["Post brought nothing."])
    assert silent_alone.value.exit_code == Status.SILENT == 4


def test_a_slow_stage_is_far_unless_it_is_a_matter_of_seconds():
    assert told(USUAL, 41.0) == ["stage scores: 41 s; the median of 7 runs is 20 s"]
    rows = run(1, USUAL, 9.0) + [row for nth in range(2, 12) for row in run(nth, USUAL, 1.0)]
    [stage] = [figure for figure in compare_runs(rows) if figure["kind"] == "stage"]
    assert (stage["ratio"], stage["far"]) == (9.0, None)


def test_each_run_adds_its_line_also_one_that_fails(tmp_path: Path):
    file, metrics = tmp_path / "log.jsonl", tmp_path / "run.prom"
    with logged(str(file), metrics) as log:
        log.run = Run("r1", datetime.now(UTC), "f", "monday", lambda _: None)
        log.settings_fingerprint = "f"
        with log.run.stage("scores") as stage:
            stage.count(quotes=7, written_bytes=5)
        log.run.sources["b"] = {"records": 4, "documents": 3}
        log.alerts, log.silent = 5, 0
        log.norm = compare_runs(run(1, {"b": 3}) + [row for nth in range(2, 9) for row in run(nth, USUAL)])
    for labels, value in (('"documents",name="b",part="sources"', 3), ('"quotes",name="scores",part="stages"', 7)):
        assert f"quotelake_run{{figure={labels}}} {value}.0\n" in metrics.read_text("utf-8")
    assert 'quotelake_run{figure="source",name="b",part="norm"} 0.5' in metrics.read_text("utf-8")
    for line in ("quotelake_alerts 5.0", "quotelake_silent_feeds 0.0", 'quotelake_documents{source="b"} 3.0'):
        assert f"{line}\n" in metrics.read_text("utf-8")
    for error in (LakeBusyError("run r1 holds it"), ValueError("a fault\nof ours"), KeyboardInterrupt()):
        with pytest.raises(type(error)), logged(str(file), metrics):
            raise error
    assert "quotelake_run_status 130.0" in metrics.read_text("utf-8")
    assert "quotelake_alerts" not in metrics.read_text("utf-8"), "a run that failed does not know"
    done, *failed = (json.loads(line) for line in file.read_text("utf-8").splitlines())
    assert (done["run_id"], done["night"], done["status"], done["settings_fingerprint"]) == ("r1", "monday", 0, "f")
    assert done["sources"] == {"b": {"records": 4, "documents": 3}}
    assert done["stages"]["scores"] | {"seconds": 0} == {"seconds": 0, "quotes": 7, "written_bytes": 5}
    source, *others = done["norm"]
    assert source == {
        "kind": "source", "name": "a", "value": 0, "median": 100, "ratio": 0.0,
        "far": "source a: 0 documents; the median of 7 runs is 100",
    }  # fmt: skip
    assert [(each["name"], each["ratio"], each["far"]) for each in others] == [("b", 0.5, None), ("scores", 1.0, None)]
    said = [(75, "run r1 holds it"), (1, "ValueError: a fault"), (130, "KeyboardInterrupt: ")]
    assert [(line["status"], line["message"]) for line in failed] == said
    assert [line["run_id"] for line in failed] == [None] * 3


def test_a_line_can_go_to_standard_output_and_a_file_that_cannot_be_written_is_refused_first(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    with logged("-", None):
        pass
    assert json.loads(capsys.readouterr().out)["status"] == 0
    with pytest.raises(InputError, match="cannot be written"), logged(str(tmp_path / "none" / "log"), None):
        raise AssertionError("the run began")
