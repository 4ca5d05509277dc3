-- One row per headline quote whose words do not stand between marks in the body as printed, in the latest version of its article: a fact of the texts, which says nothing of intent.
-- For copy desks; the order and the columns are those of headline_alerts, where a quote with an alert stands too.
--   to_check: kind of the gravest difference of this list, see the codebook: absent, altered, spliced
--   alert: kind of the alert that the same quote has; NULL: none
SELECT kind AS to_check, f.* EXCEPT (tier, kind, to_check)
FROM headline_findings f
WHERE tier = 'check'
ORDER BY priority DESC, quote_id
