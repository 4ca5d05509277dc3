"""Tables of words that the rules of quotation use; English, and matched in lower case unless capitalised here.

They are closed classes (pronouns, prepositions) or short lists of the commonest cases in news. A missing word may
misclassify a quote. One missing from the tables of apostrophes or reporting verbs may also misplace its end.
"""

import re
from typing import Final

from quotelake.text.lexicon import table

#: What follows an apostrophe for dropped letters, or one after a closing mark (*"Cats"'s cast*): never opens a quote.
ELISIONS: Final = re.compile(r"(?:\d\ds|n|s|t|d|m|ll|re|ve|em|tis|twas|twere|twill)(?!\w)", re.IGNORECASE)
#: The same, but these may also open a quote (*'10 dead'*, *'Round the clock'*): only if a later mark surely closes it.
POSSIBLE_ELISIONS: Final = re.compile(
    r"(?:\d\d|til|till|cause|cuz|coz|cos|bout|round|neath|er|im|ere|nuff|ave|e|ow)(?!\w)", re.IGNORECASE
)

#: Words written with a final apostrophe for dropped letters (besides those in *-in'*).
CLIPPED_WORDS: Final = table("clipped_words")

#: Words that cannot follow a possessive, since no noun phrase begins with them: after *-s'* the mark closes a quote.
FUNCTION_WORDS: Final = table("function_words")

#: First words of a predicate whose subject is outside the quote, in the headline: auxiliaries, *to*, common verbs.
PREDICATE_STARTS: Final = table("predicate_starts")

#: Verbs of saying that distinguish a direct quote of a few words from a scare quote or a title. Fewer than the cues
#: that find speakers (the table ``reporting``): with all of those, many more scare quotes and titles would be direct.
REPORTING_VERBS: Final = table("reporting_verbs")

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
WORK_NOUNS: Final = table("work_nouns")

#: Small words that a title leaves in lower case.
SMALL_WORDS: Final = table("small_words")

#: First words of a complete utterance: pronouns as subjects.
SUBJECT_PRONOUNS: Final = table("subject_pronouns")

#: Capitalised words that often follow a programme's title, as a surname follows a nickname.
DAYS_AND_MONTHS: Final = table("days_and_months")

#: The commonest languages from which speakers in English news are translated.
FOREIGN_LANGUAGES: Final = table("foreign_languages")

#: Titles before a name in headlines.
HONORIFICS: Final = table("honorifics")

#: Speakers before the colon of a headline even without a name: roles, organisations and sources.
SPEAKING_NOUNS: Final = table("speaking_nouns")

#: Labels of a kind of article, not speakers.
HEADLINE_LABELS: Final = table("headline_labels")

#: Last words of names of topics, not of speakers.
TOPIC_NOUNS: Final = table("topic_nouns")

#: First words of a question or a teaser, which is not a claim.
QUESTION_WORDS: Final = table("question_words")

#: Words that show that somebody speaks: first and second persons, modal verbs, requests, contractions.
CLAIM_CUES: Final = table("claim_cues")

#: Verbs of headlines in their plain form that seldom report; the verbs of saying are in the table ``reporting``.
HEADLINE_VERBS: Final = table("headline_verbs")

#: Past forms and participles of such verbs that do not end in *-ed*.
HEADLINE_PASTS: Final = table("headline_pasts")

#: Words that are capitalised in headlines as names are, and belong to no speaker's name; besides :data:`TOPIC_NOUNS`.
COMMON_WORDS: Final = table("common_words")

#: Nouns that end as those for people do.
NO_AGENTS: Final = table("no_agents")
