-- One row per outlet: how often its headline quotes have an alert, by the first version of each article and without wire copy.
-- Rate and interval are NULL under 30 eligible quotes (see outlet_articles). Claims in single marks are counted separately, outside the rate. Interval: Wilson's, 95 %, with n divided by the design effect of clustering by story.
--   n_articles: articles with an eligible headline quote
--   n_stories: stories these tell: copies of an article, whole or in part, are one
--   rate: n_alerts / n_eligible; NULL under 30 eligible
--   rate_low: lower bound of the interval of rate
--   rule_version: version of the rules that found the quotes
--   detector_version: version of the detector and of the model behind its cosine
SELECT
  outlet, n_articles, n_stories, n_copied, n_eligible, n_alerts, n_absent, n_credited_to_another, rate, rate_low, rate_high,
  n_claims, n_claims_unsupported, rule_version, detector_version, n_contextomized, absent_rate, absent_low, absent_high,
  contextomized_rate, contextomized_low, contextomized_high, n_checks
FROM outlet_intervals
WHERE outlet IS NOT NULL AND period = 'all'
ORDER BY n_eligible DESC, outlet
