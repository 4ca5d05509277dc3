-- One row per use, under one version of the rules, of a quote that several outlets use. A run appends all rows of the groups that got new uses.
-- key: group_id, quote_id, rule_version
-- rows of a page: 50
-- sorted by: group_id
-- newest by: group_id, rule_version
CREATE TABLE quote_comparisons (
  group_id STRING NOT NULL COMMENT 'reuse group',
  quote_id STRING NOT NULL COMMENT 'the quote that is this use',
  rule_version STRING NOT NULL COMMENT 'version of the rules that found, grouped and compared it',
  doc_id STRING NOT NULL COMMENT 'article',
  reference_quote_id STRING NOT NULL COMMENT 'the fullest use of the group by an outlet: most words, then the least variant_id, text and quote_id',
  reference_doc_id STRING NOT NULL COMMENT 'its article',
  differences ARRAY<STRUCT<kind: STRING, start: INT, end: INT, words: STRING, reference_start: INT, reference_end: INT, reference_words: STRING, cue: STRING, outlets: INT>> NOT NULL COMMENT 'where the use differs from the reference, in code points of the two texts. kind: see the codebook. words: what stands in the use; empty for an omission. reference_words: what stands in the reference; empty for an addition. cue: of a risky omission, the word that gives the kind. outlets: other outlets that carry what is omitted, of the wordings that are looked at (100); 0 where nothing risky is, or the article tells it beside the use',
  trimmed BOOLEAN NOT NULL COMMENT 'a negation, condition, hedge or contrast is omitted that at least two other outlets carry',
  others_speaker STRING COMMENT 'full name that most other outlets credit the same words to, where this use surely credits another person; else NULL',
  text STRING COMMENT 'the use, without marks; this and the next three are compared, and NULL in rows of earlier releases',
  before STRING COMMENT 'at most 400 characters of the article before it',
  after STRING COMMENT 'the same behind it',
  language STRING COMMENT 'language of the article, as in documents',
  start INT COMMENT 'where the use begins in the body; this and the next three are NULL in rows of earlier releases',
  end INT COMMENT 'one past its end',
  named_speaker STRING COMMENT 'whom the article credits the use to, as in contexts',
  speaker_type STRING COMMENT 'type of the same',
  written BIGINT COMMENT 'number of the commit that wrote the row; of a group the rows of the highest one hold',
  gone BOOLEAN COMMENT 'the row only says that the group has none any more',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Uses of quotes by several outlets, compared with the fullest one'
TBLPROPERTIES (
  'delta.dataSkippingStatsColumns' = 'group_id,quote_id,rule_version,doc_id',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
