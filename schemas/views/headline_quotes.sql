-- One row per headline quote: its outcome, the evidence, both quotes side by side with their speakers, and the passage around the words that decided.
-- Speakers are given as the text names them, with the full name in brackets if it is elsewhere; without a known full name, with the apposition
-- that may name them (the head, Ana Ruiz). Offsets (headline_start, best_start, their ends)
-- are code points of headline and body; passage is the body from 400 characters before the best body quote, or else before the words outside quotes (passage_start), to 400 after.
--   first_seen: when the run that brought the document into the lake started, UTC
--   run_id: run that brought the document into the lake
--   headline_quote: quote of the headline, without its marks
--   best_body_quote: body quote that contains most of it, with what stands between its parts; NULL without one
--   second_body_quote: body quote that adds most to the best one; NULL without one
--   headline_speaker: who said it, as the headline names them
--   best_body_speaker: who said the best body quote, as the text names them
--   second_body_speaker: who said the second body quote, as the text names them
--   headline_start: where the quote begins in the headline
--   headline_end: one past its end
--   passage_start: where the passage begins in the body
--   passage: the body around the best body quote or, where they decided, words outside quotes; NULL without either
--   story_id: story the article tells: the same for copies, whole or in part
--   copies: other articles that tell it
--   reader: name of the language model that read it last, where one is set; NULL: none has
--   reading_verdict: what the model says: misleading (a reader of the headline is given another sense than the article has), fair or unclear
--   reading_kind: of a misleading one, in which way
--   reading_words: words of the body that it rests on
--   reading_sentence: what the model says of it, in its words
--   n_outlets: outlets that tell it, this one included
WITH read_words AS (
  -- Bodies are read where a model has read some.
  SELECT r.*, transform(r.evidence, one -> substring(d.body, one.start + 1, one.end - one.start)) AS words
  FROM latest_readings r
  JOIN documents d ON d.doc_id = r.doc_id
)
SELECT
  d.outlet, d.published_at, d.updated_at, d.headline, d.url, d.native_id, d.source, d.language, d.genre, d.body_status,
  d.wire_credit, d.version_number, d.n_versions, t.story_id, t.n_articles - 1 AS copies, t.n_outlets,
  substring(d.headline, c.headline_start + 1, c.headline_end - c.headline_start) AS headline_quote,
  substring(c.passage, least(c.best_start, 400) + 1, c.best_end - c.best_start) AS best_body_quote,
  c.second_quote AS second_body_quote,
  c.headline_speaker, c.best_speaker AS best_body_speaker, c.second_speaker AS second_body_speaker,
  greatest(coalesce(c.best_start, c.body_start) - 400, 0) AS passage_start,
  c.passage, r.reader, r.verdict AS reading_verdict, r.kind AS reading_kind, r.words AS reading_words, r.sentence AS reading_sentence,
  d.ingested_at AS first_seen, d.run_id, c.rule_version, c.detector_version,
  c.* EXCEPT (rule_version, detector_version, passage, second_quote, headline_speaker, best_speaker, second_speaker, run_id, ingested_at)
FROM contextomy c
JOIN active_version a ON a.rule_version = c.rule_version AND a.detector_version = c.detector_version
JOIN document_versions d ON d.doc_id = c.doc_id
LEFT JOIN document_stories t ON t.doc_id = c.doc_id
LEFT JOIN read_words r ON r.quote_id = c.quote_id
WHERE c.headline_start IS NOT NULL -- rows of earlier releases have it once the lake is activated
