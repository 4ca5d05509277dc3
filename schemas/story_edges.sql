-- One row per pair of texts of which one is a copy of the other, wholly or in part. Append-only.
-- key: a, b, rule_version
-- sorted by: a
CREATE TABLE story_edges (
  a STRING NOT NULL COMMENT 'one text: the lesser text_id',
  b STRING NOT NULL COMMENT 'the other one',
  rule_version STRING NOT NULL COMMENT 'version of the rules that compared them',
  measure STRING NOT NULL COMMENT 'wording: near copies; containment: one is a part of the other',
  contained STRING COMMENT 'text_id of the one that is a part; NULL for near copies',
  jaccard DOUBLE NOT NULL COMMENT 'sampled shingles in common, of all sampled shingles of both; 0 to 1',
  containment DOUBLE NOT NULL COMMENT 'sampled shingles in common, of those of the smaller sample; 0 to 1',
  shared INT NOT NULL COMMENT 'sampled shingles in common',
  words_a INT NOT NULL COMMENT 'words of a',
  words_b INT NOT NULL COMMENT 'words of b',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Pairs of texts that are copies'
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
