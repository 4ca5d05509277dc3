-- One row per outcome of headline quotes, in all versions of the articles: how many quotes have it.
--   quotes: number of headline quotes
--   alerts: those of them with an alert
--   checks: those of them with a check (to_check)
SELECT c.outcome, count(*) AS quotes, count(c.alert) AS alerts, count(c.to_check) AS checks, c.rule_version, c.detector_version
FROM contextomy c
JOIN active_version a ON a.rule_version = c.rule_version AND a.detector_version = c.detector_version
GROUP BY c.outcome, c.rule_version, c.detector_version
