-- One row per stage of each complete run, the last run first, and one per killed run that it took up: seconds, counts, and the table versions at its end.
--   started_at: when the run started, UTC; NULL for a killed one
--   stage: stage of the run; run: all of it; killed: the run was killed, and this one completed what was left of it
--   nth: 1 for the last complete run and what it took up, 2 for the one before; by the order of commits, never by a clock
SELECT
  started_at, run_id, night, stage, seconds, counts, settings_fingerprint, table_versions,
  dense_rank() OVER (ORDER BY table_versions['runs'] DESC) AS nth
FROM (
  SELECT ingested_at AS started_at, run_id, night, stage, seconds, counts, settings_fingerprint, table_versions
  FROM runs
  UNION ALL
  SELECT
    CAST(NULL AS TIMESTAMP) AS started_at, explode(map_keys(counts)) AS run_id, night, 'killed' AS stage, seconds, counts,
    settings_fingerprint, table_versions
  FROM runs
  WHERE stage = 'taken_up'
) stages
ORDER BY nth, run_id DESC, stage = 'run' DESC, stage
