-- One row per headline quote under one version of rules, detector and model. Append-only.
-- key: quote_id, rule_version, detector_version
-- sorted by: doc_id
CREATE TABLE contextomy (
  quote_id STRING NOT NULL COMMENT 'headline quote',
  rule_version STRING NOT NULL COMMENT 'version of the rules that found and matched it',
  detector_version STRING NOT NULL COMMENT 'version of the detector and of the model behind its cosine',
  doc_id STRING NOT NULL COMMENT 'article',
  outcome STRING NOT NULL COMMENT 'see the codebook: identical, excerpt, modified, joined, contextomized, absent, in_body_unquoted, no_body_quote, claim_supported, claim_unsupported, body_incomplete, not_a_quotation, not_comparable',
  alert STRING COMMENT 'kind of the gravest difference by which the headline gives another sense than the body, see the codebook: negation, reported, number, credited_to_another, question, condition, hedge; NULL: no alert',
  score DOUBLE COMMENT 'detector score, from 0 (a body quote supports it) to 1 (none does); NULL where a rule decided without the detector',
  severity DOUBLE COMMENT 'of the alert, else of the check: how much the difference changes what a reader believes, 0 to 1; NULL without either',
  reason STRING NOT NULL COMMENT 'the rule that decided, in a few words; before it the differences that are alerts or checks, in phrases',
  best_quote_id STRING COMMENT 'body quote that contains most of it; for an interrupted utterance the first part; NULL where a passage outside quotes decided, or no body quote shares anything with it',
  best_start INT COMMENT 'where the best body quote begins in the body',
  best_end INT COMMENT 'one past its end; for an interrupted utterance, past the last part',
  second_quote_id STRING COMMENT 'body quote that adds most to the best one',
  second_start INT COMMENT 'where the second body quote begins in the body',
  second_end INT COMMENT 'one past its end',
  body_quotes INT NOT NULL COMMENT 'number of body quotes it was compared with; an interrupted utterance counts once',
  speaker_match BOOLEAN COMMENT 'whether the headline names the speaker of the best body quote; NULL where unknown, or where that quote does not contain the words',
  two_speakers BOOLEAN COMMENT 'the best and the second body quote are by two persons with names, and the headline names one speaker',
  containment_best DOUBLE COMMENT 'share of its character n-grams in the best body quote, 0 to 1',
  containment_union DOUBLE COMMENT 'the same for the best and the second together',
  coverage DOUBLE COMMENT 'share of its letters in 5-grams (of syllables, in 2-grams) found in the best two body quotes; NULL where a rule decided',
  matched_letters DOUBLE COMMENT 'log(1 + number of its letters, Hangul as jamo, in 4-grams found in the best two); NULL where a rule decided',
  in_order DOUBLE COMMENT 'share of its 3-grams (of its syllables) found in the same order in one stretch of a body quote; NULL where a rule decided',
  last_word DOUBLE COMMENT 'share of its last word, from its beginning on, that begins a word of a body quote; NULL where a rule decided',
  numbers DOUBLE COMMENT '1 / (1 + its numbers found in no body quote); NULL where a rule decided',
  marks DOUBLE COMMENT '1 / (1 + its question and exclamation marks that no body quote has); NULL where a rule decided',
  clauses DOUBLE COMMENT 'logarithm of the number of its clauses; NULL where a rule decided',
  evidence DOUBLE COMMENT 'detector output from the texts alone, before the cosine: higher means less support; NULL where a rule decided',
  cosine_best DOUBLE COMMENT 'highest cosine with a body quote; NULL where the model does not know the language',
  recognised BOOLEAN COMMENT 'whether the utterance behind it is recognisable in the body: a passage, quoted or not, has half of its words of content or more in the same order; NULL where a rule decided',
  difference STRING COMMENT 'in scripts other than Latin, where words are not read one by one, a phrase for another statement; else, or where a rule decided, NULL',
  matched ARRAY<STRUCT<start: INT, end: INT>> NOT NULL COMMENT 'parts of the headline quote found in the best body quote, offsets in the headline quote',
  omitted ARRAY<STRUCT<start: INT, end: INT>> NOT NULL COMMENT 'excerpt: parts of the best body quote left out, offsets from best_start',
  body_start INT COMMENT 'where its words, outside quotes, or the sentence that supports a claim begin in the body; else NULL',
  body_end INT COMMENT 'one past the end of that',
  passage STRING COMMENT 'the body from 400 characters before best_start, or else body_start, to 400 behind the end; NULL without them, and in rows of earlier releases',
  second_quote STRING COMMENT 'the second body quote; NULL without one, and in rows of earlier releases',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC',
  differences ARRAY<STRUCT<kind: STRING, tier: STRING, severity: DOUBLE, said: STRING, own: STRING, phrase: STRING>> COMMENT 'in what it differs from the body, the gravest first: kind, tier (alert, check or note), severity, words of the body and of the headline, and the difference in a phrase; NULL in rows of earlier releases',
  to_check STRING COMMENT 'kind of the gravest difference by which the words between the marks do not stand in the body as printed, see the codebook: absent, altered, spliced; NULL: none'
) USING DELTA
COMMENT 'Headline quotes compared with the body'
TBLPROPERTIES (
  'delta.dataSkippingStatsColumns' = 'quote_id,rule_version,detector_version,doc_id,outcome,alert,score,severity',
  'delta.constraints.known_outcome' = 'outcome IN (''identical'', ''excerpt'', ''modified'', ''joined'', ''contextomized'', ''absent'', ''in_body_unquoted'', ''no_body_quote'', ''claim_supported'', ''claim_unsupported'', ''body_incomplete'', ''not_a_quotation'', ''not_comparable'')',
  'delta.constraints.score_in_range' = 'score IS NULL OR (score >= 0 AND score <= 1)',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
