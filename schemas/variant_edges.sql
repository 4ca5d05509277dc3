-- One row per verified pair of variants: the same quote, in other words or in part. Append-only.
-- key: a, b, rule_version
-- sorted by: a
CREATE TABLE variant_edges (
  a STRING NOT NULL COMMENT 'one variant: the lesser variant_id',
  b STRING NOT NULL COMMENT 'the other one',
  rule_version STRING NOT NULL COMMENT 'version of the rules that verified it',
  measure STRING NOT NULL COMMENT 'measure that holds: wording, spelling, containment or excerpt, see the codebook; an excerpt pair forms no group',
  contained STRING COMMENT 'variant_id of the one that is part of the other; NULL if neither is',
  words_a INT NOT NULL COMMENT 'words of a, gaps not counted',
  words_b INT NOT NULL COMMENT 'words of b, gaps not counted',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Pairs of variants that are the same quote'
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
