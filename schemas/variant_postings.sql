-- One row per variant and word that it is found by, when variants of later nights are compared with it. Append-only.
-- key: token, variant_id, rule_version
-- sorted by: variant_id
CREATE TABLE variant_postings (
  token BIGINT NOT NULL COMMENT 'hash of the word; a word that is repeated has another one each time',
  variant_id STRING NOT NULL COMMENT 'variant that has the word',
  rule_version STRING NOT NULL COMMENT 'version of the rules that chose the words',
  words INT NOT NULL COMMENT 'words of the variant',
  prefix BOOLEAN NOT NULL COMMENT 'whether variants of the same wording share the word or one of the others marked so',
  probe BOOLEAN NOT NULL COMMENT 'whether longer variants that contain this one have the word or one of the others marked so',
  signature_low BIGINT NOT NULL COMMENT 'one bit for each word of the variant: the lower 64 of 128',
  signature_high BIGINT NOT NULL COMMENT 'the upper 64',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Words that variants are found by'
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
