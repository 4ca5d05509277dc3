"""The program: every command has its arguments, and documents name commands and options that exist."""

import re
from argparse import ArgumentParser
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from tests.running import Done

from quotelab.cli import COMMANDS
from quotelake.commands import MOVED

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]


def parser_of(name: str) -> ArgumentParser:
    parser = ArgumentParser()
    module = import_module(f"quotelab.{COMMANDS[name][0]}")
    assert module.__doc__ and callable(module.run), name
    module.configure(parser)
    return parser


@pytest.mark.parametrize("page", PAGES)
def test_documents_name_commands_and_options_that_exist(page: str):
    text = (ROOT / page).read_text("utf-8").replace("\\\n", " ")
    for words in re.findall(r"(?:`|bin/)quotelab ([a-z][^`\n]*)", text):
        name = next((n for n in COMMANDS if f"{words} ".startswith(f"{n} ")), None)
        assert name or any(n.startswith(words.strip()) for n in COMMANDS), f"quotelab {words}"
        if name and name != "annotate":
            known = parser_of(name).format_help()
            for option in re.findall(r"--[a-z][a-z-]+", words.partition(" #")[0]):
                assert re.search(rf"{option}\b", known), f"quotelab {words}: {option}"


def test_what_moved_from_quotelake_is_a_command():
    assert {now.removeprefix("quotelab ") for now in MOVED.values()} <= set(COMMANDS)


@pytest.mark.parametrize(("words", "code"), [("", 0), ("bench", 0), ("--help", 0), ("benhc", 2)])
def test_commands_are_listed(lab: Callable[..., Done], words: str, code: int):
    done = lab(words)
    assert done.code == code and "bench night" in done.out + done.error
