-- One row per kind of alert or check and k: how many of the first k of the kind were reviewed, and how many of those are right, with Wilson's 95 % interval.
-- k is 10, 20, 50, 100, 200, 500 and 1000 up to the number of the kind; a kind with fewer ends with k = their number. Each kind in the order
-- of headline_findings, by priority. The base are all headline quotes of the latest versions of articles, whatever their outcome.
-- The latest label of each reviewer counts; an alert or check is right if more than half of its reviewers say so. Labels of an earlier detector
-- count if the same quote is found to be of the same kind again. A language model that reads headlines is a kind of its tier: all quotes that
-- it finds misleading, whatever rules say, by the labels of their alerts.
--   tier: alert, check or reader
--   kind: of the tier reader the name of the model; else kind of the gravest difference of this list, see the codebook; in rows of earlier releases contextomized, wrong_speaker or risky_excerpt
--   k: number of quotes from the top
--   n_first: quotes among the first k
--   n_reviewed: those with a label
--   n_true: those that more than half of their reviewers labelled true
--   n_false: the same, labelled false
--   n_extraction_error: the same, labelled extraction_error
--   n_bad_body: the same, labelled bad_body
--   n_disputed: those without such a majority
--   precision: n_true / n_reviewed; NULL without a review
--   precision_low: lower bound of its interval
--   precision_high: upper bound
--   n_of_kind: all quotes of the kind
--   n_quotes: the base: headline quotes that were compared
--   per_1000: quotes of the kind in 1,000 of the base
WITH ranked AS (
  SELECT
    tier, kind, alert, quote_id, row_number() OVER (PARTITION BY tier, kind ORDER BY priority DESC, quote_id) AS position,
    count(*) OVER (PARTITION BY tier, kind) AS n
  FROM (
    SELECT tier, kind, kind AS alert, quote_id, priority FROM headline_findings
    UNION ALL
    SELECT 'reader' AS tier, reader AS kind, kind AS alert, quote_id, priority FROM headline_findings
    WHERE tier = 'alert' AND reading_verdict = 'misleading'
  ) found
),
base AS (
  SELECT count(*) AS n
  FROM contextomy c
  JOIN active_version a ON a.rule_version = c.rule_version AND a.detector_version = c.detector_version
  JOIN article_versions d ON d.doc_id = c.doc_id
  WHERE d.version_number = d.n_versions
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
    r.tier, r.kind, least(p.k, r.n) AS k, r.n AS n_of_kind, count(*) AS n_first, count(v.quote_id) AS n_reviewed, count_if(v.is_true) AS n_true,
    count_if(v.is_false) AS n_false, count_if(v.is_extraction_error) AS n_extraction_error,
    count_if(v.is_bad_body) AS n_bad_body
  FROM ranked r
  CROSS JOIN (VALUES (0, 10), (10, 20), (20, 50), (50, 100), (100, 200), (200, 500), (500, 1000)) AS p (before, k)
  LEFT JOIN verdicts v ON v.quote_id = r.quote_id AND v.alert = r.alert
  WHERE p.before < r.n AND r.position <= p.k
  GROUP BY r.tier, r.kind, r.n, least(p.k, r.n)
)
SELECT
  c.tier, c.kind, c.k, c.n_first, c.n_reviewed, c.n_true, c.n_false, c.n_extraction_error, c.n_bad_body,
  n_reviewed - n_true - n_false - n_extraction_error - n_bad_body AS n_disputed,
  n_true / nullif(n_reviewed, 0) AS precision,
  CASE WHEN n_reviewed > 0 THEN greatest(0, (n_true / n_reviewed + 1.9208e0 / n_reviewed - 1.96e0
    * sqrt(n_true / n_reviewed * (1 - n_true / n_reviewed) / n_reviewed + 0.9604e0 / (n_reviewed * n_reviewed)))
    / (1 + 3.8416e0 / n_reviewed)) END AS precision_low,
  CASE WHEN n_reviewed > 0 THEN least(1, (n_true / n_reviewed + 1.9208e0 / n_reviewed + 1.96e0
    * sqrt(n_true / n_reviewed * (1 - n_true / n_reviewed) / n_reviewed + 0.9604e0 / (n_reviewed * n_reviewed)))
    / (1 + 3.8416e0 / n_reviewed)) END AS precision_high,
  c.n_of_kind, b.n AS n_quotes, c.n_of_kind * 1000 / b.n AS per_1000
FROM counted c
CROSS JOIN base b
ORDER BY tier, kind, k
