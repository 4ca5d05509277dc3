"""The program ``quotelab``: the bench's commands, each of a module with ``configure(parser)`` and ``run(options)``."""

import sys
from collections.abc import Sequence
from typing import Final

from quotelake.cli import run_command
from quotelake.errors import exit_with

#: Command, of one word or two → its module below quotelab, and what it does.
COMMANDS: Final = {
    "evaluate": ("protocols.evaluate", "measure against labels of people: the figures of a protocol"),
    "papers": ("papers.making", "compute the papers' tables, beside the published ones, on one page"),
    "train contextomy": ("training.contextomy", "train a detector of contextomized headline quotes, or adjust one"),
    "train alerts": ("training.alerts", "measure each kind of alerts on real and written headlines, for their budget"),
    "train quotecse": ("training.quotecse", "train a sentence encoder of news quotes"),
    "train topic-head": ("training.topic_head", "train a linear map on stored vectors that ranks topics better"),
    "train topics": ("training.topics", "fine-tune an encoder on pairs of contexts judged for topic relatedness"),
    "train relatedness": ("training.sentences", "fine-tune an encoder on pairs of sentences scored for relatedness"),
    "annotate": ("annotation.command", "let people judge pairs of contexts, and make gold labels and folds of it"),
    "label": ("labels.label", "draw headline quotes to be labelled, and take the labels back"),
    "generate": ("synthetic.generate", "write a synthetic news corpus of any size, with its truth"),
    "bench all": ("benchmarks.everything", "measure every speed that the project states"),
    "bench encoder": ("benchmarks.encoder", "measure the encoder on this processor"),
    "bench embedding": ("benchmarks.embedding", "measure what Spark adds to the encoder"),
    "bench extraction": ("benchmarks.extraction", "measure the kernels that read texts"),
    "bench readers": ("benchmarks.readers", "measure the readers of the declared sources"),
    "bench contextomy": ("benchmarks.contextomy", "measure the shipped detector"),
    "bench load": ("benchmarks.load", "measure the first load of a corpus, and of it multiplied"),
    "bench cluster": ("benchmarks.cluster", "measure a first load on a cluster beside that on one machine"),
    "bench night": ("benchmarks.night", "measure the same night on archives of growing size"),
    "bench year": ("benchmarks.year", "measure a lake that lives through a year of small nights"),
    "bench reuse": ("benchmarks.reuse", "measure the grouping of reused quotes, beside public tools"),
    "bench recipes": ("benchmarks.recipes", "measure the recipes of docs/QUERIES.md on a lake"),
    "bench topics": ("benchmarks.topics", "measure topic variation at scale"),
    "fuzz quotes": ("benchmarks.fuzz", "run the quotation kernel on hostile inputs"),
    "fuzz patterns": ("benchmarks.patterns", "measure each regular expression on hostile texts"),
    "walks": ("benchmarks.walks", "run the commands of a document, and write what they print into it"),
}


def main() -> None:
    """Run the command that the arguments of the process name, and exit with its status."""
    exit_with(lambda: run(sys.argv[1:]))


def run(words: Sequence[str]) -> int:
    """Run a command, given as its words and arguments; return the exit status."""
    name = next((name for n in (1, 2) if (name := " ".join(words[:n])) in COMMANDS), None)
    if name is None:
        return _list(words)
    return run_command(f"quotelab.{COMMANDS[name][0]}", f"quotelab {name}", words[len(name.split()) :]) or 0


def _list(words: Sequence[str]) -> int:
    """List the commands, those that begin with the first word if there are some."""
    chosen = [name for name in COMMANDS if words and name.startswith(f"{words[0]} ")]
    is_help = not words or words[0] in ("-h", "--help") or bool(chosen)
    lines = [f"  {name:<20}  {COMMANDS[name][1]}" for name in chosen or COMMANDS]
    text = "\n".join(["usage: quotelab COMMAND [ARGUMENT …]", "", *lines])
    print(text if is_help else f"quotelab: no command {words[0]!r}\n{text}", file=sys.stdout if is_help else sys.stderr)
    return 0 if is_help else 2


if __name__ == "__main__":
    main()
