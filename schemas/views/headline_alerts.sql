-- One row per headline quote a standards desk should look at, in the latest version of its article: one list, the gravest first.
-- All kinds are one list by priority: severity of the difference, times the evidence for it, times how often such alerts are right. The
-- last is estimated from the reviews of this lake: for alerts of the same kind and severity, drawn to that of the kind, and that of a kind to
-- .5, each with the weight of 10 reviews; an alert is right if more than half of its reviewers say so.
--   alert: kind of the gravest difference that is an alert, see the codebook; in rows of earlier releases contextomized, wrong_speaker or risky_excerpt
--   severity: how much the difference changes what a reader believes, 0 to 1
--   right_share: estimated share of such alerts that are right
--   priority: severity * coalesce(score, 1) * right_share
--   of_story: 1 for the alert with the highest priority of its story, 2 for the next: a list with one line per story takes those with 1
--   run_id: run that brought the document into the lake
--   quote_id: headline quote
--   rule_version: version of the rules that found and matched it
--   detector_version: version of the detector and of the model behind its cosine
WITH verdicts AS (
  SELECT quote_id, alert, count_if(label = 'true') * 2 > count(*) AS is_true
  FROM latest_reviews
  GROUP BY quote_id, alert
),
flagged AS (
  SELECT * FROM headline_quotes WHERE alert IS NOT NULL AND version_number = n_versions
),
reviewed AS (
  SELECT a.alert, coalesce(a.severity, 1.0e0) AS severity, v.is_true
  FROM flagged a
  JOIN verdicts v ON v.quote_id = a.quote_id AND v.alert = a.alert
),
of_kind AS (
  SELECT alert, (count_if(is_true) + 5.0e0) / (count(*) + 10.0e0) AS share
  FROM reviewed
  GROUP BY alert
),
of_severity AS (
  SELECT r.alert, r.severity, (count_if(r.is_true) + 10.0e0 * max(c.share)) / (count(*) + 10.0e0) AS share
  FROM reviewed r
  JOIN of_kind c ON c.alert = r.alert
  GROUP BY r.alert, r.severity
),
ranked AS (
  SELECT
    a.*, coalesce(s.share, c.share, 0.5e0) AS right_share,
    coalesce(a.severity, 1.0e0) * coalesce(a.score, 1.0e0) * coalesce(s.share, c.share, 0.5e0) AS priority
  FROM flagged a
  LEFT JOIN of_kind c ON c.alert = a.alert
  LEFT JOIN of_severity s ON s.alert = a.alert AND s.severity = coalesce(a.severity, 1.0e0)
)
SELECT
  alert, priority, severity, right_share, score, outlet, published_at, headline, headline_quote, best_body_quote, outcome, reason,
  row_number() OVER (PARTITION BY coalesce(story_id, doc_id) ORDER BY priority DESC, quote_id) AS of_story, differences,
  containment_best, containment_union, cosine_best, body_quotes,
  headline_speaker, best_body_speaker, second_body_quote, second_body_speaker, matched, omitted, headline_start,
  headline_end, best_start, best_end, body_start, body_end, passage_start, passage, language, body_status, wire_credit, copies, story_id, genre, url, native_id,
  source, first_seen, run_id, doc_id, quote_id, rule_version, detector_version
FROM ranked
ORDER BY priority DESC, quote_id
