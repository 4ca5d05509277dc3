-- One row per quoted span of a document under one version of the rules. Append-only.
-- key: quote_id, rule_version
-- sorted by: doc_id
CREATE TABLE quotes (
  quote_id STRING NOT NULL COMMENT 'hash(doc_id, field, start, end)',
  rule_version STRING NOT NULL COMMENT 'version of the rules that found it',
  doc_id STRING NOT NULL COMMENT 'document it is in',
  field STRING NOT NULL COMMENT 'headline, body or tweet',
  start INT NOT NULL COMMENT 'first character, in Unicode code points of the field',
  end INT NOT NULL COMMENT 'one past the last character, in code points',
  text STRING NOT NULL COMMENT 'the field from start to end, without the marks',
  segments ARRAY<STRUCT<start: INT, end: INT>> NOT NULL COMMENT 'its parts in order, in code points; several where it continues over paragraphs',
  parent STRING COMMENT 'quote_id of the enclosing quote',
  depth INT NOT NULL COMMENT '0 for an outermost quote',
  utterance_id STRING COMMENT 'quote_id of the first quote of its utterance: of an earlier quote where a reporting clause interrupts the sentence, else of this one',
  marks STRING NOT NULL COMMENT 'opening and closing mark; the opening alone where it was never closed; a colon for a colon claim; empty where the record is the quote',
  kind STRING NOT NULL COMMENT 'direct, scare, title, nickname, claim or colon_claim',
  reason STRING COMMENT 'the rule that decided its kind, see the codebook',
  flags ARRAY<STRING> NOT NULL COMMENT 'continued, denied, mixed_marks, quote_tweet, translated, unclosed, withdrawn',
  speaker STRUCT<text: STRING, start: INT, end: INT, head: STRING, how: STRING, type: STRING, cue: STRING, cue_start: INT, cue_end: INT, name: STRING, name_start: INT, name_end: INT> COMMENT 'who said it, for direct quotes and colon claims; NULL where the text names nobody. text: the noun phrase with title, role and apposition (start, end in code points of the field). head: the same without apposition. how: place of the speaker: before, after or inside the quote, before a colon, or continued from the quote before, or stated by the record (sources.NAME.quoted; without start and end). type: person, organisation, document, anonymous, crowd. cue: lemma of the reporting word (cue_start, cue_end). name: full name; for a surname or pronoun the last matching one before it, if nobody else can be meant (name_start, name_end)',
  words INT NOT NULL COMMENT 'words of the text',
  match_key STRING COMMENT 'text with marks, case, spaces and terminal punctuation folded: equal for quotes that are verbatim the same; NULL if nothing is left',
  variant_id STRING COMMENT 'variant it is a use of; NULL if its canonical text is empty',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Quoted spans of headlines, bodies and tweets'
TBLPROPERTIES (
  'delta.dataSkippingStatsColumns' = 'quote_id,rule_version,doc_id,field,kind,variant_id',
  'delta.constraints.known_field' = 'field IN (''headline'', ''body'', ''tweet'')',
  'delta.constraints.span_in_order' = 'start >= 0 AND end > start',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
