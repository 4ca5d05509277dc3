-- One row per version of an article with headline quotes that its outlet's rates or claims count: how many have which outcome. No wire copy, only known outlets.
--   story_id: story the article tells: the same for copies, whole or in part
--   n_outlets: outlets that tell it, this one included
--   n_eligible: quotes that a body could support, the base of all rates: not claims, titles, nicknames, other languages, cut bodies
--   n_alerts: those with an alert
--   n_absent: those with the outcome absent: their words stand nowhere in the article, nor their source in other words
--   n_contextomized: those with the outcome contextomized
--   n_credited_to_another: those whose alert is the speaker
--   n_checks: those with a check (to_check): words that do not stand in the article as printed between the marks
--   n_claims: claim quotes in single marks, supported or not
--   n_claims_unsupported: those that nothing in the body supports
SELECT
  d.doc_id, d.native_key, d.outlet, d.published_at, coalesce(d.published_on, CAST(d.published_at AS DATE)) AS published_on,
  d.version_number, coalesce(t.story_id, d.doc_id) AS story_id, t.n_outlets,
  count_if(c.outcome NOT IN ('claim_supported', 'claim_unsupported')) AS n_eligible,
  count_if(c.alert IS NOT NULL AND c.outcome NOT IN ('claim_supported', 'claim_unsupported')) AS n_alerts,
  count_if(c.outcome = 'absent') AS n_absent, count_if(c.outcome = 'contextomized') AS n_contextomized,
  count_if(c.alert IN ('credited_to_another', 'wrong_speaker') AND c.outcome NOT IN ('claim_supported', 'claim_unsupported'))
    AS n_credited_to_another,
  count_if(c.to_check IS NOT NULL AND c.outcome NOT IN ('claim_supported', 'claim_unsupported')) AS n_checks,
  count_if(c.outcome IN ('claim_supported', 'claim_unsupported')) AS n_claims,
  count_if(c.outcome = 'claim_unsupported') AS n_claims_unsupported, c.rule_version, c.detector_version
FROM contextomy c
JOIN active_version a ON a.rule_version = c.rule_version AND a.detector_version = c.detector_version
JOIN article_versions d ON d.doc_id = c.doc_id
LEFT JOIN document_stories t ON t.doc_id = c.doc_id
WHERE d.wire_credit IS NULL AND d.outlet IS NOT NULL
  AND c.outcome IN ('identical', 'excerpt', 'modified', 'joined', 'contextomized', 'absent', 'in_body_unquoted', 'no_body_quote',
    'claim_supported', 'claim_unsupported')
GROUP BY
  d.doc_id, d.native_key, d.outlet, d.published_at, coalesce(d.published_on, CAST(d.published_at AS DATE)), d.version_number,
  coalesce(t.story_id, d.doc_id), t.n_outlets, c.rule_version, c.detector_version
