"""What a job needs of the machine: a recent Java, Delta's jars in Spark, and no other Spark in SPARK_HOME.

``python -m quotelake.spark.installation`` completes it, so that a bare ``spark-submit`` works. Correct files are not
touched, so a second run takes a fraction of a second and no network; the next run resumes an interrupted one. A job
checks it before Spark fails with an obscure error: each fault is one line with its remedy.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from importlib import resources
from pathlib import Path

from quotelake.errors import InputError, QuotelakeError
from quotelake.program import installation

MINIMUM_JAVA = 17  # Spark 4.2 runs on Java 17 and 21
SPARK_CORE = "spark-core_2.13-4.2.0.jar"  # identifies the only Spark release tested with Delta 4.4.0
DELTA = "io.delta:delta-spark_4.2_2.13:4.4.0"
#: SHA-256 of the only two jars that Delta needs here, as fetched from Maven Central.
JARS = {
    "delta-spark_4.2_2.13-4.4.0.jar": "27d4fd8b1f879535c573ed1c718177d6a27f24d3e626ba02e216369725721ead",
    "delta-storage-4.4.0.jar": "c46735481fa8e326b0957be02b4420cbcab4b325bb08009b7f2045a95133f1cc",
}
#: Files of ``conf/`` that Spark reads from its own conf folder.
CONF = ("spark-defaults.conf", "log4j2.properties", "spark-env.sh")
#: File in the installed pyspark's conf folder: the folder of the Java that the installation found or installed.
JAVA_NOTE = "java-home"
#: Shell command per package manager that installs a headless Java and does not touch an installed one; Debian 13 has
#: Java 21 instead of 17.
JAVA_COMMANDS = {
    "apt-get": "apt-get update && apt-get install -y --no-upgrade --no-install-recommends openjdk-17-jre-headless"
    " || apt-get install -y --no-upgrade --no-install-recommends openjdk-21-jre-headless",
    "dnf": "dnf install -y java-17-openjdk-headless || dnf install -y java-21-openjdk-headless",
    "apk": "apk add --no-cache openjdk17-jre-headless",
}


def check_environment() -> None:
    """Check SPARK_HOME and Java before Spark starts; without Java in this shell, take the installation's.

    Raises:
        InputError: SPARK_HOME names another Spark, or there are no jars of Delta or no Java 17; with the remedy.
    """
    problem = spark_home_problem(os.environ.get("SPARK_HOME"), spark_folder())
    # A job that spark-submit started already talks to a Java that works; asking again would cost a fifth of a second.
    if problem is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        find_java()
        problem = java_problem(os.environ.get("JAVA_HOME"), installed_java())
        if problem is not None and not os.environ.get("JAVA_HOME"):
            problem += f": run `{installation()}`, which installs one or says how"
        problem = problem or jars_problem(Path(os.environ.get("SPARK_HOME") or spark_folder()))
    if problem is not None:
        raise InputError(problem)


def spark_home_problem(spark_home: str | None, installed: Path) -> str | None:
    """What is wrong with the variable SPARK_HOME, given the folder of the installed pyspark; None if nothing is.

    Another Spark is accepted if it is the same release and has Delta's jars, as a cluster image may.
    """
    if not spark_home or Path(spark_home).resolve() == installed.resolve():
        return None
    if all((Path(spark_home) / "jars" / name).is_file() for name in (SPARK_CORE, *JARS)):
        return None
    return (
        f"SPARK_HOME is {spark_home}, another Spark than the one installed with Quotelake ({installed}): "
        "run `unset SPARK_HOME` and start again"
    )


def jars_problem(spark: Path) -> str | None:
    """What Spark in a folder lacks of Delta, as after an installation by pip alone; None if nothing."""
    lacking = [name for name in JARS if not (spark / "jars" / name).is_file()]
    return f"Spark in {spark} lacks {' and '.join(lacking)}: run `{installation()}`, once" if lacking else None


def java_problem(java_home: str | None, found: int | None) -> str | None:
    """What is wrong with the Java that Spark would start (JAVA_HOME's, else that on PATH); None if nothing is.

    ``found`` is the feature release of that Java, None if none starts.
    """
    if found is not None and found >= MINIMUM_JAVA:
        return None
    what = f"is Java {found}" if found else "holds no Java that starts"
    if java_home:
        return (
            f"JAVA_HOME is {java_home}, which {what}: Spark needs Java {MINIMUM_JAVA} or newer; run `unset JAVA_HOME` "
            f"to use the one on PATH, or set it to a Java {MINIMUM_JAVA}"
        )
    return f"no Java {MINIMUM_JAVA} or newer on PATH" + (f" (it has Java {found})" if found else "")


def installed_java() -> int | None:
    """Feature release of the Java that Spark would start, or None where none starts."""
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home) / "bin" / "java") if home else "java"
    try:
        answer = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    release = re.search(r'version "(?:1\.)?(\d+)', answer.stderr + answer.stdout)  # 17 of "17.0.15", 8 of "1.8.0_392"
    return int(release[1]) if release else None


def spark_folder() -> Path:
    """Folder of the installed pyspark, found without importing it.

    Raises:
        InputError: pyspark is not installed.
    """
    found = importlib.util.find_spec("pyspark")
    if found is None or found.origin is None:
        raise InputError(f"pyspark is not installed for {sys.executable}: run `{installation()}`")
    return Path(found.origin).parent


def find_java() -> None:
    """Name in JAVA_HOME the Java that the installation used, if this shell has none, as one of cron may."""
    if os.environ.get("JAVA_HOME") or shutil.which("java"):
        return
    noted = spark_folder() / "conf" / JAVA_NOTE
    home = Path(noted.read_text("utf-8").strip()) if noted.is_file() else None
    if home is not None and (home / "bin" / "java").is_file():
        os.environ["JAVA_HOME"] = str(home)


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
    command = next((command for manager, command in JAVA_COMMANDS.items() if shutil.which(manager)), None)
    if command is None:
        raise InputError(f"{problem}: install one (OpenJDK will do) and run `{installation()}` again")
    if os.geteuid() != 0:
        command = f"sudo sh -c '{command}'"
        without_password = subprocess.run(["/bin/sh", "-c", "sudo -n true"], capture_output=True, check=False)
        if without_password.returncode:
            raise InputError(f"{problem}: run `{command}`, then `{installation()}` again")
    print(f"quotelake: {problem}; installing one: {command}", flush=True)
    result = subprocess.run(["sh", "-c", command], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, check=False)
    found = installed_java()
    if result.returncode or (found or 0) < MINIMUM_JAVA:
        raise InputError(
            f"{problem}, and `{command}` did not bring one: install it by hand, then run `{installation()}`"
        )
    return found or MINIMUM_JAVA


def ensure_jars(jars: Path, fetch: Callable[[Path], None]) -> list[str]:
    """Put Delta's jars into Spark's jars folder where they are missing; return the names of the jars added.

    ``fetch`` puts both jars into the empty folder it is given; it is not called where nothing is missing.

    Raises:
        InputError: an installed or fetched jar has another SHA-256 than expected; nothing was changed.
    """
    missing = [name for name in JARS if not (jars / name).exists()]
    _check_digests(jars / name for name in JARS if name not in missing)
    if missing:
        with tempfile.TemporaryDirectory(prefix="quotelake-", dir=jars.parent) as folder:
            fetch(Path(folder))
            _check_digests(Path(folder) / name for name in missing)
            for name in missing:
                (Path(folder) / name).replace(jars / name)  # within one file system: whole or not at all
    return missing


def _check_digests(jars: Iterable[Path]) -> None:
    for jar in jars:
        digest = hashlib.sha256(jar.read_bytes()).hexdigest()
        if digest != JARS[jar.name]:
            raise InputError(
                f"{jar} is not the jar expected (SHA-256 {digest}, expected {JARS[jar.name]}): remove it and run "
                f"`{installation()}` again; if it happens again, do not use it"
            )


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
                f"{name} could not be fetched: connect to the network, or name a mirror in the variable "
                f"DEFAULT_ARTIFACT_REPOSITORY, and run `{installation()}` again; or put it into {spark / 'jars'}"
                + "\n".join(["", *result.stderr.splitlines()[-5:]])
            )
        found.replace(folder / name)


def ensure_conf(conf: Path) -> list[str]:
    """Write Spark's defaults and its logging into Spark's conf folder; return the names of the files that changed."""
    contents = {name: resources.files("quotelake.conf").joinpath(name).read_bytes() for name in CONF}
    return [name for name, content in contents.items() if _write_changed(conf / name, content)]


def note_java(conf: Path) -> None:
    """Note in Spark's conf folder which Java this shell has, for shells that have none."""
    found = shutil.which("java")
    home = os.environ.get("JAVA_HOME") or (str(Path(found).resolve().parents[1]) if found else "")
    _write_changed(conf / JAVA_NOTE, home.encode())


def _write_changed(path: Path, content: bytes) -> bool:
    """Write a file unless it holds this content already; return whether it was written."""
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    partial.write_bytes(content)
    partial.replace(path)
    return True


def main() -> int:
    """Check or complete the installation, print what was done, and return the exit status."""
    try:
        spark = spark_folder()
        problem = spark_home_problem(os.environ.get("SPARK_HOME"), spark)
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


if __name__ == "__main__":
    sys.exit(main())
