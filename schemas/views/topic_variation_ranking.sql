-- One row per reuse group and period: groups with at least 10 distinct contexts, ranked by the lower bound of the interval; the rest is too_few.
--   position: rank within the period, 1 for the most varied topic; NULL if too_few
--   status: ranked, or too_few: fewer than 10 distinct contexts
--   quote: canonical text of the quote: case, marks and punctuation folded
--   variants: wordings of the quote, those included that are used in no context long enough to compare
--   first_seen: when the run that found the first use of the quote started, UTC
--   run_id: run that computed the row as it is; later runs found no change
SELECT
  CASE WHEN t.n_distinct_contexts >= 10 AND t.variation_low IS NOT NULL THEN
    rank() OVER (
      PARTITION BY t.period, (t.n_distinct_contexts >= 10 AND t.variation_low IS NOT NULL)
      ORDER BY t.variation_low DESC
    )
  END AS position,
  CASE WHEN t.n_distinct_contexts >= 10 AND t.variation_low IS NOT NULL THEN 'ranked' ELSE 'too_few' END AS status,
  v.canonical_text AS quote, t.period, t.variation, t.variation_low, t.variation_high, t.variation_all, t.n_documents,
  t.n_contexts, t.n_distinct_contexts, t.n_sampled, f.variants, f.first_seen, t.run_id,
  t.group_id, t.representation, t.rule_version, t.fingerprint
FROM topic_variation t
JOIN active_version a USING (rule_version, fingerprint)
JOIN variants v ON v.variant_id = t.group_id
JOIN (
  SELECT g.group_id, g.rule_version, count(*) AS variants, min(n.ingested_at) AS first_seen
  FROM variant_groups g
  JOIN variants n ON n.variant_id = g.variant_id
  GROUP BY g.group_id, g.rule_version
) f ON f.group_id = t.group_id AND f.rule_version = t.rule_version
ORDER BY t.period, position NULLS LAST, t.variation_low DESC NULLS LAST, t.group_id
