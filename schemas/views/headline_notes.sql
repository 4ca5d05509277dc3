-- One row per note: a difference between a headline quote and its body that is on neither list, in the latest version of its article.
--   kind: kind of the difference, see the codebook
--   said: the body's words in which it shows; may be empty
--   own: the headline's words; may be empty
--   phrase: the difference in a phrase
--   alert: kind of the alert that the same quote has; NULL: none
WITH found AS (
  SELECT
    explode(differences) AS one, outlet, published_at, headline, headline_quote, best_body_quote, alert, outcome, passage, language, url, native_id,
    source, first_seen, run_id, doc_id, quote_id, rule_version, detector_version
  FROM headline_quotes
  WHERE version_number = n_versions
)
SELECT
  one.kind AS kind, headline, headline_quote, one.said AS said, one.own AS own, one.phrase AS phrase, alert, outcome, outlet,
  published_at, best_body_quote, passage, language, url, native_id, source, first_seen, run_id, doc_id, quote_id, rule_version,
  detector_version
FROM found
WHERE one.tier = 'note'
