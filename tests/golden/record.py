"""Record what the product says now: run it after a change of results, with the number of its part raised.

    python -m tests.golden.record

Refuses a change of output whose part has the number it had, a raised number without a change of output, and another
type of a column that any lake may have: Delta casts what is written to the type that is there, without a word.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

from tests.golden.corpora import corpus
from tests.golden.outputs import PARTS, digest_of

from quotelake.contextomy.decide import load_detector
from quotelake.embeddings.models import Model
from quotelake.lake.contracts import contract, table_names
from quotelake.nightly.versions import NUMBERS, versions_of
from quotelake.settings import load_settings

CORPORA: Final = ("sample", "articles", "tweets", "made_up")
RECORDED: Final = Path(__file__).with_name("recorded.json")
#: A data file or default setting changed, and with it the names of versions.
ACTIVATE: Final = "every lake must be activated: if that is meant, record it: python -m tests.golden.record"


def names() -> dict[str, str]:
    """Names of the versions of the shipped settings, with a model that is not there."""
    settings = load_settings()
    model = Model("m", Path(), "float32", None, "f" * 32)
    detector = load_detector(settings.contextomy)
    versions = versions_of(settings, detector, model, cosines_count=True, representation="masked")
    return {"rule_version": versions.rule_version, "detector_version": versions.detector_version}


def types() -> dict[str, str]:
    """Type of each column of the tables."""
    return {f"{table}.{each.name}": each.type for table in table_names() for each in contract(table).columns}


def faults(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What is wrong about a change of what is recorded, a sentence each."""
    found = []
    for part, entry in now["parts"].items():
        old = before["parts"].get(part, {"number": 0, "output": {}})
        raised, changed = entry["number"] != old["number"], entry["output"] != old["output"]
        if changed and not raised:
            found.append(f"{part} says something else: if that is meant, raise its number in nightly/versions.py")
        if raised and not changed:
            found.append(f"the number of {part} was raised from {old['number']}, but it says what it said before")
    stored = before.get("types", {})
    retyped = sorted(name for name, type_ in now.get("types", {}).items() if stored.get(name, type_) != type_)
    return [*found, *(f"{name} is {stored[name]} in older lakes: name it otherwise" for name in retyped)]


def main() -> None:
    """Write the record, or say why not."""
    texts = {name: corpus(name) for name in CORPORA}
    parts = {
        part: {"number": NUMBERS[part], "output": {name: digest_of(part, texts[name]) for name in CORPORA}}
        for part in PARTS
    }
    before = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {"names": {}, "parts": {}}
    now = {"names": names(), "parts": parts, "types": types()}
    if found := faults(before, now):
        sys.exit("\n".join(found))
    now["types"] = dict(
        sorted({**before.get("types", {}), **types()}.items())
    )  # those of columns that are no more, too
    RECORDED.write_text(json.dumps(now, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
