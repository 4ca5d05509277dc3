-- One row per person who is quoted in new documents, most quoted first. Reposts are not counted.
--   speaker: person of speaker_quotes
--   quotes: different quotes of the person
--   articles: articles and tweets with a quote of the person, versions of one counted once
--   outlets: outlets of these
SELECT
  q.person AS speaker, count(DISTINCT q.variant_id) AS quotes, count(DISTINCT d.native_key) AS articles,
  count(DISTINCT q.outlet) AS outlets, q.rule_version
FROM speaker_quotes q
JOIN article_versions d ON d.doc_id = q.doc_id
JOIN (SELECT DISTINCT run_id FROM run_summary WHERE nth <= (SELECT nights FROM new_nights)) n ON n.run_id = q.run_id
WHERE q.person IS NOT NULL AND q.variant_id IS NOT NULL AND NOT q.is_repost
GROUP BY q.person, q.rule_version
ORDER BY quotes DESC, articles DESC, speaker
