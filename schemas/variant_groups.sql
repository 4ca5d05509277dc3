-- One row per variant: the reuse group it belongs to. A run updates, by key, the variants that new ones moved.
-- key: variant_id, rule_version
CREATE TABLE variant_groups (
  variant_id STRING NOT NULL COMMENT 'variant',
  rule_version STRING NOT NULL COMMENT 'version of the rules that grouped it',
  group_id STRING NOT NULL COMMENT 'variant_id of the anchor of its group, the same in any order of arrival',
  component_id STRING COMMENT 'least variant_id of the variants that pairs connect with it; its own without pairs',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Reuse group of each variant'
CLUSTER BY (variant_id)
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
