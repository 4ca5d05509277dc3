-- One row per sure use of a text on the watch-list in new documents, at most 20 of each text: the latest.
--   place: 1 for the latest use of the text
SELECT *
FROM (
  SELECT
    u.*, row_number() OVER (
      PARTITION BY u.text_digest ORDER BY u.published_at DESC NULLS LAST, u.doc_id, u.field, u.start
    ) AS place
  FROM watch_uses u
  JOIN (SELECT DISTINCT run_id FROM run_summary WHERE nth <= (SELECT nights FROM new_nights)) n ON n.run_id = u.run_id
) placed
WHERE place <= 20
ORDER BY text_digest, place
