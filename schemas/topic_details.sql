-- One row per reuse group with enough distinct contexts (topics.explained) and representation: what its topic variation consists of. A run appends all rows of the groups that got new contexts.
-- key: group_id, representation, rule_version, fingerprint
-- sorted by: group_id
-- newest by: group_id, representation, rule_version, fingerprint
CREATE TABLE topic_details (
  group_id STRING NOT NULL COMMENT 'reuse group',
  representation STRING NOT NULL COMMENT 'as in topic_variation',
  rule_version STRING NOT NULL COMMENT 'version of the rules; never compare across versions',
  fingerprint STRING NOT NULL COMMENT 'model; never compare across models',
  n_sampled BIGINT NOT NULL COMMENT 'distinct contexts compared',
  n_dated BIGINT NOT NULL COMMENT 'of these, contexts with a date',
  n_undated BIGINT NOT NULL COMMENT 'contexts without one: in no month',
  n_periods INT NOT NULL COMMENT 'months with a context',
  variation_within DOUBLE COMMENT '1 - mean cosine over pairs of contexts of the same month; NULL without such pairs',
  variation_between DOUBLE COMMENT '1 - mean cosine over pairs of contexts of different months; NULL without such pairs',
  shift_period STRING COMMENT 'first month after the largest shift of topic, as YYYY-MM; NULL with fewer than 5 stories before or after any month',
  shift DOUBLE COMMENT 'size of that shift: mean cosine within its two sides minus the mean cosine between them',
  shift_chance DOUBLE COMMENT 'share of 200 orders of the stories, the true one included, with as large a shift somewhere',
  has_shifted BOOLEAN COMMENT 'the shift is clear: shift_chance is at most 0.01',
  words_before ARRAY<STRING> COMMENT 'words of the masked contexts that tell the time before from the time after, most telling first',
  words_after ARRAY<STRING> COMMENT 'and those of the time after',
  clusters ARRAY<STRUCT<n_contexts: INT, mean_cosine: DOUBLE, words: ARRAY<STRING>, typical: STRUCT<doc_id: STRING, start: INT, context_start: INT, context_end: INT, masked_hash: STRING>, second: STRUCT<doc_id: STRING, start: INT, context_start: INT, context_end: INT, masked_hash: STRING>>> COMMENT 'topics of the contexts, the 8 largest clusters, largest first: words that tell each from the others, and the two contexts nearest to all others of it (second is NULL where there is but one)',
  pairs ARRAY<STRUCT<doc_id: STRING, start: INT, context_start: INT, context_end: INT, masked_hash: STRING, other_doc_id: STRING, other_start: INT, other_context_start: INT, other_context_end: INT, other_masked_hash: STRING, cosine: DOUBLE, head_score: DOUBLE, label: STRING>> COMMENT 'pairs of distinct contexts, all or 50 chosen by hash: their cosine before the topic head and after it (NULL without one), and the label same, unclear or different by the thresholds of the settings',
  written BIGINT COMMENT 'number of the commit that wrote the row; of a group the rows of the highest one hold',
  gone BOOLEAN COMMENT 'the row only says that the group has none any more',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Periods, clusters and pairs of the contexts of reused quotes'
TBLPROPERTIES (
  'delta.dataSkippingStatsColumns' = 'group_id,representation,rule_version,fingerprint',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
