-- name: doccano
-- title: doccano (JSON Lines)
-- version: doccano 1.8, export of text classification
-- documentation: https://doccano.github.io/doccano/
-- recognised: file = *.jsonl with id, label[], text | data
--
-- A file for each annotator, or `all` for annotators who work together. Labels are answers:
-- `fluency: 4` names its aspect. Metadata with known names are source, system, ….
WITH texts AS MATERIALIZED (
    SELECT file, _row, record, coalesce(named(others, {names.segment}), record->>'id') AS segment,
           coalesce(named(others, {names.system}), 'annotated') AS system,
           named(others, {names.system}) IS NULL AS is_unnamed,
           coalesce(named(others, {names.source}), '') AS source,
           named(others, {names.reference}) AS reference,
           coalesce(named(others, {names.output}), record->>'text', record->>'data') AS output,
           coalesce(record->>'username', if(lower(stem) IN ('all', 'unknown'), NULL, stem)) AS rater,
           array_to_string(list_transform(
               elements(coalesce(record->'Comments', record->'comments')),
               lambda each: each->>'$'), chr(10)) AS comment
    FROM (SELECT *, json_merge_patch(record, '{"_row": null, "id": null, "text": null,
                    "data": null, "label": null, "labels": null, "comments": null,
                    "Comments": null, "username": null}') AS others FROM {file})),
labels AS (
    SELECT *, trim(split_part(label, ':', -1)) AS answer,
           coalesce(nullif(trim(regexp_extract(label, '^(.*):', 1, 's')), ''), 'label') AS aspect
    FROM (SELECT *, unnest(elements(record->'label'))->>'$' AS label FROM texts))

-- table: segments
SELECT segment, source, reference FROM texts GROUP BY ALL ORDER BY min(_row);

-- table: outputs
SELECT segment, system, output FROM texts GROUP BY ALL ORDER BY min(_row);

-- table: ratings
SELECT segment, system, rater, aspect, answer AS score, comment, 'doccano' AS campaign
FROM labels WHERE is_number(answer) ORDER BY file, _row;

-- table: notes
SELECT 'No system is named in these files: the texts are outputs of a system ''annotated''.'
FROM texts HAVING bool_and(is_unnamed);

-- table: notes
SELECT format('{}: {:,} answers are words, such as ''{}'', and no scores; they are left out. To '
    || 'take them, translate them in the query.', aspect, count(*), left(min(answer), 40))
FROM labels WHERE NOT is_number(answer) GROUP BY aspect ORDER BY aspect;
