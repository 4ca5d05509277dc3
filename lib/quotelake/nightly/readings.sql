-- What a language model is to read of a lake, in Spark's SQL; {names} are frames and values.

-- waiting: headline quotes to be read: what failed last, alerts and what is new first
SELECT c.quote_id, c.doc_id, coalesce(k.failures, 0) + 1 AS attempt,
  filter(array(struct(c.best_start AS start, c.best_end AS end), struct(c.second_start AS start, c.second_end AS end),
    struct(c.body_start AS start, c.body_end AS end)), one -> one.start IS NOT NULL) AS places
FROM (
  SELECT *, array('all', CASE WHEN size(differences) > 0 THEN 'differences' END, CASE WHEN alert IS NOT NULL THEN 'alerts' END) AS belongs_to
  FROM {judged}
) c
LEFT JOIN (
  SELECT quote_id, max(status <> 'failed') AS by_any, max(status <> 'failed' AND reader_version = {version}) AS by_this,
    count_if(status = 'failed' AND reader_version = {version}) AS failures
  FROM {readings}
  GROUP BY quote_id
) k ON k.quote_id = c.quote_id
WHERE c.rule_version = {rules} AND c.detector_version = {detector} AND coalesce(k.failures, 0) < {most}
  AND (array_contains(c.belongs_to, {which}) AND NOT coalesce(k.by_any, false)
    OR array_contains(c.belongs_to, {again}) AND NOT coalesce(k.by_this, false))
ORDER BY attempt, c.alert IS NULL, c.ingested_at DESC, c.severity DESC, c.quote_id;

-- texts: headlines and bodies of some articles, with the quotes of each headline
SELECT q.quote_id, d.headline, q.start, q.end, d.body, d.body_status
FROM {quotes} q
JOIN {documents} d ON d.doc_id = q.doc_id
WHERE q.field = 'headline' AND q.rule_version = {rules};
