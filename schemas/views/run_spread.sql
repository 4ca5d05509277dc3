-- One row per quote that an outlet took up in new documents: several outlets use it, and of one of them all uses are new. Most new outlets first.
--   quote: longest of the new uses, without its marks
--   outlets: outlets that use the quote
--   new_outlets: those of them that have only new uses
--   first_outlet: outlet of the earliest use by date; undated uses last
--   articles: articles that use it, versions of one counted once
WITH used AS (
  SELECT
    m.group_id, d.outlet, d.native_key, d.published_at, n.run_id IS NOT NULL AS is_new,
    CASE WHEN n.run_id IS NOT NULL THEN m.text END AS text, m.quote_id, m.rule_version
  FROM quote_comparisons m
  JOIN active_version a ON a.rule_version = m.rule_version
  JOIN article_versions d ON d.doc_id = m.doc_id
  LEFT JOIN (SELECT DISTINCT run_id FROM run_summary WHERE nth <= (SELECT nights FROM new_nights)) n ON n.run_id = d.run_id
  WHERE m.text IS NOT NULL
),
by_outlet AS (
  SELECT group_id, outlet, min(published_at) AS first_at, count_if(NOT is_new) = 0 AS is_new
  FROM used
  GROUP BY group_id, outlet
),
spread AS (
  SELECT
    group_id, count(*) AS outlets, count_if(is_new) AS new_outlets,
    min_by(outlet, (coalesce(first_at, TIMESTAMP '9999-01-01 00:00:00'), outlet)) AS first_outlet
  FROM by_outlet
  GROUP BY group_id
  HAVING count_if(is_new) > 0
),
sizes AS (
  SELECT
    group_id, max_by(text, (length(text), quote_id)) AS quote, count(DISTINCT native_key) AS articles,
    first(rule_version) AS rule_version
  FROM used
  GROUP BY group_id
)
SELECT s.group_id, z.quote, s.outlets, s.new_outlets, s.first_outlet, z.articles, z.rule_version
FROM spread s
JOIN sizes z ON z.group_id = s.group_id
ORDER BY s.new_outlets DESC, s.outlets DESC, s.group_id
