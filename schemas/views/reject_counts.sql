-- One row per source and reason: how many records could not be used.
--   records: number of records
SELECT source, reason, count(*) AS records
FROM rejects
GROUP BY source, reason
ORDER BY source, records DESC, reason
