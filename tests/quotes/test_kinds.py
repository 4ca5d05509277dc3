"""Kinds of quotes; every text is invented."""

import pytest

from quotelake.quotes.spans import find_quotes

BODIES = [
    ('Critics of the so-called "experts" left.', "scare"),  # case 21
    ('She read "The Long Road Home" aloud.', "title"),  # case 22
    ("Rita “Red” Gomez said", "nickname"),  # case 23
    ('Her novel "Salt" sold well.', "title"),
    ("A man known as “the heron” fled.", "nickname"),
    ("《긴 겨울》이 나왔다.", "title"),
    ('It was, he said, "a mess" at best.', "direct"),
    ('The "reform" cost more than planned.', "scare"),
    ('The "slow, careful, costly reform" failed.', "direct"),
    ('A crowd filled the square. "No more!" was on every wall.', "direct"),
    ('On the wall stood "we remember" in red.', "direct"),
    ("그는 “끝났다”고 했다.", "direct"),
    ("«Nous restons» et rien d'autre.", "direct"),
    ('Ana Ruiz: "People Need Bread And Water"', "direct"),
    ('In March "Red" April ended.', "scare"),
]
HEADLINES = [
    ("Firm 'to cut' 450 jobs", "claim"),
    ("Harbour plan 'may sink budget now'", "claim"),
    ("Harbour plan 'may sink the whole budget'", "claim"),
    ("'I quit': mayor leaves", "direct"),
    ("'We won't go' - dockers", "direct"),
    ("'Enough!' cry dockers", "direct"),
    ("Mayor calls plan ‘a mess’", "claim"),
    ("Watchdog 'to look into the sale of five ferries'", "claim"),
    ("Watchdog: 'Five ferries were sold for a song'", "direct"),
    ('Mayor calls plan "a mess"', "direct"),
    ('Mayor "disappointed" by vote', "direct"),
    ('Mayor defends so-called "experts"', "scare"),
    ('Crowds return for "The Long Road Home"', "title"),
    ('Mayor Says "We Will Never Leave" As Harbour Closes Today', "direct"),
    ('Rita "Red" Gomez wins again', "nickname"),
    ('Dockers Celebrate "Victory" Parade Along Harbour Street', "direct"),
]


@pytest.mark.parametrize(("raw", "kind"), BODIES)
def test_kinds_in_bodies(raw: str, kind: str):
    assert [quote.kind for quote in find_quotes(raw)] == [kind]


@pytest.mark.parametrize(("raw", "kind"), HEADLINES)
def test_kinds_in_headlines(raw: str, kind: str):
    assert [quote.kind for quote in find_quotes(raw, "headline")] == [kind]


def test_only_headlines_have_claims():
    assert find_quotes("Firm 'to cut' 450 jobs", "body")[0].kind != "claim"
    assert find_quotes("Firm 'to cut' 450 jobs", "tweet")[0].kind != "claim"


def test_a_doubled_mark_is_not_two_single_ones():
    assert find_quotes("Firm ''to cut'' 450 jobs", "headline")[0].kind == "direct"
    assert find_quotes("Firm ''to cut 450 jobs", "headline")[0].kind == "direct"
