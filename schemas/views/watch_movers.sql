-- One row per text on the current watch-list: its uses in all, the new ones, and those of the last 28 days beside the 28 before. Most new uses first.
-- Uses are those of watch_uses. Days are counted back from the newest date of a document that is not after the start of the last complete run;
-- a use dated later is in neither of the two times. New is what stands in documents that complete runs brought, or killed ones that they took up, since the page before.
--   uses: sure uses, in headlines too
--   documents: articles and tweets with a use, each version counted
--   outlets: known outlets with a use
--   new_uses: uses in new documents
--   new_outlets: outlets of which all uses are new
--   uses_28_days: uses of the last 28 days
--   uses_28_before: uses of the 28 days before these
--   undated_uses: uses without a date
WITH edge AS (
  SELECT unix_seconds(max(published_at)) AS newest
  FROM documents
  WHERE published_at <= (SELECT max(started_at) FROM run_summary WHERE nth = 1)
),
totals AS (
  SELECT
    u.text_digest, count(*) AS uses, count(DISTINCT u.doc_id) AS documents, count(DISTINCT u.outlet) AS outlets,
    count_if(unix_seconds(u.published_at) <= e.newest AND unix_seconds(u.published_at) > e.newest - 28 * 86400) AS recent,
    count_if(unix_seconds(u.published_at) <= e.newest - 28 * 86400 AND unix_seconds(u.published_at) > e.newest - 56 * 86400)
      AS earlier,
    count_if(u.published_at IS NULL) AS undated
  FROM watch_uses u
  CROSS JOIN edge e
  GROUP BY u.text_digest
)
SELECT
  w.watch_id, w.text, coalesce(t.uses, 0) AS uses, coalesce(t.documents, 0) AS documents, coalesce(t.outlets, 0) AS outlets,
  coalesce(n.new_uses, 0) AS new_uses, coalesce(n.new_outlets, 0) AS new_outlets, coalesce(t.recent, 0) AS uses_28_days,
  coalesce(t.earlier, 0) AS uses_28_before, coalesce(t.undated, 0) AS undated_uses, w.text_digest, w.rule_version
FROM watch_texts w
JOIN active_version a USING (rule_version)
LEFT JOIN totals t ON t.text_digest = w.text_digest
LEFT JOIN run_watch_news n ON n.group_id = w.text_digest
WHERE w.is_current
ORDER BY new_uses DESC, uses DESC, w.watch_id
