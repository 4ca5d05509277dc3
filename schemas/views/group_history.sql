-- One row per change of a reuse group: where its variants went, and the group that its id means today.
--   night: label of the run given by the operator
--   changed_at: when the run that changed it started, UTC
--   current_group_id: group that holds the old anchor today; join it to group_id of the other views
--   quote: canonical text of that group's anchor
SELECT
  l.old_group_id, l.group_id, l.change, l.variants, l.night, l.ingested_at AS changed_at,
  v.variant_id AS current_group_id, v.canonical_text AS quote, l.run_id, l.rule_version
FROM group_lineage l
JOIN active_version a USING (rule_version)
LEFT JOIN variant_groups g ON g.variant_id = l.old_group_id AND g.rule_version = l.rule_version
JOIN variants v ON v.variant_id = coalesce(g.group_id, l.old_group_id)
LEFT JOIN runs r ON r.run_id = l.run_id AND r.stage = 'run'
ORDER BY r.table_versions['runs'] DESC NULLS LAST, l.ingested_at DESC, l.old_group_id, l.group_id
