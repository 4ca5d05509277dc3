"""The program: every command has its arguments, and documents name commands and options that exist."""

import re
import shlex
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from tests.running import Done

from quotelab.cli import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]


def parser_of(name: str) -> ArgumentParser:
    """The parser of a command, which lets every argument be left out, as a mention in a text does."""
    parser = ArgumentParser(prog=name)
    module = import_module(f"quotelab.{COMMANDS[name][0]}")
    assert module.__doc__ and callable(module.run), name
    module.configure(parser)
    parsers = [parser]
    for each in parsers:
        for action in (*each._actions, *each._mutually_exclusive_groups):
            action.required = False
            if isinstance(action, _SubParsersAction):
                parsers += action.choices.values()
    return parser


def commands_in(text: str) -> list[str]:
    """What a page shows of the program: lines of its blocks, and spans, of which some leave its name out."""
    text = text.replace("\\\n", " ")
    blocks = "\n".join(re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S))
    lines = re.findall(r"^\S*\bquotelab ([a-z].*)", blocks, re.M)
    spans = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    named = [span.partition("quotelab ")[2] for span in spans if re.match(r"(?:\.venv/bin/)?quotelab [a-z]", span)]
    short = [span for span in spans if span.startswith(("evaluate ", "bench ", "fuzz ", "train ", "annotate "))]
    return lines + named + short


@pytest.mark.parametrize("page", PAGES)
def test_documents_name_commands_and_options_that_exist(page: str):
    for words in commands_in((ROOT / page).read_text("utf-8")):
        given = shlex.split(words.replace("PROTOCOL", "reuse"), comments=True)
        name = next((name for n in (1, 2) if (name := " ".join(given[:n])) in COMMANDS), None)
        assert name or (any(n.startswith(f"{given[0]} ") for n in COMMANDS) and len(given) == 1), f"quotelab {words}"
        if name:
            parser_of(name).parse_args(given[len(name.split()) :])  # one that it does not know ends the test


@pytest.mark.parametrize(("words", "code"), [("", 0), ("bench", 0), ("--help", 0), ("benhc", 2)])
def test_commands_are_listed(lab: Callable[..., Done], words: str, code: int):
    done = lab(words)
    assert done.code == code and "bench night" in done.out + done.error


def test_a_number_that_counts_nothing_is_one_message(lab: Callable[..., Done]):
    assert "argument --inputs: '0': must be a whole number from 1 on" in lab("fuzz quotes", "--inputs", 0).error
