-- One row per kind of alert and k: how many of its first k alerts were reviewed, and how many of those are true, with Wilson's 95 % interval.
-- k is 10, 20, 50, 100, 200, 500 and 1000 up to the number of alerts of the kind; a kind with fewer alerts ends with k = their number.
-- The latest label of each reviewer counts; an alert is true if more than half of its reviewers say so. Labels of an earlier detector count if
-- the same quote has an alert of the same kind again. Each kind in the order of headline_alerts, by priority.
--   alert: kind of the gravest difference that is an alert, see the codebook; in rows of earlier releases contextomized, wrong_speaker or risky_excerpt
--   k: number of alerts from the top
--   n_alerts: alerts among the first k
--   n_reviewed: those with a label
--   n_true: those that more than half of their reviewers labelled true
--   n_false: the same, labelled false
--   n_extraction_error: the same, labelled extraction_error
--   n_bad_body: the same, labelled bad_body
--   n_disputed: those without such a majority
--   precision: n_true / n_reviewed; NULL without a review
--   precision_low: lower bound of its interval
--   precision_high: upper bound
WITH ranked AS (
  SELECT alert, quote_id, row_number() OVER (PARTITION BY alert ORDER BY priority DESC, quote_id) AS position
  FROM headline_alerts
),
places AS (
  SELECT c.alert, least(k.k, c.n) AS k
  FROM (SELECT alert, count(*) AS n FROM ranked GROUP BY alert) c
  CROSS JOIN (VALUES (10), (20), (50), (100), (200), (500), (1000)) AS k (k)
  GROUP BY c.alert, least(k.k, c.n)
),
verdicts AS (
  SELECT
    quote_id, alert, count_if(label = 'true') * 2 > count(*) AS is_true, count_if(label = 'false') * 2 > count(*) AS is_false,
    count_if(label = 'extraction_error') * 2 > count(*) AS is_extraction_error,
    count_if(label = 'bad_body') * 2 > count(*) AS is_bad_body
  FROM latest_reviews
  GROUP BY quote_id, alert
),
counted AS (
  SELECT
    r.alert, p.k, count(*) AS n_alerts, count(v.quote_id) AS n_reviewed, count_if(v.is_true) AS n_true,
    count_if(v.is_false) AS n_false, count_if(v.is_extraction_error) AS n_extraction_error,
    count_if(v.is_bad_body) AS n_bad_body
  FROM ranked r
  JOIN places p ON p.alert = r.alert AND r.position <= p.k
  LEFT JOIN verdicts v ON v.quote_id = r.quote_id AND v.alert = r.alert
  GROUP BY r.alert, p.k
)
SELECT
  alert, k, n_alerts, n_reviewed, n_true, n_false, n_extraction_error, n_bad_body,
  n_reviewed - n_true - n_false - n_extraction_error - n_bad_body AS n_disputed,
  n_true / nullif(n_reviewed, 0) AS precision,
  CASE WHEN n_reviewed > 0 THEN greatest(0, (n_true / n_reviewed + 1.9208e0 / n_reviewed - 1.96e0
    * sqrt(n_true / n_reviewed * (1 - n_true / n_reviewed) / n_reviewed + 0.9604e0 / (n_reviewed * n_reviewed)))
    / (1 + 3.8416e0 / n_reviewed)) END AS precision_low,
  CASE WHEN n_reviewed > 0 THEN least(1, (n_true / n_reviewed + 1.9208e0 / n_reviewed + 1.96e0
    * sqrt(n_true / n_reviewed * (1 - n_true / n_reviewed) / n_reviewed + 0.9604e0 / (n_reviewed * n_reviewed)))
    / (1 + 3.8416e0 / n_reviewed)) END AS precision_high
FROM counted
ORDER BY alert, k
