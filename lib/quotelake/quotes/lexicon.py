"""The words that the rules of quotes and of English speakers use; what each list holds is said in ``en.toml``.

They are closed classes (pronouns, prepositions) or short lists of the commonest cases in news. A missing word may
misclassify a quote. One missing from the lists of apostrophes or reporting verbs may also misplace its end.
"""

import re
from typing import Final

from quotelake.text.lexicon import reporting, table

#: Form of a verb of saying → its lemma; the forms that also precede their subject (*“…”, said Ruiz*), and those that
#: report only if their sentence has no other cue (*Ruiz wants “…”*).
CUES: Final = reporting("en")
SAYS: Final = frozenset(reporting("en", "say"))
WEAK: Final = frozenset(reporting("en", "think"))

ABBREVIATIONS: Final = table("abbreviations")
ADVERBS: Final = table("adverbs")
AUXILIARIES: Final = table("auxiliaries")
BE: Final = table("be")
BREAKS: Final = table("breaks")
CLAIM_CUES: Final = table("claim_cues")
CLIPPED_WORDS: Final = table("clipped_words")
COMMON_WORDS: Final = table("common_words")
CROWD: Final = table("crowd")
DAYS_AND_MONTHS: Final = table("days_and_months")
DETERMINERS: Final = table("determiners")
DOCUMENTS: Final = table("documents")
FEMALE_NAMES: Final = table("female_names")
FEMALE_TITLES: Final = table("female_titles")
FOREIGN_LANGUAGES: Final = table("foreign_languages")
FUNCTION_WORDS: Final = table("function_words")
HEADLINE_LABELS: Final = table("headline_labels")
HEADLINE_PASTS: Final = table("headline_pasts")
HEADLINE_VERBS: Final = table("headline_verbs")
HONORIFICS: Final = table("honorifics")
INDEFINITE: Final = table("indefinite")
JOINING: Final = table("joining")
MALE_NAMES: Final = table("male_names")
MALE_TITLES: Final = table("male_titles")
MODALS: Final = table("modals")
NOT_NAMES: Final = table("not_names")
NOUN_VERBS: Final = table("noun_verbs")
NO_AGENTS: Final = table("no_agents")
ORGANISATIONS: Final = table("organisations")
PARTICLES: Final = table("particles")
PREDICATE_STARTS: Final = table("predicate_starts")
PREPOSITIONS: Final = table("prepositions")
PRONOUNS: Final = table("pronouns")
QUESTION_WORDS: Final = table("question_words")
RANKS: Final = table("ranks")
REPORTING_VERBS: Final = table("reporting_verbs")
ROLES: Final = table("roles")
SMALL_WORDS: Final = table("small_words")
SOURCES: Final = table("sources")
SPEAKING_NOUNS: Final = table("speaking_nouns")
SUBJECT_PRONOUNS: Final = table("subject_pronouns")
TIME_WORDS: Final = table("time_words")
TITLES: Final = table("titles")
TOPIC_NOUNS: Final = table("topic_nouns")
WORK_NOUNS: Final = table("work_nouns")

#: The end of a sentence before the next one; not abbreviated titles, initials and short abbreviations (*Sen.*).
SENTENCE_END: Final = re.compile(
    r"\n|[.!?][\"'”’]?"
    r"(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\b[A-Z]\.)(?<!\b[A-Z][a-z]{2}\.)\s+(?=[A-Z“\"])"
)
