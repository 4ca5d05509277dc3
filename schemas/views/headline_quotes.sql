-- One row per headline quote: its outcome, the evidence, and both quotes side by side.
SELECT
  d.outlet, d.published_at, d.updated_at, d.headline, d.url, d.native_id, d.source, d.language, d.genre, d.body_status,
  d.wire_credit, d.version_number, d.n_versions, h.text AS headline_quote, b.text AS best_body_quote,
  s.text AS second_body_quote, c.*
FROM contextomy c
JOIN active_version a USING (rule_version, detector_version)
JOIN quotes h ON h.quote_id = c.quote_id AND h.rule_version = c.rule_version
JOIN document_versions d ON d.doc_id = c.doc_id
LEFT JOIN quotes b ON b.quote_id = c.best_quote_id AND b.rule_version = c.rule_version
LEFT JOIN quotes s ON s.quote_id = c.second_quote_id AND s.rule_version = c.rule_version
