import os
from pathlib import Path

import pytest

from quotelake.errors import InputError
from quotelake.spark import environment
from quotelake.spark.installation import (
    DELTA_JARS,
    SPARK_CORE,
    check_environment,
    java_major,
    java_problem,
    note_java,
    python_problem,
)
from quotelake.spark.installation import spark_home_problem as home_problem


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment', 17),
        ('openjdk version "21" 2023-09-19', 21),
        ('openjdk version "25-ea" 2025-09-16', 25),
        ('java version "1.8.0_392"', 8),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "11.0.2" 2019-01-15', 11),
        ("java: command not found", None),
    ],
)
def test_release_is_read_from_what_any_java_prints(text, expected):
    assert java_major(text) == expected


@pytest.mark.parametrize(
    ("java_home", "found", "expected"),
    [
        (None, 17, []),
        ("/opt/jdk", 25, []),
        (None, 11, ["no Java 17", "Java 11"]),
        (None, None, ["no Java 17"]),
        ("/opt/jdk", 8, ["JAVA_HOME is /opt/jdk", "Java 8", "unset JAVA_HOME"]),
        ("/opt/jdk", None, ["JAVA_HOME is /opt/jdk", "unset JAVA_HOME"]),
    ],
)
def test_unfit_java_is_named_where_spark_would_take_it_from(java_home, found, expected):
    problem = java_problem(java_home, found)
    assert (problem is None) == (not expected)
    assert all(part in (problem or "") for part in expected)
    assert "\n" not in (problem or "")


def test_minor_versions_of_python_compare_as_numbers():
    assert python_problem((3, 11)) is None
    assert python_problem((3, 14)) is None
    assert "Python 3.9 is too old" in (python_problem((3, 9)) or "")


def test_own_spark_home_is_fit_under_any_spelling(tmp_path: Path):
    own = tmp_path / "pyspark"
    own.mkdir()
    (tmp_path / "link").symlink_to(own)
    for spelling in (None, "", str(own), f"{own}/", str(tmp_path / "link")):
        assert home_problem(spelling, own) is None


def test_foreign_spark_is_refused_unless_it_is_the_same_with_delta(tmp_path: Path):
    own, other = tmp_path / "own", tmp_path / "spark"
    (other / "jars").mkdir(parents=True)
    (other / "jars" / SPARK_CORE).touch()
    problem = home_problem(str(other), own) or ""
    assert f"SPARK_HOME is {other}" in problem and "unset SPARK_HOME" in problem and "\n" not in problem
    for name in DELTA_JARS:
        (other / "jars" / name).touch()
    assert home_problem(str(other), own) is None
    (other / "jars" / SPARK_CORE).rename(other / "jars" / "spark-core_2.13-4.1.0.jar")
    assert home_problem(str(other), own) is not None


def test_a_job_stops_on_a_foreign_spark_home(monkeypatch, tmp_path: Path):
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    with pytest.raises(InputError, match="unset SPARK_HOME"):
        check_environment()


def test_a_job_stops_without_java_but_asks_only_when_no_jvm_started_it(monkeypatch, tmp_path: Path):
    monkeypatch.delenv("SPARK_HOME", raising=False)
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(InputError, match="JAVA_HOME"):
        check_environment()
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    check_environment()


def test_java_version_is_asked_of_java_home_before_path(monkeypatch, tmp_path: Path):
    program = tmp_path / "bin" / "java"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'openjdk version \"99.0.1\"' >&2\n")
    program.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert environment.installed_java() == 99


@pytest.mark.parametrize(
    ("variable", "on_path", "noted", "expected"),
    [
        (None, False, "noted", "noted"),
        (None, True, "noted", None),  # what the shell has goes first
        ("given", False, "noted", "given"),
        (None, False, "gone", None),
        (None, False, None, None),
    ],
)
def test_a_shell_without_java_takes_the_one_of_the_installation(
    monkeypatch, tmp_path: Path, variable: str | None, on_path: bool, noted: str | None, expected: str | None
):
    for name in ("noted", "path"):
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "bin" / "java").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "path" / "bin") if on_path else str(tmp_path))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / variable) if variable else "")
    monkeypatch.setattr(environment, "spark_folder", lambda: tmp_path)
    if noted:
        (tmp_path / "conf").mkdir()
        (tmp_path / "conf" / environment.JAVA_NOTE).write_text(str(tmp_path / noted))
    environment.find_java()
    assert os.environ["JAVA_HOME"] == (str(tmp_path / expected) if expected else "")


def test_the_installation_notes_the_java_of_its_shell_for_others(monkeypatch, tmp_path: Path):
    program = tmp_path / "jdk" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").symlink_to(program)
    (tmp_path / "conf").mkdir()
    monkeypatch.setattr(environment, "spark_folder", lambda: tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("JAVA_HOME", "")
    note_java(tmp_path / "conf")
    monkeypatch.setenv("PATH", str(tmp_path))
    environment.find_java()
    assert os.environ["JAVA_HOME"] == str(tmp_path / "jdk")
