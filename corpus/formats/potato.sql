-- name: potato
-- title: Potato annotations
-- version: potato 2.12 (user_state.json, export as JSON Lines) and 1 (annotated_instances.jsonl)
-- documentation: https://potato-annotation.readthedocs.io/en/latest/data_format/
-- recognised: first = *annotated_instances.jsonl with id, label_annotations
-- recognised: state = *user_state.json like .*"instance_id_ordering"
-- recognised: export = *.jsonl with instance_id, user_id, labels{}
-- optional: data = *.jsonl, *.json with id
-- read: state = whole
--
-- Version 2 stores no texts: they are in the data file. Of a choice Potato stores the label, of a
-- scale, a slider or a text the value. An export repeats what user_state.json has.
WITH judged AS MATERIALIZED (
    SELECT file, _row, record->>'user_id' AS rater, instance.key AS id, NULL::JSON AS texts,
           parsed(pair->0)->>'schema' AS scheme, parsed(pair->0)->>'name' AS label,
           pair->1 AS value
    FROM (SELECT *, unnest(elements(instance.value)) AS pair FROM (
        SELECT *, unnest(entries(record->'instance_id_to_label_to_value')) AS instance
        FROM {state}))
    UNION ALL
    SELECT file, _row, rater, id, texts, scheme.key, label.key, label.value
    FROM (SELECT *, unnest(if(json_type(parsed(scheme.value)) = 'OBJECT',
                              entries(parsed(scheme.value)),
                              [{'key': '', 'value': scheme.value}])) AS label
          FROM (SELECT *, unnest(entries(parsed(labels))) AS scheme FROM (
              SELECT file, _row, record->>'user_id' AS rater, record->>'instance_id' AS id,
                     NULL::JSON AS texts, record->'labels' AS labels
              FROM {export} WHERE NOT EXISTS (FROM {state})
              UNION ALL
              SELECT file, _row, coalesce(record->>'user_id', folder), record->>'id',
                     json_merge_patch(record, record->'metadata') AS texts,
                     record->'label_annotations'
              FROM {first})))
    WHERE json_type(label.value) <> 'NULL'),
answers AS (
    SELECT file, _row, rater, id, scheme AS aspect,
           if(said IN ('true', 'on'), label, said) AS answer
    FROM (SELECT *, if(json_array_length(parsed(value)) = 1, parsed(value)->>0, value->>'$')
              AS said FROM judged)),
data AS MATERIALIZED (
    SELECT record->>'id' AS id, record->>'text' AS text,
           json_merge_patch(record, '{"id": null, "text": null, "_row": null}') AS others
    FROM {data}),
texts AS (
    SELECT id, coalesce(named(others, {names.segment}), id) AS segment,
           named(others, {names.system}) AS system, named(others, {names.source}) AS source,
           named(others, {names.reference}) AS reference,
           coalesce(named(others, {names.output}), text) AS output
    FROM data
    UNION ALL
    SELECT DISTINCT ON (id) id, id, named(texts, {names.system}), named(texts, {names.source}),
           named(texts, {names.reference}),
           coalesce(named(texts, {names.output}), texts->>'displayed_text')
    FROM judged WHERE texts IS NOT NULL),
shown AS MATERIALIZED (
    SELECT judged.file, judged._row, judged.id, coalesce(segment, judged.id) AS segment,
           coalesce(system, 'annotated') AS system, system IS NULL AS is_unnamed,
           coalesce(source, '') AS source, reference, output
    FROM (SELECT file, min(_row) AS _row, id FROM judged GROUP BY file, id) AS judged
    LEFT JOIN (SELECT DISTINCT ON (id) * FROM texts) AS texts USING (id))

-- table: segments
SELECT segment, source, reference FROM shown GROUP BY ALL ORDER BY min(_row);

-- table: outputs
SELECT segment, system, output FROM shown WHERE output IS NOT NULL GROUP BY ALL ORDER BY min(_row);

-- table: ratings
SELECT segment, system, rater, aspect, answer AS score, 'potato' AS campaign
FROM answers JOIN shown USING (file, id) WHERE is_number(answer) ORDER BY file, answers._row;

-- table: notes
SELECT 'No system is named in these files: the texts are outputs of a system ''annotated''.'
FROM shown HAVING bool_and(is_unnamed);

-- table: notes
SELECT 'Potato does not store the texts with the annotations. To import them, put the data file '
    || '(JSON Lines or JSON with id) next to the annotations.'
FROM shown HAVING count(output) = 0;

-- table: notes
SELECT DISTINCT file || ' repeats user_state.json and is not read.'
FROM {export} WHERE EXISTS (FROM {state});

-- table: notes
SELECT format('{}: {:,} answers are words, such as ''{}'', and no scores; they are left out. To '
    || 'take them, translate them in the query.', aspect, count(*), left(min(answer), 40))
FROM answers WHERE NOT is_number(answer) GROUP BY aspect ORDER BY aspect;

-- table: notes
SELECT format('Marked parts of texts, in {:,} items, are left out.', count(*)) FROM (
    SELECT unnest(entries(record->'instance_id_to_span_to_value')).value AS spans FROM {state}
    UNION ALL SELECT record->'spans' FROM {export} WHERE NOT EXISTS (FROM {state})
    UNION ALL SELECT record->'span_annotations' FROM {first})
WHERE len(entries(parsed(spans))) + len(elements(parsed(spans))) > 0 HAVING count(*) > 0;
