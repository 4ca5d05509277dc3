-- One row per source, field, kind and nesting: how many quotes were found.
--   is_nested: whether they stand inside another quote
--   quotes: number of quotes
--   rule_version: version of the rules that found them
SELECT d.source, q.field, q.kind, q.depth > 0 AS is_nested, count(*) AS quotes, q.rule_version
FROM quotes q
JOIN active_version a USING (rule_version)
JOIN article_versions d ON d.doc_id = q.doc_id
GROUP BY d.source, q.field, q.kind, q.depth > 0, q.rule_version
