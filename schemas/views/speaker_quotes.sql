-- One row per quote whose speaker the text names: who said what, where, and how the text shows it.
-- A name of speaker_aliases stands for the person that its latest row says; one that is no full name only where the article quotes no
-- other person by a full name with the same last word.
--   first_seen: when the run that brought the document into the lake started, UTC
--   run_id: run that brought the document into the lake
--   found_by_run: run that found the quote: the one that brought the document, one that took it up, or a later activation
--   speaker: full name where the text gives one, else the name as written
--   person: who it is: the canonical name that speaker_aliases gives the speaker, else the full name; NULL where neither is known
--   wikidata_id: the person in Wikidata, by speaker_aliases; NULL where none is given
--   speaker_type: type of the speaker, see the codebook
--   quote: what was said, without the marks
--   as_written: words that name the speaker
--   full_name: full name, where certain
--   cue: word that shows who speaks, such as said
--   how: rule that found the speaker, see the codebook
WITH aliases AS (
  SELECT name, canonical, wikidata_id
  FROM (
    SELECT name, canonical, wikidata_id, row_number() OVER (PARTITION BY name ORDER BY imported_at DESC, run_id DESC) AS place
    FROM speaker_aliases
  ) given
  WHERE place = 1 AND canonical IS NOT NULL
),
people AS (
  SELECT canonical, max(wikidata_id) AS wikidata_id
  FROM aliases
  GROUP BY canonical
),
surnames AS (
  SELECT DISTINCT regexp_extract(name, '[^ ]+$', 0) AS surname
  FROM aliases
),
bearers AS (
  SELECT
    q.doc_id, q.rule_version, s.surname, min(coalesce(a.canonical, q.speaker.name)) AS person,
    max(coalesce(a.canonical, q.speaker.name)) AS other
  FROM quotes q
  JOIN surnames s ON s.surname = regexp_extract(q.speaker.name, '[^ ]+$', 0)
  LEFT JOIN aliases a ON a.name = q.speaker.name
  GROUP BY q.doc_id, q.rule_version, s.surname
),
found AS (
  SELECT
    q.*,
    CASE WHEN q.speaker.name IS NULL AND (b.person <> a.canonical OR b.other <> a.canonical) THEN NULL
      ELSE coalesce(a.canonical, q.speaker.name) END AS person
  FROM quotes q
  JOIN active_version v USING (rule_version)
  LEFT JOIN aliases a ON a.name = coalesce(q.speaker.name, q.speaker.head)
  LEFT JOIN bearers b
    ON b.doc_id = q.doc_id AND b.rule_version = q.rule_version AND b.surname = regexp_extract(a.name, '[^ ]+$', 0)
  -- Not by itself: the struct would be read whole.
  WHERE coalesce(q.speaker.name, q.speaker.head) IS NOT NULL
)
SELECT
  coalesce(q.speaker.name, q.speaker.head) AS speaker, q.speaker.type AS speaker_type, q.person, p.wikidata_id,
  q.text AS quote, q.kind, q.field, d.version_number, d.n_versions, d.wire_credit,
  d.outlet, d.published_at, d.headline, d.language, q.speaker.text AS as_written, q.speaker.name AS full_name,
  q.speaker.cue AS cue, q.speaker.how AS how, q.flags, q.words, d.genre, d.is_repost, d.url, d.native_id, d.source,
  d.ingested_at AS first_seen, d.run_id, q.run_id AS found_by_run, q.doc_id, q.quote_id, q.utterance_id, q.variant_id,
  q.start, q.end, q.rule_version
FROM found q
JOIN document_versions d ON d.doc_id = q.doc_id
LEFT JOIN people p ON p.canonical = q.person
