-- One row per document: which version of its article it is, in the order of (updated_at, published_at, doc_id), never of arrival.
--   version_number: 1 for the first version of the article, in the order named above
--   n_versions: versions of the article in the lake
SELECT d.*, v.version_number, v.n_versions
FROM documents d
JOIN (
  SELECT
    doc_id,
    row_number() OVER (PARTITION BY native_key ORDER BY updated_at NULLS FIRST, published_at NULLS FIRST, doc_id) AS version_number,
    count(*) OVER (PARTITION BY native_key) AS n_versions
  FROM documents
) v ON v.doc_id = d.doc_id
