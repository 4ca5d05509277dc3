"""Tables of words for headlines that say who claims what without marks; English, in lower case."""

from typing import Final

from quotelake.quotes.lexicon import table

#: Titles before a name in headlines.
HONORIFICS: Final = table(
    """sen senator rep representative congressman congresswoman gov governor mayor president minister justice judge dr
    mr mrs ms gen general pope king queen prince princess chancellor premier sir lord"""
)

#: Speakers before the colon of a headline even without a name: roles, organisations and sources.
SPEAKING_NOUNS: Final = table(
    """activists adviser advisor advisers aide aides ambassador analyst analysts attorney attorneys author authorities
    boss bosses ceo chairman chairwoman chair chief chiefs coach commander commissioner company critics
    democrats department director doctor doctors documents economist economists envoy expert experts
    family father firm fbi cia group groups governor house insider insiders investigators inquiry judge jury
    king lawmaker lawmakers lawyer lawyers leader leaders mayor minister ministers mother ministry mp mps
    neighbours neighbors officer officers official officials owner panel pastor pentagon pm police poll polls
    pollster pope president premier prince prosecutor prosecutors protesters court queen regulator report
    reports republicans researcher researchers scientist scientists secretary senator senators sheriff source
    sources spokesman spokesperson spokeswoman spokesmen staff student students study studies survey surveys
    survivor survivors teacher teachers treasury tribunal un union unions victim victims voters watchdog
    watchdogs widow wife husband witness witnesses whistleblower whistleblowers"""
)

#: Labels of a kind of article, not speakers.
HEADLINE_LABELS: Final = table(
    """opinion opinions op editorial analysis commentary comment column perspective perspectives voices review preview
    profile obituary obituaries live watch video videos photos photo pictures gallery podcast audio listen read
    breaking exclusive update updates updated developing revealed explained explainer explainers transcript
    transcripts interview interviews letter letters quiz recap roundup factbox fact factcheck timeline q list
    memo note latest scoop special series map chart infographic briefing newsletter satire humor humour blog
    liveblog how why what who when where first"""
)

#: Last words of names of topics, not of speakers.
TOPIC_NOUNS: Final = table(
    """abortion act address attack attacks backlash ban bans battle bill bombing bombings bombshell brexit budget
    campaign campaigns case cases caucus caucuses center collapse convention coronavirus crackdown crash crisis
    deal deals death deaths debate debates decision dilemma disaster drama economy education election elections
    epidemic exit fallout fight fire fires flood floods forecast game games gap hearing hearings hurricane
    immigration impeachment inauguration investigation issue issues killing killings law laws match math moment
    move murder murders news order outbreak pact pandemic plan plans plot policy politics primary primaries
    probe problem protest protests race rally reform repeal result results riot riots row rule rules ruling
    scandal shooting shootings shutdown speech spree standoff storm story strategy strike strikes summit talks
    tax taxes test threat threats trade trial tour town tragedy vote votes war wars week weekend wildfires year"""
)

#: First words of a question or a teaser, which is not a claim.
QUESTION_WORDS: Final = table(
    "how why what who when where which whose is are was were does did do has have five six ten"
)

#: Words that show that somebody speaks: first and second persons, modal verbs, requests, contractions.
CLAIM_CUES: Final = table(
    """i i'm i'd i'll i've me my mine we we're we'd we'll we've our you you're your let's let don't doesn't didn't
    isn't aren't wasn't won't can't cannot couldn't wouldn't shouldn't should must ought will would could may
    might need needs needed never no yes"""
)
