-- One row per text that is in a pair: its story. Any other text is a story by itself, under its text_id. A run appends the texts that new ones moved.
-- key: text_id, rule_version
-- newest by: text_id, rule_version
-- sorted by: text_id
CREATE TABLE stories (
  text_id STRING NOT NULL COMMENT 'text of one or more documents, see story_texts',
  rule_version STRING NOT NULL COMMENT 'version of the rules that placed it',
  story_id STRING NOT NULL COMMENT 'text_id of the anchor of its story, the same in any order of arrival',
  component_id STRING COMMENT 'least text_id of the texts that pairs connect with it',
  written BIGINT COMMENT 'number of the commit that wrote the row; the one with the highest holds',
  gone BOOLEAN COMMENT 'never true',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Stories of texts that have copies'
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
