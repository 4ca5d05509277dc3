-- One row per reuse group, period and representation. A run appends all rows of the groups that got new contexts.
-- key: group_id, period, representation, rule_version, fingerprint
-- sorted by: group_id
-- newest by: group_id, representation, rule_version, fingerprint
CREATE TABLE topic_variation (
  group_id STRING NOT NULL COMMENT 'reuse group',
  period STRING NOT NULL COMMENT 'all, or the month of publication as YYYY-MM',
  representation STRING NOT NULL COMMENT 'what stands for a context: raw, masked (the quote replaced by a dash) or blend (0.2 of raw in masked); behind a plus sign the topic head',
  rule_version STRING NOT NULL COMMENT 'version of the rules; never compare across versions',
  fingerprint STRING NOT NULL COMMENT 'model; never compare across models',
  n_documents BIGINT NOT NULL COMMENT 'articles and tweets, versions of one counted once',
  n_stories BIGINT COMMENT 'stories these tell: copies of one counted once; NULL under rules without stories',
  n_contexts BIGINT NOT NULL COMMENT 'contexts long enough to compare',
  n_distinct_contexts BIGINT NOT NULL COMMENT 'the same without copies: distinct masked contexts',
  n_sampled BIGINT NOT NULL COMMENT 'distinct contexts compared: fewer than n_distinct_contexts where the group is larger than topics.sample',
  mean_cosine DOUBLE COMMENT 'mean cosine over all pairs of distinct contexts, -1 to 1; NULL under 2',
  variation DOUBLE COMMENT '1 - mean_cosine: how much the topic varies from use to use',
  variation_low DOUBLE COMMENT 'lower bound of the 95 % interval (jackknife over stories); NULL under 3 stories',
  variation_high DOUBLE COMMENT 'upper bound',
  mean_cosine_all DOUBLE COMMENT 'mean cosine over all pairs of contexts, copies included; NULL under 2',
  variation_all DOUBLE COMMENT '1 - mean_cosine_all',
  n_outlets BIGINT COMMENT 'known outlets of the articles; NULL under rules that did not count them',
  variation_outlets DOUBLE COMMENT 'variation if each outlet counts the same, whatever number of contexts it has; each tweet counts as an outlet',
  by_kind ARRAY<STRUCT<kind: STRING, n_documents: BIGINT, n_stories: BIGINT, n_contexts: BIGINT, n_distinct_contexts: BIGINT, n_outlets: BIGINT, n_sampled: BIGINT, variation: DOUBLE, variation_low: DOUBLE, variation_high: DOUBLE, variation_all: DOUBLE>> COMMENT 'the same for each kind of source: news and tweet',
  details STRUCT<n_dated: BIGINT, n_undated: BIGINT, n_periods: INT, variation_within: DOUBLE, variation_between: DOUBLE, shift_period: STRING, shift: DOUBLE, shift_chance: DOUBLE, has_shifted: BOOLEAN, words_before: ARRAY<STRING>, words_after: ARRAY<STRING>, clusters: ARRAY<STRUCT<n_contexts: INT, mean_cosine: DOUBLE, words: ARRAY<STRING>, typical: STRUCT<doc_id: STRING, start: INT, context_start: INT, context_end: INT, masked_hash: STRING>, second: STRUCT<doc_id: STRING, start: INT, context_start: INT, context_end: INT, masked_hash: STRING>>>, pairs: ARRAY<STRUCT<doc_id: STRING, start: INT, context_start: INT, context_end: INT, masked_hash: STRING, other_doc_id: STRING, other_start: INT, other_context_start: INT, other_context_end: INT, other_masked_hash: STRING, cosine: DOUBLE, head_score: DOUBLE, label: STRING>>> COMMENT 'what the topic variation of a group with enough distinct contexts (topics.explained) consists of, see the view topic_details; NULL of fewer, and in rows of months',
  written BIGINT COMMENT 'number of the commit that wrote the row; of a group the rows of the highest one hold',
  gone BOOLEAN COMMENT 'the row only says that the group has none any more',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Topic variation of reused quotes'
TBLPROPERTIES (
  'delta.dataSkippingStatsColumns' = 'group_id,period,representation,rule_version,fingerprint',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
