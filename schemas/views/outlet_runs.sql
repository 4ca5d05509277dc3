-- One row per run, source and outlet: how many documents it brought. A document counts for the run that wrote it, also if that was killed.
--   outlet: outlet after the mapping of the source; NULL where it is not known
--   documents: new documents
SELECT run_id, source, outlet, count(*) AS documents
FROM article_versions
GROUP BY run_id, source, outlet
