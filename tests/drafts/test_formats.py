"""Plain text, Markdown and HTML become paragraphs, and each character knows its line in the file."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake import find_quotes
from quotelake.drafts.formats import read_plain
from quotelake.errors import InputError


@pytest.mark.parametrize(
    ("name", "raw", "expected"),
    [
        ("a.txt", "<p>We won.", "<p>We won."),
        ("a", "> We won.", "> We won."),
        ("a.md", "We *won* [it](x.html)\nat last.\n\nNext", "We won it at last.\n\nNext"),
        ("a.md", "# Head\n- one\n- two", "Head\n\none\n\ntwo"),
        ("a.MD", "Ruiz wrote:\n\n> We won.\n> All of it.", "Ruiz wrote:\n\n“We won. All of it.”"),
        ("a.md", "> We won.\n>\n> All of it.", "“We won.\n\n“All of it.”"),
        ("a.md", "> We won.\n>\n> — Ana Ruiz", "“We won.”\n\n— Ana Ruiz"),
        ("a.md", "> “We won,” she said.", "“We won,” she said."),
        ("a.md", "> We won the “cup”.", "«We won the “cup”.»"),
        ("a.md", "<p>We <b>won</b></p>\n\nNext", "We won\n\nNext"),
        ("a.md", "| a | b |\n|---|---|\n| “c” | d |", "a b\n\n“c” d"),
        ("a.html", "<title>T</title><p>We\n <b>w</b>on &ldquo;it&rdquo;<br>at last", "We won “it”\nat last"),
        ("a.htm", "<script>“x”</script><style>p{}</style><p>We <q>won</q>", "We “won”"),
        ("a.html", "<blockquote><p>We won.</p><p>Again.</p></blockquote>Next", "“We won.\n\n“Again.”\n\nNext"),
        ("a.html", "We won 3 < 4 &lt; 5 <b", "We won 3 < 4 < 5"),
    ],
)
def test_a_format_is_read_by_its_suffix(name: str, raw: str, expected: str):
    assert read_plain(raw, name).text == expected


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.txt", "one\n\ntwo\nthree\n"),
        ("a.md", "# one\n\nx *two*\nx **three** x\n"),
        ("a.md", "x\n\n> x\n> one\n\n- x\n- two\n\n<div>\nx\nthree</div>\n"),
        ("a.html", "<p>one<br>\nx\n<b>two</b>\n<blockquote>x\nthree</blockquote>"),
    ],
)
def test_a_place_has_the_line_of_the_file(name: str, raw: str):
    plain = read_plain(raw, name)
    for word in ("one", "two", "three"):
        assert plain.line(plain.text.index(word)) == raw[: raw.index(word)].count("\n") + 1, word


WRAPPED = (
    "Ana Ruiz said on Monday that “the boats are lost, and nobody will\n"
    "bring them back before the winter is over” while she stood at the\nharbour."
)


def test_a_wrapped_paragraph_is_one_line_and_offsets_stay():
    plain = read_plain(f"One\ntwo\n\n{WRAPPED}\n\nThree\n", "a.txt")
    assert plain.text == f"One\ntwo\n\n{' '.join(WRAPPED.split())}\n\nThree\n"
    assert plain.line(plain.text.index("Three")) == 8
    [quote] = find_quotes(plain.text)
    assert "\n" not in quote.text


@pytest.mark.parametrize(
    "raw",
    [
        "A poem has short lines\nthat nobody has wrapped\nand that stay apart",
        "RUIZ: The boats are lost, and nobody will get them\nBELL: Then what is it that we are going to do now?",
    ],
)
def test_lines_that_were_meant_stay(raw: str):
    assert read_plain(raw, "a.txt").text == raw


#: Text without characters that mean something to Markdown or HTML.
WORDS = st.lists(st.from_regex(r"[bcé][abc “”.,é]{0,10}[.”b]", fullmatch=True), min_size=1, max_size=5)


@given(WORDS)
def test_the_three_formats_hold_the_same_words(paragraphs: list[str]):
    said = [" ".join(each.split()) for each in paragraphs]
    texts = [
        read_plain("\n\n".join(said), "a.txt"),
        read_plain("\n\n".join(said), "a.md"),
        read_plain("".join(f"<p>{each}</p>" for each in said), "a.html"),
    ]
    assert {plain.text for plain in texts} == {"\n\n".join(said)}
    lasts = [plain.line(len(plain.text) - 1) for plain in texts]
    assert lasts == [2 * len(said) - 1, 2 * len(said) - 1, 1]


@given(st.text("<>ab&;/!-[]*_>`#\n “”", max_size=60), st.sampled_from(["a.md", "a.html", "a.txt"]))
def test_any_text_is_read_without_loss_of_its_letters(raw: str, name: str):
    plain = read_plain(raw, name)
    assert 1 <= plain.line(max(0, len(plain.text) - 1)) <= raw.count("\n") + 1
    if name == "a.txt":
        assert plain.text.split() == raw.split()
    else:
        assert len(re.findall("[ab]", plain.text)) <= len(re.findall("[ab]", raw))


def test_a_text_of_tags_without_end_is_refused_by_its_name():
    with pytest.raises(InputError, match=r"page\.html: HTML with more than 20,000 tags"):
        read_plain("<b>" * 20_001, "page.html")
