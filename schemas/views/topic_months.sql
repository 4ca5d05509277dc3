-- One row per group that is scored and month: how many articles and tweets have the quote.
--   month: month of publication as YYYY-MM, UTC
--   uses: articles and tweets with a context, versions of one counted once
SELECT t.group_id, t.period AS month, t.n_documents AS uses, t.rule_version, t.fingerprint
FROM topic_variation t
JOIN active_version a
  ON a.rule_version = t.rule_version AND a.fingerprint = t.fingerprint AND a.representation = t.representation
WHERE t.period <> 'all'
