-- One row per use of a variant in a document under one version of the rules. Independent of groups; nothing changes but the period, where a date could not be read before.
-- key: variant_id, doc_id, start, rule_version
-- sorted by: variant_id
CREATE TABLE contexts (
  variant_id STRING NOT NULL COMMENT 'variant used',
  doc_id STRING NOT NULL COMMENT 'document it is used in',
  start INT NOT NULL COMMENT 'first character of the use in the body, in code points',
  end INT NOT NULL COMMENT 'one past its last character',
  rule_version STRING NOT NULL COMMENT 'version of the rules that cut the context',
  quote_id STRING NOT NULL COMMENT 'the quote that is this use',
  native_key STRING NOT NULL COMMENT 'article or tweet, the same for all its versions',
  text_id STRING COMMENT 'folded text of the document, see story_texts; NULL under rules without stories',
  kind STRING COMMENT 'news or tweet; NULL under rules that did not keep it here',
  outlet STRING COMMENT 'outlet of the document, NULL where it is not known',
  author_key STRING COMMENT 'hashed author of a tweet, NULL where it is not known',
  context_start INT NOT NULL COMMENT 'first character of the context in the body, in code points',
  context_end INT NOT NULL COMMENT 'one past the last character of the context',
  raw_hash STRING NOT NULL COMMENT 'hash of the context, unchanged',
  masked_hash STRING NOT NULL COMMENT 'hash of the context with the quote masked: equal for syndicated copies',
  period STRING COMMENT 'month of publication, YYYY-MM (of documents.published_on); NULL without a date',
  words_left INT NOT NULL COMMENT 'words of the masked context',
  speaker STRING COMMENT 'full name of the person whom the text surely credits the use to; NULL where it does not, or under rules that did not keep it here',
  named_speaker STRING COMMENT 'whom the text credits the use to: full name where it gives one, else the name as written; NULL where it names nobody, or under rules that did not keep it here',
  speaker_type STRING COMMENT 'type of the same: person, organisation, document, anonymous, crowd',
  direct BOOLEAN NOT NULL COMMENT 'the use is a direct quote',
  status STRING NOT NULL COMMENT 'ok, or too_short where too few words are left to compare',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Uses of variants with the text around them'
TBLPROPERTIES (
  'delta.constraints.known_status' = 'status IN (''ok'', ''too_short'')',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
