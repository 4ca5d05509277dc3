-- One row per quoted span of a document under one version of the rules. Append-only.
-- key: quote_id, rule_version
CREATE TABLE quotes (
  quote_id STRING NOT NULL COMMENT 'hash(doc_id, field, start, end)',
  rule_version STRING NOT NULL COMMENT 'version of the rules that found it',
  doc_id STRING NOT NULL COMMENT 'document it stands in',
  field STRING NOT NULL COMMENT 'headline, body or tweet',
  start INT NOT NULL COMMENT 'first character, in Unicode code points of the field',
  end INT NOT NULL COMMENT 'one past the last character, in code points',
  text STRING NOT NULL COMMENT 'the field from start to end, without the marks',
  segments ARRAY<STRUCT<start: INT, end: INT>> NOT NULL COMMENT 'parts in order, in code points; more than one where it continues over paragraphs',
  parent STRING COMMENT 'quote_id of the enclosing quote',
  depth INT NOT NULL COMMENT '0 for an outermost quote',
  marks STRING NOT NULL COMMENT 'opening and closing mark as they stand; the opening alone where it was never closed',
  kind STRING NOT NULL COMMENT 'direct, scare, title, nickname or claim',
  flags ARRAY<STRING> NOT NULL COMMENT 'unclosed, mixed_marks, continued',
  words INT NOT NULL COMMENT 'words of the text',
  match_key STRING COMMENT 'text with marks, case, spaces and terminal punctuation folded, to compare verbatim; NULL if nothing is left',
  variant_id STRING COMMENT 'variant it is a use of; NULL if its canonical text is empty',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Quoted spans of headlines, bodies and tweets'
CLUSTER BY (doc_id)
TBLPROPERTIES (
  'delta.dataSkippingStatsColumns' = 'quote_id,rule_version,doc_id,field,kind,variant_id',
  'delta.constraints.known_field' = 'field IN (''headline'', ''body'', ''tweet'')',
  'delta.constraints.span_in_order' = 'start >= 0 AND end > start',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
