"""What a job needs of the machine: a recent Java, Delta's jars in Spark, and no other Spark in SPARK_HOME.

``python -m quotelake.spark.installation`` completes it, so that a bare ``spark-submit`` works. A job checks it before
Spark fails with an obscure error: each fault is one line with its remedy.
"""

import hashlib
import importlib.util
import os
import pwd
import re
import resource
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
OPEN_FILES = 1024  # Java holds some 340 (measured once), and each task its files
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
#: Script of pyspark's, beside ``spark-submit`` in an environment, that looks for Spark.
FINDER = "find-spark-home"
#: Shell command per package manager that installs a headless Java; Debian 13 has Java 21 instead of 17.
JAVA_COMMANDS = {
    "apt-get": "apt-get update && apt-get install -y --no-upgrade --no-install-recommends openjdk-17-jre-headless"
    " || apt-get install -y --no-upgrade --no-install-recommends openjdk-21-jre-headless",
    "dnf": "dnf install -y java-17-openjdk-headless || dnf install -y java-21-openjdk-headless",
    "apk": "apk add --no-cache openjdk17-jre-headless",
}


def check_environment() -> None:
    """Check process, SPARK_HOME, jars and Java (the noted one if the shell has none); an InputError has the remedy."""
    check_process()
    check_spark_home()
    # A job that spark-submit started already talks to a Java that works; asking again would cost a fifth of a second.
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        return
    noted = spark_folder() / "conf" / JAVA_NOTE
    if not os.environ.get("JAVA_HOME") and not shutil.which("java") and noted.is_file():
        home = noted.read_text("utf-8").strip()
        if Path(home, "bin", "java").is_file():
            os.environ["JAVA_HOME"] = home
    if problem := java_problem():
        at_home = os.environ.get("JAVA_HOME")
        raise InputError(problem if at_home else f"{problem}: run `{installation()}`, which installs one or says how")
    spark = Path(os.environ.get("SPARK_HOME") or spark_folder())
    if lacking := [name for name in JARS if not (spark / "jars" / name).is_file()]:
        raise InputError(f"Spark in {spark} lacks {' and '.join(lacking)}: run `{installation()}`, once")


def check_process() -> None:
    """Let this process open :data:`OPEN_FILES`; an InputError: it may not, or Java cannot name its user."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < OPEN_FILES:
        if hard != resource.RLIM_INFINITY and hard < OPEN_FILES:
            raise InputError(
                f"this process may open {hard} files at once, and Spark needs {OPEN_FILES:,}: raise the limit "
                f"(`ulimit -n {OPEN_FILES}`, LimitNOFILE= of systemd, --ulimit nofile of a container)"
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, hard))
    try:
        pwd.getpwuid(os.geteuid())
    except KeyError:
        raise InputError(
            f"user {os.geteuid()} has no name on this machine, and Spark cannot start without one: add it to "
            "/etc/passwd, or run as a user who is there"
        ) from None


def check_spark_home() -> None:
    """Refuse, by an InputError, a SPARK_HOME that is neither the installed pyspark nor the same release with Delta."""
    installed = spark_folder()
    home = Path(os.environ.get("SPARK_HOME") or installed)
    is_same = all((home / "jars" / name).is_file() for name in (SPARK_CORE, *JARS))
    if home.resolve() != installed.resolve() and not is_same:
        raise InputError(
            f"SPARK_HOME is {home}, another Spark than the one installed with Quotelake ({installed}): "
            "run `unset SPARK_HOME` and start again"
        )


def java_problem() -> str | None:
    """What is wrong with the Java that Spark would start: JAVA_HOME's, else that on PATH; None if nothing is."""
    home = os.environ.get("JAVA_HOME")
    try:
        program = str(Path(home, "bin", "java")) if home else "java"
        answer = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=60, check=False)
        found = re.search(r'version "(?:1\.)?(\d+)', answer.stderr + answer.stdout)  # 17 of "17.0.15", 8 of "1.8.0_392"
    except (OSError, subprocess.TimeoutExpired):
        found = None
    if found and int(found[1]) >= MINIMUM_JAVA:
        return None
    if home:
        what = f"is Java {found[1]}" if found else "holds no Java that starts"
        return (
            f"JAVA_HOME is {home}, which {what}: Spark needs Java {MINIMUM_JAVA} or newer; run `unset JAVA_HOME` to "
            f"use the one on PATH, or set it to a Java {MINIMUM_JAVA}"
        )
    return f"no Java {MINIMUM_JAVA} or newer on PATH" + (f" (it has Java {found[1]})" if found else "")


def spark_folder() -> Path:
    """Folder of the installed pyspark, found without importing it; an InputError where there is none."""
    found = importlib.util.find_spec("pyspark")
    if found is None or found.origin is None:
        raise InputError(f"pyspark is not installed for {sys.executable}: run `{installation()}`")
    return Path(found.origin).parent


def ensure_java() -> None:
    """Install a Java, if there is none, by the system's package manager; as no root an InputError names the command."""
    problem = java_problem()
    if problem is None:
        return
    if os.environ.get("JAVA_HOME"):  # installing another Java would not help: Spark would still start this one
        raise InputError(problem)
    command = next((command for manager, command in JAVA_COMMANDS.items() if shutil.which(manager)), None)
    if command is None:
        raise InputError(f"{problem}: install one (OpenJDK will do) and run `{installation()}` again")
    if os.geteuid() != 0:
        raise InputError(f"{problem}: run `sudo sh -c '{command}'`, then `{installation()}` again")
    print(f"quotelake: {problem}; installing one: {command}", flush=True)
    subprocess.run(["sh", "-c", command], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, check=False)
    if problem := java_problem():
        raise InputError(f"{problem}, and `{command}` did not bring one: install it by hand")


def ensure_jars(jars: Path, fetch: Callable[[Path], None]) -> list[str]:
    """Put Delta's jars into Spark's jars folder where they are missing; return the names of the jars added.

    ``fetch`` puts both into an empty folder. An InputError: a jar has another SHA-256; then nothing was changed.
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
    """Fetch Delta's jars with Spark's resolver, ``spark-submit --packages`` of an empty script, or say why not."""
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


def write_changed(path: Path, content: bytes) -> bool:
    """Write a file, whole or not at all, unless it holds this content already; return whether it was written."""
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    partial.write_bytes(content)
    partial.replace(path)
    return True


def use_python_beside(finder: Path) -> list[str]:
    """Let the ``spark-submit`` beside a script of pyspark's find Spark by the Python beside it, not by one on PATH."""
    if not finder.is_file():
        return []
    text, mode = finder.read_text("utf-8"), finder.stat().st_mode
    changed = write_changed(finder, text.replace(':-"python3"}', ':-"$(dirname "$0")/python3"}').encode())
    finder.chmod(mode)
    return [FINDER] if changed else []


def main() -> int:
    """Check or complete the installation, print what was done, and return the exit status."""
    try:
        check_spark_home()
        ensure_java()
        spark, java = spark_folder(), shutil.which("java")
        done = ensure_jars(spark / "jars", fetch_with_ivy)
        contents = {name: resources.files("quotelake.conf").joinpath(name).read_bytes() for name in CONF}
        done += [name for name, content in contents.items() if write_changed(spark / "conf" / name, content)]
        done += use_python_beside(Path(sys.executable).with_name(FINDER))
        home = os.environ.get("JAVA_HOME") or (str(Path(java).resolve().parents[1]) if java else "")
        write_changed(spark / "conf" / JAVA_NOTE, home.encode())
    except QuotelakeError as error:
        print(f"quotelake: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"quotelake: the installed pyspark cannot be completed: {error}", file=sys.stderr)
        return InputError.exit_code
    for name in done:
        print(f"quotelake: installed {name}")
    print(f"quotelake: ready (Python {sys.version_info.major}.{sys.version_info.minor}, Java, Spark and Delta)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
