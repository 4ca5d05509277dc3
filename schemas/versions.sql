-- One row each time a version of the rules or the model became the active one. The latest row is active.
-- key: run_id
CREATE TABLE versions (
  rule_version STRING NOT NULL COMMENT 'rules and the settings that change what they find',
  detector_version STRING NOT NULL COMMENT 'detector, its settings and the model behind it',
  fingerprint STRING NOT NULL COMMENT 'model',
  model STRING NOT NULL COMMENT 'name or directory of the model as the settings gave it',
  dtype STRING NOT NULL COMMENT 'number format the model computes in; one per lake',
  run_id STRING NOT NULL COMMENT 'run that activated it',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Active versions of rules and models'
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
