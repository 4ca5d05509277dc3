-- One row per headline quote and list (alerts, checks) that it is on, in the latest version of its article.
-- Each list is in order of priority: severity of the difference, times the evidence for it, times how often such differences are right. The
-- last is estimated from the reviews of this lake: for those of the same kind and severity, drawn to that of the kind, and that of a kind to
-- .5, each with the weight of 10 reviews; a difference is right if more than half of its reviewers say so. Where a language model has read
-- the quote, those that it found the same are counted by themselves, and drawn to .9 where it says misleading, to .1 where it says fair.
--   tier: the list: alert (the headline gives its reader another sense than the body does) or check (the words between the marks do not stand in the body as printed)
--   kind: kind of the quote's gravest difference of this list, see the codebook; reader: only a language model finds that it misleads; in rows of earlier releases contextomized, wrong_speaker or risky_excerpt
--   severity: how much that difference changes what a reader believes, 0 to 1
--   right_share: estimated share of such differences that are right
--   priority: severity * coalesce(score, 1) * right_share; of the kind reader right_share
--   of_story: 1 for the row of its list with the highest priority of its story, 2 for the next: a list with one line per story takes those with 1
--   reason: the differences of its lists and the rule that decided, in a few words; of the kind reader, what the language model says
--   alert: kind of the quote's alert by rules; NULL: none
--   run_id: run that brought the document into the lake
--   quote_id: headline quote
--   rule_version: version of the rules that found and matched it
--   detector_version: version of the detector and of the model behind its cosine
WITH verdicts AS (
  SELECT quote_id, alert, count_if(label = 'true') * 2 > count(*) AS is_true
  FROM latest_reviews
  GROUP BY quote_id, alert
),
listed AS (
  SELECT
    q.* EXCEPT (severity, reason),
    CASE WHEN q.kind = 'reader' THEN q.reader || ': ' || coalesce(q.reading_sentence, q.reading_kind) ELSE q.reason END AS reason,
    -- The column of the table is of the alert where there is one.
    CASE WHEN q.kind = 'reader' THEN NULL WHEN q.tier = 'alert' OR q.alert IS NULL THEN q.severity
      ELSE array_max(transform(q.differences, one -> CASE WHEN one.tier = 'check' THEN one.severity END)) END AS severity,
    CASE q.reading_verdict WHEN 'misleading' THEN 9.0e0 WHEN 'fair' THEN 1.0e0 ELSE 5.0e0 END AS presumed
  FROM (
    SELECT
      h.*, t.tier,
      CASE t.tier WHEN 'alert' THEN coalesce(h.alert, CASE WHEN h.reading_verdict = 'misleading' THEN 'reader' END) ELSE h.to_check END AS kind
    FROM headline_quotes h
    CROSS JOIN (VALUES ('alert'), ('check')) AS t (tier)
    WHERE h.version_number = h.n_versions
  ) q
  WHERE q.kind IS NOT NULL
),
of_kind AS (
  -- Both shares over windows: the quotes are read once.
  SELECT
    l.*, v.is_true, (count(CASE WHEN v.is_true THEN 1 END) OVER kinds + l.presumed) / (count(v.is_true) OVER kinds + 10.0e0) AS share
  FROM listed l
  LEFT JOIN verdicts v ON v.quote_id = l.quote_id AND v.alert = l.kind
  WINDOW kinds AS (PARTITION BY l.kind, l.presumed)
),
of_severity AS (
  SELECT *, (count(CASE WHEN is_true THEN 1 END) OVER alike + 10.0e0 * share) / (count(is_true) OVER alike + 10.0e0) AS right_share
  FROM of_kind
  WINDOW alike AS (PARTITION BY kind, presumed, coalesce(severity, 1.0e0))
),
ranked AS (
  SELECT *, coalesce(severity, 1.0e0) * CASE WHEN kind = 'reader' THEN 1.0e0 ELSE coalesce(score, 1.0e0) END * right_share AS priority
  FROM of_severity
)
SELECT
  tier, kind, priority, severity, right_share, score, outlet, published_at, headline, headline_quote, best_body_quote, outcome, reason,
  row_number() OVER (PARTITION BY tier, coalesce(story_id, doc_id) ORDER BY priority DESC, quote_id) AS of_story, differences,
  containment_best, containment_union, cosine_best, body_quotes,
  headline_speaker, best_body_speaker, second_body_quote, second_body_speaker, matched, omitted, headline_start,
  headline_end, best_start, best_end, body_start, body_end, passage_start, passage, language, body_status, wire_credit, copies, story_id, genre, url, native_id,
  source, first_seen, run_id, doc_id, quote_id, rule_version, detector_version, alert, to_check,
  reader, reading_verdict, reading_kind, reading_words, reading_sentence
FROM ranked
ORDER BY tier, priority DESC, quote_id
