"""What is built holds everything the checkout holds, and works from a zip, as executors of a cluster get it."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = {"lib/quotelake": "quotelake", "lib/quotelab": "quotelab"}
PACKAGES |= {name: f"quotelake/{name}" for name in ("schemas", "conf", "docs")}
ENOUGH = ("setup.py", "pyproject.toml", "LICENSE")


def run(*command: str | Path, cwd: Path) -> str:
    result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=1800, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Path:
    """A wheel built from a copy of the checkout (a build leaves files beside its sources), renamed to .zip."""
    copy = tmp_path_factory.mktemp("checkout")
    for folder in ("lib", "schemas", "conf", "docs"):
        left_out = shutil.ignore_patterns("__pycache__", "*.egg-info", "reference")
        shutil.copytree(ROOT / folder, copy / folder, ignore=left_out)
    for name in ENOUGH:
        shutil.copy(ROOT / name, copy)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", "built", ".", cwd=copy)
    (wheel,) = (copy / "built").glob("quotelake-*.whl")
    return wheel.rename(wheel.with_suffix(".zip"))


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_package(archive: Path):
    checkout = archive.parent.parent
    expected = {
        f"{target}/{path.relative_to(checkout / source).as_posix()}"
        for source, target in PACKAGES.items()
        for path in (checkout / source).rglob("*")
        if path.is_file() and not {"__pycache__", "quotelake.egg-info"}.intersection(path.parts)
    }
    built = {name for name in zipfile.ZipFile(archive).namelist() if name.startswith(("quotelake/", "quotelab/"))}
    assert built == expected


@pytest.mark.slow
def test_the_zip_works_without_the_checkout(archive: Path, tmp_path: Path):
    code = (
        f"import sys; sys.path.insert(0, {str(archive)!r})\n"
        "from importlib import resources\n"
        "import quotelake; from quotelake.settings import load_settings\n"
        "assert quotelake.__file__.startswith(sys.path[0]), quotelake.__file__\n"
        "print(len(load_settings().fingerprint))\n"
        "print(resources.files('quotelake.schemas').joinpath('quotes.sql').is_file())\n"
        "print(resources.files('quotelake.conf').joinpath('spark-defaults.conf').is_file())\n"
    )
    assert run(sys.executable, "-c", code, cwd=tmp_path).split() == ["32", "True", "True"]


@pytest.mark.slow
def test_the_program_of_a_wheel_runs(archive: Path, tmp_path: Path):
    wheel = shutil.copy(archive, tmp_path / archive.with_suffix(".whl").name)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-deps", "--no-index")
    run(*pip, "--ignore-installed", "--prefix", tmp_path / "prefix", wheel, cwd=tmp_path)
    [packages] = (tmp_path / "prefix").glob("lib*/python3*/site-packages")
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(packages)}
    code = (
        "from quotelake.program import *; print(shipped('docs/NIGHTLY.md'), shipped('conf/base.toml'), installation())"
    )
    named = subprocess.check_output([sys.executable, "-c", code], cwd=tmp_path, env=env, text=True)
    nightly, base, *completing = named.split()
    assert Path(nightly).is_file() and Path(base).is_file() and packages in Path(base).parents
    assert completing == [sys.executable, "-m", "quotelake.spark.installation"]
    program = [tmp_path / "prefix" / "bin" / "quotelake", "find", "--help"]
    shown = subprocess.check_output(program, cwd=tmp_path, env=env, text=True)
    assert shown.startswith("usage: prefix/bin/quotelake find ")
