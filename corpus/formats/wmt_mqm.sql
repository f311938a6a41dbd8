-- name: wmt-mqm
-- title: WMT MQM annotations (TSV)
-- version: tables of the WMT metrics tasks 2020 to 2024
-- documentation: https://github.com/google/wmt-mqm-human-evaluation
-- recognised: errors = *.tsv, *.tab, *.txt with system, doc, rater, source, target, category, severity, globalSegId | globalsegid | global_seg_id | seg_id | segid | segId | docSegId | docsegid
-- dialect: errors = {"delimiter": "\t", "quote": "", "comment": ""}
--
-- A rating is minus the sum of the errors of a segment, system and rater, by the weights of
-- Freitag et al. (2021, "Experts, Errors, and Context"), counted in tenths, so that equal errors
-- are ties: non-translation 25, major 5, minor 1, minor punctuation .1; issues of the source and
-- creative reinterpretation nothing; critical 5, as in WMT24.
WITH marks AS MATERIALIZED (
    SELECT _row, file, stem, record->>'system' AS system, record->>'doc' AS document,
           record->>'rater' AS rater, record->>'source' AS source, record->>'target' AS output,
           coalesce(record->>'globalSegId', record->>'globalsegid', record->>'global_seg_id')
               AS global_key,
           coalesce(record->>'seg_id', record->>'segid', record->>'segId', record->>'docSegId',
                    record->>'docsegid') AS key,
           coalesce(global_key, document || ':' || key, document, '') AS segment,
           record->>'severity' AS written, lower(trim(written)) AS severity,
           lower(trim(record->>'category')) AS category,
           split_part(category, '/', -1) IN ('source issue', 'creative reinterpretation')
               AS is_no_fault
    FROM {errors}),
weighed AS (
    SELECT *, CASE
        WHEN severity IN ('neutral', 'no-error', 'no error') THEN 0
        WHEN category IN ('neutral', 'no-error', 'no error') THEN 0
        WHEN severity NOT IN ('critical', 'major', 'minor') THEN NULL
        WHEN is_no_fault THEN 0
        WHEN severity <> 'minor' AND starts_with(category, 'non-translation') THEN 250
        WHEN severity IN ('critical', 'major') THEN 50
        WHEN severity = 'minor' AND category = 'fluency/punctuation' THEN 1
        ELSE 10 END AS tenths
    FROM marks),
judged AS (
    SELECT min(_row) AS _row, file, any_value(stem) AS stem, segment, system, rater,
           any_value(document) AS document,
           regexp_replace(arg_min(source, _row), '</?v>', '', 'g') AS source,
           regexp_replace(arg_min(output, _row), '</?v>', '', 'g') AS output,
           (-sum(tenths) / 10)::VARCHAR AS overall,
           -count(*) FILTER (tenths > 0 AND severity IN ('major', 'critical')) AS major,
           -count(*) FILTER (tenths > 0 AND severity = 'minor') AS minor
    FROM weighed WHERE tenths IS NOT NULL AND written IS NOT NULL GROUP BY file, segment, system, rater)

-- table: segments
SELECT min(_row) AS _row, segment, source, document FROM judged
GROUP BY segment, source, document ORDER BY min(_row);

-- table: outputs
SELECT min(_row) AS _row, segment, system, output FROM judged
GROUP BY segment, system, output ORDER BY min(_row);

-- table: ratings
SELECT _row, segment, system, rater, left(stem, 100) AS campaign,
       {'overall': overall, 'errors_major': major::VARCHAR, 'errors_minor': minor::VARCHAR}
           AS score_by_aspect
FROM judged
UNION ALL BY NAME
SELECT _row, document AS segment, system, rater, left(stem, 100) AS campaign,
       {'overall': 'a line with too few fields'} AS score_by_aspect
FROM marks WHERE severity IS NULL;

-- table: notes
SELECT format('{}: {:,} lines of the severity ''{}'' were left out.', any_value(file), count(*),
              left(written, 40))
FROM weighed WHERE tenths IS NULL AND written IS NOT NULL GROUP BY file, written;

-- table: notes
SELECT 'A rating is minus the sum of its errors: major 5, minor 1, minor punctuation 0.1, '
    || 'major non-translation 25 (Freitag et al. 2021), critical 5 (WMT24); source issues and '
    || 'creative reinterpretation count nothing. The aspects errors_major (critical ones among '
    || 'them) and errors_minor are minus the numbers of errors that count; their places and categories are not kept.'
FROM {errors} LIMIT 1;
