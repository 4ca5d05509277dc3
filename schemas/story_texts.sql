-- One row per document under one version of the rules: its text as stories know it. Append-only.
-- key: doc_id, rule_version
-- sorted by: published
CREATE TABLE story_texts (
  doc_id STRING NOT NULL COMMENT 'document',
  rule_version STRING NOT NULL COMMENT 'version of the rules that folded and sampled it',
  published DATE COMMENT 'day of publication, UTC; NULL for an undated document, and under rules that did not look at it',
  text_id STRING NOT NULL COMMENT 'hash of the folded text: equal for exact copies; native_key if the text is too short to be judged',
  judged BOOLEAN NOT NULL COMMENT 'whether the text is long enough to tell a copy from a coincidence',
  words INT NOT NULL COMMENT 'words of the folded text',
  level INT NOT NULL COMMENT 'last bits that are 0 in each hash of the sample',
  sizes ARRAY<INT> NOT NULL COMMENT 'hashes of the sample at its level and at the next three',
  sample ARRAY<BIGINT> NOT NULL COMMENT 'hashes of sampled shingles, at most 128; empty for tweets and for texts that are not judged',
  facts ARRAY<BIGINT> COMMENT 'hashes of numbers and names, the 32 least; by these reports from one frame are told apart; NULL under rules that did not look at them',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Texts of documents, sampled to find copies'
TBLPROPERTIES (
  'delta.dataSkippingStatsColumns' = 'doc_id,text_id,published',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
