"""The tools that are compared, each at its defaults and tuned, and why it was tuned so.

Each public tool was tuned on the first 10,000 rows of :func:`~quotelab.synthetic.texts.mixed`, among
shingles of 1 to 3 words (2 and 3 for datatrove, 4 and 5 characters for distributed-curator) and some numbers of bands:
for the highest F1 of B-cubed, and for the highest recall of B-cubed that leaves a precision of at least .8 there.
Without such a bound, the setting of the highest recall is the one that puts all texts into one group. One setting of
distributed-curator was the best of both.
"""

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

from quotelake.errors import InputError

#: What the settings are called in the table.
DEFAULTS, TUNED, RECALL = "defaults", "tuned for F1", "tuned for recall"
OURS: Final = "quotelake"
_PACKAGE: Final = "quotelab.benchmarks.peers"


@dataclass(frozen=True)
class Tool:
    """A tool in one setting.

    Attributes:
        name: of the tool; of a public one also the name of its environment and of its file of pinned packages.
        setting: which of its settings.
        module: adapter, see :mod:`quotelab.benchmarks.peers`.
        options: of the adapter.
        why: reason for the options.
        spark: whether it runs on Spark, and so writes a log of events.
    """

    name: str
    setting: str
    module: str
    options: tuple[str, ...] = ()
    why: str = ""
    spark: bool = False

    @property
    def ours(self) -> bool:
        """Whether it runs in the environment of this process."""
        return self.name == OURS

    @property
    def label(self) -> str:
        """Name and version as shown."""
        return self.name if self.ours else f"{self.name} {pinned(self.name)[0].partition('==')[2]}"


def pinned(name: str) -> list[str]:
    """Packages of a public tool's environment, the tool first, as pip takes them."""
    text = resources.files(_PACKAGE).joinpath(f"{name}.txt").read_text("utf-8")
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def python_of(tool: Tool, environments: Path, ours: Path) -> Path:
    """Python that runs a tool: this process's for ours, that of the tool's environment otherwise."""
    return ours if tool.ours else environments / tool.name / "bin" / "python"


def choose(names: str | None) -> list[Tool]:
    """Tools of the given names, separated by commas, in all settings; None: all. Ratios need ours among them.

    Raises:
        InputError: a name is not known.
    """
    known = {tool.name for tool in TOOLS}
    wanted = set(names.split(",")) if names else known
    if unknown := wanted - known:
        raise InputError(f"no tool {', '.join(sorted(unknown))}: name some of {', '.join(sorted(known))}")
    return [tool for tool in TOOLS if tool.name in wanted]


def _peer(name: str, module: str, setting: str, options: str, why: str, spark: bool = False) -> Tool:
    return Tool(name, setting, f"{_PACKAGE}.{module}", tuple(options.split()), why, spark)


_SKETCH: Final = ("datasketch", "datasketch_lsh")
_TROVE: Final = ("datatrove", "datatrove_minhash")
_CURATOR: Final = ("distributed-curator", "curator")

TOOLS: Final = (
    Tool(OURS, "one process", f"{_PACKAGE}.ours"),
    Tool(OURS, "Spark", f"{_PACKAGE}.ours_spark", spark=True),
    _peer(*_SKETCH, DEFAULTS, "", "the set of a text's words, as in its README; threshold .9"),
    _peer(
        *_SKETCH, TUNED, "--shingle 3 --num-perm 120 --bands 24 --buckets",
        "shingles of 3 words; of pairs with a Jaccard index of .49, half meet in one of 24 bands of 5 rows",
    ),
    _peer(
        *_SKETCH, RECALL, "--shingle 3 --num-perm 256 --bands 64 --buckets",
        "64 bands of 4 rows: half of the pairs with an index of .32 meet; 2-word shingles make giant groups",
    ),
    _peer(*_TROVE, DEFAULTS, "", "shingles of 5 words, 14 buckets of 8 hashes"),
    _peer(
        *_TROVE, TUNED, "--n-grams 3 --num-buckets 20 --hashes-per-bucket 5",
        "shingles of 3 words; of pairs with a Jaccard index of .51, half meet",
    ),
    _peer(
        *_TROVE, RECALL, "--n-grams 2 --num-buckets 20 --hashes-per-bucket 6",
        "shingles of 2 words; half of the pairs with an index of .57 meet; fewer hashes make giant groups",
    ),
    _peer(
        *_CURATOR, DEFAULTS, "",
        "shingles of 9 characters, 16 bands of 4 hashes, threshold .8, 1,000 partitions",
        True,
    ),
    _peer(
        *_CURATOR, TUNED,
        "--ngram 5 --num-hashes 128 --num-bands 32 --similarity-threshold 0.5 --num-partitions 4",
        "shingles of 5 characters, threshold .5: best F1 and recall, for at .4 giant groups form; few partitions",
        True,
    ),
)  # fmt: skip
