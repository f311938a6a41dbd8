-- What questions are asked about, over views of the result tables in which every cell is a text.

-- A text in normal form with single spaces; that in small letters with plain signs.
CREATE OR REPLACE TEMP MACRO clean(text) AS
    trim(regexp_replace(nfc_normalize(text::VARCHAR), '[\s\p{Z}]+', ' ', 'g'));
CREATE OR REPLACE TEMP MACRO folded(text) AS
    replace(lower(translate(clean(text), '−’', '-''')), chr(65039), '');

-- Numbers as people write them, by their form in folded texts.
CREATE OR REPLACE TEMP MACRO form_of(text) AS CASE
    -- "Nobody answered", and errors of spreadsheets.
    WHEN text IN ('', 'na', 'n/a', 'n.a.', '#n/a', 'nan', 'null', 'none', 'nil', '-', '--', '–',
        '—', '.', '?', 'skip', 'skipped', 'missing', 'empty', 'not available', 'not applicable',
        'unanswered', 'no answer', 'no response', 'no vote', 'no opinion', 'abstain', 'abstained',
        'dk', 'don''t know', 'dont know', 'do not know', 'i don''t know', 'not sure', 'unsure',
        'can''t say', 'can''t judge', 'cannot say', 'cannot judge', 'prefer not to answer',
        'prefer not to say', '#value!', '#ref!', '#div/0!', '#null!', '#num!', '#name?')
    THEN 'missing'
    WHEN regexp_matches(text, '^\d{4}-\d\d-\d\d(?:[ t].*)?$|^\d\d?-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$|^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d\d?$')
    THEN 'date'
    WHEN regexp_matches(text, '^[-+]?[\d.,]*\d ?%$') THEN 'percent'
    WHEN regexp_matches(text, '^[-+]?[\d.,]*\d ?(?:/|out of|of) ?\d+$') THEN 'of'
    WHEN regexp_matches(text, '^[-+]?[\d.,]*\d$') THEN 'number'
    WHEN regexp_matches(text, '^[-+]?\d+ ?[-–—:=.)★⭐ ] ?\D*\pL\D*$') THEN 'label'
    WHEN regexp_matches(text, '^\D*\pL\D*?[ (\[:=–—-]+\d+[)\]]?$') THEN 'label-last'
    WHEN regexp_matches(text, '^\[?\{"\w+":\s*-?[\d.]+\}\]?$') THEN 'field'
    WHEN regexp_matches(text, '^[★⭐]+☆*$') THEN 'stars'
    ELSE 'word' END;
-- A number with 9 for its digits, and what it is out of; a zero at its beginning stays.
CREATE OR REPLACE TEMP MACRO shape_of(text) AS
    if(regexp_matches(text, '^[-+]?0'), '0', '') || regexp_replace(text, '\d', '9', 'g')
    || ' ' || regexp_extract(text, '(?:/|of) ?(\d+)$', 1);
-- Points part thousands.
CREATE OR REPLACE TEMP MACRO is_dotted(text) AS
    regexp_full_match(text, '[-+]?\d{1,3}(\.\d{3})+(,\d+)?');
CREATE OR REPLACE TEMP MACRO digits_of(text) AS coalesce(
    nullif(regexp_extract(text, '^([-+]?[\d.,]*\d) ?(?:%|(?:/|out of|of) ?\d+)?$', 1), ''),
    nullif(regexp_extract(text, '^([-+]?\d+) ?[-–—:=.)★⭐ ] ?\D*\pL\D*$', 1), ''),
    nullif(regexp_extract(text, '^\D*\pL\D*?[ (\[:=–—-]+(\d+)[)\]]?$', 1), ''),
    nullif(regexp_extract(text, '^\[?\{"\w+":\s*(-?[\d.]+)\}\]?$', 1), ''));
-- The number that a text means; a single comma before three digits is decimal, parts thousands,
-- or points do (dotted).
CREATE OR REPLACE TEMP MACRO number_of(text, comma) AS coalesce(
    -- A list of one, lest each mention of the digits is their whole expression.
    TRY_CAST(list_transform([digits_of(text)], lambda digits: CASE
        WHEN regexp_full_match(digits, '[-+]?\d{1,3}((,\d{3})+\.\d+|(,\d{3}){2,})')
             OR (comma = 'thousands'
                 AND regexp_full_match(digits, '[-+]?\d{1,3}(,\d{3})+(\.\d+)?'))
        THEN replace(digits, ',', '')
        WHEN regexp_full_match(digits,
                '[-+]?\d{1,3}(\.\d{3})*,\d+|[-+]?\d*,\d+|[-+]?\d{1,3}(\.\d{3}){2,}')
             OR (comma = 'dotted' AND is_dotted(digits))
        THEN replace(replace(digits, '.', ''), ',', '.')
        ELSE digits END)[1] AS DOUBLE),
    nullif(length(regexp_extract(text, '^([★⭐]+)☆*$', 1)), 0));
-- "4 of 5" is .8 and not 4, and "20 %" .2.
CREATE OR REPLACE TEMP MACRO share_of(text, comma) AS
    number_of(text, comma)
    / coalesce(TRY_CAST(regexp_extract(text, '(?:/|of) ?(\d+)$', 1) AS DOUBLE),
               if(contains(text, '%'), 100, 1));

-- Ratings with their answers, equal ones under one token, by campaign and aspect.
CREATE OR REPLACE TEMP VIEW rated AS
SELECT *, coalesce(nullif(trim(judgement), ''), trim(score)) AS answer, against <> '' AS is_pair,
       if(isfinite(TRY_CAST(answer AS DOUBLE)) AND NOT (is_pair AND answer IN (system, against)),
          answer::DOUBLE, NULL) AS number,
       coalesce(number::VARCHAR, folded(answer)) AS token,
       concat_ws('/', nullif(campaign, ''), nullif(aspect, '')) AS about
FROM ratings;

-- Answers and other columns of numbers, counted by the forms in which they are written.
CREATE OR REPLACE TEMP VIEW counted_answers AS
WITH found AS (
    SELECT 'ratings' AS tab, 'answer' AS col, about, is_pair,
           is_pair OR trim(judgement) <> '' AS is_text,
           number IS NULL AND is_text AND (  -- words for sides and ties that the import reads
               (is_pair AND answer IN (system, against))
               OR lower(answer) IN ('a', 'b', 'left', 'right', 'model_a', 'model_b', 'system_a',
                   'system_b', 'model_1', 'model_2', 'system_1', 'system_2', 'source', 'original',
                   'output', 'system', 'transferred', '(against)', 'tie', 'equal', 'same', 'both')
               OR regexp_matches(lower(answer), '^(tie\W*)?both\W*(are\W*)?bad\W*$')) AS known,
           if(number * 2 % 1 = 0, number, NULL) AS whole,
           if(number IS NULL, answer, NULL) AS written, count(*) AS n
    FROM rated GROUP BY ALL
    UNION ALL
    SELECT tab, col, about, false, false, false, NULL, written, count(*)
    FROM (SELECT 'ratings' AS tab, 'seconds' AS col, '' AS about, seconds AS written FROM ratings
          UNION ALL SELECT 'ratings', 'deviation', '', deviation FROM ratings
          UNION ALL SELECT 'ratings', 'rater_count', '', rater_count FROM ratings
          UNION ALL SELECT 'metric_scores', 'score', metric, score FROM metric_scores)
    WHERE written <> '' AND coalesce(NOT isfinite(TRY_CAST(written AS DOUBLE)), true) GROUP BY ALL),
forms AS (
    SELECT *, folded(written) AS text, form_of(text) AS form,
           CASE WHEN written IS NULL THEN 'plain' WHEN known THEN 'known'
                WHEN is_text AND form NOT IN ('missing', 'date') THEN 'text' ELSE form END AS kind
    FROM found)
SELECT tab, col, about, is_pair, kind,
       if(kind IN ('percent', 'of', 'number'), shape_of(text), text) AS token, min(written),
       if(kind = 'plain', any_value(whole), min(number_of(text, 'decimal'))), sum(n)::BIGINT
FROM forms GROUP BY tab, col, about, is_pair, kind, token, whole ORDER BY ALL;

-- A count with its noun.
CREATE OR REPLACE TEMP MACRO plural(n, noun) AS
    format('{:,} {}', n::BIGINT, noun) || if(n = 1, '', 's');

-- Names that differ by case, white space or Unicode form only, unless they are segments of different
-- sources; and keys that a spreadsheet may have made dates.
CREATE OR REPLACE TEMP VIEW names_alike AS
SELECT key, first(clean(name) ORDER BY n DESC, name) AS new,
       list((name, n) ORDER BY n DESC, name) AS spellings
FROM names LEFT JOIN (
    SELECT 'segment' AS key, segment AS name, any_value(nullif(source, '')) AS source
    FROM segments GROUP BY segment) USING (key, name)
GROUP BY key, lower(regexp_replace(clean(name), '\p{Cf}', '', 'g'))
HAVING (count(*) > 1 OR bool_or(name <> clean(name))) AND count(DISTINCT source) < 2
ORDER BY 1, 2;
CREATE OR REPLACE TEMP VIEW dates_as_names AS
SELECT key, name, n, day
FROM (SELECT *, CASE
          WHEN regexp_matches(name, '^\d{4}-\d\d-\d\d([ T]|$)|^\d\d?-\w{3}$|^\w{3}-\d\d?$')
          THEN try_strptime(name, ['%Y-%m-%d', '%Y-%m-%d %H:%M:%S', '%Y-%m-%dT%H:%M:%S', '%-d-%b',
                                   '%b-%-d']) END AS day
      FROM names WHERE key IN ('segment', 'system', 'rater'))
WHERE day IS NOT NULL ORDER BY ALL;

-- Numbers in place of names of raters, if all have some, unit by unit.
CREATE OR REPLACE TEMP VIEW names_of_raters AS
SELECT list((rater, n) ORDER BY TRY_CAST(rater AS BIGINT)) AS counted, list(rater) AS names
FROM (SELECT rater, count(*) AS n FROM ratings WHERE rater <> '' GROUP BY 1)
HAVING bool_and(regexp_full_match(rater, '[0-9]{1,9}'));
CREATE OR REPLACE TEMP VIEW numbered_raters AS
SELECT bool_and(place) AS is_place,
       bool_and(lowest = first AND highest - lowest + 1 = size) AS consecutive,
       count(DISTINCT size) AS sizes, max(size) AS most, min(lowest) AS least,
       bool_and(whole) AS whole
FROM (SELECT count(*) AS size, min(TRY_CAST(rater AS BIGINT)) AS lowest,
             min(min(TRY_CAST(rater AS BIGINT))) OVER () AS first,
             max(TRY_CAST(rater AS BIGINT)) AS highest,
             bool_and(rater_kind = 'place') AS place, bool_and(number % 1 = 0) AS whole
      FROM rated WHERE rater <> '' AND rater_kind IN ('', 'place')
                       AND EXISTS (FROM names_of_raters)
      GROUP BY segment, system, against, aspect, task, campaign, revision, variant);

-- Ratings with what tells them apart, and whether anything says who gave them.
CREATE OR REPLACE TEMP VIEW rated_units AS
SELECT *, rater <> '' OR rater_count <> '' AS named,
       row(segment, system, against, rater, aspect, task, campaign, rater_kind, variant,
           against_variant, item_kind, occasion) AS unit
FROM rated;
-- Ratings of one output on one aspect by one rater, or by nobody, that are several. Their digest
-- comes first: keys of millions of ratings take much memory.
CREATE OR REPLACE TEMP VIEW repeated_ratings AS
SELECT CASE WHEN NOT named THEN 'unnamed' WHEN differs THEN 'changed' ELSE 'equal' END AS kind,
       count(*) AS units, sum(n)::BIGINT AS n
FROM (SELECT bool_or(rater <> '' OR rater_count <> '') AS named, count(*) AS n,
             min(answer) <> max(answer) AS differs
      FROM rated WHERE hash(segment, system, against, rater, aspect, task, campaign, rater_kind,
                            variant, against_variant, item_kind, occasion, revision) IN (
          SELECT hash(segment, system, against, rater, aspect, task, campaign, rater_kind,
                      variant, against_variant, item_kind, occasion, revision) AS digest
          FROM rated GROUP BY ALL HAVING count(*) > 1)
      GROUP BY segment, system, against, rater, aspect, task, campaign, rater_kind, variant,
               against_variant, item_kind, occasion, revision HAVING count(*) > 1)
GROUP BY ALL ORDER BY 1 DESC;

-- Names of rows that sum up others; what a cell says of whether its row counts.
CREATE OR REPLACE TEMP MACRO sums_up(name) AS trim(lower(name), ' :*') IN (
    'mean', 'average', 'avg', 'total', 'sum', 'median', 'std', 'sd', 'stdev', 'std dev', 'n',
    'standard deviation', 'count', 'minimum', 'maximum', 'min', 'max', 'overall', 'grand total');
CREATE OR REPLACE TEMP MACRO is_no(value) AS value IN (
    'false', 'f', 'no', 'n', '0', 'fail', 'failed', 'incorrect', 'wrong', 'incomplete');
CREATE OR REPLACE TEMP MACRO is_yes(value) AS value IN ('true', 't', 'yes', 'y', '1', 'x');
CREATE OR REPLACE TEMP MACRO is_out(value) AS regexp_full_match(value,
    '\W*(rejected|returned?|timed?[ _-]?out|incomplete|partial|in[ _-]progress|abandoned|(survey[ _-])?(preview|test)|spam|screened[ _-]?out|fail(ed)?([ _].*)?|discarded|excluded|invalid|cancell?ed|skipped|withdrawn|revoked|expired|draft|not[ _-](complete|approved).*)\W*');
-- Records, whether they lack a key, and whether they sum up others.
CREATE OR REPLACE TEMP VIEW odd_records AS
SELECT 'segments' AS tab, _file, _row, segment = '' AS no_key, sums_up(segment) AS sums
FROM segments
UNION ALL SELECT 'systems', _file, _row, false, sums_up(system) FROM systems
UNION ALL SELECT 'outputs', _file, _row, segment = '' OR system = '',
                 sums_up(segment) OR sums_up(system) FROM outputs
UNION ALL SELECT 'ratings', _file, _row, segment = '' OR system = '',
                 sums_up(segment) OR sums_up(system) OR sums_up(rater) FROM ratings
UNION ALL SELECT 'metric_scores', _file, _row, false, sums_up(segment) OR sums_up(system)
          FROM metric_scores;
-- By words in the name of a column: which of its values say that a row does not count.
CREATE OR REPLACE TEMP VIEW row_rules AS SELECT * FROM (VALUES
    ('(attention|attn|instructed|imc|catch|trap)', 'check'),
    ('(status|state|channel|decision|review)', 'is_out({0})'),
    ('(finish(ed)?|completed?|approved?|accept(ed)?|valid|passed|included?|eligible|submitted|consent)',
     'is_out({0}) OR is_no({0})'),
    ('(reject(ed|ion)?|excluded?|discard(ed)?|cancell?ed|skip(ped)?|preview|fail(ed)?|spam|flagged|tainted|golden|practice|tutorial|training|returned|invalid|incomplete)',
     'is_out({0}) OR is_yes({0})'),
    ('reject(ion)?', '{0} <> '''' AND NOT is_no({0})'),
    ('progress', 'TRY_CAST({0} AS DOUBLE) < 100'),
    ('submitdate', '{0} = ''''')) AS rules(words, condition);

-- Outputs that there are; keys made from sources, with the styles where a source has several.
CREATE OR REPLACE TEMP VIEW units AS
SELECT DISTINCT segment, system
FROM (SELECT segment, system FROM outputs UNION ALL SELECT segment, system FROM ratings
      UNION ALL SELECT segment, against FROM ratings)
WHERE segment <> '' AND system NOT IN ('', '(source)', '(reference)');
CREATE OR REPLACE TEMP VIEW keys_of_sources AS
SELECT segment, left(sha256(source), 12) || if(
           count(DISTINCT (source_style, target_style)) OVER (PARTITION BY source) > 1,
           ':' || concat_ws(':', source_style, target_style), '') AS key
FROM segments WHERE source <> '';
CREATE OR REPLACE TEMP VIEW units_of_keys AS
WITH counted AS (SELECT segment, count(*) AS n FROM units GROUP BY 1),
     keys AS (FROM keys_of_sources
              UNION ALL SELECT segment, '' FROM counted WHERE NOT EXISTS (FROM keys_of_sources)),
     grouped AS (
         SELECT key, count(DISTINCT segment) AS segments, max(n) AS highest,
                count(DISTINCT system) AS systems
         FROM units JOIN counted USING (segment) JOIN keys USING (segment) GROUP BY key)
SELECT sum(segments)::BIGINT AS segments, max(highest) AS highest, count(*) AS sources,
       count(*) FILTER (segments > 1) AS repeated,
       count(*) FILTER (segments > 1 AND systems > highest) AS parted,
       (SELECT count(DISTINCT system) FROM units) AS systems,
       EXISTS (FROM keys_of_sources) AS has_sources
FROM grouped;
