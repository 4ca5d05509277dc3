-- One row per stage of a run, and one for the stage run when all of it is done. Append-only.
-- key: run_id, stage
CREATE TABLE runs (
  run_id STRING NOT NULL COMMENT 'run',
  stage STRING NOT NULL COMMENT 'stage of the run; sources: counts records by source, as SOURCE.COUNT; taken_up: counts documents of killed runs, by run; run: all of it, written last',
  night STRING COMMENT 'label given by the operator',
  seconds DOUBLE NOT NULL COMMENT 'wall time of the stage',
  counts MAP<STRING, BIGINT> NOT NULL COMMENT 'number of rows in and out, by name',
  settings_fingerprint STRING NOT NULL COMMENT 'hash of all settings',
  table_versions MAP<STRING, BIGINT> NOT NULL COMMENT 'Delta version of each table when the stage ended',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when the run started, UTC'
) USING DELTA
COMMENT 'What each run did'
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
