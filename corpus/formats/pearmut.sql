-- name: pearmut
-- title: Pearmut annotations (JSON)
-- version: pearmut 1.1, annotations as JSON or JSON Lines
-- documentation: https://github.com/zouharvi/pearmut
-- recognised: log = *.json, *.jsonl with item, annotation
-- recognised: log = *.json like \s*\{\s*"[^"]*"\s*:\s*\[\s*\{(?=.*"annotation")(?=.*"item")(?=.*"tgt")
--
-- Of repeated answers the last one counts, given after the last reset. Tutorials and checks are
-- left out. Where anybody marked errors, their numbers by severity are aspects.
WITH entries_of_log AS MATERIALIZED (
    SELECT file, _row, record->>'user_id' AS rater, record->'annotation' AS given,
           given->>'$' = '__RESET__' AS is_reset,
           regexp_matches(coalesce(record->>'item_i', ''), '^(welcome_|random_|goodbye_)')
               OR json_type(given) = 'NULL' AS is_special,
           max(_row) FILTER (is_reset) OVER (PARTITION BY file, rater) AS reset_at,
           record->'item' AS items
    FROM {log}),
said AS MATERIALIZED (
    SELECT file, _row, rater, _row < coalesce(reset_at, 0) AS is_reset, item,
           model.key AS system, model.value->>'$' AS output,
           coalesce(item->>'item_id', left(
               to_json([item->>'src', item->>'ref'])::VARCHAR, 190)) AS segment,
           list_extract(list_filter(entries(answer), lambda each: each.key = model.key), 1).value
               AS answers
    FROM (SELECT *, unnest(entries(item->'tgt')) AS model FROM (
        SELECT *, unnest(elements(parsed(items))) AS item,
               unnest(elements(parsed(given))) AS answer
        FROM entries_of_log WHERE NOT is_special AND NOT coalesce(is_reset, false)))
    WHERE model.value->>'$' IS NOT NULL),
counted AS (
    SELECT * FROM said WHERE NOT is_reset
    QUALIFY row_number() OVER (PARTITION BY file, rater, segment, system ORDER BY _row DESC) = 1),
values_of_answers AS (
    SELECT *, entry.key AS name, entry.value AS value FROM (
        SELECT * EXCLUDE (answers), unnest(entries(answers)) AS entry FROM counted)),
answers AS (
    SELECT file, _row, rater, segment, system,
           coalesce(slider.key, if(name = 'score', 'overall', name)) AS aspect,
           coalesce(slider.value, value)->>'$' AS answer
    FROM (SELECT *, unnest(CASE WHEN json_type(value) = 'OBJECT' THEN entries(value)
                           ELSE [NULL] END) AS slider
          FROM values_of_answers
          WHERE name NOT IN ('error_spans', 'textfield', 'comment', 'validation')
            AND json_type(value) <> 'NULL')
    UNION ALL
    SELECT file, _row, rater, segment, system, aspect,
           (-len(list_filter(elements(value), lambda mark:
               lower(trim(mark->>'severity')) = severity)))::VARCHAR
    FROM values_of_answers,
         (VALUES ('errors_major', 'major'), ('errors_minor', 'minor')) marked(aspect, severity)
    WHERE name = 'error_spans' AND json_type(value) = 'ARRAY'),
marked AS (
    SELECT *, bool_or(starts_with(aspect, 'errors_') AND answer <> '0') OVER (PARTITION BY file)
        AS is_marked
    FROM answers)

-- table: segments
SELECT segment, coalesce(item->>'src', '') AS source, item->>'ref' AS reference
FROM counted GROUP BY ALL ORDER BY min(_row);

-- table: outputs
SELECT segment, system, output FROM counted GROUP BY ALL ORDER BY min(_row);

-- table: ratings
SELECT _row, segment, system, rater, aspect, answer AS score, 'pearmut' AS campaign,
       coalesce(answers->>'textfield', answers->>'comment') AS comment
FROM marked JOIN counted USING (file, _row, rater, segment, system)
WHERE is_number(answer) AND (is_marked OR NOT starts_with(aspect, 'errors_'))
ORDER BY file, _row;

-- table: notes
SELECT format('{:,} entries of tutorials and checks were left out.', count(*))
FROM entries_of_log WHERE is_special HAVING count(*) > 0;

-- table: notes
SELECT unnest([format('{:,} places and categories of error spans were left out.',
                      sum(marks)::BIGINT),
               'The aspects errors_major and errors_minor are minus the numbers of marked errors.'])
FROM (SELECT len(elements(answers->'error_spans')) AS marks FROM counted)
HAVING sum(marks) > 0;

-- table: notes
SELECT format('{:,} answers that were reset or given again later were left out.',
    count(*) - (SELECT count(*) FROM counted))
FROM said HAVING count(*) > (SELECT count(*) FROM counted);
