-- One row per sure use of a text on the current watch-list, in quotation marks or not, with its context.
--   first_seen: when the run that brought the document into the lake started, UTC
--   run_id: run that brought the document into the lake
--   watch_id: id of the text, as the watch-list has it
--   text: the watched text
--   text_as_used: its words as this document has them
--   kind: news or tweet
--   outlet: outlet after the mapping of the source
--   context: text around the use, the use included; NULL in headlines and reposts
--   author_key: HMAC-SHA256 of the tweet author under the key of this lake; never the handle
SELECT
  w.watch_id, w.text, substring(CASE WHEN h.field = 'headline' THEN d.headline ELSE d.body END, h.start + 1, h.end - h.start)
    AS text_as_used,
  h.score, h.in_marks, h.field, d.kind, d.outlet, d.published_at, d.language,
  substring(d.body, h.context_start + 1, h.context_end - h.context_start) AS context,
  h.status, d.headline, d.author_key, d.url, d.native_id, d.source, d.ingested_at AS first_seen, d.run_id,
  h.doc_id, h.quote_id, h.start, h.end, h.masked_hash, h.text_digest, h.rule_version
FROM watch_hits h
JOIN active_version a USING (rule_version)
JOIN watch_texts w ON w.text_digest = h.text_digest AND w.rule_version = h.rule_version AND w.is_current
JOIN documents d ON d.doc_id = h.doc_id
WHERE h.sure
