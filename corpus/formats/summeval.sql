-- name: summeval
-- title: SummEval (JSON Lines)
-- version: model_annotations.aligned(.paired).jsonl; other data sets of summaries are published alike
-- documentation: https://github.com/Yale-LILY/SummEval
-- recognised: file = *.jsonl, *.json with id, model_id, decoded, expert_annotations[] | turker_annotations[]
--
-- Raters are numbered by their places in the lists.
WITH summaries AS MATERIALIZED (
    SELECT file, _row, record, record->>'id' AS segment, record->>'model_id' AS system
    FROM {file})

-- table: segments
SELECT min(_row) AS _row, segment, coalesce(record->>'text', '') AS source,
       list_transform(elements(record->'references'), lambda each: each->>'$') AS reference
FROM summaries GROUP BY ALL ORDER BY min(_row);

-- table: outputs
SELECT _row, segment, system, record->>'decoded' AS output FROM summaries;

-- table: ratings
SELECT _row, segment, system, campaign, place::VARCHAR AS rater, 'place' AS rater_kind,
       answer.key AS aspect, answer.value->>'$' AS score
FROM (SELECT *, unnest(entries(said)) AS answer FROM (
    SELECT *, unnest(given) AS said, generate_subscripts(given, 1) AS place FROM (
        SELECT _row, segment, system, 'experts' AS campaign,
               elements(record->'expert_annotations') AS given FROM summaries
        UNION ALL
        SELECT _row, segment, system, 'crowd', elements(record->'turker_annotations')
        FROM summaries)))
WHERE coalesce(answer.value->>'$', '') <> '';

-- table: notes
SELECT file || ' has no texts that were summarised: the sources are empty. SummEval gives a script '
    || 'that puts them in.'
FROM summaries GROUP BY file HAVING count(record->>'text') = 0;

-- table: notes
SELECT 'Raters are numbered by their places in the lists: 1 of one summary need not be the same '
    || 'person as 1 of another.' FROM summaries LIMIT 1;
