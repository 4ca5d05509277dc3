"""What ``forget`` refuses before Spark starts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.running import Done


@pytest.mark.parametrize(("ids", "said"), [(None, "nothing to forget"), (" \n\n", "holds no text")])
def test_a_request_that_names_nothing_is_refused(
    run_job: Callable[..., Done], tmp_path: Path, ids: str | None, said: str
):
    (tmp_path / "ids.txt").write_text(ids or "", "utf-8")
    named = [] if ids is None else ["--ids", tmp_path / "ids.txt"]
    done = run_job("forget", "--lake", tmp_path / "lake", *named)
    assert done.code == 2 and said in done.error
    assert not (tmp_path / "lake").exists()
