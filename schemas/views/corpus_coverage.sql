-- One row per source: what was read, what became of it, and how many quotes were found.
--   n_articles_or_tweets: articles and tweets, versions of one counted once
--   n_outlets: outlets after the mapping of the source
--   n_languages: languages, und included
--   first_published: earliest date of publication, UTC
--   last_published: latest date of publication, UTC
--   n_undated: documents without a date of publication
--   n_truncated: documents whose body is cut
--   n_wire_copy: documents credited to a news agency
--   n_reposts: retweets
--   n_headline_quotes: quotes in headlines, without nested ones and colon claims
--   n_colon_claims: claims of headlines that stand behind a colon, without marks
--   n_text_quotes: quotes in bodies and tweets, nested ones included
--   n_documents_with_quotes: documents with any quote
--   rule_version: version of the rules that found the quotes
WITH kept AS (
  SELECT
    source, count(DISTINCT native_key) AS n_articles_or_tweets, count(DISTINCT outlet) AS n_outlets,
    count(DISTINCT language) AS n_languages, min(published_at) AS first_published, max(published_at) AS last_published,
    count_if(published_at IS NULL) AS n_undated, count_if(body_status = 'truncated') AS n_truncated,
    count_if(wire_credit IS NOT NULL) AS n_wire_copy, count_if(is_repost) AS n_reposts
  FROM documents
  GROUP BY source
),
quoted AS (
  SELECT
    d.source, count_if(q.field = 'headline' AND q.depth = 0 AND q.kind <> 'colon_claim') AS n_headline_quotes,
    count_if(q.kind = 'colon_claim') AS n_colon_claims, count_if(q.field <> 'headline') AS n_text_quotes,
    count(DISTINCT q.doc_id) AS n_documents_with_quotes, first(q.rule_version) AS rule_version
  FROM quotes q
  JOIN active_version a USING (rule_version)
  JOIN documents d ON d.doc_id = q.doc_id
  GROUP BY d.source
)
SELECT
  r.source, r.n_files, r.n_records, r.n_documents, r.n_duplicates, r.n_rejects, r.n_filtered, k.* EXCEPT (source),
  q.* EXCEPT (source)
FROM source_records r
LEFT JOIN kept k ON k.source = r.source
LEFT JOIN quoted q ON q.source = r.source
ORDER BY r.source
