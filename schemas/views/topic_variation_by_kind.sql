-- One row per group, period and kind of source: the ranking of topic_variation_ranking within news and within tweets.
--   position: rank within the period and kind of source, 1 for the most varied topic; NULL if not ranked
--   status: as in topic_variation_ranking, by the contexts of this kind
--   source_kind: news or tweet
--   kind: quote, or watch for a text on the current watch-list
--   variation: 1 - mean cosine over all pairs of distinct contexts in this kind of source
--   variation_low: lower bound of the 95 % interval (jackknife over stories, in tweets over authors)
--   variation_high: upper bound
--   variation_all: the same as variation, copies included
--   n_documents: articles or tweets, versions of one counted once
--   n_stories: stories these tell
--   n_contexts: contexts long enough to compare
--   n_distinct_contexts: the same without copies
--   n_sampled: distinct contexts compared
--   n_outlets: known outlets
WITH kinds AS (
  SELECT r.group_id, r.period, explode(t.by_kind) AS part
  FROM topic_variation_ranking r
  JOIN topic_variation t
    ON t.group_id = r.group_id AND t.period = r.period AND t.representation = r.representation
    AND t.rule_version = r.rule_version AND t.fingerprint = r.fingerprint
),
named AS (
  SELECT
    k.part.kind AS source_kind, k.part.variation AS variation, k.part.variation_low AS variation_low,
    k.part.variation_high AS variation_high, k.part.variation_all AS variation_all, k.part.n_documents AS n_documents,
    k.part.n_stories AS n_stories, k.part.n_contexts AS n_contexts, k.part.n_distinct_contexts AS n_distinct_contexts,
    k.part.n_outlets AS n_outlets, k.part.n_sampled AS n_sampled,
    k.part.n_distinct_contexts >= 10 AND k.part.variation_low IS NOT NULL AS enough, r.status = 'watched' AS is_watched,
    r.kind, r.quote, r.period, r.variants, r.first_seen, r.run_id, r.group_id, r.representation, r.rule_version, r.fingerprint
  FROM topic_variation_ranking r
  JOIN kinds k ON k.group_id = r.group_id AND k.period = r.period
)
SELECT
  CASE WHEN n.enough AND NOT n.is_watched THEN
    rank() OVER (PARTITION BY n.period, n.source_kind, n.enough AND NOT n.is_watched ORDER BY n.variation_low DESC)
  END AS position,
  CASE WHEN n.is_watched THEN 'watched' WHEN n.enough THEN 'ranked' ELSE 'too_few' END AS status,
  n.source_kind, n.kind, n.quote, n.period, n.variation, n.variation_low, n.variation_high, n.variation_all, n.n_documents,
  n.n_stories, n.n_contexts, n.n_distinct_contexts, n.n_sampled, n.n_outlets, n.variants, n.first_seen, n.run_id,
  n.group_id, n.representation, n.rule_version, n.fingerprint
FROM named n
ORDER BY n.period, n.source_kind, position NULLS LAST, n.variation_low DESC NULLS LAST, n.group_id
