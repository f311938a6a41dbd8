-- name: argilla
-- title: Argilla records (JSON)
-- version: argilla 2.8, dataset.records.to_json
-- documentation: https://docs.argilla.io/latest/how_to_guides/import_export/
-- recognised: file = *.json with fields{}, responses{}
--
-- Fields and metadata with known names are texts; responses that were submitted are answers.
WITH texts AS MATERIALIZED (
    SELECT file, _row, record, coalesce(named(fields, {names.segment}), record->>'id') AS segment,
           coalesce(named(fields, {names.system}), 'annotated') AS system,
           named(fields, {names.system}) IS NULL AS is_unnamed,
           coalesce(named(fields, {names.source}), '') AS source,
           named(fields, {names.reference}) AS reference,
           named(fields, {names.output}) AS output
    FROM (SELECT *, json_merge_patch(if(json_type(record->'metadata') = 'OBJECT',
                    record->'metadata', '{}'::JSON), record->'fields') AS fields FROM {file})),
responses AS (
    SELECT *, if(json_array_length(value) = 1, value->>0, value->>'$') AS answer
    FROM (SELECT *, question.key AS aspect, response->>'user_id' AS rater,
                 parsed(response->'value') AS value
          FROM (SELECT *, unnest(elements(question.value)) AS response
                FROM (SELECT *, unnest(entries(record->'responses')) AS question FROM texts))
          WHERE coalesce(response->>'status', 'submitted') = 'submitted')
    WHERE answer IS NOT NULL)

-- table: segments
SELECT segment, source, reference FROM texts GROUP BY ALL ORDER BY min(_row);

-- table: outputs
SELECT segment, system, output FROM texts WHERE output IS NOT NULL GROUP BY ALL ORDER BY min(_row);

-- table: ratings
SELECT _row, segment, system, rater, aspect, answer AS score, 'argilla' AS campaign
FROM responses WHERE is_number(answer) ORDER BY file, _row;

-- table: notes
SELECT 'No system is named in these files: the texts are outputs of a system ''annotated''.'
FROM texts HAVING bool_and(is_unnamed);

-- table: notes
SELECT format('{}: {:,} answers are words, such as ''{}'', and no scores; they are left out. To '
    || 'take them, translate them in the query.', aspect, count(*), left(min(answer), 40))
FROM responses WHERE NOT is_number(answer) GROUP BY aspect ORDER BY aspect;

-- table: notes
SELECT format('{:,} suggestions, which no person gave, were left out.', sum(given)::BIGINT)
FROM (SELECT len(list_filter(entries(record->'suggestions'),
                 lambda each: json_type(each.value) <> 'NULL')) AS given FROM texts)
HAVING sum(given) > 0;
