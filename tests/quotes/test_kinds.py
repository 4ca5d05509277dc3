"""Kinds of quotes; every text is invented."""

import pytest
from tests.quotes.rows import rows

from quotelake.quotes.spans import find_quotes
from quotelake.quotes.speakers import find_speakers

BODIES = """
Critics of the so-called "experts" left. | scare
She read "The Long Road Home" aloud. | title
Rita “Red” Gomez said | nickname
Her novel "Salt" sold well. | title
A man known as “the heron” fled. | nickname
《긴 겨울》이 나왔다. | title
It was, he said, "a mess" at best. | direct
The "reform" cost more than planned. | scare
The "slow, careful, costly reform" failed. | direct
A crowd filled the square. "No more!" was on every wall. | direct
On the wall stood "we remember" in red. | direct
그는 “끝났다”고 했다. | direct
«Nous restons» et rien d'autre. | direct
Ana Ruiz: "People Need Bread And Water" | direct
It gave the firm "scale," which it lacked. | scare
We also ran "Boats sink in harbour," by Ana Ruiz. | title
They gathered at noon. "Silence." Nobody moved. | direct
He told her of the film.¶"The harbour is ours to keep," Ruiz said. | direct
Firm 'to cut' 450 jobs | scare
"""
HEADLINES = """
Firm 'to cut' 450 jobs | claim
Harbour plan 'may sink budget now' | claim
Harbour plan 'may sink the whole budget' | claim
'I quit': mayor leaves | direct
'We won't go' - dockers | direct
'Enough!' cry dockers | direct
Watchdog 'to look into the sale of five ferries' | claim
Watchdog: 'Five ferries were sold for a song' | direct
Mayor calls plan "a mess" | direct
Mayor "disappointed" by vote | direct
Mayor defends so-called "experts" | scare
Crowds return for "The Long Road Home" | title
Mayor Says "We Will Never Leave" As Harbour Closes Today | direct
Rita "Red" Gomez wins again | nickname
Dockers Celebrate "Victory" Parade Along Harbour Street | direct
Firm ''to cut'' 450 jobs | direct
Firm ''to cut 450 jobs | direct
"""
TWEETS = "Firm 'to cut' 450 jobs | scare"
TABLES = (("body", BODIES), ("headline", HEADLINES), ("tweet", TWEETS))


@pytest.mark.parametrize(("mode", "raw", "kind"), [(mode, *row) for mode, table in TABLES for row in rows(table)])
def test_kinds(mode: str, raw: str, kind: str):
    assert [quote.kind for quote in find_quotes(raw, mode)] == [kind]


CLAIMS = """
Ruiz: Harbour must close | Ruiz | Harbour must close
Union to Mayor: Pay the crews | Union | Pay the crews
Critics on tolls: Time to stop | Critics | Time to stop
Poll: Most dockers oppose tolls | Poll | Most dockers oppose tolls
"""
#: Labels, topics and questions claim nothing, nor does a headline with a quote.
NO_CLAIMS = """
Opinion: We should close the harbour
Live: Dockers must vote today
Storm Ada: Harbour reopens
Harbour vote: We explain the result
Ruiz: How the mayor won
How to vote: You need a card
10:30 Harbour closes
Ruiz: Never
Ruiz 'will not go': Harbour must close
"""


@pytest.mark.parametrize(("raw", "speaker", "claim"), rows(CLAIMS))
def test_a_speaker_before_a_colon_claims_what_follows(raw: str, speaker: str, claim: str):
    (quote,) = quotes = find_quotes(raw, "headline")
    assert (quote.text, quote.kind, quote.marks) == (claim, "colon_claim", ":")
    assert [one and one.text for one in find_speakers(raw, quotes, "headline")] == [speaker]
    assert find_quotes(raw, "body") == []


@pytest.mark.parametrize("row", rows(NO_CLAIMS))
def test_labels_topics_and_questions_claim_nothing(row: list[str]):
    assert "colon_claim" not in [quote.kind for quote in find_quotes(row[0], "headline")]
