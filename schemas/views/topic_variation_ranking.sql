-- One row per group and period: groups with at least 10 distinct contexts, ranked by the lower bound of the interval; the rest is too_few. A group is a reused quote or a watched text.
-- No use is ranked twice: a quote of which a use is also a use of a watched text with an interval in the period is not ranked.
--   position: rank within the period, 1 for the most varied topic; NULL if not ranked
--   status: ranked; watched: a watched text stands in its place; too_few: fewer than 10 distinct contexts
--   kind: quote, or watch for a text on the current watch-list
--   quote: canonical text of the quote: case, marks and punctuation folded; a watched text as it was given
--   variants: wordings of the quote, those included that are used in no context long enough to compare; NULL for a watched text
--   first_seen: when the run that found the first use of the quote started, UTC
--   run_id: run that computed the row as it is; later runs found no change
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
  SELECT DISTINCT g.group_id, s.period
  FROM watch_hits h
  JOIN watched w ON w.text_digest = h.text_digest AND w.rule_version = h.rule_version
  JOIN scored s ON s.group_id = h.text_digest AND s.variation_low IS NOT NULL
  LEFT JOIN contexts c ON c.quote_id = h.quote_id AND c.rule_version = h.rule_version
  LEFT JOIN variant_groups g ON g.variant_id = c.variant_id AND g.rule_version = c.rule_version
  WHERE h.sure
),
wordings AS (
  SELECT g.group_id, g.rule_version, count(*) AS variants, min(n.ingested_at) AS first_seen
  FROM variant_groups g
  JOIN variants n ON n.variant_id = g.variant_id
  GROUP BY g.group_id, g.rule_version
),
named AS (
  SELECT
    s.*, CASE WHEN w.text_digest IS NULL THEN 'quote' ELSE 'watch' END AS kind,
    coalesce(w.text, v.canonical_text) AS quote, coalesce(w.first_seen, f.first_seen) AS first_seen,
    f.variants, o.group_id IS NOT NULL AS is_watched
  FROM scored s
  LEFT JOIN variants v ON v.variant_id = s.group_id
  LEFT JOIN wordings f ON f.group_id = s.group_id AND f.rule_version = s.rule_version
  LEFT JOIN watched w ON w.text_digest = s.group_id
  LEFT JOIN twice o ON o.group_id = s.group_id AND o.period = s.period
  WHERE w.text_digest IS NOT NULL OR v.variant_id IS NOT NULL
)
SELECT
  CASE WHEN n.enough AND NOT n.is_watched THEN
    rank() OVER (PARTITION BY n.period, n.enough AND NOT n.is_watched ORDER BY n.variation_low DESC)
  END AS position,
  CASE WHEN n.is_watched THEN 'watched' WHEN n.enough THEN 'ranked' ELSE 'too_few' END AS status,
  n.kind, n.quote, n.period, n.variation, n.variation_low, n.variation_high, n.variation_all, n.n_documents, n.n_stories,
  n.n_contexts, n.n_distinct_contexts, n.n_sampled, n.n_outlets, n.variation_outlets, n.variants, n.first_seen, n.run_id,
  n.group_id, n.representation, n.rule_version, n.fingerprint
FROM named n
ORDER BY n.period, position NULLS LAST, n.variation_low DESC NULLS LAST, n.group_id
