-- One row per outlet and month, per outlet, per month, and one of all: three shares of the eligible headline quotes, with intervals. See outlet_rates.
-- Shares and intervals are NULL under 30 eligible. Interval: Wilson's, 95 %, with n divided by the design effect of clustering by story.
--   outlet: NULL: all outlets together
--   period: all, or the month as YYYY-MM; NULL: stories without a date
--   rate: n_alerts / n_eligible
--   rate_low: lower bound of its interval
--   rate_high: upper bound
--   absent_rate: n_absent / n_eligible
--   absent_low: lower bound of its interval
--   absent_high: upper bound
--   contextomized_rate: n_contextomized / n_eligible
--   contextomized_low: lower bound of its interval
--   contextomized_high: upper bound
WITH totals AS (
  SELECT
    outlet, CASE WHEN grouping(month) = 1 THEN 'all' ELSE month END AS period, sum(n_articles) AS n_articles,
    sum(n_stories) AS n_stories, sum(n_copied) AS n_copied, sum(n_eligible) AS n_eligible, sum(n_alerts) AS n_alerts,
    sum(n_absent) AS n_absent, sum(n_contextomized) AS n_contextomized, sum(n_credited_to_another) AS n_credited_to_another, sum(n_checks) AS n_checks,
    sum(n_claims) AS n_claims, sum(n_claims_unsupported) AS n_claims_unsupported, sum(eligible_squares) AS ee,
    sum(alerts_squares) AS xx, sum(alerts_products) AS xe, sum(absent_squares) AS yy, sum(absent_products) AS ye,
    sum(contextomized_squares) AS zz, sum(contextomized_products) AS ze, rule_version, detector_version
  FROM outlet_sums
  GROUP BY GROUPING SETS (
    (outlet, month, rule_version, detector_version), (outlet, rule_version, detector_version),
    (month, rule_version, detector_version), (rule_version, detector_version)
  )
),
shares AS (
  SELECT
    t.outlet, t.period, k.what, t.n_eligible AS n, t.n_stories AS stories, t.ee,
    CASE k.what WHEN 'alerts' THEN t.n_alerts WHEN 'absent' THEN t.n_absent ELSE t.n_contextomized END / t.n_eligible AS share,
    CASE k.what WHEN 'alerts' THEN t.xx WHEN 'absent' THEN t.yy ELSE t.zz END AS squares,
    CASE k.what WHEN 'alerts' THEN t.xe WHEN 'absent' THEN t.ye ELSE t.ze END AS products
  FROM totals t
  CROSS JOIN (VALUES ('alerts'), ('absent'), ('contextomized')) AS k (what)
  WHERE t.n_eligible >= 30
),
effective AS (
  SELECT
    outlet, period, what, share,
    CASE WHEN share > 0 AND share < 1
      -- The variance of the share by stories, over that of independent quotes.
      THEN n / greatest((squares - 2 * share * products + share * share * ee) * stories / greatest(stories - 1, 1)
        / (share * (1 - share) * n), 1)
      ELSE n
    END AS m
  FROM shares
),
bounds AS (
  SELECT
    outlet, period, what, share,
    greatest(0, (share + 1.9208e0 / m - 1.96e0 * sqrt(share * (1 - share) / m + 0.9604e0 / (m * m))) / (1 + 3.8416e0 / m)) AS low,
    least(1, (share + 1.9208e0 / m + 1.96e0 * sqrt(share * (1 - share) / m + 0.9604e0 / (m * m))) / (1 + 3.8416e0 / m)) AS high
  FROM effective
),
rates AS (
  SELECT
    outlet, period, max(CASE WHEN what = 'alerts' THEN share END) AS rate, max(CASE WHEN what = 'alerts' THEN low END) AS rate_low,
    max(CASE WHEN what = 'alerts' THEN high END) AS rate_high, max(CASE WHEN what = 'absent' THEN share END) AS absent_rate,
    max(CASE WHEN what = 'absent' THEN low END) AS absent_low, max(CASE WHEN what = 'absent' THEN high END) AS absent_high,
    max(CASE WHEN what = 'contextomized' THEN share END) AS contextomized_rate,
    max(CASE WHEN what = 'contextomized' THEN low END) AS contextomized_low,
    max(CASE WHEN what = 'contextomized' THEN high END) AS contextomized_high
  FROM bounds
  GROUP BY outlet, period
)
SELECT
  t.outlet, t.period, t.n_articles, t.n_stories, t.n_copied, t.n_eligible, t.n_alerts, t.n_absent, t.n_contextomized,
  t.n_credited_to_another, r.rate, r.rate_low, r.rate_high, r.absent_rate, r.absent_low, r.absent_high, r.contextomized_rate,
  r.contextomized_low, r.contextomized_high, t.n_claims, t.n_claims_unsupported, t.n_checks, t.rule_version, t.detector_version
FROM totals t
LEFT JOIN rates r ON r.outlet IS NOT DISTINCT FROM t.outlet AND r.period IS NOT DISTINCT FROM t.period
WHERE t.n_eligible > 0
