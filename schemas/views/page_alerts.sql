-- One row per headline quote of the alert page: the alerts, and the checks whose quote is not among them, each list in its order, with the evidence behind the score.
-- A list has the new quotes first (documents that it read, or a killed run whose work it completed), both parts by priority.
--   is_new: whether it is new
--   place: 1 for the first of its list
--   of_story: 1 for the first new one of its list and story, 2 for the next; and so for the earlier ones
SELECT
  p.*, c.coverage, c.matched_letters, c.in_order, c.last_word, c.numbers, c.marks, c.clauses, c.evidence
FROM (
  SELECT
    a.* EXCEPT (of_story),
    row_number() OVER (PARTITION BY a.tier, a.is_new, coalesce(a.story_id, a.doc_id) ORDER BY a.priority DESC, a.quote_id) AS of_story,
    row_number() OVER (PARTITION BY a.tier ORDER BY a.is_new DESC, a.priority DESC, a.quote_id) AS place
  FROM (
    SELECT h.*, n.run_id IS NOT NULL AS is_new
    FROM headline_findings h
    LEFT JOIN (SELECT DISTINCT run_id FROM run_summary WHERE nth <= (SELECT nights FROM new_nights)) n ON n.run_id = h.run_id
    WHERE h.tier = 'alert' OR (h.alert IS NULL AND coalesce(h.reading_verdict, '') <> 'misleading')
  ) a
) p
JOIN contextomy c
  ON c.quote_id = p.quote_id AND c.rule_version = p.rule_version AND c.detector_version = p.detector_version
ORDER BY p.tier, p.place
