-- One row per stage of each complete run, newest run first: seconds, counts, and the table versions at its end.
--   started_at: when the run started, UTC
SELECT ingested_at AS started_at, run_id, night, stage, seconds, counts, settings_fingerprint, table_versions
FROM runs
ORDER BY ingested_at DESC, run_id DESC, stage = 'run' DESC, stage
