"""Every quotation of a text has the judgement of the source that speaks best for it; nothing is skipped in silence."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake import check_text
from quotelake.drafts import check as checking
from quotelake.drafts.check import Checked, check
from quotelake.drafts.formats import unformatted
from quotelake.settings import load_settings

TALK = """ANA RUIZ: We lost 12 boats in the storm. If the council agrees, we will rebuild the harbour.
I do not think that the insurance will pay for it.
TOM BELL: The harbour is a disgrace to the coast. Who will pay for the boats of the poor?
RUIZ: We have learned from old mistakes, and we go on.
"""
ARTICLE = "“We lost 12 boats in the storm,” said Ana Ruiz. “We have learned,” she said, “from old mistakes.”"
FOREIGN = "„Wir haben in dem Sturm zwölf Boote verloren, und das war für uns alle sehr schwer“, sagte Ana Ruiz."
SETTINGS = load_settings()


def one(text: str, *sources: str) -> Checked:
    [checked] = check_text(text, sources)
    return checked


@pytest.mark.parametrize("source", [TALK, ARTICLE, TALK.replace("ANA RUIZ: ", "").replace("TOM BELL: ", "")])
@pytest.mark.parametrize(
    ("text", "alert"),
    [
        ("“We lost 12 boats in the storm,” said Ruiz.", None),
        ("Ruiz said that they “lost 12 boats”.", None),
        ("“We have learned from old mistakes,” Ruiz said.", None),
        ("“We lost 14 boats in the storm,” said Ruiz.", "number"),
        ("“We have not learned from old mistakes,” Ruiz said.", "negation"),
        ("“We will never leave the islands in the north,” Ruiz said.", "absent"),
        ("‘we will never leave the islands’: so Ruiz said.", "absent"),
        ("Critics of the “we will never leave” plan were silent, said Ruiz.", "absent"),
        ("The storm: they ‘lost 14 boats there’.", "number"),
        ("It was a “bold” idea, all in all.", None),
        ("They sang “Rule the Waves of the Sea” by Bell.", None),
        ("The so-called “harbour of the brave” is closed.", None),
    ],
)
def test_a_quotation_is_judged_by_what_the_source_says(text: str, alert: str | None, source: str):
    assert one(text, source).kind == alert


@pytest.mark.parametrize(
    ("text", "alert", "said", "line"),
    [
        ("“We will rebuild the harbour,” said Ruiz.", "condition", "If the council agrees", 1),
        ("“The insurance will pay for it,” said Ruiz.", "negation", "not think that the", 2),
        ("“The harbour is a disgrace to the coast,” said Ana Ruiz.", "credited_to_another", "", 3),
        ("Ruiz said they would rebuild it, “if the council agrees”.", None, "", 1),
    ],
)
def test_what_a_transcript_says_otherwise_is_named_with_its_place(text: str, alert: str | None, said: str, line: int):
    checked = one(text, TALK)
    assert (checked.kind, checked.found and checked.found.line) == (alert, line)
    assert [each.said for each in checked.differences if each.tier == "alert"] == ([said] if alert else [])


def test_a_place_is_that_of_the_words_and_an_excerpt_says_what_it_leaves_out():
    text = "On Monday.\n\n“We will rebuild the harbour,” said Ruiz."
    [checked] = check_text(text, {"talk.txt": TALK})
    found = checked.found
    assert (checked.line, text[checked.quote.start : checked.quote.end]) == (3, checked.text)
    assert found and (found.source, found.speaker) == ("talk.txt", "ANA RUIZ")
    assert TALK[found.start : found.end] == "we will rebuild the harbour"
    assert found.passage == "If the council agrees, we will rebuild the harbour."
    assert [found.passage[start:end] for start, end in found.omitted] == ["If the council agrees"]


@pytest.mark.parametrize(
    ("text", "source", "said", "ours"),
    [
        ("All five piers were safe", "Two of the five piers were safe", "the", "all"),
        ("We rebuilt the harbour for everyone", "We rebuild the harbour for everyone", "rebuild", "rebuilt"),
        ("The mayor promised me all of that money", "The council promised me all of that money", "council", "mayor"),
        ("Most of the boats are lost", "Some of the boats are lost", "some", "most"),
        ("We will sail in the spring", "We will sail early in the spring", "early", ""),
    ],
)
def test_every_word_that_no_source_has_as_written_is_to_look_at(text: str, source: str, said: str, ours: str):
    for words in (f"“{source},” said Ana Ruiz.", f"RUIZ: {source}."):
        found = one(f"“{text},” said Ruiz.", words)
        assert found.is_flagged and found.check == "altered", found
        first = next(each for each in found.differences if each.kind == "altered")
        assert [words.casefold().removeprefix("the ") for words in (first.said, first.own)] == [said, ours]


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("We lost twelve boats at the café", "We lost 12 boats at the cafe"),
        ("We [the crew] lost the boat", "We lost the boat[4]"),
        ("[W]e lost … the boat", "We lost, I fear, the boat¹"),
        ("WE DON’T NEED A “PIER”", "We don't need a 'pier'"),
    ],
)
def test_numerals_accents_marks_and_what_stands_in_brackets_are_no_change_of_words(text: str, source: str):
    assert not one(f"“{text},” said Ruiz.", f"RUIZ: {source}.").is_flagged


def test_what_is_in_no_source_has_the_nearest_passage():
    near = one("“We have learned from old friends and from the sea,” said Ruiz.", TALK)
    assert near.kind == "absent" and near.found and "We have learned from old mistakes" in near.found.passage
    assert one("“I like cake with cherries and cream,” said Ruiz.", TALK).found is None


def test_the_mildest_judgement_of_all_sources_counts_in_any_order():
    text = "“We will rebuild the harbour,” said Ruiz."
    fair = "“We will rebuild the harbour,” said Ana Ruiz on Tuesday."
    for sources in ([TALK, fair, "Nothing."], ["Nothing.", fair, TALK], [fair, TALK]):
        found = check_text(text, sources)[0]
        assert (found.kind, found.found and found.found.source) == (None, f"source {sources.index(fair) + 1}")
    assert one(text, "Nothing.", TALK).kind == "condition"
    assert one(text).kind == "absent"


def test_who_has_all_of_a_quotation_leaves_nothing_out():
    for words in (
        "If we do not row hard … we will not be home in time for the feast",
        "If it rains, we stay … and if it snows … we stay for the whole of the winter",
    ):
        assert one(f"“{words},” John Bell said.", f"“{words},” said John Bell.").kind is None


def test_parts_around_a_reporting_clause_are_held_one_by_one():
    kept = check_text("“We have learned,” Ruiz said, “from old mistakes.”", [TALK])
    false = check_text("“We have learned,” Ruiz said, “from all the best teachers.”", [TALK])
    assert [each.kind for each in kept] == [None, None]
    assert [each.kind for each in false] == [None, "absent"]


@pytest.mark.parametrize("source", [FOREIGN, FOREIGN.replace("„", "").replace("“", "")])
def test_a_translation_is_not_accused_but_shown(source: str):
    text = "“We lost twelve boats in that storm, and it was very hard for all of us,” said Ruiz."
    checked = one(text, source)
    assert (checked.outcome, checked.kind, checked.is_flagged) == ("not_comparable", None, True)
    assert "language" in checked.reason


def test_what_is_beyond_a_limit_is_not_accused_but_shown(monkeypatch: pytest.MonkeyPatch):
    text = " ".join("“We lost 12 boats in the storm,” said Ruiz." for _ in range(3))
    monkeypatch.setattr(checking, "MAX_QUOTES", 2)
    assert [each.outcome for each in check_text(text, [ARTICLE])] == ["identical", "identical", "not_comparable"]
    monkeypatch.setattr(checking, "MAX_READ", len(TALK) + 2 * len(ARTICLE))
    read = check_text(text, [TALK, ARTICLE])
    assert [each.outcome for each in read] == ["identical", "not_comparable", "not_comparable"]
    assert all(each.reason for each in read[1:])
    monkeypatch.setattr(checking, "MAX_READ", 2 * len(ARTICLE))
    assert [each.outcome for each in check_text(text, [ARTICLE, TALK])[:2]] == ["identical"] * 2, "the first is enough"
    lost = check_text("“We will rebuild the harbour,” said Ruiz.", [TALK, TALK + ARTICLE])
    assert [each.kind for each in lost] == [None], "what was not read may have it"
    monkeypatch.setattr(checking, "MAX_LENGTH", 5)
    assert {each.outcome for each in check_text(text, [ARTICLE])} == {"not_comparable"}


def test_sources_of_an_archive_are_asked_for_only_where_the_others_accuse():
    asked = []

    def archive(text: str) -> Sequence:
        asked.append(text)
        return [unformatted("“We will dance on Sunday,” said Ruiz.", "The Gull, 2024-05-01")]

    text = "“We lost 12 boats in the storm,” said Ruiz. “We will dance on Sunday,” she said. A “wild” night."
    found = check(unformatted(text, ""), [unformatted(TALK, "talk")], SETTINGS, archive)
    assert asked == ["We will dance on Sunday,"]
    assert [each.found and each.found.source for each in found] == ["talk", "The Gull, 2024-05-01", None]
    assert not any(each.is_flagged for each in found)


SENTENCES = """We lost the old boats.
Nobody may sail if it rains.
I doubt that we will win.
They would not come.
Perhaps they paid, but who knows?
He said ‘no’ to 12 men.
Is this the end of it?""".splitlines()
SPEECH = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4)


@given(st.lists(SPEECH, min_size=1, max_size=4), st.sampled_from(["Ruiz", "Bell", "she"]))
def test_a_text_that_is_its_own_source_is_never_accused(said: list[list[str]], name: str):
    text = "\n\n".join(f"“{' '.join(each)}” said {name}." for each in said)
    turns = "\n".join(f"RUIZ: {' '.join(each)}" for each in said)
    for source in (text, turns):
        assert [each.text for each in check_text(text, [source]) if each.is_flagged and name != "Bell"] == []
    assert [each.text for each in check_text(text, [text]) if each.is_flagged] == []


def test_each_outermost_quotation_is_answered_once_in_order():
    text = "“We said ‘no’,” said Ruiz. “Bold” men, the “Sea Song”, “and more of it all”."
    found = [each.text for each in check_text(text, [TALK])]
    assert found == ["We said ‘no’,", "Bold", "Sea Song", "and more of it all"]
