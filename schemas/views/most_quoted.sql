-- One row per person who is quoted by full name or by a name of speaker_aliases, most quoted first, with what was quoted most widely. Counted are the latest version of each article, and tweets; reposts are not.
-- Quotes with the same words (variant_id) count once per person, so wire copy and reprints add articles and outlets, but no quotes. Two people of one name are one row.
--   speaker: person of speaker_quotes: the canonical name that speaker_aliases gives, else the full name as the texts give it
--   wikidata_id: the person in Wikidata, by speaker_aliases; NULL where none is given
--   quotes: different quotes of the person
--   articles: articles and tweets with a quote of the person
--   outlets: outlets with a quote of the person
--   quote: the quote that most articles have; of several the longest
--   quote_articles: articles and tweets with that quote
--   rule_version: version of the rules that found the quotes
WITH said AS (
  SELECT person AS speaker, wikidata_id, variant_id, quote, words, doc_id, outlet, rule_version
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
wordings AS (
  SELECT speaker, variant_id, min(quote) AS quote, max(words) AS words, count(DISTINCT doc_id) AS quote_articles
  FROM said
  GROUP BY speaker, variant_id
),
ranked AS (
  SELECT
    speaker, quote, quote_articles,
    row_number() OVER (PARTITION BY speaker ORDER BY quote_articles DESC, words DESC, variant_id) AS position
  FROM wordings
)
SELECT p.speaker, p.wikidata_id, p.quotes, p.articles, p.outlets, r.quote, r.quote_articles, p.rule_version
FROM people p
JOIN ranked r ON r.speaker = p.speaker
WHERE r.position = 1
ORDER BY p.quotes DESC, p.articles DESC, p.speaker
