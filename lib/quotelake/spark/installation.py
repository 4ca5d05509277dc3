"""Complete the installation, so that a bare ``spark-submit`` works: Java, Delta's jars, and Spark's defaults.

``python -m quotelake.spark.installation`` puts the jars and the defaults into the installed pyspark. Correct files are
not touched, so a second run takes a fraction of a second and no network. A file gets its final name only when it is
complete, so the next run resumes an interrupted installation.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path

from quotelake.errors import InputError, QuotelakeError
from quotelake.spark.installation import (
    JAVA_NOTE,
    MINIMUM_JAVA,
    installed_java,
    java_problem,
    python_problem,
    spark_folder,
    spark_home_problem,
)

DELTA = "io.delta:delta-spark_4.2_2.13:4.4.0"
#: SHA-256 of the only two jars that Delta needs here, as fetched from Maven Central.
JARS = {
    "delta-spark_4.2_2.13-4.4.0.jar": "27d4fd8b1f879535c573ed1c718177d6a27f24d3e626ba02e216369725721ead",
    "delta-storage-4.4.0.jar": "c46735481fa8e326b0957be02b4420cbcab4b325bb08009b7f2045a95133f1cc",
}
#: Files of ``conf/`` that Spark reads from its own conf folder.
CONF = ("spark-defaults.conf", "log4j2.properties", "spark-env.sh")
#: Shell command per package manager that installs a headless Java and does not touch an installed one; Debian 13 has
#: Java 21 instead of 17.
JAVA_COMMANDS = {
    "apt-get": "apt-get update && apt-get install -y --no-upgrade --no-install-recommends openjdk-17-jre-headless"
    " || apt-get install -y --no-upgrade --no-install-recommends openjdk-21-jre-headless",
    "dnf": "dnf install -y java-17-openjdk-headless || dnf install -y java-21-openjdk-headless",
    "apk": "apk add --no-cache openjdk17-jre-headless",
}


def java_command(managers: Mapping[str, bool], *, root: bool, sudo: bool) -> tuple[str | None, bool]:
    """Shell command that installs Java here (None without a known package manager), and whether we may run it.

    Args:
        managers: whether each package manager of ``JAVA_COMMANDS`` is installed.
        root: whether we are root.
        sudo: whether sudo works without a password.
    """
    name = next((name for name in JAVA_COMMANDS if managers.get(name)), None)
    if name is None:
        return None, False
    return (JAVA_COMMANDS[name] if root else f"sudo sh -c '{JAVA_COMMANDS[name]}'"), root or sudo


def ensure_java() -> int:
    """Return the release of a Java that Spark can use; install one by the system's package manager where allowed.

    Raises:
        InputError: there is none and it cannot be installed from here; the message holds the command, if one is known.
    """
    found, home = installed_java(), os.environ.get("JAVA_HOME")
    problem = java_problem(home, found)
    if problem is None:
        return found or MINIMUM_JAVA
    if home:  # installing another Java would not help: Spark would still start this one
        raise InputError(problem)
    managers = {name: shutil.which(name) is not None for name in JAVA_COMMANDS}
    command, allowed = java_command(managers, root=os.geteuid() == 0, sudo=_sudo_without_password())
    if command is None:
        raise InputError(f"{problem}: install one (OpenJDK will do) and run `make install` again")
    if not allowed:
        raise InputError(f"{problem}: run `{command}`, then `make install` again")
    print(f"quotelake: {problem}; installing one: {command}", flush=True)
    result = subprocess.run(["sh", "-c", command], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, check=False)
    found = installed_java()
    if result.returncode or (found or 0) < MINIMUM_JAVA:
        raise InputError(f"{problem}, and `{command}` did not bring one: install it by hand, then run `make install`")
    return found or MINIMUM_JAVA


def ensure_jars(jars: Path, fetch: Callable[[Path], None]) -> list[str]:
    """Put Delta's jars into Spark's jars folder where they are missing; return the names of the jars added.

    Args:
        jars: the jars folder of a Spark.
        fetch: puts both jars into the empty folder it is given; not called where nothing is missing.

    Raises:
        InputError: an installed or fetched jar has another SHA-256 than expected; nothing was changed.
    """
    for name in JARS:
        if (jars / name).exists():
            _check_digest(jars / name)
    missing = [name for name in JARS if not (jars / name).exists()]
    if missing:
        with tempfile.TemporaryDirectory(prefix="quotelake-") as folder:
            fetch(Path(folder))
            for name in missing:
                _check_digest(Path(folder) / name)
            for name in missing:
                _put((Path(folder) / name).read_bytes(), jars / name)
    return missing


def fetch_with_ivy(folder: Path) -> None:
    """Fetch Delta's jars into ``folder`` with Spark's resolver: ``spark-submit --packages`` of an empty script.

    Raises:
        InputError: a jar could not be fetched.
    """
    spark = spark_folder()
    script = folder / "nothing.py"
    script.write_text("")
    command = [str(spark / "bin" / "spark-submit"), "--packages", DELTA, "--conf", f"spark.jars.ivy={folder / 'ivy'}"]
    python = {"SPARK_HOME": str(spark), "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    print(f"quotelake: fetching {DELTA}", flush=True)
    result = subprocess.run(
        [*command, str(script)], env={**os.environ, **python}, capture_output=True, text=True, check=False
    )
    for name in JARS:
        found = next((folder / "ivy").rglob(f"*{name}"), None)
        if found is None:
            raise InputError(
                f"{name} could not be fetched: connect to the network (or name a mirror in the variable "
                f"DEFAULT_ARTIFACT_REPOSITORY) and run `make install` again, or put it into {spark / 'jars'} by hand\n"
                + "\n".join(result.stderr.splitlines()[-5:])
            )
        found.replace(folder / name)


def ensure_conf(conf: Path) -> list[str]:
    """Write Spark's defaults and its logging into Spark's conf folder; return the names of the files that changed."""
    conf.mkdir(exist_ok=True)
    changed = []
    for name in CONF:
        content = resources.files("quotelake.conf").joinpath(name).read_bytes()
        if not (conf / name).is_file() or (conf / name).read_bytes() != content:
            _put(content, conf / name)
            changed.append(name)
    return changed


def note_java(conf: Path) -> None:
    """Note in Spark's conf folder which Java this shell has, for shells that have none."""
    found = shutil.which("java")
    home = os.environ.get("JAVA_HOME") or (str(Path(found).resolve().parents[1]) if found else "")
    if not (conf / JAVA_NOTE).is_file() or (conf / JAVA_NOTE).read_text("utf-8") != home:
        _put(home.encode(), conf / JAVA_NOTE)


def main() -> int:
    """Check or complete the installation, print what was done, and return the exit status."""
    try:
        spark = spark_folder()
        problem = python_problem(sys.version_info[:2]) or spark_home_problem(os.environ.get("SPARK_HOME"), spark)
        if problem is not None:
            raise InputError(problem)
        java = ensure_java()
        done = [*ensure_jars(spark / "jars", fetch_with_ivy), *ensure_conf(spark / "conf")]
        note_java(spark / "conf")
    except QuotelakeError as error:
        print(f"quotelake: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"quotelake: the installed pyspark cannot be completed: {error}", file=sys.stderr)
        return InputError.exit_code
    for name in done:
        print(f"quotelake: installed {name}")
    print(f"quotelake: ready (Python {sys.version_info.major}.{sys.version_info.minor}, Java {java}, Spark and Delta)")
    return 0


def _sudo_without_password() -> bool:
    if shutil.which("sudo") is None:
        return False
    return subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0


def _check_digest(jar: Path) -> None:
    digest = hashlib.sha256(jar.read_bytes()).hexdigest()
    if digest != JARS[jar.name]:
        raise InputError(
            f"{jar} is not the jar expected (SHA-256 {digest}, expected {JARS[jar.name]}): remove it and run "
            "`make install` again; if it happens again, do not use it"
        )


def _put(content: bytes, target: Path) -> None:
    """Write a file so that it is either unchanged or complete, even if the machine stops in between."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.partial")  # not .jar: Spark must not load it
    try:
        with temporary.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
