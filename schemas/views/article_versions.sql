-- One row per document: what counts of articles need of it, and which version of its article it is, in the order of (updated_at, published_at); where these do not tell, in the order of the runs' commits, then of doc_id.
--   version_number: 1 for the first version of the article, in the order named above
--   n_versions: versions of the article in the lake
SELECT
  d.doc_id, d.native_key, d.source, d.outlet, d.published_at, d.published_on, d.wire_credit, d.run_id,
  row_number() OVER (
    PARTITION BY d.native_key ORDER BY d.updated_at NULLS FIRST, d.published_at NULLS FIRST, r.place NULLS FIRST, d.doc_id
  ) AS version_number,
  count(*) OVER (PARTITION BY d.native_key) AS n_versions
FROM documents d
LEFT JOIN (
  SELECT run_id, max(2 * table_versions['runs'] + CASE WHEN stage = 'run' THEN 1 ELSE 0 END) AS place
  FROM run_summary
  WHERE stage IN ('run', 'killed')
  GROUP BY run_id
) r ON r.run_id = d.run_id
