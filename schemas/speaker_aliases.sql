-- One row each time somebody said who a name of speakers is. Append-only: a revised one is a new row, and the latest of a name counts.
-- key: name, imported_at
CREATE TABLE speaker_aliases (
  name STRING NOT NULL COMMENT 'the name as texts give it: speaker of the view speaker_quotes',
  canonical STRING COMMENT 'the name that stands for the person in all texts; NULL: what was said of the name before is withdrawn',
  wikidata_id STRING COMMENT 'the person in Wikidata, such as Q42; NULL where none is given',
  imported_at TIMESTAMP NOT NULL COMMENT 'when the row was loaded, UTC',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Who the names of speakers are'
TBLPROPERTIES (
  'delta.constraints.name_given' = 'length(trim(name)) > 0',
  'delta.constraints.canonical_named' = 'canonical IS NULL OR length(trim(canonical)) > 0',
  'delta.constraints.wikidata_item' = 'wikidata_id IS NULL OR wikidata_id RLIKE ''^Q[1-9][0-9]*$''',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
