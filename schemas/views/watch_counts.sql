-- One row per watched text, outlet and month of publication: its sure uses. Texts that are no longer watched have rows too.
--   month: YYYY-MM, UTC; NULL: documents without a date
--   uses: sure uses
SELECT h.text_digest, h.outlet, h.period AS month, count(*) AS uses, h.rule_version
FROM watch_hits h
JOIN active_version a ON a.rule_version = h.rule_version
WHERE h.sure
GROUP BY h.text_digest, h.outlet, h.period, h.rule_version
