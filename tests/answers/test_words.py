"""Words of the pages: English is what it was, every language has all words and every page takes all its words there."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pages.pages import BASE, CHECK, GROUP, KOREAN, REVIEW, RISKY, USE, difference, morning, report

from quotelake.answers import words
from quotelake.answers.explanations import (
    BY_RULE,
    NOT_AT_HAND,
    Addition,
    Explanation,
    describe_difference,
)
from quotelake.answers.reviews import Label
from quotelake.answers.words import load_words
from quotelake.contextomy.differences import Kind
from quotelake.contextomy.features import SUPPORT
from quotelake.contextomy.judgement import Outcome
from quotelake.pages.morning_page import atom, render_morning, render_quote
from quotelake.pages.page import render
from quotelake.reader.answers import Verdict
from quotelake.reader.instruction import KINDS
from quotelake.settings import ReportSettings
from quotelake.sources.rejects import Reason

ROOM = Path(words.__file__).parent
LIB = ROOM.parent
FILES = {file.stem: tomllib.loads(file.read_text("utf-8")) for file in sorted((ROOM / "words").glob("*.toml"))}
OTHERS = sorted(FILES.keys() - {"en"})
#: Pages in English as they were before their words had a file, without style, script and drawings. After a change of
#: a page that is meant: ``python -m tests.answers.test_words``.
RECORDED = Path(__file__).parent / "english.txt"


def forms(word: Any) -> list[str]:
    """A word's texts: one, or one for each number."""
    return [word] if isinstance(word, str) else list(word.values()) if isinstance(word, dict) else word


def leaves(language: str) -> dict[str, Any]:
    return {f"{section}.{name}": word for section, its in FILES[language].items() for name, word in its.items()}


def blanks(word: Any) -> set[str]:
    return set(re.findall(r"\{(\w+)", " ".join(forms(word))))


def all_pages(language: str, *alerts: Mapping[str, Any], text: str, outlet: str, **changed: Any) -> dict[str, str]:
    """Each page and the feed, with something in every part."""
    content = report(*alerts) | {"language": language} | changed
    new, trends = morning(text, outlet)
    nothing = {name: [] if isinstance(value, list) else value for name, value in new.items()}
    nobody = {"alerts": [], "n_alerts": {}, "checks": [], "n_checks": {}, "kinds": [], "near_misses": []}
    empty = {**{name: [] for name in trends}, "quotes": {}}
    others = {"spread": [dict(new["spread"][0], new_outlets=5)], "people": [dict(new["people"][0], outlets=0)]}
    return {
        "alerts": render(content),
        "first": render({**content, "runs": content["runs"][:1], "n_alerts": {"altered": 40}}),
        "none": render({**content, "alerts": [], "n_alerts": {}}),
        "empty": render({**content, **nobody, "coverage": [], "outcomes": [], "runs": []}),
        "feed": atom(content, with_checks=True),
        "morning": render_morning(content, new, trends),
        "old": render({**content, "alerts": [dict(one, is_new=False) for one in alerts]}),
        "quiet": render_morning({**content, "alerts": [], "runs": content["runs"][:1]}, nothing, empty),
        "others": render_morning({**content, "alerts": []}, {**nothing, **others}, {**empty, "compared": True}),
        "quote": render_quote(GROUP, trends["quotes"][GROUP], words.load_words(language)),
    }


def english() -> str:
    bare = dict(
        BASE, quote_id="2" * 32, published_at=None, outlet=None, wire_credit="AP", genre="opinion", of_story=2,
        body_status="truncated", second_body_quote="They are friends", second_body_speaker="Bo", best_body_quote=None,
        best_start=None, best_end=None, passage=None, passage_start=None, explanation=Explanation((), BY_RULE),
    )  # fmt: skip
    credited = dict(USE, credited_otherwise=True, others_speaker="Tom", published_at=None)
    alerts = (BASE, dict(RISKY, reviews=[REVIEW]), bare, dict(CHECK, elsewhere=["They farm. They feed this city."]))
    found = all_pages("en", *alerts, text="we will meet again", outlet="The Tidewater Post", outlets=[USE, credited])
    shown = ""
    for name in ("alerts", "feed", "morning", "quote"):
        text = re.sub(r"(?s)<(style|script)>.*?</\1>|<meta http-equiv.*?>", "", found[name])
        text = re.sub(r"(?s)<svg.*?</svg>", lambda svg: " | ".join(re.findall(r">([^<>\s][^<>]*)<", svg[0])), text)
        shown += f"==== {name}\n{text}\n"
    return shown


def test_english_pages_are_word_for_word_what_they_were():
    assert english() == RECORDED.read_text("utf-8")


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_word_with_the_blanks_of_the_english_one(language: str):
    its, wanted = leaves(language), leaves("en")
    assert its.keys() == wanted.keys(), "missing and unknown words"
    # A language may choose by a number where English does not, so it may show the number or leave it out.
    assert not {key for key, word in wanted.items() if key[:5] != "dates" and (blanks(word) ^ blanks(its[key])) - {"n"}}
    assert len(its["dates.months"]) == 12 and len(its["dates.weekdays"]) == 7
    assert all(set(word) == {"one", "many"} for word in its.values() if isinstance(word, dict))
    assert not [key for key, word in its.items() if not all(map(str.strip, forms(word))) and key[:8] != "numbers."]


def test_every_language_can_be_chosen_and_no_other_and_its_words_in_scripts_end_no_text_of_a_script():
    assert set(get_args(ReportSettings.model_fields["language"].annotation)) == FILES.keys()
    texts = [text for its in FILES.values() for word in its["script"].values() for text in forms(word)]
    assert not [text for text in texts if re.search(r"[`\\<>&\"']|\$\{", text)]


#: Sections whose keys are values of the lake, with those that there are.
NAMED = {
    "kinds": {*Kind, *KINDS, "reader"}, "verdicts": {*get_args(Verdict)},
    "differences": {*Kind, "negation_added", "two_speakers", "in_both", "in_body", "in_headline"},
    "outcomes": {*Outcome}, "rejects": {*Reason} - {Reason.FILTERED}, "labels": {*Label},
    "features": {*SUPPORT, "cosine", "intercept"},
}  # fmt: skip


def test_every_value_of_the_lake_that_a_page_words_has_a_word_and_differences_have_that_of_the_lake():
    assert {section: {*FILES["en"][section]} for section in NAMED} == {
        section: {*map(str, names)} for section, names in NAMED.items()
    }
    assert {kind: FILES["en"]["differences"][kind] for kind in Kind} == {kind: kind.phrase for kind in Kind}


def test_no_word_is_unused():
    rooms = ("answers", "pages", "commands")
    files = [file for room in rooms for kind in ("*.py", "templates/*") for file in (LIB / room).glob(kind)]
    found = set(re.findall(r"[\"'](\w+\.\w+)[\"']", " ".join(file.read_text("utf-8") for file in files)))
    by_name = {*NAMED, "numbers", "dates", "columns", "values", "rules", "marks", "picture"}
    assert {key for key in leaves("en").keys() - found if key.split(".")[0] not in by_name} == set()
    source = (LIB / "pages" / "pictures.py").read_text("utf-8")
    assert not [name for name in FILES["en"]["picture"] if f'"{name}"' not in source and f"picture.{name}" not in found]


#: What is no word of English on a page in Korean: names of files, views, a source and of who writes the feed.
NAMES = r"UTC|verdicts\.csv|headline_alerts|headline_checks|quote_versions|wire|Quotelake"


def texts(page: str) -> Iterator[str]:
    """What a page says: its texts, and those of attributes that a reader meets; without commands and links."""
    page = re.sub(r"(?s)<(style|script|code)>.*?</\1>|<id>.*?</id>", "", page)
    page = re.sub(r'<a href="(?:https?:|alerts\.csv)[^>]*>[^<]*</a>|<bdi>https?:[^<]*</bdi>', "", page)
    yield from re.findall(r'(?:aria-label|title|alt|placeholder|label)="([^"]*)"', page)
    yield re.sub(r"<[^>]*>", " ", page)


def test_every_word_of_a_page_comes_from_the_file_of_its_language():
    korean = dict(
        KOREAN, url=None, wire_credit="연합", genre="opinion", body_status="truncated", score=0.9, outlet=None,
        second_body_quote="둘째", second_body_speaker="이", reader="솔", reading_verdict="misleading",
        reading_kind="half", reading_words=["가나"], reading_sentence="다르다.",
        differences=[*KOREAN["differences"], difference("scope", "", "만", tier="note")],
        explanation=Explanation((Addition("cosine", "", "8%", 1.0),)),
    )  # fmt: skip
    nothing = dict(
        korean, quote_id="6" * 32, published_at=None, best_body_quote=None, best_start=None, best_end=None,
        passage=None, reviews=[replace(REVIEW, reviewer="김", note="둘")], of_story=2, alert="negation",
        explanation=Explanation((), NOT_AT_HAND),
    )  # fmt: skip
    names = ("outlet", "speaker", "reference_outlet", "reference_speaker", "passage", "text_as_used")
    use = USE | dict.fromkeys(names, "매체") | {"url": None, "n_flagged": 140}
    use |= {"reference_text": "가나", "reference_passage": "가나 다"}
    use["differences"] = [{**USE["differences"][1], "cue": "만약"}]
    other = {**use, "credited_otherwise": True, "others_speaker": "김", "published_at": None}
    found = all_pages(
        "ko", korean, nothing, dict(korean, is_new=False), dict(korean, is_new=False, of_story=2),
        *(dict(korean, quote_id=f"{n}" * 32, tier="check", to_check="altered", is_new=n < 8) for n in (7, 8)),
        text="다시 만나요", outlet="한강일보", outlets=[use, other],
        coverage=[dict(report()["coverage"][0], source="가", n_filtered=4)],
        rejects=[{"source": "가", "reason": "missing_text", "records": 3}],
        versions=[{"rule_version": "2", "model": "3"}],
    )  # fmt: skip
    for name, page in found.items():
        english = re.findall(r"[A-Za-z]{2,}", re.sub(NAMES, "", " ".join(texts(page))))
        assert not english, (name, english)
        script = "".join(re.findall(r"(?s)<script>(.*?)</script>", page))
        lines = re.findall(r"(?:textContent = |confirm\()[^c].*", script)
        assert all(re.search(r"[가-힣]|\\u[a-d]", line) for line in lines) and len(lines) in (0, 3), lines


@pytest.mark.parametrize("language", FILES)
def test_the_feed_is_xml_that_states_its_language(language: str):
    root = ET.fromstring(atom(report(KOREAN, dict(RISKY, reviews=[REVIEW])) | {"language": language}))
    stated = root.get("{http://www.w3.org/XML/1998/namespace}lang")
    assert stated == (None if language == "en" else language), "the English feed stays as it was"
    summaries = [one.text or "" for one in root.iter("{http://www.w3.org/2005/Atom}summary")]
    assert FILES[language]["rules"]["excerpt"] in "".join(summaries)


def test_every_reason_that_a_rule_may_give_an_alert_has_a_word():
    """Rules of outcomes that alerts are given to, read from their source: a new one needs a word."""
    files = ("rules", "decide", "comparison")
    source = "".join((LIB / "contextomy" / f"{name}.py").read_text("utf-8") for name in files)
    names = "IDENTICAL|EXCERPT|MODIFIED|JOINED|CONTEXTOMIZED|IN_BODY_UNQUOTED|CLAIM_SUPPORTED|CLAIM_UNSUPPORTED"
    found = re.findall(rf'Outcome\.(?:{names}), f?"([^"]+)"', source) + re.findall(r'reason \+?= f?"([^"]+)"', source)
    assert len(found) >= 12
    known = [*FILES["en"]["rules"].values()]
    for reason in found:
        filled = reason.replace("{where}", "in no quote of it" if "its words" in reason else "a sentence without marks")
        filled = re.sub(r"\{.*?\}", "unknown", filled).removeprefix("; ")
        assert load_words("ko").rule(filled) != filled, f"no word for {reason!r} among {known}"


def test_a_kind_or_reason_of_another_release_stays_in_english():
    old = {"kind": "risky", "phrase": "left out: condition", "said": "", "own": ""}
    assert describe_difference(old, load_words("de")) == "left out: condition"
    assert load_words("de").rule("left out: condition") == "left out: condition"
    assert load_words("de").named("kinds", "wrong_speaker") == "wrong speaker"


@given(st.text(min_size=1, max_size=20), st.sampled_from(sorted(FILES)))
def test_what_is_filled_in_is_escaped_in_every_language(text: str, language: str):
    phrases = load_words(language)
    for key, word in leaves(language).items():
        if key.split(".")[0] not in ("dates", "numbers"):
            filled = phrases(key, 2, **dict.fromkeys(blanks(word) - {"n"}, f'<{text}{{n}}">'))
            assert all(filled.count(sign) == forms(word)[-1].count(sign) for sign in '<>"'), key


if __name__ == "__main__":
    RECORDED.write_text(english(), "utf-8")
