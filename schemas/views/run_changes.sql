-- One row per complete run and figure, the last run first: what the run counted, beside what the complete run before it counted.
-- Figures are the counts that a run notes of each stage, as the table runs has them: documents (files, records, documents, duplicates, rejects, ...),
-- sources (the same of each source, as SOURCE.COUNT), scores (documents, quotes, headline_quotes, contexts, ..., and watch_hits where texts are watched).
-- A figure that a run did not note has no row. Three more are counted here: taken_up, documents of killed runs whose work the run completed; and
-- under results, for the last two complete runs alone, alerts, checks and watched_uses in rows that the run wrote. Rows of older runs are not counted.
--   nth: 1 for the last complete run, 2 for the one before
--   stage: stage of the run that noted the figure; results: counted from the tables
--   figure: what was counted
--   value: how many
--   value_before: how many of the complete run before; NULL where it did not note the figure
--   difference: value - value_before
--   started_at: when the run started, UTC
WITH noted AS (
  SELECT nth, stage, counts, explode(map_keys(counts)) AS figure
  FROM run_summary
  WHERE stage NOT IN ('run', 'killed', 'taken_up')
),
recent AS (
  SELECT DISTINCT nth, run_id
  FROM run_summary
  WHERE nth <= 2
),
figures AS (
  SELECT nth, stage, figure, counts[figure] AS value
  FROM noted
  UNION ALL
  SELECT nth, 'taken_up' AS stage, 'documents' AS figure, sum(counts[run_id]) AS value
  FROM run_summary
  WHERE stage = 'killed'
  GROUP BY nth
  UNION ALL
  SELECT r.nth, 'results' AS stage, t.figure, count(CASE t.figure WHEN 'alerts' THEN c.alert ELSE c.to_check END) AS value
  FROM recent r
  CROSS JOIN (VALUES ('alerts'), ('checks')) AS t (figure)
  LEFT JOIN contextomy c ON c.run_id = r.run_id
  GROUP BY r.nth, t.figure
  UNION ALL
  SELECT r.nth, 'results' AS stage, 'watched_uses' AS figure, count_if(h.sure) AS value
  FROM recent r
  LEFT JOIN watch_hits h ON h.run_id = r.run_id
  GROUP BY r.nth
)
SELECT
  f.nth, r.run_id, r.night, r.started_at, f.stage, f.figure, f.value, b.value AS value_before,
  f.value - b.value AS difference
FROM figures f
JOIN run_summary r ON r.nth = f.nth AND r.stage = 'run'
LEFT JOIN figures b ON b.nth = f.nth + 1 AND b.stage = f.stage AND b.figure = f.figure
ORDER BY f.nth, f.stage, f.figure
