-- One row per mark of what was forgotten: a hash under the secret of this lake, by which a record that comes again is known and left out. Append-only.
-- key: mark
CREATE TABLE forgotten (
  mark STRING NOT NULL COMMENT 'HMAC-SHA256 of kind and value under the key of this lake, 32 hexadecimal digits',
  kind STRING NOT NULL COMMENT 'column of documents whose value is hashed: doc_id (one version), native_key (an article or tweet with all its versions), url or author_key (all that an author writes)',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Marks of documents that must not come back'
TBLPROPERTIES (
  'delta.constraints.known_kind' = 'kind IN (''doc_id'', ''native_key'', ''url'', ''author_key'')',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
