-- One row per outlet and month: how often its headline quotes have an alert, as outlet_rates says it over all time. See there what is eligible.
-- A story counts in the month in which the outlet first told it.
--   month: YYYY-MM, UTC; NULL: stories without a date
--   rate: n_alerts / n_eligible; this and all shares and bounds are NULL under 30 eligible
SELECT
  outlet, period AS month, n_eligible, n_alerts, n_absent, n_contextomized, rate, rate_low, rate_high, absent_rate, absent_low,
  absent_high, contextomized_rate, contextomized_low, contextomized_high, n_checks, rule_version, detector_version
FROM outlet_intervals
WHERE outlet IS NOT NULL AND period IS DISTINCT FROM 'all'
ORDER BY outlet, month
