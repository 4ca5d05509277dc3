-- One row per document: the story it tells, and how many articles and tweets tell it. Copies, whole or in part, tell one story.
--   story_id: text_id of the anchor of its story, the same in any order of arrival
--   judged: whether the text is long enough to tell a copy from a coincidence; otherwise it is a story by itself
--   n_articles: articles and tweets of the story, versions of one counted once
--   n_outlets: outlets of the story; 0 for tweets
--   first_published: date of its first document; NULL where none has a date
WITH placed AS (
  SELECT
    t.doc_id, coalesce(s.story_id, t.text_id) AS story_id, t.text_id, t.judged, t.words, d.native_key, d.outlet,
    d.published_at, t.rule_version
  FROM story_texts t
  JOIN active_version a ON a.rule_version = t.rule_version
  JOIN article_versions d ON d.doc_id = t.doc_id
  LEFT JOIN stories s ON s.text_id = t.text_id AND s.rule_version = t.rule_version
),
sizes AS (
  SELECT
    story_id, count(DISTINCT native_key) AS n_articles, count(DISTINCT outlet) AS n_outlets,
    min(published_at) AS first_published
  FROM placed
  GROUP BY story_id
)
SELECT p.doc_id, p.story_id, z.n_articles, z.n_outlets, z.first_published, p.text_id, p.judged, p.words, p.rule_version
FROM placed p
JOIN sizes z ON z.story_id = p.story_id
