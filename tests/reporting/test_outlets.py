"""The section of the page on outlets: both sentences with what is missing marked, hostile texts shown as text."""

from datetime import datetime
from typing import Any

from tests.reporting.pages import BASE, Reading, report

from quotelake.reporting.page import render, view_of_use

WHOLE = "The dam will hold if it is dry"
CONDITION = {
    "kind": "omitted_condition", "start": 17, "end": 17, "words": "", "reference_start": 18, "reference_end": 30,
    "reference_words": "if it is dry", "cue": "if", "outlets": 3,
}  # fmt: skip
OTHER = CONDITION | {"kind": "omitted", "cue": None, "outlets": 0, "reference_start": 0, "reference_end": 3}
USE: dict[str, Any] = {
    "quote_id": "q", "outlet": "Harbour Post", "published_at": datetime(2024, 3, 1, 9), "headline": "Dam to hold",
    "language": "en", "url": "https://example.org/1", "trimmed": True, "credited_otherwise": False,
    "speaker": "Ana Ruiz", "others_speaker": None, "start": 8, "text_as_used": "The dam will hold",
    "passage": "Ruiz: “ The dam will hold”, she said", "reference_outlet": "Weekly & Sons",
    "reference_speaker": "Mayor Ruiz", "reference_text": WHOLE, "reference_passage": f"She said: “{WHOLE}”.",
    "differences": [OTHER, CONDITION], "n_flagged": 1,
}  # fmt: skip


def page(*uses: dict[str, Any]) -> str:
    return render(dict(report(BASE), outlets=uses))


def test_both_sentences_are_shown_with_the_use_and_what_is_missing_marked():
    text = page(USE)
    assert "<mark>The dam will hold</mark>”, she said" in text
    assert '<mark>The dam will hold </mark><del class="risky">if it is dry</del>' in text
    seen = Reading(text).text
    assert "left out: condition (“if”), which 3 other outlets have" in seen
    assert "Weekly & Sons, speaker: Mayor Ruiz" in seen
    assert "credit it to" not in seen


def test_a_use_far_in_its_article_is_marked_at_its_place_between_whole_words():
    before, after = "lf a word " * 16, " and more of it" * 20
    said = view_of_use(USE | {"start": 5000, "passage": f"{before}The dam will hold{after[:155]}. Cut"})["said"]
    assert [name for _, name in said] == ["", "quote", ""] and said[1][0] == "The dam will hold"
    assert said[0][0].startswith("… a word lf") and said[2][0].endswith(". …")


def test_another_speaker_is_named():
    credited = USE | {
        "trimmed": False,
        "credited_otherwise": True,
        "others_speaker": "Tom Bell",
        "differences": [OTHER],
    }
    seen = Reading(page(credited)).text
    assert "other outlets credit it to Tom Bell" in seen
    assert "left out" not in seen.partition("The same words across outlets")[2]


def test_hostile_texts_stay_texts():
    evil = "<script>alert(1)</script>"
    names = ("outlet", "speaker", "reference_outlet", "reference_speaker", "passage", "reference_passage")
    text = page(USE | dict.fromkeys(names, evil) | {"url": "javascript:alert(1)"})
    assert evil not in text
    assert 'href="javascript' not in text
    assert text.count("&lt;script&gt;") >= len(names)


def test_without_flagged_uses_there_is_no_section_and_with_more_than_fit_it_says_so():
    assert "The same words across outlets" not in page()
    assert "The latest 1 of 140 uses" in Reading(page(USE | {"n_flagged": 140})).text
