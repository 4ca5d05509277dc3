"""A walk is read, run and written again without loss; what is compared is what stays from run to run."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from quotelab.benchmarks.walks import Step, do, masked, record, steps

DOCUMENT = """# A walk

```text a.txt
one
two
```

Count it, and fail:

```console
$ wc -l \\
    < a.txt
2
$ echo no >&2; exit 3
no
(exit status 3)
$ true
```

```sh
$ not a step
```
"""


def test_files_and_commands_are_read_in_order_with_what_they_print():
    assert steps(DOCUMENT) == [
        Step("", "a.txt", "one\ntwo\n"),
        Step("wc -l \\\n    < a.txt", "", "2\n"),
        Step("echo no >&2; exit 3", "", "no\n(exit status 3)\n"),
        Step("true", "", ""),
    ]


def test_a_walk_that_prints_the_same_is_the_same_document(tmp_path: Path):
    for step in steps(DOCUMENT):
        assert do(step, tmp_path) == step.text
    assert record(DOCUMENT, lambda step: do(step, tmp_path)) == DOCUMENT


LINES = st.text(st.sampled_from("ab$`\\ "), max_size=8).filter(lambda line: not line.startswith("```"))


@given(st.lists(st.tuples(st.sampled_from(["", "```console", "```sh", "```toml x.toml"]), st.lists(LINES, max_size=4))))
def test_no_character_of_a_document_is_lost(blocks):
    text = "".join(
        f"{fence}\n" + "".join(f"{line}\n" for line in lines) + ("```\n" if fence else "") for fence, lines in blocks
    )
    assert record(text, lambda step: step.text) == text


def test_times_and_last_digits_do_not_count_and_all_else_does():
    same = {"judged in 0.21 s": "judged in 11.3 s", "at 2026-01-02 03:04:05": "at 2026-01-02 13:04:05.5"}
    for one, other in (*same.items(), ("0.911", "0.910")):
        assert masked(one) == masked(other)
    for one, other in (("5 alerts", "6 alerts"), ("no such file", "no file"), ("0.911", "0.123")):
        assert masked(one) != masked(other)
