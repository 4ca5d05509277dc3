-- The versions of rules, detector and model that every other view shows. One row.
SELECT rule_version, detector_version, fingerprint, model, dtype
FROM versions
ORDER BY ingested_at DESC, run_id DESC
LIMIT 1
