-- What pages, summary and commands ask of a lake, in the SQL of both engines; each statement under its name.

-- coverage: what was read of each source
SELECT * FROM source_records ORDER BY source;

-- outcomes: headline quotes, alerts and checks
SELECT outcome, quotes, alerts, checks FROM outcome_counts ORDER BY quotes DESC, outcome;

-- rejects: records that could not be used
SELECT * FROM reject_counts ORDER BY source, records DESC, reason;

-- outlets: uses of quotes by several outlets that are trimmed or credited otherwise, the latest first
SELECT *, count(*) OVER () AS n_flagged FROM quote_versions
WHERE trimmed OR credited_otherwise ORDER BY published_at DESC NULLS LAST, quote_id LIMIT 100;

-- versions: those of the rows that views show
SELECT rule_version, detector_version, model FROM active_version;

-- runs: complete ones, in their order
SELECT run_id, ingested_at FROM runs WHERE stage = 'run' ORDER BY table_versions['runs'], run_id;

-- stages: the last complete run, and the 28 before it that its baseline is made of: of each weekday four [ours]
SELECT nth, night, started_at, stage, seconds, counts FROM run_summary WHERE nth <= 29;

-- outlet_runs: documents that each outlet of each source had in the same runs
SELECT n.nth, o.source, o.outlet, CAST(sum(o.documents) AS BIGINT) AS documents
FROM outlet_runs o JOIN (SELECT DISTINCT run_id, nth FROM run_summary WHERE nth <= 29) n ON n.run_id = o.run_id
GROUP BY n.nth, o.source, o.outlet;

-- news_runs: stages of the runs that brought what is new, the last run first
SELECT run_id, started_at, night, stage, counts, nth FROM run_summary
WHERE nth <= (SELECT nights FROM new_nights) OR nth = 1 ORDER BY nth, stage;

-- since: the complete run behind which all is new; NULL where all is
SELECT min_by(run_id, nth) AS run_id FROM run_summary
WHERE stage = 'run' AND nth > (SELECT nights FROM new_nights);

-- watched: watched texts with new uses
SELECT * EXCEPT (rule_version) FROM run_watch_news ORDER BY new_uses DESC, watch_id LIMIT 10;

-- spread: quotes that more outlets use now
SELECT * EXCEPT (rule_version) FROM run_spread ORDER BY new_outlets DESC, outlets DESC, group_id LIMIT 50;

-- new_runs: those that brought what is new
SELECT DISTINCT run_id FROM run_summary WHERE nth <= (SELECT nights FROM new_nights);

-- people: who is quoted most in the new documents of some runs, reposts left out; versions of an article count once
SELECT q.person AS speaker, count(DISTINCT q.variant_id) AS quotes, count(DISTINCT d.native_key) AS articles,
  count(DISTINCT q.outlet) AS outlets
FROM speaker_quotes q JOIN article_versions d ON d.doc_id = q.doc_id
WHERE q.found_by_run IN ({ids}) AND q.run_id IN ({ids})
  AND q.person IS NOT NULL AND q.variant_id IS NOT NULL AND NOT q.is_repost
GROUP BY q.person ORDER BY quotes DESC, articles DESC, speaker LIMIT 10;

-- rates: of outlets and months with enough headline quotes, NULL as outlet is all together
SELECT * EXCEPT (n_copied) FROM outlet_intervals WHERE rate IS NOT NULL AND period IS NOT NULL ORDER BY outlet, period;

-- outcome_months: headline quotes by month
SELECT * FROM outcome_months WHERE month IS NOT NULL ORDER BY month, outcome;

-- ranked: the ranking over all time without the words of quotes, so that few columns are read
SELECT position, watched_text AS quote, variation, variation_low AS low, variation_high AS high,
  n_documents AS documents, n_distinct_contexts AS distinct_contexts, group_id
FROM topic_ranks WHERE period = 'all' AND status = 'ranked' ORDER BY position, group_id;

-- places: of the ranking alone, in one version of rules, model and representation
SELECT group_id, position FROM topic_ranks WHERE period = 'all' AND status = 'ranked'
  AND rule_version = '{rule_version}' AND fingerprint = '{fingerprint}' AND representation = '{representation}';

-- latest_reviews: the last label of each alert by each reviewer
SELECT quote_id, alert, reviewer, reviewed_at, label, note, rule_version, detector_version FROM latest_reviews
ORDER BY quote_id, alert, reviewed_at, reviewer;

-- aliases: all rows of a lake
SELECT name, canonical, wikidata_id, imported_at FROM speaker_aliases;

-- names: of persons, and how often each is quoted
SELECT speaker, count(full_name) > 0 AS is_full, count(*) AS quotes, count(DISTINCT doc_id) AS articles
FROM speaker_quotes WHERE version_number = n_versions AND NOT is_repost AND speaker_type = 'person'
GROUP BY speaker ORDER BY quotes DESC, speaker;

-- full_names: those that articles give for shorter ones
SELECT as_written, full_name, count(*) AS quotes FROM speaker_quotes
WHERE full_name IS NOT NULL AND as_written <> full_name AND version_number = n_versions AND NOT is_repost
GROUP BY as_written, full_name;

-- cited_run: the run that is cited, and the versions of its rows
SELECT r.run_id, r.night, r.started_at, r.settings_fingerprint, a.*,
  (SELECT max(v.outcomes_number) FROM versions v JOIN active_version n
    ON n.rule_version = v.rule_version AND n.detector_version = v.detector_version) AS outcomes,
  (SELECT sum(c.quotes) FROM outcome_counts c) AS judged, (SELECT sum(c.alerts) FROM outcome_counts c) AS alerts,
  (SELECT sum(c.checks) FROM outcome_counts c) AS checks
FROM run_summary r CROSS JOIN active_version a WHERE r.nth = 1 AND r.stage = 'run';

-- cited_sources: what was read of each source, with its dates
SELECT * FROM corpus_coverage ORDER BY source;

-- records: in the lake, by source
SELECT source, n_files AS files, n_records AS records, n_documents AS documents, n_duplicates AS duplicates,
  n_rejects AS rejects, n_headline_quotes AS headline_quotes, n_text_quotes AS text_quotes
FROM source_records ORDER BY source;

-- unread_fields: records kept without a field
SELECT source, n_unread_dates AS date_unread, n_not_numbers AS not_a_number FROM source_records
WHERE n_unread_dates + n_not_numbers > 0 ORDER BY source;

-- filtered: records that the settings of their source leave out
SELECT source, n_filtered AS records FROM source_records WHERE n_filtered > 0 ORDER BY source;

-- quote_kinds: quotes by field and kind
SELECT field, kind, sum(quotes) AS quotes FROM quote_counts GROUP BY field, kind ORDER BY field, quotes DESC, kind;

-- shared_quotes: those that several outlets use
SELECT count(DISTINCT group_id) AS quotes, count(*) AS uses, count_if(trimmed) AS trimmed,
  count_if(credited_otherwise) AS credited_otherwise FROM quote_versions;

-- watched_texts: with their uses in the whole lake
SELECT w.watch_id, min(w.text) AS text, count(*) AS uses, count(CASE WHEN h.in_marks THEN 1 END) AS in_marks,
  count(DISTINCT h.doc_id) AS documents, count(DISTINCT h.outlet) AS outlets
FROM watch_hits h JOIN active_version a ON a.rule_version = h.rule_version
JOIN watch_texts w ON w.text_digest = h.text_digest AND w.rule_version = h.rule_version AND w.is_current
WHERE h.sure GROUP BY w.watch_id ORDER BY uses DESC, w.watch_id LIMIT 10;

-- gravest_alerts: one of each story
SELECT alert, priority, outlet, headline_quote, best_body_quote AS closest_body_quote, reason FROM headline_alerts
WHERE of_story = 1 ORDER BY priority DESC, quote_id LIMIT {limit};

-- n_checks: headline quotes that are not as printed
SELECT count(*) AS n FROM headline_checks;

-- n_alerts: headline quotes with an alert
SELECT count(*) AS n FROM headline_alerts;

-- page_alerts: the first of each list of the page, in their order
SELECT * EXCEPT (place) FROM page_alerts WHERE place <= {limit} ORDER BY tier, place;

-- kinds: how often each kind of alert and check is found, and how many of those that were reviewed are right
SELECT tier, kind, max(n_of_kind) AS n_of_kind, max(per_1000) AS per_1000, max(n_reviewed) AS n_reviewed, max(n_true) AS n_true,
  max(n_quotes) AS n_quotes
FROM alert_precision GROUP BY tier, kind ORDER BY tier, n_of_kind DESC, kind;

-- near_misses: headline quotes on neither list whose outcome a reader may look into, and differences that are notes
WITH judged AS (
  SELECT c.outcome, c.alert, c.to_check, c.differences FROM contextomy c
  JOIN active_version a ON a.rule_version = c.rule_version AND a.detector_version = c.detector_version
  JOIN article_versions d ON d.doc_id = c.doc_id WHERE d.version_number = d.n_versions)
SELECT outcome AS what, count(*) AS n FROM judged
WHERE outcome IN ('claim_unsupported', 'modified') AND alert IS NULL AND to_check IS NULL GROUP BY outcome
UNION ALL SELECT 'note' AS what, count(*) AS n FROM (SELECT explode(differences) AS one FROM judged) found
WHERE one.tier = 'note' ORDER BY what;

-- bodies: of some articles
SELECT doc_id, body FROM documents WHERE doc_id IN ({ids});

-- wordings: canonical texts of some variants
SELECT variant_id, canonical_text FROM variants WHERE variant_id IN ({ids});

-- topic_months: uses of some groups by month
SELECT * FROM topic_months WHERE group_id IN ({ids}) ORDER BY group_id, month;

-- topic_clusters: topics of some groups, and where the context nearest to all others stands in its document
SELECT group_id, one.n_contexts, n_sampled, one.words, one.typical FROM (
  SELECT d.*, explode(d.clusters) AS one FROM topic_details d
  JOIN active_version a USING (rule_version, fingerprint, representation) WHERE d.group_id IN ({ids})) found
ORDER BY group_id, one.n_contexts DESC, one.typical.doc_id;

-- topic_shifts: months in which the topic of some groups changed
SELECT group_id, shift_period, words_before, words_after FROM topic_shifts
WHERE has_shifted AND group_id IN ({ids}) ORDER BY group_id;

-- watch_counts: uses of some watched texts
SELECT *, text_digest AS group_id FROM watch_counts WHERE text_digest IN ({ids}) ORDER BY text_digest, month, outlet;

-- run_watch_uses: new uses of some watched texts
SELECT *, text_digest AS group_id FROM run_watch_uses WHERE text_digest IN ({ids}) ORDER BY text_digest, place;

-- spread_uses: the latest uses of some quotes, at most 20 of each
SELECT *, 1 AS uses FROM (
  SELECT group_id, outlet, published_at, CAST(NULL AS STRING) AS headline, language, passage AS context, text_as_used, url,
    substring(CAST(published_at AS STRING), 1, 7) AS month,
    row_number() OVER (PARTITION BY group_id ORDER BY published_at DESC NULLS LAST, doc_id, start) AS place
  FROM quote_versions WHERE group_id IN ({ids})) placed
WHERE place <= 20 ORDER BY group_id, place;

-- ranking: groups of each period by the lower bound of their interval, ties by group_id
SELECT period, position, quote, variation, variation_low, variation_high, variation_all, n_documents, n_contexts,
  n_distinct_contexts, n_sampled, group_id, rule_version, fingerprint, n_stories, n_outlets, representation
FROM (SELECT * EXCEPT (position),
    row_number() OVER (PARTITION BY period ORDER BY variation_low DESC, group_id) AS position
  FROM {view} WHERE {conditions} AND variation_low IS NOT NULL AND status <> 'watched') ranked
{first} ORDER BY period, position;

-- outlet_names: of all documents
SELECT DISTINCT outlet FROM documents WHERE outlet IS NOT NULL ORDER BY outlet;

-- groups_of_outlet: quotes and watched texts that an outlet uses
SELECT coalesce(g.group_id, c.variant_id) AS group_id FROM contexts c JOIN active_version a ON a.rule_version = c.rule_version
LEFT JOIN variant_groups g ON g.variant_id = c.variant_id AND g.rule_version = c.rule_version WHERE c.outlet = {outlet}
UNION ALL SELECT text_digest AS group_id FROM watch_hits WHERE outlet = {outlet};

-- first_alerts: alerts, or checks, of each kind with the highest priority
SELECT kind AS alert, * EXCEPT (alert, kind, place) FROM (
  SELECT *, row_number() OVER (PARTITION BY kind ORDER BY priority DESC, quote_id) AS place
  FROM headline_findings f WHERE {conditions}) placed
{first} ORDER BY alert, place;

-- reviewable: alerts and checks under every version
SELECT quote_id, alert, rule_version, detector_version FROM contextomy WHERE alert IS NOT NULL
UNION ALL SELECT quote_id, to_check AS alert, rule_version, detector_version FROM contextomy WHERE to_check IS NOT NULL
UNION ALL SELECT quote_id, kind AS alert, rule_version, detector_version FROM headline_findings WHERE kind = 'reader';
