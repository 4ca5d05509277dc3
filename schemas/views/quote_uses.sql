-- One row per use of a quote in the body of an article or in a tweet, with its reuse group and its context.
--   first_seen: when the run that brought the document into the lake started, UTC
--   run_id: run that brought the document into the lake
--   quote: canonical text of the quote: case, marks and punctuation folded
--   text_as_used: the quote as this text has it, without its marks
--   kind: news or tweet
--   outlet: outlet after the mapping of the source
--   context: text around the use, the quote included
--   story_id: story the document tells: the same for copies of an article
--   author_key: HMAC-SHA256 of the tweet author under the key of this lake; never the handle
SELECT
  g.group_id, n.canonical_text AS quote, substring(d.body, c.start + 1, c.end - c.start) AS text_as_used, d.kind, d.outlet,
  d.published_at, d.language, substring(d.body, c.context_start + 1, c.context_end - c.context_start) AS context,
  c.status, c.direct, coalesce(s.story_id, c.text_id) AS story_id, d.author_key, d.conversation_id, d.url, d.native_id, d.source,
  d.ingested_at AS first_seen, d.run_id, c.doc_id, c.quote_id, c.start, c.end, c.masked_hash, c.rule_version
FROM contexts c
JOIN active_version a USING (rule_version)
JOIN variant_groups g ON g.variant_id = c.variant_id AND g.rule_version = c.rule_version
JOIN variants n ON n.variant_id = g.group_id
JOIN documents d ON d.doc_id = c.doc_id
LEFT JOIN stories s ON s.text_id = c.text_id AND s.rule_version = c.rule_version
