-- One row per text that is or was watched under one version of the rules, and how far the lake was searched for it.
-- key: text_digest, rule_version
-- newest by: text_digest, rule_version
-- sorted by: text_digest
CREATE TABLE watch_texts (
  text_digest STRING NOT NULL COMMENT 'hash of the id and of the words of the text and its variants',
  rule_version STRING NOT NULL COMMENT 'version of the rules that search for it',
  watch_id STRING NOT NULL COMMENT 'id of the text, as the watch-list has it',
  text STRING NOT NULL COMMENT 'the text',
  variants ARRAY<STRING> NOT NULL COMMENT 'other wordings that are searched for',
  exact BOOLEAN NOT NULL COMMENT 'only its unchanged words are found: as the watch-list asks, or since it says too little for changed ones',
  is_current BOOLEAN NOT NULL COMMENT 'it was on the watch-list of the last run',
  searched BOOLEAN NOT NULL COMMENT 'it was searched for in all documents of the lake that this version of the rules has processed',
  written BIGINT COMMENT 'number of the commit that wrote the row; the one with the highest holds',
  gone BOOLEAN COMMENT 'never true',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Watched texts'
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
