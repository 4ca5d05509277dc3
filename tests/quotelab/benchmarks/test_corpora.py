import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from quotelab.benchmarks.corpora import hold_back, in_other_words, read_lines, write_lines
from quotelab.grouping import group_texts
from quotelake.quotes.spans import find_quotes
from quotelake.sample import sample_inputs, sample_path
from quotelake.settings import load_settings

SETTINGS = load_settings()
NEWS = SETTINGS.sources["sample_news"]
RECORDS = [line for line in Path(sample_path("news.jsonl")).read_bytes().split(b"\n") if line]
sources = st.dictionaries(st.sampled_from("abc"), st.lists(st.binary(max_size=3), min_size=1, max_size=9), min_size=1)


@given(sources, st.data())
def test_what_is_kept_and_what_is_held_back_is_the_input_in_order(lines, data):
    total = sum(map(len, lines.values()))
    if total < 2:
        return
    count = data.draw(st.integers(1, total - 1))
    kept, held = hold_back(lines, count)
    assert sum(map(len, held.values())) == count
    assert {name: kept.get(name, []) + held.get(name, []) for name in lines} == lines


def test_written_records_are_read_again_as_they_were(tmp_path):
    lines = read_lines(sample_inputs(), SETTINGS)
    assert read_lines(write_lines(lines, tmp_path), SETTINGS) == lines
    assert sum(map(len, lines.values())) == 340  # the broken ones included


def texts(records):
    found = [json.loads(record) for record in records]
    return [(each["id"], each.get("title") or "", each.get("text") or "") for each in found]


def test_a_copy_is_found_to_hold_the_same_quotes_in_other_words():
    before, after = texts(RECORDS), texts(in_other_words(RECORDS, NEWS, 1))
    same_spans, changed, quotes = 0, 0, 0
    for (_, title, body), (_, new_title, new_body) in zip(before, after, strict=True):
        assert (len(new_title), len(new_body)) == (len(title), len(body))
        for old, new, mode in ((title, new_title, "headline"), (body, new_body, "body")):
            first, second = find_quotes(old, mode), find_quotes(new, mode)
            same_spans += [(q.start, q.end) for q in first] == [(q.start, q.end) for q in second]
            if len(first) == len(second):
                quotes += sum(len(q.text.split()) >= 4 for q in first)
                changed += sum(a.text != b.text for a, b in zip(first, second, strict=True) if len(a.text.split()) >= 4)
    assert same_spans >= 0.97 * 2 * len(RECORDS)
    # English ones; words of other scripts stay.
    assert changed >= 0.8 * quotes


def test_quotes_of_one_copy_are_not_reused_in_another():
    """Else a corpus of ten copies has hardly a quote that is not reused, and costs far more than ten times as much."""
    bodies = ([body for *_, body in texts(in_other_words(RECORDS, NEWS, copy))] for copy in (1, 2))
    quotes = ([quote.text for body in copy for quote in find_quotes(body)] for copy in bodies)
    first, second = ([text for text in copy if len(text.split()) >= 4] for copy in quotes)
    groups = group_texts([*first, *second])
    shared = set(groups[: len(first)]) & set(groups[len(first) :])
    assert len(first) >= 100
    assert sum(group in shared for group in groups) <= 0.1 * len(groups)


def test_a_quote_of_function_words_is_another_one_in_each_copy():
    """Else a hundred copies of it would be a group, whose uses each batch of a load compares anew."""
    said = json.dumps({"id": 1, "title": "They said it", "text": "She said: “They should have been there with you.”"})
    [found] = {len({text for copy in range(9) for *_, text in texts(in_other_words([said.encode()], NEWS, copy))})}
    assert found == 9


def test_the_first_copy_and_broken_records_stay_as_they_are():
    broken = [b'{"id": 1', b"[]", b"[" * 100_000, b'{"id": 1, "text": null}']
    assert list(in_other_words(RECORDS, NEWS, 0)) == RECORDS
    assert list(in_other_words(broken, NEWS, 1))[:3] == broken[:3]
