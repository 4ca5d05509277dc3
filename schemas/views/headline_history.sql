-- One row per version of an article that has more than one: how its headline and the outcome of its quotes changed.
--   headline_before: headline of the version before; NULL for the first
--   headline_quotes: quotes of the headline, in order
--   outcomes: their outcomes, in the same order
--   alerts: how many of them have an alert; NULL for a headline without quotes
--   checks: how many have a check (to_check)
SELECT
  d.native_key, d.source, d.native_id, d.outlet, d.version_number, d.n_versions, d.published_at, d.updated_at, d.headline,
  lag(d.headline) OVER (PARTITION BY d.native_key ORDER BY d.version_number) AS headline_before,
  h.headline_quotes, h.outcomes, h.alerts, h.checks, d.doc_id
FROM document_versions d
LEFT JOIN (
  SELECT DISTINCT
    doc_id, array_agg(headline_quote) OVER in_order AS headline_quotes, array_agg(outcome) OVER in_order AS outcomes,
    count(alert) OVER in_order AS alerts, count(to_check) OVER in_order AS checks
  FROM headline_quotes
  WINDOW in_order AS (
    PARTITION BY doc_id ORDER BY headline_start, headline_end, headline_quote, outcome
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
  )
) h ON h.doc_id = d.doc_id
WHERE d.n_versions > 1
ORDER BY d.native_key, d.version_number
