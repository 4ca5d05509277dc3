"""Writes what annotators are given, and reads it again when their judgments come back; docs/LAB.md names the files."""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

from quotelab.annotation.lake import Tweets, eligible, find_uses
from quotelab.labels.judged import INSTANCES, USES, Pair, Use, read_pairs, read_uses, write_pairs, write_uses
from quotelab.labels.tables import table_rows, write_tsv
from quotelake.errors import InputError
from quotelake.files.jsonl import refuse
from quotelake.files.outputs import MARK, csv_text, write_atomically
from quotelake.query.engines import RunSql
from quotelake.sources.keyed_hashes import author_key
from quotelake.text.ids import content_id

#: What every export holds: guidelines and the tutorial.
GIVEN: Final = Path(__file__).with_name("given")
FEWEST_JUDGMENTS: Final = 2  # of each pair, Periti et al. 2024, §4.2
#: Sheets in which an annotator fills in the column ``label``, instead of PhiTag: pairs, and those of the tutorial.
SHEETS: Final = ("sheet.csv", "tutorial.csv")
_SHEET: Final = ("instanceID", "text", "context_1", "context_2", "label", "comment", "annotator")
_SOURCES: Final = "sources.tsv"
_KEY: Final = "_annotator_key"


def _option(usual: int, meaning: str) -> int:
    """A field that is an option of the command."""
    option: int = field(default=usual, metadata={"help": f"{meaning} ({usual})"})
    return option


@dataclass(frozen=True, slots=True)
class Choices:
    """What is exported."""

    quotes: int = _option(40, "most quotes and watched texts, drawn by hash")
    contexts: int = _option(10, "fewest distinct contexts of one")
    uses: int = _option(30, "most contexts of one")  # [ours]; the paper has 30 a target
    pairs: int = _option(150, "most pairs of one")  # Periti et al. 2024, §4.1
    annotators: int = _option(FEWEST_JUDGMENTS, "people who judge")
    judgments: int = _option(FEWEST_JUDGMENTS, "of each pair")
    seed: int = _option(0, "another one draws anew")
    tweets: Tweets = Tweets.HANDLES_MASKED


class Exported(NamedTuple):
    """An export: uses, without the texts of tweets passed on as ids, pairs by id, rows of sources, the secret."""

    uses: Sequence[Use]
    pairs: Mapping[str, Pair]
    sources: Sequence[Mapping[str, str]]
    key: bytes


def write_export(run_sql: RunSql, choices: Choices, folder: Path) -> dict[str, int]:
    """Sample pairs of a lake and write the folder, whose secret is kept; return the counts."""
    earlier = sorted(folder.glob("annotator-*"))
    for each in earlier:  # before the work, not after it
        if not each.is_dir() or any(map(_is_filled, each.iterdir())):
            refuse(str(each), f"more than the {INSTANCES} of an earlier export", "move it, or name another --out")
    kinds = eligible(run_sql, choices.contexts)
    if not kinds:
        raise InputError(
            f"found no quote with {choices.contexts} distinct contexts; score more texts or lower --contexts"
        )
    drawn = sorted(kinds, key=lambda each: content_id("target", choices.seed, each))[: choices.quotes]
    found = find_uses(run_sql, {each: kinds[each] for each in drawn}, choices.tweets)
    pairs = sample_pairs([each.use for each in found], choices.uses, choices.pairs, choices.seed)
    try:
        given = assign(pairs, choices.annotators, choices.judgments, choices.seed)
    except ValueError as error:
        raise InputError(f"--annotators {choices.annotators}, --judgments {choices.judgments}: {error}") from None
    shown = {name for pair in pairs for name in (pair.first, pair.second)}
    kept = [each for each in found if each.use.use_id in shown]
    taught = read_uses(GIVEN / "tutorial" / USES)
    tutorial = list(read_pairs(GIVEN / "tutorial" / INSTANCES, taught).values())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_uses([each.use for each in kept], folder / USES)
        write_pairs(pairs, folder / INSTANCES)
        for old in earlier:
            shutil.rmtree(old)
        for number, mine in enumerate(given, 1):
            place = folder / f"annotator-{number}"
            write_pairs(mine, place / INSTANCES)
            _write_sheet(place / SHEETS[0], mine, [each.use for each in kept], place.name)
            _write_sheet(place / SHEETS[1], tutorial, taught, place.name)
        shutil.copytree(GIVEN, folder, dirs_exist_ok=True)
        rows = [each.source_row(choices.tweets) for each in kept]
        write_tsv(folder / _SOURCES, list(rows[0]), [list(row.values()) for row in rows])
        (folder / "export.json").write_text(json.dumps(asdict(choices), indent=1) + "\n", "utf-8")
        author_key(str(folder / _KEY))  # made now, so that every import gives the same pseudonyms
    except OSError as error:
        refuse(str(folder), f"a folder that cannot be written ({error.strerror})", "name another one")
    quotes = {each.use.target for each in kept}
    return {"quotes": len(quotes), "contexts": len(kept), "pairs": len(pairs), "judgments": sum(map(len, given))}


def _write_sheet(path: Path, pairs: Iterable[Pair], uses: Iterable[Use], annotator: str) -> None:
    """Write a row for each pair, with its texts and an empty label."""
    texts = {use.use_id: use.context for use in uses}
    rows = ((p.pair_id, p.target, texts[p.first], texts[p.second], "", "", annotator) for p in pairs)
    write_atomically(path, MARK + csv_text(_SHEET, (dict(zip(_SHEET, row, strict=True)) for row in rows)))


def _is_filled(path: Path) -> bool:
    """Whether a file holds work of an annotator: any but those of an export, and a sheet with a label."""
    if path.name in SHEETS:
        return any(row["label"].strip() for _, row in table_rows(path, ("label",)))
    return path.name != INSTANCES


def read_export(folder: Path) -> Exported:
    """Read an export; an InputError names the file that is missing, or file and line of what is wrong."""
    uses = read_uses(folder / USES)
    columns = ("dataID", "doc_id", "context_start", "context_end", "start", "end", "passed_on")
    sources = [row for _, row in table_rows(folder / _SOURCES, columns, quoted=False)]
    return Exported(uses, read_pairs(folder / INSTANCES, uses), sources, author_key(str(folder / _KEY)))


def sample_pairs(uses: Iterable[Use], most_uses: int, most: int, seed: int = 0) -> list[Pair]:
    """Draw pairs of each target by hash, in random order and each in random order: annotators drift along a target."""
    by_target: dict[str, list[str]] = {}
    for use in uses:
        by_target.setdefault(use.target, []).append(use.use_id)
    pairs: list[Pair] = []
    for target, group in by_target.items():
        chosen = sorted(group, key=lambda use: content_id("use", seed, use))[:most_uses]
        named = ((content_id("pair", *pair), *pair) for pair in combinations(sorted(chosen), 2))
        drawn = sorted(named, key=lambda each: content_id("draw", seed, each[0]))[:most]
        for name, one, other in drawn:
            first, second = (other, one) if content_id("side", seed, name) < "8" else (one, other)
            pairs.append(Pair(f"pair_{name[:16]}", first, second, target))
    return _in_random_order(pairs, seed)


def assign(pairs: Sequence[Pair], annotators: int, judgments: int, seed: int = 0) -> list[list[Pair]]:
    """Give each pair to so many annotators, and each about equally many pairs; a ValueError if too few judge a pair."""
    if not FEWEST_JUDGMENTS <= judgments <= annotators:
        raise ValueError(f"{judgments} judgments a pair by {annotators} annotators: needs {FEWEST_JUDGMENTS} or more")
    given: list[list[Pair]] = [[] for _ in range(annotators)]
    for pair in _in_random_order(pairs, seed):
        # Those with fewest pairs; of several, by hash, so that all meet all.
        order = {who: content_id("annotator", seed, pair.pair_id, who) for who in range(annotators)}
        for who in sorted(order, key=lambda who: (len(given[who]), order[who]))[:judgments]:
            given[who].append(pair)
    return [_in_random_order(mine, seed, number) for number, mine in enumerate(given, 1)]


def _in_random_order(pairs: Iterable[Pair], seed: int, annotator: int = 0) -> list[Pair]:
    """Order pairs by hash; each annotator gets another order."""
    return sorted(pairs, key=lambda pair: content_id("order", seed, annotator, pair.pair_id))
