-- One row per pair of distinct contexts that is kept of a group with enough of them, and how related their topics are (TRiC).
--   quote: canonical text of the quote; a watched text as it was given
--   label: same, unclear or different topic, by the thresholds of the settings
--   cosine: of the two contexts before the topic head, -1 to 1
--   head_score: their cosine after the topic head; NULL without one
--   context: the first context, the use included
--   other_context: the other one
--   other_outlet: outlet after the mapping of the source
--   other_published_at: date of publication, UTC; NULL where the record has none that can be read
--   doc_id: document of the first context
--   other_doc_id: document of the other one
--   start: first character of the first use in its body, in code points
--   other_start: of the other one
WITH found AS (
  SELECT d.group_id, d.representation, d.rule_version, d.fingerprint, explode(d.pairs) AS pair
  FROM topic_details d
)
SELECT
  coalesce(w.text, v.canonical_text) AS quote, f.pair.label AS label, f.pair.cosine AS cosine, f.pair.head_score AS head_score,
  substring(x.body, f.pair.context_start + 1, f.pair.context_end - f.pair.context_start) AS context,
  substring(y.body, f.pair.other_context_start + 1, f.pair.other_context_end - f.pair.other_context_start) AS other_context,
  x.outlet AS outlet, y.outlet AS other_outlet, x.published_at AS published_at, y.published_at AS other_published_at,
  f.pair.doc_id AS doc_id, f.pair.start AS start, f.pair.other_doc_id AS other_doc_id, f.pair.other_start AS other_start,
  f.group_id, f.representation, f.rule_version, f.fingerprint
FROM found f
JOIN active_version a
  ON a.rule_version = f.rule_version AND a.fingerprint = f.fingerprint AND a.representation = f.representation
JOIN documents x ON x.doc_id = f.pair.doc_id
JOIN documents y ON y.doc_id = f.pair.other_doc_id
LEFT JOIN variants v ON v.variant_id = f.group_id
LEFT JOIN watch_texts w ON w.text_digest = f.group_id AND w.rule_version = f.rule_version AND w.is_current
WHERE w.text_digest IS NOT NULL OR v.variant_id IS NOT NULL
ORDER BY f.group_id, f.pair.cosine DESC, f.pair.doc_id, f.pair.other_doc_id, f.pair.start, f.pair.other_start
