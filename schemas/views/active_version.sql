-- The versions of rules, detector and model, and the representation of contexts, that every other view shows. One row.
--   representation: what stands for a context in the topic scores, as in topic_variation
SELECT
  v.rule_version, v.detector_version, v.fingerprint, v.model, v.dtype,
  coalesce(v.representation, 'masked') AS representation
FROM versions v
LEFT JOIN runs r ON r.run_id = v.run_id AND r.stage = 'run'
-- The last activation by the order of commits; that of a run that is not complete only where there is no other.
ORDER BY r.run_id IS NULL, r.table_versions['runs'] DESC NULLS LAST, v.run_id DESC
LIMIT 1
