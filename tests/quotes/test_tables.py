"""Languages that have a table: what no sane table holds, kinds and speakers of invented sentences, and any text."""

import re
from collections import Counter
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import assert_linear
from tests.quotes.rows import rows

from quotelab.benchmarks.fuzz import wrong_quotes, wrong_speakers
from quotelab.protocols.attributed import evaluate
from quotelake import quotes
from quotelake.quotes.kinds import KINDS
from quotelake.quotes.spans import MODES, find_quotes
from quotelake.quotes.speakers import find_speakers
from quotelake.text.lexicon import load_lexicon

ROOM = "quotelake.quotes"
LANGUAGES = sorted(file.name[:2] for file in resources.files(ROOM).iterdir() if file.name.endswith(".toml"))


def found(text: str, language: str, mode: str = "body") -> list[list[str | None]]:
    """Text, kind and speaker of each quote."""
    quotes = find_quotes(text, mode, language)
    speakers = find_speakers(text, quotes, mode, language)
    return [[one.text, one.kind, who and who.text] for one, who in zip(quotes, speakers, strict=True)]


def test_every_language_has_the_lists_that_the_rules_read_and_no_others():
    code = "".join(file.read_text("utf-8") for file in Path(str(quotes.__file__)).parent.rglob("*.py"))
    for language in LANGUAGES:
        file = load_lexicon(language, ROOM)
        assert [*file] == ["reporting", "particles", "style", "phrases", "denials", "words"]
        assert file["denials"].keys() == load_lexicon("en")["denials"].keys()
        assert file["words"].keys() == load_lexicon("de", ROOM)["words"].keys()
        assert [name for name in (*file["words"], *file["phrases"]) if f'"{name}"' not in code] == []


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_every_cue_of_a_denial_has_a_sign(language: str):
    table = load_lexicon(language, ROOM if language in LANGUAGES else "quotelake.text.lexicon")["denials"]
    cues = [*table["negations"], *table["negations_behind"], *table["nobody"]]
    cues += [word for name in ("wrong", "wrongly", "denying") for word in table[name].split()]
    assert [cue for cue in cues if not any(sign in f"{cue} " for sign in table["signs"])] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_holds_words_in_lower_case_each_once(language: str):
    file: dict[str, Any] = dict(load_lexicon(language, ROOM))
    for name, words in file["words"].items():
        listed = words.split()
        assert [word for word, n in Counter(listed).items() if n > 1] == [], name
        assert [word for word in listed if not re.fullmatch(r"[\w'’.-]+", word) or word != word.lower()] == [], name
    forms = [form for lemmas in file["reporting"].values() for listed in lemmas.values() for form in listed.split()]
    assert [form for form, n in Counter(forms).items() if n > 1] == [], "the lemma of a form is one"
    assert [form for form in forms if not form.isalpha() or form != form.lower()] == []
    assert file["particles"].keys() <= {*forms}, "only a verb of saying needs a particle"


#: Text | kind of its last quote.
KINDS_OF = """
Der Film „Nachtzug“ läuft an. | title
Das Küstenwachschiff „Hanna“ sank. | title
Die „Abendpost“-Leser staunten. | title
Sie hörte das Lied „Wir sind die Letzten“. | title
Der Verein (auf Englisch: „Clean River“) zog um. | title
Sein neues „iPhone“ lag daneben. | title
Die sogenannte „Sonnensteuer“ fiel weg. | scare
Die „Heimat“ kam nicht vor. | scare
Rita „Rosi“ Bell sang. | nickname
Ihr Spitzname „Rosi“ blieb. | nickname
Er rief: „Halt!“ | direct
„Der Hafen bleibt offen“, so Bell. | direct
Er nannte es einen „Skandal“. | direct
Sie sprach von „Wortbruch“. | direct
Der Plan sei „weltfremd“. | direct
Das sei der „Anfang vom Ende“. | direct
Sie trugen Parolen wie „Runter mit den Mieten“. | direct
Bell lobte die „tapferen Helfer“. | direct
"""


@pytest.mark.parametrize(("text", "kind"), rows(KINDS_OF))
def test_a_german_quote_is_speech_a_name_or_a_term_by_the_words_around_it(text: str, kind: str):
    assert found(text, "de")[-1][1] == kind


def test_english_rules_read_what_has_no_table_and_a_language_decides_nothing_but_kinds_and_speakers():
    text = "Die sogenannte „Steuer auf Licht und Luft“ fiel weg."
    assert found(text, "de")[0][1] == "scare" != found(text, "fr")[0][1] == find_quotes(text)[0].kind
    assert [quote[:7] for quote in find_quotes(text, language="de")] == [quote[:7] for quote in find_quotes(text)]


#: Text | speaker of its last quote, or - where nobody is named.
SPEAKERS_OF = """
„Wir haben verloren“, sagte Ute Bell. | Ute Bell
„Wir haben verloren“, so der Sprecher der Polizei. | der Sprecher der Polizei
„Wir haben verloren“, räumte Trainer Bell ein. | Trainer Bell
„Wir haben verloren“, hieß es in der Erklärung. | der Erklärung
„Wir haben verloren“, wird Bell zitiert. | Bell
„Wir haben verloren“, wie Ute Bell mitteilte. | Ute Bell
Ute Bell sagte: „Wir haben verloren.“ | Ute Bell
Am 13. Mai sagte Dr. Ute Bell: „Wir haben verloren.“ | Dr. Ute Bell
Ute Bell, Sprecherin der Stadt, erklärte, man habe „alles versucht“. | Ute Bell, Sprecherin der Stadt
Ute Bell, die lange gezögert hatte, erklärte: „Wir haben verloren.“ | Ute Bell
Der Vorsitzende der Union in Kiel, Max Bell, warnte vor „großer Not“. | Der Vorsitzende der Union in Kiel, Max Bell
Ute Bell (SPD) hatte die Pläne als „weltfremd“ bezeichnet. | Ute Bell (SPD)
Die Pläne bezeichnete er als „weltfremd“. | er
Den Minister nannte Ute Bell einen „guten Freund“. | Ute Bell
Max Odell, ein Bauer und Oberst außer Dienst, sagte: „Nein.“ | Max Odell, ein Bauer und Oberst außer Dienst
Von „großer Not“ sprach die Ministerin. | die Ministerin
Laut der „Abendpost“ war es „ein Versehen“. | der „Abendpost“
Nach Angaben des Ministeriums war es „ein Versehen“. | des Ministeriums
Dem Anwalt zufolge war es „ein Versehen“. | Dem Anwalt
Ute Bell: „Wir haben verloren.“ | Ute Bell
Ute Bell zeigte kaum Freude: „Wir haben verloren.“ | Ute Bell
Ute Bell wies das zurück. Es sei „frei erfunden“. | Ute Bell
„Wir haben verloren“, sagte Bell. „Wir kommen wieder.“ | Bell
„Wir haben verloren“, sagte Bell, „aber wir kommen wieder.“ | Bell
Die Pläne werden von Kennern als „weltfremd“ bezeichnet. | -
„Wir haben verloren“, sagte Ute Bell: „Alles.“¶„Wir kommen wieder.“ | Ute Bell
„Wir haben verloren“, sagte Ute Bell: „Alles.“¶Es regnet.¶„Wir kommen wieder.“ | -
Sie teilte die Suppe. „Wir haben verloren.“ | -
Der Hafen ist zu. „Wir haben verloren.“ | -
"""


@pytest.mark.parametrize(("text", "speaker"), rows(SPEAKERS_OF))
def test_who_speaks_in_german(text: str, speaker: str):
    assert found(text, "de")[-1][2] == (None if speaker == "-" else speaker)


#: Text | full name of its speaker; Richter is an office and a surname.
NAMES_OF = """
„Wir gehen“, sagte die Rentnerin Ute Bell. | Ute Bell
„Wir gehen“, sagte die Gärtnerin Ute Bell. | Ute Bell
„Wir gehen“, sagte die Neue Bahn. | None
Bürgermeisterin Ute Bell kam. „Wir gehen“, sagte Bell. | Ute Bell
Bürgermeisterin Ute Hofmann-Richter kam. „Wir gehen“, sagte Hofmann-Richter. | Ute Hofmann-Richter
Max Hofmann-Richter kam. Bürgermeisterin Ute Hofmann-Richter kam. „Wir gehen“, sagte Hofmann-Richter. | None
"""


@pytest.mark.parametrize(("text", "name"), rows(NAMES_OF))
def test_a_full_name_is_behind_a_noun_for_a_person_or_before_the_surname_of_one(text: str, name: str):
    speaker = find_speakers(text, find_quotes(text, language="de"), language="de")[0]
    assert speaker is not None and (str(speaker.name), speaker.type) == (name, "person")


CLAIMS_OF = """
Bell: Wir müssen sparen | Bell
Grünen-Chefin Bell: Das darf nicht sein | Grünen-Chefin Bell
Kommentar: Wir müssen sparen | -
Hochwasser: Was wir jetzt wissen müssen | -
Kiel: Brücke gesperrt | -
"""


@pytest.mark.parametrize(("headline", "speaker"), rows(CLAIMS_OF))
def test_a_claim_behind_a_colon_needs_a_speaker_and_words_that_somebody_speaks(headline: str, speaker: str):
    claim = [headline.partition(": ")[2], "colon_claim", speaker]
    assert found(headline, "de", "headline") == ([] if speaker == "-" else [claim])


@pytest.mark.parametrize("language", LANGUAGES)
def test_floors_on_invented_articles(language: str):
    figures = evaluate(Path(__file__).with_name(f"attributed_{language}.jsonl"), language=language).figures
    assert figures["articles_test"] >= 40
    assert figures["direct_share_test"] == figures["direct_found_test"] == 1
    assert figures["direct_kept_test"] > 0.95 and figures["speaker_precision_test"] > 0.95
    assert figures["speaker_recall_test"] > 0.9


PIECES = '„|“|”|«|»|‚|‘|"|Ute Bell|sagte|dijo|so|laut|según|er|der|la|teilte|mit|wie|habe|(|)|, |. |: |\n|13.|&quot;'
TEXTS = st.lists(st.sampled_from([*PIECES.split("|"), " ", "\n\n"]) | st.characters(), max_size=50).map("".join)


@given(TEXTS, st.sampled_from(LANGUAGES), st.sampled_from(MODES))
def test_any_text_is_read_and_offsets_agree_with_it(text: str, language: str, mode: str):
    quotes = find_quotes(text, mode, language)
    assert wrong_quotes(text, quotes) is None and all(quote.kind in KINDS for quote in quotes)
    assert wrong_speakers(text, quotes, find_speakers(text, quotes, mode, language)) is None


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["„a“ ", "„Ich. ", "sagte ", "Ute Bell ", "von der ", "(", "laut ", "wie er, „a b“ "])
def test_time_is_linear_in_the_length(unit: str):
    assert_linear(lambda length: partial(found, unit * (length // len(unit)), "de"), 8_000)
