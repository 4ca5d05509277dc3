"""Languages: stated ones to ISO 639-1, the rest told from the text, and und where it does not tell."""

import pytest

from quotelake.errors import SettingsError
from quotelake.settings import Settings, load_settings
from quotelake.text.language import DETECTABLE, _identifier, _model, detect_language, normalise_language


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("en", "en"), ("EN", "en"), ("en-US", "en"), ("pt_BR", "pt"), ("zh-Hant-TW", "zh"), ("eng", "en"),
        ("ger", "de"), ("iw", "he"), ("in", "id"), ("nb-NO", "no"), (" fr ", "fr"),
        ("und", None), ("zxx", None), ("qme", None), ("English", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_stated_languages(stated: str | None, expected: str | None):
    assert normalise_language(stated) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The council will vote on the new bridge next week, the mayor said.", "en"),
        ("Der Stadtrat stimmt in der nächsten Woche über die neue Brücke ab.", "de"),
        ("Le conseil municipal votera la semaine prochaine sur le nouveau pont.", "fr"),
        ("El ayuntamiento votará la próxima semana sobre el nuevo puente.", "es"),
        ("네", "ko"),
        ("The band 방탄소년단 played in the harbour on Friday night, and the town came.", "en"),
        ("カタカナ", "ja"),
        ("東京の橋です", "ja"),
        ("市议会将于下周就新桥进行表决", "zh"),
        ("RT @somebody https://example.org/시장 #시장", "und"),
        ("https://example.org/시장", "und"),
        ("http://시장", "und"),
        ("www.시장", "und"),
        ("@시장", "und"),
        ("#시장", "und"),
        ("RT", "und"),
        ("123 😂😂 !!", "und"),
        ("", "und"),
        ("lol", "und"),
        ("The council will vote on the new bridge next week. " * 20 + "시장은 말했다. " * 500, "en"),  # it begins so
    ],
)
def test_texts(settings: Settings, text: str, expected: str):
    assert detect_language(text, settings.ingest.languages, settings.ingest.language_confidence) == expected


def test_a_language_that_was_not_asked_for_is_never_told():
    german = "Der Stadtrat stimmt in der nächsten Woche über die neue Brücke ab."
    assert detect_language(german, ("en", "fr"), 0.0) in ("en", "fr")
    assert detect_language("네 그렇습니다", ("en", "fr"), 0.99) == "und"


def test_lists_of_languages_share_one_model_and_stay_apart():
    """A model has 80 MB, and a worker has several lists: those of its daemon, of the input and of headlines."""
    first, other = _identifier(("en", "de")), _identifier(("en", "fr"))
    assert first._full_model[0] is other._full_model[0]
    assert (first.nb_classes, other.nb_classes) == (["de", "en"], ["en", "fr"])


def test_what_can_be_detected_is_what_the_model_knows_and_another_language_is_named():
    assert {*_model().nb_classes} - {"zxx"} == DETECTABLE
    with pytest.raises(SettingsError, match=r"ingest\.languages.*found xx, .* name some of .*\bko\b"):
        load_settings(overrides=["ingest.languages=['en','xx']"])
