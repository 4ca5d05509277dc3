-- One row per use of a quote that several outlets use, in the latest version of its article: what it leaves out or changes, held against the fullest use, and whom it credits.
--   is_reference: this use is the fullest of its group
--   text_as_used: the quote as this article has it, without its marks
--   speaker: whom this article credits it to: full name where the text gives one, else the name as written
--   speaker_type: type of the speaker, see the codebook
--   credited_otherwise: the article surely credits another person than every other outlet that surely credits somebody
--   kinds: kinds of the differences, see the codebook
--   reference_text: the fullest use, without its marks
--   reference_outlet: outlet of the fullest use
--   reference_speaker: whom its article credits it to
--   passage: the use with up to 160 characters of its article on each side
--   reference_passage: the same for the fullest use
--   first_seen: when the run that brought the article into the lake started, UTC
--   run_id: run that brought the article into the lake
WITH compared AS (
  SELECT m.*
  FROM quote_comparisons m
  JOIN active_version a USING (rule_version)
  WHERE m.start IS NOT NULL -- of earlier releases: they have it once the lake is activated
)
SELECT
  m.group_id, d.outlet, d.published_at, m.quote_id = m.reference_quote_id AS is_reference, m.text AS text_as_used,
  m.trimmed, m.others_speaker IS NOT NULL AS credited_otherwise, transform(m.differences, x -> x.kind) AS kinds,
  m.differences, m.named_speaker AS speaker, m.speaker_type, m.others_speaker,
  r.outlet AS reference_outlet, f.text AS reference_text, f.named_speaker AS reference_speaker,
  right(m.before, 160) || m.text || left(m.after, 160) AS passage,
  right(f.before, 160) || f.text || left(f.after, 160) AS reference_passage,
  d.headline, d.language, d.genre, d.wire_credit, d.url, d.native_id, d.source, d.ingested_at AS first_seen, d.run_id,
  m.doc_id, m.quote_id, m.start, m.end, m.reference_doc_id, m.reference_quote_id, m.rule_version
FROM compared m
JOIN document_versions d ON d.doc_id = m.doc_id
-- Outer joins are not reordered: the two quotes share their version only, and are never joined by it.
LEFT JOIN compared f ON f.quote_id = m.reference_quote_id AND f.rule_version = m.rule_version
LEFT JOIN article_versions r ON r.doc_id = m.reference_doc_id
WHERE d.version_number = d.n_versions
