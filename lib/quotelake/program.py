"""How commands are typed in the shell in use, and where files lie that messages name, in a checkout or installed."""

import os
import shlex
import sys
from importlib import resources
from pathlib import Path
from typing import Final

#: Folder of the checkout or, if a wheel was installed, that of the package, which has the same ``conf`` and ``docs``.
_HOME: Final = Path(str(resources.files("quotelake.conf"))).parent
_IS_CHECKOUT: Final = (_HOME / "Makefile").exists()
#: Environment variable in which the program says where it lies.
STARTED_BY: Final = "QUOTELAKE_PROGRAM"


def program() -> str:
    """The program as a shell finds it without anything activated: relative if it lies below the working directory.

    It is the program that was started, else the one installed beside the running Python. Where none is installed,
    the module is named.
    """
    path, here = Path(os.environ.get(STARTED_BY) or Path(sys.executable).with_name("quotelake")), Path.cwd()
    if not path.exists():
        return f"{shlex.quote(sys.executable)} -m quotelake"
    if here == path.parent:
        return f"./{path.name}"
    below = path.is_relative_to(here) and here != Path(here.anchor)
    return shlex.quote(str(path.relative_to(here) if below else path))


def shipped(path: str) -> str:
    """A file of ``conf`` or ``docs`` as a reader finds it: from the top of the checkout, else where it is installed."""
    return path if _IS_CHECKOUT else str(_HOME / path)


def installation() -> str:
    """The command that completes an installation: fetches Delta's jars and, where it may, Java."""
    return "make install" if _IS_CHECKOUT else f"{shlex.quote(sys.executable)} -m quotelake.spark.installation"


def command(name: str) -> str:
    """A command as it is typed in a shell, such as ``.venv/bin/quotelake query``."""
    return f"{program()} {name}"
