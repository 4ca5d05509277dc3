-- One row per watched text and outlet with sure uses in new documents.
--   outlet: outlet after the mapping of the source; NULL where it is not known
--   new_uses: sure uses in these documents
SELECT h.text_digest, h.outlet, count(*) AS new_uses, h.rule_version
FROM watch_hits h
JOIN active_version a ON a.rule_version = h.rule_version
JOIN documents d ON d.doc_id = h.doc_id
JOIN (SELECT DISTINCT run_id FROM run_summary WHERE nth <= (SELECT nights FROM new_nights)) n ON n.run_id = d.run_id
WHERE h.sure
GROUP BY h.text_digest, h.outlet, h.rule_version
ORDER BY h.text_digest, h.outlet
