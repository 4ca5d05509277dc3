-- What a look-up reads of a lake, in the SQL of both engines.

-- texts: those that are known; quotes of headlines alone have no group, and are groups of one
SELECT n.variant_id, n.canonical_text, coalesce(g.group_id, n.variant_id) AS group_id
FROM (
  SELECT DISTINCT q.variant_id FROM quotes q JOIN active_version a ON a.rule_version = q.rule_version
) AS u
JOIN variants n ON n.variant_id = u.variant_id
LEFT JOIN (
  SELECT v.variant_id, v.group_id FROM variant_groups v JOIN active_version a ON a.rule_version = v.rule_version
) AS g ON g.variant_id = n.variant_id
ORDER BY n.variant_id;

-- uses: the first of each group, one of each document: of its first version, in the body before the headline
WITH used AS (SELECT
  coalesce(g.group_id, q.variant_id) AS group_id, q.text AS text_as_used, q.field, q.start, q.end,
  q.kind AS quote_kind, coalesce(q.speaker.name, q.speaker.head) AS speaker,
  d.published_at, d.kind, d.outlet, d.headline, d.url, d.wire_credit, d.is_repost, d.native_key, d.doc_id,
  -- 200 characters of a body before and after the use
  CASE WHEN q.field = 'headline' THEN d.headline ELSE
    substring(d.body, greatest(q.start - 200, 0) + 1, q.end - greatest(q.start - 200, 0) + 200)
  END AS context
FROM quotes q
JOIN active_version a ON a.rule_version = q.rule_version
LEFT JOIN variant_groups g ON g.variant_id = q.variant_id AND g.rule_version = q.rule_version
JOIN documents d ON d.doc_id = q.doc_id
WHERE coalesce(g.group_id, q.variant_id) IN ({groups})),
counted AS (
  SELECT group_id, count(*) AS uses, count(DISTINCT native_key) AS documents, count(DISTINCT outlet) AS outlets
  FROM used GROUP BY group_id
),
placed AS (
  SELECT *, row_number() OVER (
    PARTITION BY group_id, native_key ORDER BY published_at NULLS LAST, doc_id, field, start) AS place
  FROM used
),
dated AS (
  SELECT *, row_number() OVER (PARTITION BY group_id ORDER BY published_at NULLS LAST, doc_id) AS position
  FROM placed WHERE place = 1
)
SELECT * FROM dated JOIN counted USING (group_id) WHERE {limit} ORDER BY group_id, position;
