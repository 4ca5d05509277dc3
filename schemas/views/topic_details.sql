-- One row per reuse group with enough distinct contexts (topics.explained) and representation: what its topic variation consists of.
--   n_dated: of these, contexts with a date
--   n_undated: contexts without one: in no month
--   n_periods: months with a context
--   variation_within: 1 - mean cosine over pairs of contexts of the same month; NULL without such pairs
--   variation_between: 1 - mean cosine over pairs of contexts of different months; NULL without such pairs
--   shift_period: first month after the largest shift of topic, as YYYY-MM; NULL with fewer than 5 stories before or after any month
--   shift: size of that shift: mean cosine within its two sides minus the mean cosine between them
--   shift_chance: share of 200 orders of the stories, the true one included, with as large a shift somewhere
--   has_shifted: the shift is clear: shift_chance is at most 0.01
--   words_before: words of the masked contexts that tell the time before from the time after, most telling first
--   words_after: and those of the time after
--   clusters: topics of the contexts, the 8 largest clusters, largest first: words that tell each from the others, and the two contexts nearest to all others of it (second is NULL where there is but one)
--   pairs: pairs of distinct contexts, all or 50 chosen by hash: their cosine before the topic head and after it (NULL without one), and the label same, unclear or different by the thresholds of the settings
SELECT
  t.group_id, t.representation, t.rule_version, t.fingerprint, t.n_sampled,
  t.details.n_dated AS n_dated, t.details.n_undated AS n_undated, t.details.n_periods AS n_periods,
  t.details.variation_within AS variation_within, t.details.variation_between AS variation_between,
  t.details.shift_period AS shift_period, t.details.shift AS shift, t.details.shift_chance AS shift_chance,
  t.details.has_shifted AS has_shifted, t.details.words_before AS words_before, t.details.words_after AS words_after,
  t.details.clusters AS clusters, t.details.pairs AS pairs
FROM topic_variation t
WHERE t.details IS NOT NULL
