-- One row per reused quote or watched text over all time, in few columns, the most varied topic first. The view topic_variation_ranking has the months too, and everything behind the rows.
SELECT
  position, quote, variation, variation_low, variation_high, n_documents, n_outlets, n_distinct_contexts, kind, status, group_id
FROM topic_variation_ranking
WHERE period = 'all'
ORDER BY position NULLS LAST, variation_low DESC NULLS LAST, group_id
