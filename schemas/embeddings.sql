-- One row per text and model. Append-only: each text is embedded once per model, ever.
-- key: fingerprint, text_hash
-- rows of a page: 50
-- sorted by: text_hash
CREATE TABLE embeddings (
  fingerprint STRING NOT NULL COMMENT 'model: digests of weights and tokenizer, pooling, longest input, dtype',
  text_hash STRING NOT NULL COMMENT 'hash of the text',
  vector ARRAY<FLOAT> COMMENT 'unit norm; NULL for an empty text',
  status STRING NOT NULL COMMENT 'ok, truncated (longer than the model reads) or empty',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Vectors of texts'
TBLPROPERTIES (
  'delta.dataSkippingStatsColumns' = 'fingerprint,text_hash',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
