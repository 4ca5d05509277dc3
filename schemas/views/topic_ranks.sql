-- One row per group and period that is scored: its rank, as in topic_variation_ranking, without the words of quotes, so that few columns are read.
-- A text that is no longer watched has none.
--   position: rank within the period, 1 for the most varied topic; NULL if not ranked
--   status: ranked; watched: a watched text stands in its place; too_few: fewer than 10 distinct contexts
--   kind: quote, or watch for a text on the current watch-list
--   watched_text: the watched text as it was given; NULL for a quote
--   watched_since: when the run that found the first sure use of the watched text started, UTC
WITH scored AS (
  SELECT t.*, t.n_distinct_contexts >= 10 AND t.variation_low IS NOT NULL AS enough
  FROM topic_variation t
  JOIN active_version a
    ON a.rule_version = t.rule_version AND a.fingerprint = t.fingerprint AND a.representation = t.representation
),
watched AS (
  SELECT w.text_digest, w.text, w.rule_version, h.first_seen
  FROM watch_texts w
  JOIN active_version a USING (rule_version)
  JOIN (SELECT text_digest, rule_version, min(ingested_at) AS first_seen FROM watch_hits WHERE sure GROUP BY text_digest, rule_version) h
    ON h.text_digest = w.text_digest AND h.rule_version = w.rule_version
  WHERE w.is_current
),
twice AS (
  SELECT DISTINCT coalesce(g.group_id, c.variant_id) AS group_id, s.period
  FROM watch_hits h
  JOIN watched w ON w.text_digest = h.text_digest AND w.rule_version = h.rule_version
  JOIN scored s ON s.group_id = h.text_digest AND s.variation_low IS NOT NULL
  LEFT JOIN contexts c ON c.quote_id = h.quote_id AND c.rule_version = h.rule_version
  LEFT JOIN variant_groups g ON g.variant_id = c.variant_id AND g.rule_version = c.rule_version
  WHERE h.sure
),
named AS (
  SELECT
    s.*, CASE WHEN w.text_digest IS NULL THEN 'quote' ELSE 'watch' END AS kind, w.text AS watched_text,
    w.first_seen AS watched_since, o.group_id IS NOT NULL AS is_watched
  FROM scored s
  LEFT JOIN watched w ON w.text_digest = s.group_id
  LEFT JOIN (SELECT DISTINCT text_digest FROM watch_texts) e ON e.text_digest = s.group_id
  LEFT JOIN twice o ON o.group_id = s.group_id AND o.period = s.period
  WHERE w.text_digest IS NOT NULL OR e.text_digest IS NULL
)
SELECT
  CASE WHEN n.enough AND NOT n.is_watched THEN
    rank() OVER (PARTITION BY n.period, n.enough AND NOT n.is_watched ORDER BY n.variation_low DESC)
  END AS position,
  CASE WHEN n.is_watched THEN 'watched' WHEN n.enough THEN 'ranked' ELSE 'too_few' END AS status,
  n.kind, n.watched_text, n.watched_since, n.period, n.variation, n.variation_low, n.variation_high, n.variation_all,
  n.n_documents, n.n_stories, n.n_contexts, n.n_distinct_contexts, n.n_sampled, n.n_outlets, n.variation_outlets, n.run_id,
  n.group_id, n.representation, n.rule_version, n.fingerprint
FROM named n
