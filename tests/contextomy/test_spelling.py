"""One spelling for headline and body: hanja, percent signs, acronyms, jamo."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from quotelake.contextomy.spelling import read_hanja, spell, to_jamo


def test_a_korean_headline_is_read_like_its_body():
    headline, [body] = spell("中企 15.5%ㆍ車 감세", ["중소기업 155 퍼센트 자동차 감세"])
    assert headline.words == body.words


def test_acronyms_go_only_where_bodies_write_them_out():
    assert spell("GDP 성장", ["국내총생산이 성장했다"])[0].letters == "성장"
    assert spell("GDP 성장", ["GDP가 성장했다"])[0].letters == "gdp성장"
    assert spell("KTX", ["기차를 탔다"])[0].letters == "ktx", "a quote of nothing else keeps it"


def test_hanja_stay_where_nothing_is_korean():
    assert spell("美国人", ["美国人"])[0].letters == "美国人"


def test_unknown_hanja_and_other_scripts_are_left_alone():
    assert read_hanja("鷄 not 美") == "鷄 not 미국"


@given(st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), max_size=20))
def test_jamo_agree_with_unicode(text: str):
    """What differs is only that double letters are two and initials and finals are the same letters."""
    canonical = unicodedata.normalize("NFD", text)
    assert len(to_jamo(text)) >= len(canonical)
    single = "".join(c for c in text if len(unicodedata.normalize("NFD", c)) == len(to_jamo(c)))
    names = [unicodedata.name(c).split()[-1] for c in unicodedata.normalize("NFD", single)]
    assert [unicodedata.name(c).split()[-1] for c in to_jamo(single)] == names


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=4))
def test_any_text_is_spelled(headline: str, quotes: list[str]):
    own, theirs = spell(headline, quotes)
    assert len(theirs) == len(quotes)
    for spelled in (own, *theirs):
        assert "".join(spelled.words) == spelled.letters and len(spelled.fine) >= len(spelled.letters)
