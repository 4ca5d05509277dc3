-- One row per version of an article or tweet. The same content again is a counted duplicate, and changes nothing but a date that could not be read before.
-- key: doc_id
-- rows of a page: 50
-- sorted by: doc_id
CREATE TABLE documents (
  doc_id STRING NOT NULL COMMENT 'hash(source, native id or URL, headline, body)',
  native_key STRING NOT NULL COMMENT 'hash(source, native id or URL): the versions of one article share it',
  source STRING NOT NULL COMMENT 'name of the source in the settings',
  native_id STRING COMMENT 'id in the source; NULL where it has none',
  kind STRING NOT NULL COMMENT 'news or tweet',
  outlet STRING COMMENT 'outlet after the mapping of the source',
  outlet_raw STRING COMMENT 'outlet as the record states it',
  genre STRING NOT NULL COMMENT 'news, opinion, satire, live or unknown',
  language STRING NOT NULL COMMENT 'ISO 639-1 code; und where it could not be told',
  published_at TIMESTAMP COMMENT 'date of publication, UTC; where the record states a day and no time (date_only), the midnight in UTC that begins it; NULL where the record has none that can be read',
  published_on DATE COMMENT 'day of publication: as stated, or that of published_at in the time zone of the source; NULL as published_at',
  date_only BOOLEAN COMMENT 'the record states a day of publication and no time; NULL as published_on',
  updated_at TIMESTAMP COMMENT 'date of the last update, UTC; NULL where the record has none that can be read',
  headline STRING COMMENT 'title, unchanged; NULL for tweets',
  body STRING NOT NULL COMMENT 'text of the article or tweet, unchanged (of HTML, the text that is left); offsets refer to it',
  url STRING COMMENT 'address of the article or tweet',
  body_status STRING NOT NULL COMMENT 'complete, truncated, live_update or unknown',
  section STRING COMMENT 'section of the outlet, as the record states it; of a list all of them, joined by commas',
  byline STRING COMMENT 'who wrote it, as the record states it: its byline, else its author; NULL for tweets',
  wire_credit STRING COMMENT 'news agency the text is credited to; NULL for the outlet''s reporting',
  author_key STRING COMMENT 'HMAC-SHA256 of the tweet author under the key of this lake; never the handle',
  conversation_id STRING COMMENT 'thread the tweet belongs to',
  reply_to_id STRING COMMENT 'native id of the tweet it answers',
  quoted_id STRING COMMENT 'native id of the tweet it quotes',
  is_repost BOOLEAN NOT NULL COMMENT 'true for a retweet',
  is_quote BOOLEAN COMMENT 'the whole body is one quote, without marks (sources.NAME.quoted)',
  stated_speaker STRING COMMENT 'who is quoted, as the record of a quote states it; NULL where it states nobody',
  kept MAP<STRING, STRING> COMMENT 'fields that sources.NAME.keep names, with their values as text; of tweets it may name authors',
  field_problems ARRAY<STRUCT<problem: STRING, field: STRING, found: STRING>> COMMENT 'fields that are NULL although the record states something: bad_date, absurd_date, not_a_number or headlines_differ, the field of the record, and what it holds',
  file_id STRING NOT NULL COMMENT 'file it was first read from',
  position BIGINT NOT NULL COMMENT 'position of the record in that file (see rejects.position)',
  run_id STRING NOT NULL COMMENT 'run that wrote the row',
  ingested_at TIMESTAMP NOT NULL COMMENT 'when that run started, UTC'
) USING DELTA
COMMENT 'Versions of articles and tweets'
TBLPROPERTIES (
  'delta.dataSkippingStatsColumns' = 'doc_id,native_key,source,kind,outlet,language,published_at,file_id',
  'delta.constraints.known_kind' = 'kind IN (''news'', ''tweet'')',
  'delta.constraints.known_genre' = 'genre IN (''news'', ''opinion'', ''satire'', ''live'', ''unknown'')',
  'delta.constraints.known_body_status' = 'body_status IN (''complete'', ''truncated'', ''live_update'', ''unknown'')',
  'delta.logRetentionDuration' = 'interval 90 days',
  'delta.deletedFileRetentionDuration' = 'interval 90 days'
);
