-- One row per alert and reviewer: the label that the reviewer gave last.
SELECT quote_id, alert, reviewer, reviewed_at, label, note, rule_version, detector_version, run_id
FROM (
  SELECT *, row_number() OVER (PARTITION BY quote_id, alert, reviewer ORDER BY reviewed_at DESC, run_id DESC) AS place
  FROM alert_reviews
) given
WHERE place = 1
