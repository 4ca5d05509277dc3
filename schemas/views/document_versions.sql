-- One row per document: its columns, and which version of its article it is.
SELECT d.*, v.version_number, v.n_versions
FROM documents d
JOIN article_versions v ON v.doc_id = d.doc_id
