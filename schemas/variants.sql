-- One row per canonical text of quotes. Append-only.
-- key: variant_id
-- sorted by: variant_id
CREATE TABLE variants (
  variant_id STRING NOT NULL COMMENT 'hash(canonical text)',
  canonical_text STRING NOT NULL COMMENT 'case, marks, punctuation folded; digits and their separators kept; insertions and ellipses as a gap',
  words INT NOT NULL COMMENT 'words of the canonical text',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Canonical texts of quotes'
TBLPROPERTIES (
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
