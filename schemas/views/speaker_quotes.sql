-- One row per quote whose speaker the text names: who said what, where, and how the text shows it.
--   first_seen: when the run that brought the document into the lake started, UTC
--   run_id: run that brought the document into the lake
--   speaker: full name where the text gives one, else the name as written
--   speaker_type: type of the speaker, see the codebook
--   quote: what was said, without the marks
--   as_written: words that name the speaker
--   full_name: full name, where certain
--   cue: word that shows who speaks, such as said
--   how: rule that found the speaker, see the codebook
SELECT
  coalesce(q.speaker.name, q.speaker.head) AS speaker, q.speaker.type AS speaker_type, q.text AS quote, q.kind, q.field,
  d.version_number, d.n_versions, d.wire_credit,
  d.outlet, d.published_at, d.headline, d.language, q.speaker.text AS as_written, q.speaker.name AS full_name,
  q.speaker.cue AS cue, q.speaker.how AS how, q.flags, q.words, d.genre, d.is_repost, d.url, d.native_id, d.source,
  d.ingested_at AS first_seen, d.run_id, q.doc_id, q.quote_id, q.utterance_id, q.variant_id, q.start, q.end, q.rule_version
FROM quotes q
JOIN active_version a USING (rule_version)
JOIN document_versions d ON d.doc_id = q.doc_id
WHERE q.speaker IS NOT NULL
