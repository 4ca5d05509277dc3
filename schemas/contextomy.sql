-- One row per headline quote under one version of rules, detector and model. Append-only.
-- key: quote_id, rule_version, detector_version
CREATE TABLE contextomy (
  quote_id STRING NOT NULL COMMENT 'headline quote',
  rule_version STRING NOT NULL COMMENT 'version of the rules that found and matched it',
  detector_version STRING NOT NULL COMMENT 'version of the detector and of the model behind its cosine',
  doc_id STRING NOT NULL COMMENT 'article',
  outcome STRING NOT NULL COMMENT 'see the codebook: identical, excerpt, modified, joined, contextomized, in_body_unquoted, no_body_quote, claim_supported, claim_unsupported, body_incomplete, not_a_quotation, not_comparable',
  alert STRING COMMENT 'contextomized, risky_excerpt or NULL: what a standards desk is shown',
  score DOUBLE COMMENT 'of the detector, from 0 (a body quote carries it) to 1 (none does); NULL where a rule settled it without one',
  reason STRING NOT NULL COMMENT 'the rule that decided, in a few words',
  best_quote_id STRING COMMENT 'body quote that carries most of it',
  second_quote_id STRING COMMENT 'body quote that adds most to the best one',
  body_quotes INT NOT NULL COMMENT 'body quotes it was compared with',
  containment_best DOUBLE COMMENT 'share of its character n-grams in the best body quote, 0 to 1',
  containment_second DOUBLE COMMENT 'the same in the second',
  containment_union DOUBLE COMMENT 'the same in the best and the second together',
  containment_body DOUBLE COMMENT 'the same in the whole body, quoted or not',
  coverage DOUBLE COMMENT 'share of its letters under 5-grams (of syllables under 2-grams) that stand in the best two body quotes; NULL where a rule settled it',
  coverage_loose DOUBLE COMMENT 'share of its letters, Hangul as jamo, under 3-grams that stand in the best body quote; NULL where a rule settled it',
  matched_letters DOUBLE COMMENT 'logarithm of 1 and the number of its letters, Hangul as jamo, under 4-grams of the best two; NULL where a rule settled it',
  numbers DOUBLE COMMENT '1 / (1 + its numbers that stand in no body quote); NULL where a rule settled it',
  evidence DOUBLE COMMENT 'what the detector made of the strings, before the cosine: the higher, the less supports it; NULL where a rule settled it',
  cosine_best DOUBLE COMMENT 'highest cosine with a body quote; NULL where the model does not know the language',
  matched ARRAY<STRUCT<start: INT, end: INT>> NOT NULL COMMENT 'parts of the headline quote found in the best body quote, offsets in the headline quote',
  omitted ARRAY<STRUCT<start: INT, end: INT>> NOT NULL COMMENT 'excerpt: parts of the best body quote left out, offsets in that quote',
  omitted_negation BOOLEAN NOT NULL COMMENT 'excerpt: a negation of the same sentence is left out',
  omitted_condition BOOLEAN NOT NULL COMMENT 'excerpt: a condition of the same sentence is left out',
  omitted_hedge BOOLEAN NOT NULL COMMENT 'excerpt: a hedge of the same sentence is left out',
  omitted_question BOOLEAN NOT NULL COMMENT 'excerpt: what was asked stands as a statement',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Headline quotes held against the body'
CLUSTER BY (doc_id)
TBLPROPERTIES (
  'delta.dataSkippingStatsColumns' = 'quote_id,rule_version,detector_version,doc_id,outcome,alert,score',
  'delta.constraints.known_outcome' = 'outcome IN (''identical'', ''excerpt'', ''modified'', ''joined'', ''contextomized'', ''in_body_unquoted'', ''no_body_quote'', ''claim_supported'', ''claim_unsupported'', ''body_incomplete'', ''not_a_quotation'', ''not_comparable'')',
  'delta.constraints.score_in_range' = 'score IS NULL OR (score >= 0 AND score <= 1)',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
