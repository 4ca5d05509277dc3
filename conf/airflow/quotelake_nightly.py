"""Airflow, 2.4 or newer: a run of Quotelake every night, then messages on what is new. Copy it into the folder of DAGs.

Quotelake stays in an environment of its own, whose program is started: workers of Airflow need not have it installed.
Change PROGRAM, LAKE and ARGUMENTS; QUOTELAKE_NOTIFY, in the environment of the workers, says whom ``notify`` tells.
"""

import subprocess
from datetime import datetime, timedelta, timezone

from airflow.exceptions import AirflowException, AirflowFailException

try:
    from airflow.sdk import dag, task  # Airflow 3
except ImportError:
    from airflow.decorators import dag, task

PROGRAM = "/srv/quotelake/.venv/bin/quotelake"
LAKE = "/srv/lake"
ARGUMENTS = ["--config", "/srv/nightly.toml", "--strict", "--input", "mynews=/srv/in/news/*.jsonl.gz"]
#: Statuses after which all is done and written, although somebody must look; of docs/NIGHTLY.md.
DONE_BUT = {3: "a source rejected too many records", 4: "a source or outlet fell silent"}
#: Statuses after which the same command may succeed: an error in Spark, another run that held the lake, an interrupt.
TRY_AGAIN = (1, 75, 130)


def started(*command: str) -> int:
    """Run a command of Quotelake; return its status, which is 0 or one of DONE_BUT."""
    status = subprocess.run([PROGRAM, *command], check=False).returncode
    if status == 0 or status in DONE_BUT:
        return status
    said = f"quotelake {command[0]} ended with status {status}; what it said is in the log of this task"
    if status in TRY_AGAIN or status < 0:  # below 0: killed, as for want of memory
        raise AirflowException(said)
    raise AirflowFailException(said)  # settings, inputs or a damaged lake: trying again would change nothing


@dag(
    schedule="15 3 * * *",
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),  # noqa: UP017  # Airflow 2 runs on older Pythons
    catchup=False,  # a run reads all that came in since the last one
    max_active_runs=1,
    default_args={"retries": 3, "retry_delay": timedelta(minutes=30)},
    tags=["quotelake"],
)
def quotelake_nightly() -> None:
    """Score, tell what is new, and fail at last if somebody must look."""

    @task
    def score(ds: str = "") -> int:
        return started("score", "--lake", LAKE, "--night", ds, *ARGUMENTS)

    @task
    def notify(status: int) -> int:
        return started("notify", "--lake", LAKE)

    @task(retries=0)
    def look(status: int, told: int) -> None:
        if status in DONE_BUT:
            raise AirflowFailException(f"all is done and written, but {DONE_BUT[status]}: see the log of score")

    status = score()
    look(status, notify(status))


quotelake_nightly()
