-- One row per headline quote that a language model was asked about, its version and attempt. Append-only: only a failed request is made again.
-- key: quote_id, reader_version, attempt
CREATE TABLE readings (
  quote_id STRING NOT NULL COMMENT 'headline quote',
  reader_version STRING NOT NULL COMMENT 'version of the reader: its instruction, the name of the model and the settings that decide what it reads',
  attempt INT NOT NULL COMMENT '1 for the first request; a higher one follows a failed one',
  doc_id STRING NOT NULL COMMENT 'article',
  model STRING NOT NULL COMMENT 'name of the model, as the server was given it',
  status STRING NOT NULL COMMENT 'read; discarded: the answer names no words as evidence, or words that do not stand in the body; failed: there is no answer that can be read',
  reason STRING COMMENT 'why it was discarded or failed; else NULL',
  verdict STRING COMMENT 'of a row that was read: misleading (a reader of the headline is given another sense than the article has), fair, or unclear; else NULL',
  kind STRING COMMENT 'of a misleading one, in which way, as the instruction names it; else NULL',
  evidence ARRAY<STRUCT<start: INT, end: INT>> NOT NULL COMMENT 'words of the body that the model names, as offsets in the body',
  sentence STRING COMMENT 'what the model says of it, in its words; NULL where these quote what neither headline nor body has, or hold an address',
  tokens_in INT NOT NULL COMMENT 'tokens read, as the server counts them; where it does not, estimated',
  tokens_out INT NOT NULL COMMENT 'tokens written, likewise',
  seconds DOUBLE NOT NULL COMMENT 'time of the request, with its repetitions',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'What a language model says of headline quotes'
TBLPROPERTIES (
  'delta.constraints.known_status' = 'status IN (''read'', ''discarded'', ''failed'')',
  'delta.constraints.verdict_of_read' = '(status = ''read'') = (verdict IS NOT NULL)',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
