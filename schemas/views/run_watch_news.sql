-- One row per text on the watch-list with sure uses in documents of the last complete run, most new uses first.
--   group_id: text_digest of the text, its group in the ranking
--   new_uses: sure uses in these documents
--   new_outlets: outlets all of whose uses are new
--   uses: sure uses in all
WITH known AS (
  SELECT text_digest, outlet, rule_version, sum(uses) AS uses
  FROM watch_counts
  GROUP BY text_digest, outlet, rule_version
)
SELECT
  w.watch_id, w.text, w.text_digest AS group_id, CAST(sum(coalesce(n.new_uses, 0)) AS BIGINT) AS new_uses,
  count_if(n.new_uses = k.uses AND k.outlet IS NOT NULL) AS new_outlets, CAST(sum(k.uses) AS BIGINT) AS uses, w.rule_version
FROM known k
JOIN watch_texts w ON w.text_digest = k.text_digest AND w.rule_version = k.rule_version AND w.is_current
LEFT JOIN run_watched n
  ON n.text_digest = k.text_digest AND n.rule_version = k.rule_version AND n.outlet IS NOT DISTINCT FROM k.outlet
GROUP BY w.watch_id, w.text, w.text_digest, w.rule_version
HAVING sum(coalesce(n.new_uses, 0)) > 0
ORDER BY new_uses DESC, w.watch_id
