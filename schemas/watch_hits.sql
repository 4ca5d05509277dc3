-- One row per use of a watched text in a document under one version of the rules, in quotation marks or not. Rows of texts that are no longer watched stay.
-- key: watch_id, text_digest, doc_id, field, start, rule_version
-- sorted by: text_digest
CREATE TABLE watch_hits (
  watch_id STRING NOT NULL COMMENT 'id of the watched text, as the watch-list has it',
  text_digest STRING NOT NULL COMMENT 'hash of the id and of the words of the watched text and its variants; the id of its group',
  doc_id STRING NOT NULL COMMENT 'document it is found in',
  field STRING NOT NULL COMMENT 'headline, body or tweet',
  start INT NOT NULL COMMENT 'first character of the use in that field, in code points',
  end INT NOT NULL COMMENT 'one past its last character',
  rule_version STRING NOT NULL COMMENT 'version of the rules that found it and cut its context',
  score DOUBLE NOT NULL COMMENT 'how well its words match, to 1: unchanged words',
  sure BOOLEAN COMMENT 'its words stand unchanged, or tell so much that it is hardly another saying; only these uses are compared and shown by the view',
  in_marks BOOLEAN NOT NULL COMMENT 'the use stands inside a quote',
  quote_id STRING COMMENT 'the quote that is the same use: each covers at least half of the other',
  native_key STRING NOT NULL COMMENT 'article or tweet, the same for all its versions',
  text_id STRING COMMENT 'folded text of the document, see story_texts',
  period STRING COMMENT 'month of publication, YYYY-MM in UTC; NULL without a date',
  kind STRING COMMENT 'news or tweet; NULL under rules that did not keep it here',
  outlet STRING COMMENT 'outlet of the document, NULL where it is not known',
  author_key STRING COMMENT 'hashed author of a tweet, NULL where it is not known',
  context_start INT COMMENT 'first character of the context in the body, in code points; NULL in headlines and reposts',
  context_end INT COMMENT 'one past the last character of the context',
  raw_hash STRING COMMENT 'hash of the context, unchanged; NULL under rules that did not keep it here',
  masked_hash STRING COMMENT 'hash of the context with the use masked: equal for syndicated copies',
  words_left INT COMMENT 'words of the masked context',
  status STRING NOT NULL COMMENT 'ok; too_short where too few words are left to compare; headline and repost: no context',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Uses of watched texts'
TBLPROPERTIES (
  'delta.constraints.known_field' = 'field IN (''headline'', ''body'', ''tweet'')',
  'delta.constraints.known_status' = 'status IN (''ok'', ''too_short'', ''headline'', ''repost'')',
  'delta.constraints.score_in_range' = 'score BETWEEN 0 AND 1',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
