-- One row per outlet and month: the sums that rates of outlets are made of, by the first version of each article. Rows of several months or outlets add up.
--   month: month in which the outlet first told the story, as YYYY-MM; NULL where no article of it has a date
--   n_articles: articles with an eligible headline quote
--   n_stories: stories these tell: copies of an article, whole or in part, are one
--   n_copied: those of the articles that articles of other outlets share a text with, though no news agency is credited
--   eligible_squares: sum over stories of the square of n_eligible
--   alerts_squares: of the square of n_alerts
--   alerts_products: of n_alerts times n_eligible
--   absent_squares: of the square of n_absent
--   absent_products: of n_absent times n_eligible
--   contextomized_squares: of the square of n_contextomized
--   contextomized_products: of n_contextomized times n_eligible
WITH told AS (
  SELECT
    outlet, substring(CAST(min(published_on) AS STRING), 1, 7) AS month, count_if(n_eligible > 0) AS n_articles,
    count_if(n_eligible > 0 AND n_outlets > 1) AS n_copied, sum(n_eligible) AS eligible, sum(n_alerts) AS alerts,
    sum(n_absent) AS absent, sum(n_contextomized) AS contextomized, sum(n_credited_to_another) AS by_another,
    sum(n_checks) AS checks, sum(n_claims) AS claims, sum(n_claims_unsupported) AS unsupported, rule_version, detector_version
  FROM outlet_articles
  WHERE version_number = 1
  GROUP BY outlet, story_id, rule_version, detector_version
)
SELECT
  outlet, month, sum(n_articles) AS n_articles, count_if(eligible > 0) AS n_stories, sum(n_copied) AS n_copied,
  sum(eligible) AS n_eligible, sum(alerts) AS n_alerts, sum(absent) AS n_absent, sum(contextomized) AS n_contextomized,
  sum(by_another) AS n_credited_to_another, sum(checks) AS n_checks, sum(claims) AS n_claims, sum(unsupported) AS n_claims_unsupported,
  sum(eligible * eligible) AS eligible_squares, sum(alerts * alerts) AS alerts_squares, sum(alerts * eligible) AS alerts_products,
  sum(absent * absent) AS absent_squares, sum(absent * eligible) AS absent_products,
  sum(contextomized * contextomized) AS contextomized_squares, sum(contextomized * eligible) AS contextomized_products,
  rule_version, detector_version
FROM told
GROUP BY outlet, month, rule_version, detector_version
