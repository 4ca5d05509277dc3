-- One row per quote whose speaker the text names, in few columns, the newest first: who said what, and where. Shown are the latest version of each article, and tweets; reposts are not.
--   person: person of speaker_quotes where it is known, else the speaker as the text names them
SELECT coalesce(person, speaker) AS person, quote, outlet, published_at, headline, speaker_type, as_written, url, quote_id
FROM speaker_quotes
WHERE version_number = n_versions AND NOT is_repost
ORDER BY published_at DESC NULLS LAST, quote_id
