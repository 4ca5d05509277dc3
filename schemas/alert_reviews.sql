-- One row each time a reviewer labelled an alert or check. Append-only: a revised label is a new row, and the latest one counts.
-- key: quote_id, alert, reviewer, reviewed_at
CREATE TABLE alert_reviews (
  quote_id STRING NOT NULL COMMENT 'headline quote of the alert or check',
  alert STRING NOT NULL COMMENT 'kind of the alert or check that was shown',
  reviewer STRING NOT NULL COMMENT 'who labelled it, as they call themselves',
  reviewed_at TIMESTAMP NOT NULL COMMENT 'when the label was loaded, UTC',
  label STRING NOT NULL COMMENT 'true: the headline quote misleads on what the body says, or of a check: its words are not as printed; false: it does not; extraction_error: a quote was extracted wrongly; bad_body: the body is another article''s, or not complete',
  note STRING COMMENT 'remark of the reviewer',
  rule_version STRING NOT NULL COMMENT 'version of the rules behind the alert that was shown',
  detector_version STRING NOT NULL COMMENT 'version of the detector behind that alert',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Reviewers'' labels of headline alerts'
TBLPROPERTIES (
  'delta.constraints.known_label' = 'label IN (''true'', ''false'', ''extraction_error'', ''bad_body'')',
  'delta.constraints.reviewer_named' = 'length(trim(reviewer)) > 0',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
