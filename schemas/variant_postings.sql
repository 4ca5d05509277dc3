-- One row per variant that can be compared: words by which variants of later nights find it. Append-only.
-- key: variant_id, rule_version
-- sorted by: variant_id
CREATE TABLE variant_postings (
  variant_id STRING NOT NULL COMMENT 'the variant',
  rule_version STRING NOT NULL COMMENT 'version of the rules that chose the words',
  words INT NOT NULL COMMENT 'words of the variant',
  tokens ARRAY<BIGINT> COMMENT 'hashes of words, the rarest first, a repeated word by others; NULL in rows of older rules',
  n_prefix INT COMMENT 'so many first ones: variants of the same wording share one of these',
  n_probe INT COMMENT 'so many first ones: longer variants that contain this one have one of these; 0: none is looked for',
  signature BINARY COMMENT 'one bit of 512 for each word of the variant',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Words that variants are found by'
TBLPROPERTIES (
  'delta.dataSkippingStatsColumns' = 'variant_id,rule_version',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
