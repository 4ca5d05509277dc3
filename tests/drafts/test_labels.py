"""Lines of transcripts that name who speaks, in the forms of broadcasters, parliaments and transcribers.

What looks like one and is not understood is nobody's: no words are credited to the speaker before.
"""

import pytest

import quotelake
from quotelake.drafts.turns import find_turns

ICE = "The ice on the lake is thinner every year and the point of no return is near"
BUDGET = "We counted the budget twice, and the harbour gets less money than the year before"
DRAFT = f"“{BUDGET},” said Tom Bell."
BELL = [
    "BELL:",
    "TOM BELL:",
    "Tom Bell:",
    "MR. BELL:",
    "Mr. BELL:",
    "Mr. BELL.",
    "Mr BELL.",
    "Rep. BELL.",
    "Senator BELL.",
    "Chairman BELL.",
    "MAYOR TOM BELL:",
    "MAYOR BELL:",
    "Mayor Bell:",
    "BELL (D-Calif.):",
    "BELL (ph):",
    "TOM BELL (ph), HARBOUR MASTER:",
    "TOM BELL, HARBOUR MASTER (via video):",
    "Tom Bell [harbour master]:",
    "BELL [through interpreter]:",
    "[BELL]:",
    "[Tom Bell]:",
    "00:01:02 BELL:",
    "[00:01:02] BELL:",
    "(00:01:02) BELL:",
    "00:01:02,500 BELL:",
    "1:02 Tom Bell:",
    "BELL 00:01:02:",
    "BELL [00:01:02]:",
    "Tom Bell (00:12):",
    "BELL —",
    "BELL –",
    "Tom Bell —",
    "TOM BELL --",
    "BELL - ",
    "**BELL:**",
    "**Tom Bell:**",
    "*BELL*:",
    "_BELL_:",
    "<BELL>",
    "BELL>",
    ">> BELL:",
    ">>> TOM BELL:",
    "- BELL:",
    "• BELL:",
    "THE HARBOUR MASTER (Tom Bell):",
    "HARBOUR MASTER TOM BELL:",
    "Harbour Master Tom Bell:",
    "Dr. Tom Bell, PhD:",
    "TOM J. BELL:",
    "Tom O. Bell, Jr.:",
    "SPEAKER BELL:",
    "T. BELL:",
    "BELL;",
    "COUNCILMEMBER BELL:",
    "TOM BELL/HARBOUR MASTER:",
    "TOM BELL | HARBOUR MASTER:",
    "Bell, Tom:",
    "BELL, T.:",
    "MR BELL (THE HARBOUR MASTER):",
    "Mr. Bell of Port Sable:",
    "» BELL:",
    "● Tom Bell:",
    "TOM  BELL :",
    "BELL:—",
    "TOM BELL (voice-over):",
    "Cllr Bell:",
    "LORD BELL:",
    "MAYOR-ELECT BELL:",
    "Prof. T. Bell:",
    "Council leader Tom Bell:",
    "Deputy council leader Tom Bell (via video):",
    "State senator Tom Bell:",
    "First minister Tom Bell:",
    "Head of planning Tom Bell:",
    "[00:01:02] Union president Tom Bell:",
    "TOM BELL >>",
    "Tom Bell >>",
]
NOBODY = [
    "Q.",
    "A.",
    "Q:",
    "A:",
    "SPEAKER 2:",
    "Speaker 2 (12:03):",
    "UNIDENTIFIED MALE:",
    "UNKNOWN SPEAKER [off mic]:",
    "MODERATOR:",
    "VOICE FROM THE FLOOR —",
    "(Several voices):",
    "ALL:",
    "AUDIENCE MEMBER.",
    "№ 3:",
    "INTERPRETER (for delegates):",
    "SPEAKER_01:",
    "Interviewer:",
    "A VOICE:",
]


def transcript(label: str, first: str = "RUIZ:", third: str = "OSEI:") -> str:
    return (
        f"{first} {ICE}.\n\n{third} It rained all day long.\n\n{first} Yes, and it was cold.\n\n{label} {BUDGET}.\n\n"
        f"{first} Thank you for that.\n\n{third} It is late now."
    )


def kinds(source: str) -> list[str | None]:
    return [one.kind for one in quotelake.check_text(DRAFT, [source])]


@pytest.mark.parametrize("label", [*BELL, *NOBODY])
def test_nobody_is_accused_whatever_the_form_of_a_label(label: str):
    assert kinds(transcript(label)) == [None]


@pytest.mark.parametrize(
    "line",
    [
        "The council said this about Tom Bell:",
        "Residents asked council leader Tom Bell:",
        "We heard from harbour master Tom Bell:",
        "Only two things matter to Tom Bell:",
        "Turn to page 2 >>",
        "Agenda item 2:",
    ],
)
def test_a_sentence_that_ends_in_a_name_and_a_colon_is_no_label(line: str):
    text = transcript(line)
    [turn] = [each for each in find_turns(text) if each.start <= text.index(BUDGET) < each.end]
    assert turn.name == "RUIZ" and line in text[turn.start : turn.end]


@pytest.mark.parametrize("label", ["OSEI:", "Ms. OSEI.", "ADA OSEI (ph), CLERK:", "[ADA OSEI]:", "00:01:02 OSEI:"])
def test_words_of_another_are_told(label: str):
    source = transcript(label, first="BELL:", third=label)
    assert kinds(source) == ["credited_to_another"]


DELGADO = "The ice on the lake is thinner every year and the point of no return is near"
OSEI = "We counted the budget twice, and the harbour gets less money than the year before"
HEARING = f"MAYOR DELGADO: {DELGADO}.\n\nMS. OSEI: {OSEI}.\n\nMAYOR DELGADO: Thank you.\n\nMS. OSEI: It is late now."


@pytest.mark.parametrize("by", ["the mayor", "Delgado", "Mayor Delgado", "Mayor Ana Delgado"])
def test_titles_and_surnames_are_those_of_the_source_s_speakers(by: str):
    assert [one.alert for one in quotelake.check_text(f"“{DELGADO},” said {by}.", [HEARING])] == [None]
    assert [one.alert for one in quotelake.check_text(f"“{OSEI},” said {by}.", [HEARING])] == ["credited_to_another"]


def test_a_title_that_two_speakers_have_is_nobody_s():
    source = HEARING + "\n\nMAYOR BELL: Nobody left before noon.\n\nMAYOR BELL: Good night."
    assert [one.alert for one in quotelake.check_text(f"“{OSEI},” said the mayor.", [source])] == [None]
