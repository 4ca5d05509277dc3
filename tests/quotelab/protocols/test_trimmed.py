"""Generated articles say truly which quotes are cut, and the flag is held against what they say."""

import json
from pathlib import Path

import pytest

from quotelab.protocols.trimmed import evaluate
from quotelab.synthetic.trimmed import OTHERWISE, PARTS, articles
from quotelake.errors import InputError
from quotelake.settings import load_settings


def written(path: Path, groups: int) -> Path:
    path.write_text("".join(json.dumps(each._asdict()) + "\n" for each in articles(groups, 7)), "utf-8")
    return path


def test_what_is_cut_stands_in_the_whole_quotes_of_two_other_outlets_and_not_in_the_cut_one():
    groups: dict[str, list[tuple[str, str, bool]]] = {}
    for each in articles(64, 7):
        groups.setdefault(each.group, []).append((each.kind, each.text[each.start : each.end], each.trimmed))
        assert each.text[each.start - 1] == "“" and each.text[each.end : each.end + 2] == ",”"
    kinds = {kind for group in groups.values() for kind, _, _ in group}
    assert kinds == {"whole", *PARTS, *OTHERWISE}
    for group in groups.values():
        *whole, (kind, cut, trimmed) = group
        assert len({text for _, text, _ in whole}) == 1 and whole[0][1] != cut
        assert trimmed is (kind in PARTS) and (len(whole) >= 2 or kind == "one_carrier")


def test_nearly_all_that_is_cut_is_flagged_and_little_else(tmp_path: Path):
    figures = evaluate(written(tmp_path / "articles.jsonl", 64)).figures
    assert figures["precision"] >= 0.95 and figures["recall"] >= 0.8
    assert figures["flagged_one_carrier"] == 0.0
    settings = load_settings().reuse.model_copy(update={"carriers": 1})
    assert evaluate(tmp_path / "articles.jsonl", settings).figures["flagged_one_carrier"] > 0.5


@pytest.mark.parametrize(("start", "said"), [("1", "line 1: field start"), (9, "line 1: found the quote")])
def test_a_wrong_row_is_named(tmp_path: Path, start: object, said: str):
    path = tmp_path / "articles.jsonl"
    row = {"group": "a", "outlet": "b", "text": "a text", "start": start, "end": 12, "kind": "k", "trimmed": True}
    path.write_text(json.dumps(row) + "\n", "utf-8")
    with pytest.raises(InputError, match=rf"articles.jsonl, {said}"):
        evaluate(path)
