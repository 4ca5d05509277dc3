-- One row per record that could not be used, and per document that was set aside. A file that is read again under other settings has the rejects of its last reading; one that grew, only those that its earlier versions did not have.
-- key: file_id, position
-- newest by: file_id, position
CREATE TABLE rejects (
  file_id STRING NOT NULL COMMENT 'file the record is in',
  position BIGINT NOT NULL COMMENT 'byte offset of the record in the uncompressed file as UTF-8 (JSON Lines), else its ordinal from 0 (JSON array, CSV, TSV, Parquet); of an element of a page or list (items, explode of the source) the offset of the line plus its number in it, else its ordinal in the file; -1: the file itself',
  source STRING NOT NULL COMMENT 'name of the source in the settings',
  path STRING NOT NULL COMMENT 'where the file was found',
  reason STRING NOT NULL COMMENT 'one of the reasons of quotelake.sources.rejects.Reason',
  detail STRING NOT NULL COMMENT 'what was found, in a sentence',
  raw STRING COMMENT 'the record, up to ingest.raw_cap characters; bytes that are not of its encoding are escaped; NULL for tweets, whose authors are not stored',
  written BIGINT COMMENT 'number of the commit that wrote the row; the one with the highest holds',
  gone BOOLEAN COMMENT 'the row only says that the reject is none any more',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Records that could not be used, and documents set aside, with the reason'
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
