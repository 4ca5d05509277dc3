"""The record of a run for those who watch it: a line of JSON, also of a run that failed, and gauges for Prometheus."""

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from quotelake.errors import InputError, Status, unwrap
from quotelake.files.outputs import write_atomically
from quotelake.lake.runs import Run


@dataclass
class RunLog:
    """What is known of a run so far."""

    settings_fingerprint: str | None = None
    run: Run | None = None
    norm: Sequence[Mapping[str, Any]] = ()  # of quotelake.answers.baseline.compare_runs
    alerts: int | None = None  # in the lake, of latest versions
    silent: int | None = None  # feeds

    def line(self, status: int, message: str | None) -> dict[str, Any]:
        """The content of the line: of a failed run the stages that ended, and no norm."""
        run, stages = self.run, self.run.stages if self.run else ()
        return {
            "run_id": run and run.run_id,
            "night": run and run.night,
            "started": run and run.started.isoformat(),
            "seconds": run and round(run.seconds, 3),
            "status": status,
            "message": message,
            "settings_fingerprint": self.settings_fingerprint,
            "sources": run.sources if run else {},
            "stages": {each.name: {"seconds": round(each.seconds, 3), **each.counts} for each in stages},
            "norm": self.norm,
            "alerts": self.alerts,
            "silent_feeds": self.silent,
        }


@contextmanager
def logged(file: str | None, metrics: Path | None) -> Iterator[RunLog]:
    """Give what is to be filled in the block; at its end append the line to ``file`` and write ``metrics``.

    ``-`` is standard output. The line states an error of the block, which is raised. An InputError: a file cannot be
    written; that of the line is opened before the block begins.
    """
    log, status, message = RunLog(), 0, None
    _append(file, "")
    try:
        yield log
    except BaseException as error:
        ours = unwrap(error)
        status = ours.exit_code if ours else Status.INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1
        message = str(ours) if ours else f"{type(error).__name__}: {error}".partition("\n")[0]
        raise
    finally:
        line = log.line(status, message)
        _append(file, json.dumps(line, ensure_ascii=False) + "\n")
        if metrics is not None:
            write_atomically(metrics, metrics_of(line))


def _append(file: str | None, text: str) -> None:
    try:
        if file == "-":
            sys.stdout.write(text)
        elif file is not None:
            with Path(file).open("a", encoding="utf-8") as out:
                out.write(text)
    except OSError as error:
        raise InputError(f"--log-json {file}: cannot be written: {error.strerror}") from None


def metrics_of(line: Mapping[str, Any]) -> bytes:
    """The numbers of a line as gauges in Prometheus' text format, for the textfile collector of its node exporter."""
    registry = CollectorRegistry()
    far = sum(each["far"] is not None for each in line["norm"])
    totals = {"status": line["status"], "seconds": line["seconds"] or 0, "ended_seconds": time.time(), "far": far}
    for name, value in totals.items():
        Gauge(f"quotelake_run_{name}", f"{name} of the last run", registry=registry).set(value)
    for name, what in {"alerts": "headline alerts of the lake", "silent_feeds": "silent feeds of the last run"}.items():
        if line[name] is not None:
            Gauge(f"quotelake_{name}", what, registry=registry).set(line[name])
    documents = Gauge("quotelake_documents", "new documents of the last run", ("source",), registry=registry)
    for source, figures in line["sources"].items():
        documents.labels(source).set(figures.get("documents", 0))
    counts = [(kind, name, each) for kind in ("sources", "stages") for name, each in line[kind].items()]
    norm = [("norm", each["name"], {each["kind"]: each["ratio"]}) for each in line["norm"] if each["ratio"] is not None]
    gauge = Gauge("quotelake_run", "figures of the last run", ("part", "name", "figure"), registry=registry)
    for part, name, figures in (*counts, *norm):
        for figure, value in figures.items():
            gauge.labels(part, name, figure).set(value)
    return generate_latest(registry)
