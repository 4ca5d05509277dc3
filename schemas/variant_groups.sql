-- One row per variant that is in a pair: the reuse group it belongs to. Any other variant is a group by itself, under its variant_id. A run appends the variants that new ones moved.
-- key: variant_id, rule_version
-- newest by: variant_id, rule_version
-- sorted by: variant_id
CREATE TABLE variant_groups (
  variant_id STRING NOT NULL COMMENT 'variant',
  rule_version STRING NOT NULL COMMENT 'version of the rules that grouped it',
  group_id STRING NOT NULL COMMENT 'variant_id of the anchor of its group, the same in any order of arrival',
  component_id STRING COMMENT 'least variant_id of the variants that pairs connect with it, those by excerpt not counted; its own without pairs',
  excerpt STRING COMMENT 'joined: a short excerpt, in the group of the longer texts that hold it; phrase: so many texts hold it that it joins none; NULL for any other variant',
  written BIGINT COMMENT 'number of the commit that wrote the row; the one with the highest holds',
  gone BOOLEAN COMMENT 'never true',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Reuse groups of variants'
TBLPROPERTIES (
  'delta.constraints.known_excerpt' = 'excerpt IS NULL OR excerpt IN (''joined'', ''phrase'')',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
