-- One row each time other versions of rules, detector or model, or another representation of contexts, became active. The latest row is active.
-- key: run_id
CREATE TABLE versions (
  rule_version STRING NOT NULL COMMENT 'version of the rules and of the settings that change what they find',
  detector_version STRING NOT NULL COMMENT 'version of the detector, its settings and the model behind it',
  fingerprint STRING NOT NULL COMMENT 'fingerprint of the model',
  model STRING NOT NULL COMMENT 'name or directory of the model as the settings gave it',
  dtype STRING NOT NULL COMMENT 'number format the model computes in; one per lake',
  outcomes_number INT COMMENT 'number of the code that judges headline quotes',
  representation STRING COMMENT 'what stands for a context in the topic scores that are shown, as in topic_variation',
  run_id STRING NOT NULL COMMENT 'run that activated it',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Active versions of rules and models'
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
