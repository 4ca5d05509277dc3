-- One row per headline quote that a language model has read: what the last one says of it. Discarded and failed answers are left out.
--   reader: name of the model
--   run_id: run that had it read
SELECT quote_id, reader_version, model AS reader, verdict, kind, evidence, sentence, doc_id, run_id
FROM (
  SELECT *, row_number() OVER (PARTITION BY quote_id ORDER BY ingested_at DESC, reader_version DESC) AS place
  FROM readings
  WHERE verdict IS NOT NULL
) given
WHERE place = 1
