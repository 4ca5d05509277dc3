-- One row per outcome of headline quotes and month of publication, in all versions of the articles.
--   month: YYYY-MM, as documents.published_on has it; NULL: articles without a date
--   quotes: number of headline quotes
--   alerts: those of them with an alert
--   checks: those of them with a check (to_check)
SELECT
  c.outcome, substring(CAST(coalesce(d.published_on, d.published_at) AS STRING), 1, 7) AS month, count(*) AS quotes, count(c.alert) AS alerts,
  count(c.to_check) AS checks, c.rule_version, c.detector_version
FROM contextomy c
JOIN active_version a ON a.rule_version = c.rule_version AND a.detector_version = c.detector_version
JOIN article_versions d ON d.doc_id = c.doc_id
GROUP BY c.outcome, substring(CAST(coalesce(d.published_on, d.published_at) AS STRING), 1, 7), c.rule_version, c.detector_version
