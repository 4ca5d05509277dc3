-- One row per input file read. Written last: after a crash before this row the next run reads the file again, harmlessly. A file that is read again under other settings keeps its row, with the counts of the last reading.
-- key: file_id
-- newest by: file_id
CREATE TABLE files (
  file_id STRING NOT NULL COMMENT 'hash(source, path, size, modified): the same file read again has the same id',
  source STRING NOT NULL COMMENT 'name of the source in the settings',
  path STRING NOT NULL COMMENT 'where the file was found',
  size BIGINT NOT NULL COMMENT 'bytes',
  modified TIMESTAMP NOT NULL COMMENT 'modification time in the file system, UTC',
  records BIGINT NOT NULL COMMENT 'records found, broken ones included',
  documents BIGINT NOT NULL COMMENT 'records that became a row of documents',
  duplicates BIGINT NOT NULL COMMENT 'records whose document was already stored',
  rejects BIGINT NOT NULL COMMENT 'records that could not be used',
  filtered BIGINT COMMENT 'records that the settings of the source leave out, counted and not kept',
  unread_dates BIGINT COMMENT 'records kept without a date that they state, because it could not be read or is absurd (documents.field_problems)',
  not_numbers BIGINT COMMENT 'records kept with NULL for a field that states NaN or Infinity',
  settings_digest STRING COMMENT 'hash of the settings that the records were read by; empty while the file is read again',
  written BIGINT COMMENT 'number of the commit that wrote the row; the one with the highest holds',
  gone BOOLEAN COMMENT 'never true',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Input files read, with what became of their records'
TBLPROPERTIES (
  'delta.constraints.nothing_lost' = 'records = documents + duplicates + rejects + coalesce(filtered, 0)',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
