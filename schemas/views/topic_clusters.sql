-- One row per cluster of contexts of a group with enough of them: the topics a quote is used in. Of each group the largest clusters, largest first.
--   quote: canonical text of the quote; a watched text as it was given
--   n_contexts: distinct contexts in the cluster
--   n_sampled: distinct contexts of the group that were compared
--   mean_cosine: over the pairs of contexts of the cluster; NULL of one context
--   words: words that tell the cluster from the others of the group, most telling first
--   context: context of the use nearest to all others of the cluster, the use included
--   second_context: the next nearest; NULL of one context
--   doc_id: document of the first context
--   second_doc_id: document of the second
WITH found AS (
  SELECT d.group_id, d.representation, d.rule_version, d.fingerprint, d.n_sampled, explode(d.clusters) AS part
  FROM topic_details d
)
SELECT
  coalesce(w.text, v.canonical_text) AS quote, f.part.n_contexts AS n_contexts, f.n_sampled, f.part.mean_cosine AS mean_cosine,
  f.part.words AS words,
  substring(x.body, f.part.typical.context_start + 1, f.part.typical.context_end - f.part.typical.context_start) AS context,
  substring(y.body, f.part.second.context_start + 1, f.part.second.context_end - f.part.second.context_start)
    AS second_context,
  x.doc_id AS doc_id, y.doc_id AS second_doc_id, f.group_id, f.representation, f.rule_version, f.fingerprint
FROM found f
JOIN active_version a
  ON a.rule_version = f.rule_version AND a.fingerprint = f.fingerprint AND a.representation = f.representation
JOIN documents x ON x.doc_id = f.part.typical.doc_id
LEFT JOIN documents y ON y.doc_id = f.part.second.doc_id
LEFT JOIN variants v ON v.variant_id = f.group_id
LEFT JOIN watch_texts w ON w.text_digest = f.group_id AND w.rule_version = f.rule_version AND w.is_current
WHERE w.text_digest IS NOT NULL OR v.variant_id IS NOT NULL
ORDER BY f.group_id, f.part.n_contexts DESC, x.doc_id
