"""Writes what annotators are given, and reads it again when their judgments come back.

The folder holds ``uses.tsv``, ``instances.tsv`` (all pairs), ``annotator-N/instances.tsv`` (those of one annotator, in
an order of their own), ``guidelines.md``, ``tutorial/`` (as PhiTag takes it), ``sources.tsv`` (which document each use
comes from), ``export.json`` (what was chosen) and a secret, ``_annotator_key``, which nobody but its owner needs.
"""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Final

from quotelab.labels.context_pairs import tutorial
from quotelab.labels.context_pairs.lake import Found, Tweets, draw_targets, eligible, find_uses
from quotelab.labels.phitag import INSTANCES, USES, Use, UsePair, read_pairs, read_uses, write_pairs, write_uses
from quotelab.labels.tables import table_rows, write_tsv
from quotelake.errors import InputError
from quotelake.files.jsonl import refuse
from quotelake.query.ask import Ask
from quotelake.sources.authors import author_key
from quotelake.text.ids import content_id

MOST_PAIRS: Final = 150  # of each target, Periti et al. 2024, §4.1
MOST_USES: Final = 30  # contexts of each target that pairs are made of [ours]; the paper has 30 a target
FEWEST_JUDGMENTS: Final = 2  # of each pair, Periti et al. 2024, §4.2
GUIDELINES: Final = "guidelines.md"
SOURCES: Final = "sources.tsv"
RECORD: Final = "export.json"
_KEY: Final = "_annotator_key"
_SOURCE_COLUMNS: Final = (
    "dataID", "kind", "source", "native_id", "doc_id", "context_start", "context_end", "start", "end", "passed_on",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choices:
    """What is exported.

    Attributes:
        quotes: most quotes and watched texts.
        contexts: fewest distinct contexts of one.
        uses: most uses of one.
        pairs: most pairs of one.
        annotators: people who judge.
        judgments: of each pair.
        tweets: how tweets are passed on.
        seed: of all that is drawn.
    """

    quotes: int = 40
    contexts: int = 10
    uses: int = MOST_USES
    pairs: int = MOST_PAIRS
    annotators: int = FEWEST_JUDGMENTS
    judgments: int = FEWEST_JUDGMENTS
    tweets: Tweets = Tweets.HANDLES_MASKED
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Exported:
    """An export as it lies in its folder; the texts of tweets passed on as ids are still missing.

    Attributes:
        uses: in the order of the file.
        pairs: by id.
        sources: rows of ``sources.tsv``.
        key: secret of the pseudonyms.
    """

    uses: Sequence[Use]
    pairs: Mapping[str, UsePair]
    sources: Sequence[Mapping[str, str]]
    key: bytes


def write_export(ask: Ask, choices: Choices, folder: Path) -> dict[str, int]:
    """Sample pairs of a lake and write the folder.

    Args:
        ask: queries the lake.
        choices: what is exported.
        folder: made if it is not there; its secret is kept if it is.

    Returns:
        Counts: quotes, contexts, pairs, judgments.

    Raises:
        InputError: no quote has enough contexts, annotators do not suffice, or the folder cannot be written or holds
            what annotators put there.
    """
    _annotators(folder)  # before the work, not after it
    kinds = eligible(ask, choices.contexts)
    if not kinds:
        raise InputError(
            f"found no quote with {choices.contexts} distinct contexts; score more texts or lower --contexts"
        )
    drawn = draw_targets(kinds, choices.quotes, choices.seed)
    found = find_uses(ask, {each: kinds[each] for each in drawn}, choices.tweets)
    uses = sample_uses([each.use for each in found], choices.uses, choices.seed)
    pairs = sample_pairs(uses, choices.pairs, choices.seed)
    try:
        given = assign(pairs, choices.annotators, choices.judgments, choices.seed)
    except ValueError as error:
        raise InputError(f"--annotators {choices.annotators}, --judgments {choices.judgments}: {error}") from None
    shown = {name for pair in pairs for name in (pair.first, pair.second)}
    kept = [each for each in found if each.use.use_id in shown]
    try:
        _write(folder, kept, pairs, given, choices)
    except OSError as error:
        refuse(str(folder), f"a folder that cannot be written ({error.strerror})", "name another one")
    targets = {each.use.target for each in kept}
    return {
        "quotes": len(targets), "contexts": len(kept), "pairs": len(pairs), "judgments": sum(map(len, given)),
    }  # fmt: skip


def read_export(folder: Path) -> Exported:
    """Read an export.

    Raises:
        InputError: a file is missing or wrong; it names file and line.
    """
    uses = read_uses(folder / USES)
    pairs = read_pairs(folder / INSTANCES, {use.use_id: use.target for use in uses})
    sources = [row for _, row in table_rows(folder / SOURCES, _SOURCE_COLUMNS, quoted=False)]
    return Exported(uses, pairs, sources, author_key(str(folder / _KEY)))


def _annotators(folder: Path) -> list[Path]:
    """Folders of annotators that an earlier export wrote.

    Raises:
        InputError: one holds something else too, such as judgments.
    """
    folders = sorted(folder.glob("annotator-*"))
    for each in folders:
        if not each.is_dir() or any(file.name != INSTANCES for file in each.iterdir()):
            refuse(str(each), f"more than the {INSTANCES} of an earlier export", "move it, or name another --out")
    return folders


def _write(
    folder: Path, found: Sequence[Found], pairs: Sequence[UsePair], given: Sequence[Sequence[UsePair]], choices: Choices
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    uses = [each.use for each in found]
    write_uses(uses, folder / USES)
    write_pairs(pairs, folder / INSTANCES)
    for old in _annotators(folder):
        shutil.rmtree(old)
    for number, mine in enumerate(given, 1):
        own = folder / f"annotator-{number}"
        own.mkdir()
        write_pairs(mine, own / INSTANCES)
    guidelines = files("quotelab.labels.context_pairs").joinpath(GUIDELINES).read_text("utf-8")
    (folder / GUIDELINES).write_text(guidelines, "utf-8")
    (folder / "tutorial").mkdir(exist_ok=True)
    for name in tutorial.NAMES:
        shutil.copyfile(tutorial.folder() / name, folder / "tutorial" / name)
    write_tsv(folder / SOURCES, _SOURCE_COLUMNS, (_source_row(each, choices.tweets) for each in found))
    (folder / RECORD).write_text(json.dumps(asdict(choices), indent=1) + "\n", "utf-8")
    author_key(str(folder / _KEY))  # made now, so that every import gives the same pseudonyms


def _source_row(found: Found, tweets: Tweets) -> tuple[str, ...]:
    passed_on = str(tweets) if found.kind == "tweet" else str(Tweets.TEXTS)
    span = (found.start, found.end, found.first, found.last)
    return (found.use.use_id, found.kind, found.source, found.native_id, found.doc_id, *map(str, span), passed_on)


def sample_uses(uses: Iterable[Use], most: int = MOST_USES, seed: int = 0) -> list[Use]:
    """At most so many uses of each target, by hash; in the order given."""
    by_target: dict[str, list[Use]] = {}
    for use in uses:
        by_target.setdefault(use.target, []).append(use)
    kept = {
        use.use_id
        for group in by_target.values()
        for use in sorted(group, key=lambda use: content_id("use", seed, use.use_id))[:most]
    }
    return [use for group in by_target.values() for use in group if use.use_id in kept]


def sample_pairs(uses: Iterable[Use], most: int = MOST_PAIRS, seed: int = 0) -> list[UsePair]:
    """Draw pairs of uses of each target, in random order, each with its two uses in random order.

    A fixed order would let annotators drift along a target, and lets the first use always be the same one; Periti et
    al. 2024 (Limitations) name both as faults of theirs.

    Args:
        uses: of any number of targets.
        most: pairs of a target; all it has, if they are fewer.
        seed: another one draws and orders anew.
    """
    by_target: dict[str, list[str]] = {}
    for use in uses:
        by_target.setdefault(use.target, []).append(use.use_id)
    pairs: list[UsePair] = []
    for group in by_target.values():
        named = ((content_id("pair", *pair), *pair) for pair in combinations(sorted(group), 2))
        drawn = sorted(named, key=lambda each: content_id("draw", seed, each[0]))[:most]
        for name, one, other in drawn:
            swapped = content_id("side", seed, name) < "8"
            pairs.append(UsePair(f"pair_{name[:16]}", *((other, one) if swapped else (one, other))))
    return in_random_order(pairs, seed)


def in_random_order(pairs: Iterable[UsePair], seed: int, annotator: int = 0) -> list[UsePair]:
    """Order pairs by hash; each annotator gets another order."""
    return sorted(pairs, key=lambda pair: content_id("order", seed, annotator, pair.instance_id))


def assign(pairs: Sequence[UsePair], annotators: int, judgments: int, seed: int = 0) -> list[list[UsePair]]:
    """Give each pair to so many annotators, and each annotator about equally many pairs, in an order of its own.

    Args:
        pairs: to be judged.
        annotators: at least ``judgments``.
        judgments: of each pair, at least :data:`FEWEST_JUDGMENTS`.
        seed: of the orders.

    Returns:
        The pairs of each annotator.

    Raises:
        ValueError: too few annotators or judgments.
    """
    if not FEWEST_JUDGMENTS <= judgments <= annotators:
        raise ValueError(f"{judgments} judgments a pair by {annotators} annotators: needs {FEWEST_JUDGMENTS} or more")
    given: list[list[UsePair]] = [[] for _ in range(annotators)]
    for pair in in_random_order(pairs, seed):
        # Those with fewest pairs; of several, by hash, so that all meet all.
        by_load = sorted(range(annotators), key=partial(_load, given, seed, pair))
        for who in by_load[:judgments]:
            given[who].append(pair)
    return [in_random_order(mine, seed, number) for number, mine in enumerate(given, 1)]


def _load(given: Sequence[Sequence[UsePair]], seed: int, pair: UsePair, who: int) -> tuple[int, str]:
    return len(given[who]), content_id("annotator", seed, pair.instance_id, who)
