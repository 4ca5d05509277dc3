-- One row per group and period: groups with at least 10 distinct contexts, ranked by the lower bound of the interval; the rest is too_few. A group is a reused quote or a watched text.
-- No use is ranked twice: a quote of which a use is also a use of a watched text with an interval in the period is not ranked.
--   position: rank within the period, 1 for the most varied topic; NULL if not ranked
--   status: ranked; watched: a watched text stands in its place; too_few: fewer than 10 distinct contexts
--   kind: quote, or watch for a text on the current watch-list
--   quote: canonical text of the quote: case, marks and punctuation folded; a watched text as it was given
--   variants: wordings of the quote, those included that are used in no context long enough to compare; NULL for a watched text
--   first_seen: when the run that found the first use of the quote started, UTC
--   run_id: run that computed the row as it is; later runs found no change
WITH wordings AS (
  SELECT g.group_id, g.rule_version, count(*) AS variants, min(n.ingested_at) AS first_seen
  FROM variant_groups g
  JOIN variants n ON n.variant_id = g.variant_id
  GROUP BY g.group_id, g.rule_version
)
SELECT
  n.position, n.status, n.kind, coalesce(n.watched_text, v.canonical_text) AS quote, n.period, n.variation, n.variation_low,
  n.variation_high, n.variation_all, n.n_documents, n.n_stories, n.n_contexts, n.n_distinct_contexts, n.n_sampled, n.n_outlets,
  n.variation_outlets, coalesce(f.variants, CASE WHEN n.kind = 'quote' THEN 1 END) AS variants,
  coalesce(n.watched_since, f.first_seen, v.ingested_at) AS first_seen, n.run_id, n.group_id,
  n.representation, n.rule_version, n.fingerprint
FROM topic_ranks n
LEFT JOIN variants v ON v.variant_id = n.group_id
LEFT JOIN wordings f ON f.group_id = n.group_id AND f.rule_version = n.rule_version
ORDER BY n.period, n.position NULLS LAST, n.variation_low DESC NULLS LAST, n.group_id
