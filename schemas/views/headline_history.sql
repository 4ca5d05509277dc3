-- One row per version of an article that has more than one: how its headline and the outcome of its quotes changed.
SELECT
  d.native_key, d.source, d.native_id, d.outlet, d.version_number, d.n_versions, d.published_at, d.updated_at, d.headline,
  lag(d.headline) OVER (PARTITION BY d.native_key ORDER BY d.version_number) AS headline_before,
  h.headline_quotes, h.outcomes, h.alerts, d.doc_id
FROM document_versions d
LEFT JOIN (
  SELECT
    doc_id, collect_list(headline_quote) AS headline_quotes, collect_list(outcome) AS outcomes, count(alert) AS alerts
  FROM headline_quotes
  GROUP BY doc_id
) h ON h.doc_id = d.doc_id
WHERE d.n_versions > 1
ORDER BY d.native_key, d.version_number
