-- One row per quote that several outlets use: who used it first, and how it spread from there. Most outlets first.
-- An outlet counts from its first use on, undated uses last. Copies of a wire story count as often as outlets have them.
--   quote: the fullest use, without its marks
--   first_outlet: outlet of the earliest use
--   first_at: when that was published, UTC
--   last_at: when the latest use was published, UTC
--   outlets: outlets that use the quote
--   articles: articles that use it, versions of one counted once
--   uses: uses in them, all versions
--   months: months with a use
--   hours_to_2: hours from the first use to the first one by a second outlet; NULL without dates
--   hours_to_3: the same to a third outlet; NULL if fewer use it
--   hours_to_5: the same to a fifth
--   hours_to_10: the same to a tenth
--   reference_quote_id: the fullest use
--   rule_version: version of the rules that found, grouped and compared the uses
WITH used AS (
  SELECT
    m.group_id, m.rule_version, m.reference_quote_id, CASE WHEN m.quote_id = m.reference_quote_id THEN m.text END AS quote, d.outlet, d.native_key, d.published_at, d.published_on
  FROM quote_comparisons m
  JOIN active_version a USING (rule_version)
  JOIN documents d ON d.doc_id = m.doc_id
  WHERE m.text IS NOT NULL
),
totals AS (
  SELECT
    group_id, first(rule_version) AS rule_version, min(reference_quote_id) AS reference_quote_id, max(quote) AS quote,
    count(DISTINCT outlet) AS outlets, count(DISTINCT native_key) AS articles, count(*) AS uses,
    count(DISTINCT substring(CAST(coalesce(published_on, published_at) AS STRING), 1, 7)) AS months, min(published_at) AS first_at,
    max(published_at) AS last_at
  FROM used
  GROUP BY group_id
),
starts AS (
  SELECT group_id, outlet, min(published_at) AS started_at
  FROM used
  GROUP BY group_id, outlet
),
places AS (
  SELECT
    group_id, outlet, started_at,
    row_number() OVER (PARTITION BY group_id ORDER BY started_at NULLS LAST, outlet) AS place
  FROM starts
),
reached AS (
  SELECT
    p.group_id, max(CASE WHEN p.place = 1 THEN p.outlet END) AS first_outlet,
    max(CASE WHEN p.place = 2 THEN unix_seconds(p.started_at) - unix_seconds(t.first_at) END) AS to_2,
    max(CASE WHEN p.place = 3 THEN unix_seconds(p.started_at) - unix_seconds(t.first_at) END) AS to_3,
    max(CASE WHEN p.place = 5 THEN unix_seconds(p.started_at) - unix_seconds(t.first_at) END) AS to_5,
    max(CASE WHEN p.place = 10 THEN unix_seconds(p.started_at) - unix_seconds(t.first_at) END) AS to_10
  FROM places p
  JOIN totals t ON t.group_id = p.group_id
  GROUP BY p.group_id
)
SELECT
  t.group_id, t.quote, r.first_outlet, t.first_at, t.last_at, t.outlets, t.articles, t.uses, t.months,
  r.to_2 / 3600 AS hours_to_2, r.to_3 / 3600 AS hours_to_3, r.to_5 / 3600 AS hours_to_5, r.to_10 / 3600 AS hours_to_10,
  t.reference_quote_id, t.rule_version
FROM totals t
JOIN reached r ON r.group_id = t.group_id
ORDER BY t.outlets DESC, t.articles DESC, t.group_id
