-- One row per source: files read, what became of their records, and how many quotes were found.
--   n_files: input files read, versions of one counted once
--   n_records: distinct records found in them, broken ones included; of a file that grew those of its last version
--   n_documents: records that became a new document
--   n_duplicates: records whose document was there already
--   n_rejects: records that could not be used
--   n_filtered: records that the settings of the source leave out
--   n_unread_dates: documents kept without a date, because it could not be read
--   n_not_numbers: documents kept without a number, because it could not be read
--   n_headline_quotes: quotes in headlines, without nested ones and colon claims; NULL without any quote
--   n_text_quotes: quotes in bodies and tweets, nested ones included; NULL without any quote
SELECT r.*, q.n_headline_quotes, q.n_text_quotes
FROM (
  -- A later version of a file holds one whose usable records are all among its duplicates. What was new in that one is
  -- none of the duplicates of the source.
  SELECT
    source, count(DISTINCT path) AS n_files, sum(CASE WHEN is_last THEN records END) AS n_records,
    sum(documents) AS n_documents, sum(CASE WHEN is_last THEN duplicates ELSE -documents END) AS n_duplicates,
    sum(CASE WHEN is_last THEN rejects END) AS n_rejects, coalesce(sum(CASE WHEN is_last THEN filtered END), 0) AS n_filtered,
    coalesce(sum(CASE WHEN is_last THEN unread_dates END), 0) AS n_unread_dates,
    coalesce(sum(CASE WHEN is_last THEN not_numbers END), 0) AS n_not_numbers
  FROM (
    SELECT *, coalesce(lead(duplicates) OVER (PARTITION BY source, path ORDER BY modified, file_id) < documents + duplicates, true) AS is_last
    FROM files
  ) versions
  GROUP BY source
) r
LEFT JOIN (
  SELECT
    source, sum(CASE WHEN field = 'headline' AND NOT is_nested AND kind <> 'colon_claim' THEN quotes ELSE 0 END) AS n_headline_quotes,
    sum(CASE WHEN field <> 'headline' THEN quotes ELSE 0 END) AS n_text_quotes
  FROM quote_counts
  GROUP BY source
) q ON q.source = r.source
ORDER BY r.source
