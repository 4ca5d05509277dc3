"""Tables of words that the rules of quotation use; English, and matched in lower case unless capitalised here.

They are closed classes (pronouns, prepositions) or short lists of the commonest cases in news. A missing word may
misclassify a quote. One missing from the tables of apostrophes or reporting verbs may also misplace its end.
"""

import re
from typing import Final


def table(words: str) -> frozenset[str]:
    """Read a table of words separated by white space."""
    return frozenset(words.split())


#: What follows an apostrophe for dropped letters, or one after a closing mark (*"Cats"'s cast*): never opens a quote.
ELISIONS: Final = re.compile(r"(?:\d\ds|n|s|t|d|m|ll|re|ve|em|tis|twas|twere|twill)(?!\w)", re.IGNORECASE)
#: The same, but these may also open a quote (*'10 dead'*, *'Round the clock'*): only if a later mark surely closes it.
POSSIBLE_ELISIONS: Final = re.compile(
    r"(?:\d\d|til|till|cause|cuz|coz|cos|bout|round|neath|er|im|ere|nuff|ave|e|ow)(?!\w)", re.IGNORECASE
)

#: Words written with a final apostrophe for dropped letters (besides those in *-in'*).
CLIPPED_WORDS: Final = table("o ol th an lil mo wi tha")

#: Words that cannot follow a possessive, since no noun phrase begins with them: after *-s'* the mark closes a quote.
FUNCTION_WORDS: Final = table(
    """a about after against ahead although amid among an and are around as at be because been before behind being but
    by can could did do does during for from had has have he how i if in into is it like may might must nor not of off
    on or over should since so than that the their them then there these they this those though through to under until
    up was we were what when where which while who why will with without would you"""
)

#: First words of a predicate whose subject is outside the quote, in the headline: auxiliaries, *to*, common verbs.
PREDICATE_STARTS: Final = table(
    """to is are was were be being been has have had will would could may might must should can not set sets hit hits
    hitting due likely"""
)

#: Verbs of saying that distinguish a direct quote of a few words from a scare quote or a title. Fewer than the cues
#: that find speakers (``languages/en.toml``): with all of those, many more scare quotes and titles would be direct.
REPORTING_VERBS: Final = table(
    """said says say saying told tells tell telling asked asks ask asking added adds adding wrote writes writing written
    tweeted tweets tweeting posted replied replies responded answered explained explains explaining noted notes noting
    argued argues arguing claimed claims claiming insisted insists warned warns warning stated states stating announced
    declared declares acknowledged admitted admits conceded confirmed denied suggested suggests predicted joked recalled
    remarked observed concluded continued began shouted yelled chanted whispered urged promised vowed complained
    testified reported called calls calling described describes describing dubbed quipped exclaimed commented thinks
    believes recounted mused lamented boasted recommended cautioned countered retorted reads quoted"""
)

#: A reporting clause at the end of a paragraph: the quote before it has ended, though its closing mark is missing.
ATTRIBUTION_AT_END: Final = re.compile(
    rf"[,?!][\"'”’]?\s(?:[\w.’'-]+\s){{0,5}}(?:{'|'.join(sorted(REPORTING_VERBS))})(?:\s[\w.’'-]+){{0,6}}[.:]?\Z"
)

#: The end of a sentence before the next one; not abbreviated titles, initials and short abbreviations (*Sen.*).
SENTENCE_END: Final = re.compile(
    r"\n|[.!?][\"'”’]?"
    r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\b[A-Z]\.)(?<!\b[A-Z][a-z]{2}\.)\s+(?=[A-Z“\"])"
)

#: Words before a quote from which the writer distances himself.
SCARE_CUES: Final = re.compile(
    r"(?:\bso[- ]called|\bself[- ](?:styled|described|proclaimed|professed)|\bwould-be|\bsupposed(?:ly)?"
    r"|\bpurported(?:ly)?|\bquote[- ]unquote)\s*$",
    re.IGNORECASE,
)
#: Their endings; most texts fail this quick test and need no search.
SCARE_CUE_ENDS: Final = (
    "called", "styled", "described", "claimed", "professed", "would-be", "supposed", "supposedly", "purported",
    "purportedly", "unquote",
)  # fmt: skip
#: Words before a nickname.
NICKNAME_CUES: Final = re.compile(
    r"(?:\bnicknamed|\bknown (?:simply |locally |widely |better )?as|\ba\.?k\.?a\.?|\balias)\s*$", re.IGNORECASE
)
NICKNAME_CUE_ENDS: Final = ("nicknamed", "as", "ka", "ka.", "k.a", "k.a.")

#: Nouns beside the title of a work.
WORK_NOUNS: Final = table(
    """album anthem ballad blockbuster book books cartoon column comedy comic documentary drama ebook episode essay
    exhibition film films hymn magazine memoir miniseries movie movies musical novel opera painting play podcast poem
    programme prequel remake sequel series sitcom show song soundtrack thriller trilogy tune video videogame"""
)

#: Small words that a title leaves in lower case.
SMALL_WORDS: Final = table(
    "a an and as at but by for from in into nor of off on or over per so the to up upon v via vs with yet de la le der"
)

#: First words of a complete utterance: pronouns as subjects.
SUBJECT_PRONOUNS: Final = table(
    "i i'm i'll i've i'd we we're we'll we've we'd you you're you'll you've you'd he he's he'll she she's she'll it "
    "it's it'll they they're they'll they've that's there's this let's"
)

#: Capitalised words that often follow a programme's title, as a surname follows a nickname.
DAYS_AND_MONTHS: Final = table(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december"""
)

#: The commonest languages from which speakers in English news are translated.
FOREIGN_LANGUAGES: Final = table(
    """Albanian Amharic Arabic Armenian Bengali Bosnian Bulgarian Burmese Cantonese Catalan Chinese Creole Croatian
    Czech Danish Dari Dutch Estonian Farsi Finnish French Gaelic Georgian German Greek Hausa Hebrew Hindi
    Hungarian Indonesian Italian Japanese Khmer Korean Kurdish Lao Latin Latvian Lithuanian Malay Mandarin
    Mongolian Nepali Norwegian Pashto Persian Polish Portuguese Punjabi Romanian Russian Serbian Sinhala
    Slovak Somali Spanish Swahili Swedish Tagalog Tamil Thai Tibetan Tigrinya Turkish Ukrainian Urdu Uyghur
    Vietnamese Welsh Yiddish Zulu"""
)
