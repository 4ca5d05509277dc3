"""Tables of words that tell who speaks in a headline, with quotation marks or without; English, in lower case."""

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

#: Verbs of headlines in their plain form that seldom report; the verbs of saying are in ``languages/en.toml``.
HEADLINE_VERBS: Final = table(
    """accept act adopt aim appeal appear approve arrive avoid ban battle beat become block blow boil boost break
    bring build buy campaign cancel carry cause celebrate change clarify clash clear climb close come confront
    converge correct crack create criticise cross curse cut dash deal debut defy delay deliver deploy die dig
    distance ditch dive divide double downplay draw drop dump ease embark end enter erupt escape expand extend eye
    face fall fight file fire fix flip follow force gain gather get give go grab grill grow gush handle head heap
    help hit hold honor ignore implore interrogate introduce issue join keep kick kill knock launch lay lead learn leave
    let lift look loom lose lower make march mark marvel mean meet melt mistake move name narrow need nominate open
    order outline overrule pack pass pause pay pick play plead ponder pop pour preach prep prepare press pressure
    prod propose prove pull punch punt put quit raise ramp reach react read rebuff receive reduce rejoin release
    relinquish remain remove renew reopen repeat replace rescind resign rethink retire return reveal reverse revive
    roll rule run sack save scrap seem sell send set shake shift shoot show shut sidestep sign sink sit skip slap
    snap snub spar spark spend stand start stay steal stir stop storm struggle stump sue surge survive swat sweep
    swipe tag take tap target tear throw tick torch touch tour trail trigger trim try turn undermine unleash unload
    unveil urge use veto visit wade wait walk weigh win withdraw work wrangle"""
)

#: Past forms and participles of such verbs that do not end in *-ed*.
HEADLINE_PASTS: Final = table(
    """became broke built came caught cut drew fell fled fought froze gave held kept knew led lost made met paid ran
    sent shook shot sold spent stole stood struck sued threw took tore went won"""
)

#: Words that are capitalised in headlines as names are, and belong to no speaker's name; besides :data:`TOPIC_NOUNS`.
COMMON_WORDS: Final = table(
    """abuse access admin aftermath age agenda aid alert ambition anger anniversary another armed authority back bad
    bailout bargain best better big bigger birthright bizarre bombs border breakdown burden bureaucracy cash chance
    chances change chaos citizenship civil claim clash climate clock comeback control controversy cost costs cover
    crime crimes culture cut cuts dangerous dark data day days deadline deadly defeat deficit delay different dirty
    divide dream drug drugs duty early easy edge effect effort electoral emails emergency end ends energy ethics
    evidence exclusive extreme face fake false fear fears final finally finest five flat four free freedom fresh full
    fun funding future gaffe getting global good great gun guns halfway hard hate health heat help hidden high
    historic history hope hopes hot hour hours human humiliation hypocrisy idea image jobs just key last leak leaks
    legal less lesson lessons lie lies life line long lost low major map marriage maybe meltdown memo military minor
    missing mission mixed money mood more most moves much mystery need new next night nightmare no not nothing now
    numbers odd odds old one only options outrage outright own pain peace perfect permanent pipeline power pressure
    prices proof punishment question questions quick rant rate rates real reality record reminder report rescue
    rights risk rumor rumors sad same sanctions satire scare second secret secrets security seven shame shock
    shocking short showdown six small smart some sorry spending split stakes states stock stop stress strong struggle
    success surge surprise suspected system tariff tariffs ten tension tensions term terms terror texts three time
    top tough toxic trick triumph trouble true truth turnout two ugly unreal update victory view views violence wall
    warning wasted wave ways weapon weapons week welcome what whoa why wild winner woes women's words work world
    worse worst wrong year years yes"""
)

#: Nouns that end as those for people do.
NO_AGENTS: Final = table(
    """anger answer banner barrier border center chapter character charter computer corner counter cover danger dinner
    disaster disorder door error factor favor feature fever figure filter finger floor honor horror humor hunger labor
    ladder laughter layer letter litter manner matter meter minor mirror monitor motor murder number offer order other
    paper parlor peer poster power prayer printer quarter rumor sector semester server shelter shoulder silver slaughter
    summer tenor terror thunder tower transfer tumor update vapor wager war water weather whisper winter wonder"""
)
