-- One row each time variants went from one reuse group to another. History: it depends on the order of arrival. Append-only.
-- key: run_id, old_group_id, group_id, rule_version
CREATE TABLE group_lineage (
  old_group_id STRING NOT NULL COMMENT 'group that the variants were in',
  group_id STRING NOT NULL COMMENT 'group that they are in since',
  rule_version STRING NOT NULL COMMENT 'version of the rules that grouped them',
  change STRING NOT NULL COMMENT 'renamed: all of the group, under another anchor; merged: all of it, with others; split: a part of it',
  variants BIGINT NOT NULL COMMENT 'variants that went',
  night STRING COMMENT 'label of the run given by the operator',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Changes of reuse groups'
TBLPROPERTIES (
  'delta.constraints.known_change' = 'change IN (''renamed'', ''merged'', ''split'')',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
