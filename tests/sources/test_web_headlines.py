"""The headline of a page is one that two places of it state; what only one states may be another article's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotelake.sources.web_headlines import agree, choose_headline

QUOTED = "Mayor: “We will rebuild the bridge”"
SITE = "Port Sable Gazette gazette.example"
TEXTS = st.sampled_from(["Port Sable", "a - b", "a | b: c", "x …", "", "“x”", "a b c d e f - Gazette"])


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ({"h1": [QUOTED], "title": [f"{QUOTED} | Port Sable Gazette"]}, QUOTED),
        ({"h1": [QUOTED], "og": ["Mayor: 'We will rebuild the bridge'"]}, QUOTED),  # as readers see it
        ({"h1": ["Port Sable Gazette", QUOTED], "title": [f"{QUOTED} - Port Sable Gazette"]}, QUOTED),
        ({"h1": ["City", QUOTED], "og": [QUOTED], "title": [f"City | {QUOTED} | Gazette"]}, QUOTED),
        ({"h1": ["CityMayor quits"], "og": ["Mayor quits"], "title": ["Mayor quits"]}, "Mayor quits"),
        # Two headlines, each stated twice: that which readers see counts.
        ({"h1": [QUOTED], "ld": [QUOTED], "og": ["Mayor's plan"], "title": ["Mayor's plan"]}, QUOTED),
        # What two places have in common is no headline: a quotation would be gone.
        ({"h1": ["Gates on Russia: 'Be friends'"], "title": ["Gates on Russia: 'No enemies'"]}, None),
        ({"h2": ["Ferry sinks", QUOTED], "title": [f"{QUOTED}_City_Gazette"]}, QUOTED),
        ({"h1": ["短缺药品保供稳价"], "title": ["短缺药品保供稳价-新华网"]}, "短缺药品保供稳价"),
        ({"og": ["Mayor: “We will rebuild …"], "h1": [QUOTED]}, QUOTED),
        ({"h1": ["Ferry sinks off the coast"], "title": [QUOTED], "og": ["Taxes to rise"]}, None),
        ({"h1": ["Port Sable Gazette"], "title": ["Port Sable Gazette"]}, None),
        ({"title": [QUOTED]}, None),
        ({"h1": [""], "title": [""]}, None),
    ],
)
def test_the_headline_that_most_places_agree_on_is_taken(places: dict[str, list[str]], expected: str | None):
    assert choose_headline(places, SITE) == expected


@given(st.lists(TEXTS, max_size=3), st.lists(TEXTS, max_size=3))
def test_what_is_chosen_is_stated_whole_outside_the_title(headings: list[str], titles: list[str]):
    assert choose_headline({"h1": headings, "title": titles}, "Gazette") in (None, *headings)


@given(TEXTS, TEXTS)
def test_agreement_is_mutual(one: str, other: str):
    assert agree(one, other) == agree(other, one)
