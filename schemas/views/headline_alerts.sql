-- One row per headline quote a standards desk should look at, in the latest version of its article; highest score first within each class.
SELECT
  alert, score, outlet, published_at, headline, headline_quote, best_body_quote, outcome, reason, omitted_negation,
  omitted_condition, omitted_hedge, omitted_question, containment_best, containment_union, cosine_best, body_quotes,
  headline_speaker, best_body_speaker, second_body_quote, second_body_speaker, matched, omitted, headline_start,
  headline_end, best_start, best_end, passage_start, passage, language, body_status, wire_credit, copies, genre, url, native_id,
  source, first_seen, run_id, doc_id, quote_id, rule_version, detector_version
FROM headline_quotes
WHERE alert IS NOT NULL AND version_number = n_versions
ORDER BY alert, score DESC NULLS LAST, quote_id
