-- One row per person who is quoted by full name or by a name of speaker_aliases, most quoted first, with what was quoted most widely. Counted are the latest version of each article, and tweets; reposts are not.
-- Quotes with the same words (variant_id) count once per person, so wire copy and reprints add articles and outlets, but no quotes. Two people of one name are one row.
--   speaker: person of speaker_quotes: the canonical name that speaker_aliases gives, else the full name as the texts give it
--   wikidata_id: the person in Wikidata, by speaker_aliases; NULL where none is given
--   quotes: different quotes of the person
--   articles: articles and tweets with a quote of the person
--   outlets: outlets with a quote of the person
--   likely_quotes: the same with quotes of persons without full name in their article, by a last word that nine in ten quotes with a full name mean this person by: what the proposals of `quotelake aliases export` would add
--   share_unknown: share of all quotes by persons, 0 to 1, of whom no full name is known, so that no row counts them
--   quote: the quote that most articles have; of several the longest
--   quote_articles: articles and tweets with that quote
--   rule_version: version of the rules that found the quotes
WITH said AS (
  SELECT person AS speaker, wikidata_id, variant_id, words, doc_id, outlet, rule_version
  FROM speaker_quotes
  WHERE person IS NOT NULL AND variant_id IS NOT NULL AND NOT is_repost AND version_number = n_versions
),
people AS (
  SELECT
    speaker, count(DISTINCT variant_id) AS quotes, count(DISTINCT doc_id) AS articles,
    count(DISTINCT outlet) AS outlets, max(wikidata_id) AS wikidata_id,
    first(rule_version) AS rule_version
  FROM said
  GROUP BY speaker
),
unnamed AS (
  SELECT regexp_extract(speaker, '[^ ]+$', 0) AS surname, count(DISTINCT variant_id) AS quotes
  FROM speaker_quotes
  WHERE person IS NULL AND speaker_type = 'person' AND NOT is_repost AND version_number = n_versions
  GROUP BY regexp_extract(speaker, '[^ ]+$', 0)
),
shares AS (
  SELECT
    speaker, regexp_extract(speaker, '[^ ]+$', 0) AS surname,
    quotes / sum(quotes) OVER (PARTITION BY regexp_extract(speaker, '[^ ]+$', 0)) AS share
  FROM people
),
likely AS (
  SELECT s.speaker, u.quotes
  FROM shares s
  JOIN unnamed u ON u.surname = s.surname
  WHERE s.share >= 0.9
),
unknown AS (
  SELECT avg(CASE WHEN person IS NULL THEN 1e0 ELSE 0e0 END) AS share
  FROM speaker_quotes
  WHERE speaker_type = 'person' AND NOT is_repost AND version_number = n_versions
),
wordings AS (
  SELECT speaker, variant_id, max(words) AS words, count(DISTINCT doc_id) AS quote_articles
  FROM said
  GROUP BY speaker, variant_id
),
ranked AS (
  SELECT
    speaker, variant_id, quote_articles,
    row_number() OVER (PARTITION BY speaker ORDER BY quote_articles DESC, words DESC, variant_id) AS position
  FROM wordings
),
first_texts AS (
  SELECT r.speaker, r.quote_articles, min(q.quote) AS quote
  FROM ranked r
  JOIN speaker_quotes q ON q.person = r.speaker AND q.variant_id = r.variant_id
  WHERE r.position = 1 AND NOT q.is_repost AND q.version_number = q.n_versions
  GROUP BY r.speaker, r.quote_articles
)
SELECT
  p.speaker, p.wikidata_id, p.quotes, p.articles, p.outlets, p.quotes + coalesce(l.quotes, 0) AS likely_quotes,
  round(n.share, 3) AS share_unknown, r.quote, r.quote_articles, p.rule_version
FROM people p
CROSS JOIN unknown n
LEFT JOIN likely l ON l.speaker = p.speaker
JOIN first_texts r ON r.speaker = p.speaker
ORDER BY p.quotes DESC, p.articles DESC, p.speaker
