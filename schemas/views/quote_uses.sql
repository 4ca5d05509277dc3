-- One row per use of a quote in the body of an article or in a tweet, with its reuse group and its context; and one per such use of a watched text.
-- A passage that is a use of a quote and of a watched text has a row for each: count the rows of one group_kind, or of one group_id.
--   group_kind: reused: use of a quote, in its reuse group; watch: sure use of a text on the current watch-list, in quotation marks or not
--   group_id: reuse group of the quote; of a watched text its text_digest, as in topic_variation_ranking
--   first_seen: when the run that brought the document into the lake started, UTC
--   run_id: run that brought the document into the lake
--   quote: canonical text of the quote: case, marks and punctuation folded; a watched text as it was given
--   text_as_used: the quote as this text has it, without its marks
--   kind: news or tweet
--   outlet: outlet after the mapping of the source
--   context: text around the use, the use included
--   direct: whether the quote is direct; NULL for a watched text
--   quote_id: the quote; of a watched text the quote that is the same use, NULL without one
--   story_id: story the document tells: the same for copies of an article
--   author_key: HMAC-SHA256 of the tweet author under the key of this lake; never the handle
WITH used AS (
  SELECT
    'reused' AS group_kind, n.variant_id AS group_id, n.canonical_text AS quote, c.doc_id, c.quote_id, c.start, c.end, c.context_start,
    c.context_end, c.status, c.direct, c.text_id, c.masked_hash, c.rule_version
  FROM contexts c
  JOIN active_version a USING (rule_version)
  LEFT JOIN variant_groups g ON g.variant_id = c.variant_id AND g.rule_version = c.rule_version
  JOIN variants n ON n.variant_id = coalesce(g.group_id, c.variant_id)
  UNION ALL
  SELECT
    'watch' AS group_kind, h.text_digest AS group_id, w.text AS quote, h.doc_id, h.quote_id, h.start, h.end, h.context_start,
    h.context_end, h.status, CAST(NULL AS BOOLEAN) AS direct, h.text_id, h.masked_hash, h.rule_version
  FROM watch_hits h
  JOIN active_version a USING (rule_version)
  JOIN watch_texts w ON w.text_digest = h.text_digest AND w.rule_version = h.rule_version AND w.is_current
  WHERE h.sure AND h.field <> 'headline'
)
SELECT
  u.group_kind, u.group_id, u.quote, substring(d.body, u.start + 1, u.end - u.start) AS text_as_used, d.kind, d.outlet,
  d.published_at, d.language, substring(d.body, u.context_start + 1, u.context_end - u.context_start) AS context,
  u.status, u.direct, coalesce(s.story_id, u.text_id) AS story_id, d.author_key, d.conversation_id, d.url, d.native_id, d.source,
  d.ingested_at AS first_seen, d.run_id, u.doc_id, u.quote_id, u.start, u.end, u.masked_hash, u.rule_version
FROM used u
JOIN documents d ON d.doc_id = u.doc_id
LEFT JOIN stories s ON s.text_id = u.text_id AND s.rule_version = u.rule_version
