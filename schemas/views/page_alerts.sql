-- One row per alert in the order of the alert page: those of the last complete run first, each by priority; with the evidence behind its score.
-- New are alerts in documents that the last complete run read, or a killed run whose work it completed.
--   is_new: whether the alert is new
--   place: 1 for the first alert of the page
--   n_of_kind: alerts of the same kind
--   of_story: 1 for the first new alert of its story, 2 for the next; and so for the earlier ones
SELECT
  p.*, c.coverage, c.matched_letters, c.in_order, c.last_word, c.numbers, c.marks, c.clauses, c.evidence
FROM (
  SELECT
    a.* EXCEPT (of_story), count(*) OVER (PARTITION BY a.alert) AS n_of_kind,
    row_number() OVER (PARTITION BY a.is_new, coalesce(a.story_id, a.doc_id) ORDER BY a.priority DESC, a.quote_id) AS of_story,
    row_number() OVER (ORDER BY a.is_new DESC, a.priority DESC, a.quote_id) AS place
  FROM (
    SELECT h.*, n.run_id IS NOT NULL AS is_new
    FROM headline_alerts h
    LEFT JOIN (SELECT DISTINCT run_id FROM run_summary WHERE nth = 1) n ON n.run_id = h.run_id
  ) a
) p
JOIN contextomy c
  ON c.quote_id = p.quote_id AND c.rule_version = p.rule_version AND c.detector_version = p.detector_version
ORDER BY p.place
