"""HTML of a field becomes its words, and no hostile text costs more than its length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.sources.markup import MAX_TAGS, text_of_html


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Ana:<br>&ldquo;We  won&rdquo;</p><p>Later</p>end", "Ana:\n“We won”\n\nLater\n\nend"),
        ("<ul><li>one<li>two</ul>", "one\n\ntwo"),
        ("a<b>b</b>c &amp;amp; &lt;p&gt;", "abc &amp; <p>"),  # decoded once
        ("<script>var a = '<p>no</p>'</script><style>p {}</style>yes<!-- no -->", "yes"),
        ("<p>open <a href='x", "open"),
        ("no tag,\n one line", "no tag, one line"),
        ('<a href="x"><span class="invisible">https://</span><span>a.example/b</span></a>', "https://a.example/b"),
        ("", ""),
        ("<p>Bell said <q>we will sell every boat</q>.</p>", "Bell said “we will sell every boat”."),
        ("Bell:<blockquote>We won.</blockquote>Later", "Bell:\n\n“We won.”\n\nLater"),
        ("<blockquote><p>We won.</p><p>At last.</p></blockquote>", "“We won.\n\n“At last.”"),
        ("<blockquote><p>We won.</p><p>— Ana Bell</p></blockquote>", "“We won.”\n\n— Ana Bell"),
        ("<blockquote><p>“We won.”</p></blockquote>", "“We won.”"),
        ("<blockquote>He said “no” to us.</blockquote>", "«He said “no” to us.»"),
        ("<blockquote><blockquote>We won.</blockquote></blockquote>", "“We won.”"),
        ("<blockquote></blockquote>x</blockquote>", "x"),
    ],
)
def test_the_words_stay_and_blocks_are_lines(html: str, text: str):
    assert text_of_html(html) == text


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="<&")))
def test_a_text_without_markup_stays_but_for_its_white_space(text: str):
    assert text_of_html(text).split() == text.split()


@given(st.lists(st.sampled_from(["<p>", "</p>", "<b id=1>", "<", ">", "&#", "&lt;", "<!--", "-->", "x ", "<br", "</"])))
def test_garbage_is_read_and_gives_no_markup_of_its_own(pieces: list[str]):
    assert not any(tag in text_of_html("".join(pieces)) for tag in ("<p>", "<b id", "</p>"))


def test_nested_and_unbalanced_tags_are_bounded():
    with pytest.raises(ValueError, match=r"more than 20,000 tags"):
        text_of_html("<b>" * (MAX_TAGS + 1))
    half = MAX_TAGS // 2  # a parser that rebuilds open tags takes gigabytes of the second
    for html in ("<div>" * half + "</b>" * half, "".join(f"<p><b id={n}>" for n in range(half))):
        assert text_of_html(html + "x").endswith("x")
