-- The versions of rules, detector and model, and the representation of contexts, that every other view shows. One row.
--   representation: what stands for a context in the topic scores, as in topic_variation
SELECT rule_version, detector_version, fingerprint, model, dtype, coalesce(representation, 'masked') AS representation
FROM versions
ORDER BY ingested_at DESC, run_id DESC
LIMIT 1
