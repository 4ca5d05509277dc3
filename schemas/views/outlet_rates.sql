-- One row per outlet: how often its headline quotes have an alert, by the first version of each article and without wire copy.
-- Eligible: quotes that a body could support (not claims, titles, nicknames, other languages, cut bodies). Rate and interval are NULL
-- under 30 eligible. Claims in single marks are counted separately, outside the rate. Interval: Wilson's, 95 %, with n divided by the design effect of clustering by story.
--   n_articles: articles with an eligible headline quote
--   n_stories: stories these tell: copies of an article, whole or in part, are one
--   n_copied: those of the articles that articles of other outlets share a text with, though no news agency is credited
--   n_eligible: eligible headline quotes, as defined above
--   n_alerts: those with an alert of any kind but absent
--   n_absent: those whose words stand nowhere in the article, nor their source in other words: no part of the rate
--   n_credited_to_another: those of n_alerts whose gravest difference is the speaker
--   rate: n_alerts / n_eligible; NULL under 30 eligible
--   rate_low: lower bound of the interval of rate
--   rate_high: upper bound
--   n_claims: claim quotes in single marks, supported or not
--   n_claims_unsupported: those that nothing in the body supports
--   rule_version: version of the rules that found the quotes
--   detector_version: version of the detector and of the model behind its cosine
WITH told AS (
  SELECT
    outlet, coalesce(story_id, doc_id) AS story, count(DISTINCT doc_id) AS n_articles,
    count(DISTINCT CASE WHEN n_outlets > 1 THEN doc_id END) AS n_copied, count(*) AS n, count_if(alert <> 'absent') AS flagged,
    count_if(outcome = 'absent') AS absent, count_if(alert IN ('credited_to_another', 'wrong_speaker')) AS by_another,
    first(rule_version) AS rule_version, first(detector_version) AS detector_version
  FROM headline_quotes
  WHERE version_number = 1 AND wire_credit IS NULL AND outlet IS NOT NULL
    AND outcome IN ('identical', 'excerpt', 'modified', 'joined', 'contextomized', 'absent', 'in_body_unquoted', 'no_body_quote')
  GROUP BY outlet, coalesce(story_id, doc_id)
),
totals AS (
  SELECT
    outlet, sum(n_articles) AS n_articles, count(*) AS n_stories, sum(n_copied) AS n_copied, sum(n) AS n_eligible, sum(flagged) AS n_alerts,
    sum(absent) AS n_absent, sum(by_another) AS n_credited_to_another,
    sum(flagged) / sum(n) AS rate, first(rule_version) AS rule_version, first(detector_version) AS detector_version
  FROM told
  GROUP BY outlet
),
spread AS (
  SELECT
    t.outlet,
    sum((a.flagged - t.rate * a.n) * (a.flagged - t.rate * a.n)) * t.n_stories / greatest(t.n_stories - 1, 1)
      / (t.n_eligible * t.n_eligible) AS variance
  FROM told a
  JOIN totals t ON t.outlet = a.outlet
  GROUP BY t.outlet, t.n_stories, t.n_eligible
),
claims AS (
  SELECT outlet, count(*) AS n_claims, count_if(outcome = 'claim_unsupported') AS n_claims_unsupported
  FROM headline_quotes
  WHERE version_number = 1 AND wire_credit IS NULL AND outcome IN ('claim_supported', 'claim_unsupported')
  GROUP BY outlet
),
effective AS (
  SELECT
    t.*,
    CASE WHEN t.rate > 0 AND t.rate < 1
      THEN t.n_eligible / greatest(s.variance / (t.rate * (1 - t.rate) / t.n_eligible), 1)
      ELSE t.n_eligible
    END AS n_effective
  FROM totals t
  JOIN spread s ON s.outlet = t.outlet
)
SELECT
  e.outlet, n_articles, n_stories, n_copied, n_eligible, n_alerts, n_absent, n_credited_to_another,
  CASE WHEN n_eligible >= 30 THEN rate END AS rate,
  CASE WHEN n_eligible >= 30 THEN greatest(0, (rate + 1.9208e0 / n_effective
    - 1.96e0 * sqrt(rate * (1 - rate) / n_effective + 0.9604e0 / (n_effective * n_effective))) / (1 + 3.8416e0 / n_effective)) END AS rate_low,
  CASE WHEN n_eligible >= 30 THEN least(1, (rate + 1.9208e0 / n_effective
    + 1.96e0 * sqrt(rate * (1 - rate) / n_effective + 0.9604e0 / (n_effective * n_effective))) / (1 + 3.8416e0 / n_effective)) END AS rate_high,
  coalesce(n_claims, 0) AS n_claims, coalesce(n_claims_unsupported, 0) AS n_claims_unsupported, rule_version,
  detector_version
FROM effective e
LEFT JOIN claims c ON c.outlet = e.outlet
ORDER BY n_eligible DESC, e.outlet
