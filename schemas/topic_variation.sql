-- One row per reuse group, period and representation. A run updates, by key, the groups that got new contexts.
-- key: group_id, period, representation, rule_version, fingerprint
CREATE TABLE topic_variation (
  group_id STRING NOT NULL COMMENT 'reuse group',
  period STRING NOT NULL COMMENT 'all, or the month of publication as YYYY-MM',
  representation STRING NOT NULL COMMENT 'masked: the context with the quote replaced by a dash',
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
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Topic variation of reused quotes'
CLUSTER BY (group_id)
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
