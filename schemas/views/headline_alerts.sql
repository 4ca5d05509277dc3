-- One row per headline quote a standards desk should look at, in the latest version of its article: one list, the gravest first.
--   alert: kind of the gravest difference by which the headline gives another sense, see the codebook; in rows of earlier releases contextomized, wrong_speaker or risky_excerpt
--   of_story: 1 for the alert with the highest priority of its story, 2 for the next: a list with one line per story takes those with 1
SELECT kind AS alert, f.* EXCEPT (tier, kind, alert)
FROM headline_findings f
WHERE tier = 'alert'
ORDER BY priority DESC, quote_id
