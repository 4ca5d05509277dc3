-- One row per group with enough dated contexts: how its topic varies within and between months, and its largest shift.
-- The clearest shifts first. What chance gives as large in more than 1 % of the orders of its stories is no clear shift.
--   quote: canonical text of the quote; a watched text as it was given
--   shift_period: first month of the new topic
--   shift: mean cosine within the two sides minus the mean cosine between them
--   words_before: words of the contexts that tell the time before from the time after, most telling first
--   words_after: and those of the time after
SELECT
  coalesce(w.text, v.canonical_text) AS quote, d.shift_period, d.shift, d.shift_chance, d.has_shifted, d.words_before,
  d.words_after, d.variation_within, d.variation_between, d.n_sampled, d.n_dated, d.n_undated, d.n_periods, d.group_id,
  d.representation, d.rule_version, d.fingerprint
FROM topic_details d
JOIN active_version a
  ON a.rule_version = d.rule_version AND a.fingerprint = d.fingerprint AND a.representation = d.representation
LEFT JOIN variants v ON v.variant_id = d.group_id
LEFT JOIN watch_texts w ON w.text_digest = d.group_id AND w.rule_version = d.rule_version AND w.is_current
WHERE w.text_digest IS NOT NULL OR v.variant_id IS NOT NULL
ORDER BY d.shift_chance NULLS LAST, d.shift DESC NULLS LAST, d.group_id
