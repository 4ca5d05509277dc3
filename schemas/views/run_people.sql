-- One row per person who is quoted by full name in documents of the last complete run, most quoted first. Reposts are not counted.
--   speaker: full name, as the texts give it
--   quotes: different quotes of the person
--   articles: articles and tweets with a quote of the person, versions of one counted once
--   outlets: outlets of these
SELECT
  q.speaker.name AS speaker, count(DISTINCT q.variant_id) AS quotes, count(DISTINCT d.native_key) AS articles,
  count(DISTINCT d.outlet) AS outlets, q.rule_version
FROM quotes q
JOIN active_version a ON a.rule_version = q.rule_version
JOIN documents d ON d.doc_id = q.doc_id
JOIN (SELECT DISTINCT run_id FROM run_summary WHERE nth = 1) n ON n.run_id = d.run_id
WHERE q.speaker.name IS NOT NULL AND q.variant_id IS NOT NULL AND NOT d.is_repost
GROUP BY q.speaker.name, q.rule_version
ORDER BY quotes DESC, articles DESC, speaker
