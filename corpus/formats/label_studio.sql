-- name: label-studio
-- title: Label Studio (JSON)
-- version: label-studio 1.23, JSON export (JSON-MIN does not say which values are answers)
-- documentation: https://labelstud.io/guide/task_format
-- recognised: tasks = *.json with data{}, annotations[]
-- recognised: tasks = *.json like \s*\[(?=.*"annotations")(?=.*"completed_by")
--
-- The data of a task is texts, each result an answer by who gave it. The export does not say which
-- field a tag of `Pairwise` shows: of `a` and `b` it is the fields that end like them, first those
-- of these very names, then those known as outputs, then the only ones; fields such as model_a and
-- model_b name the systems.
WITH given AS MATERIALIZED (
    SELECT file, _row, record->'data' AS data, elements(record->'annotations') AS annotations,
           coalesce(named(data, {names.segment}), record->>'id', '') AS segment
    FROM {tasks}),
annotated AS MATERIALIZED (
    SELECT file, _row, segment, annotation->>'was_cancelled' = 'true' AS is_skipped,
           coalesce(parsed(annotation->'completed_by')->>'id',
                    annotation->>'completed_by') AS rater,
           annotation->'result' AS results
    FROM (SELECT *, unnest(annotations) AS annotation FROM given)),
results AS MATERIALIZED (
    SELECT file, _row, segment, rater, result->>'from_name' AS aspect,
           coalesce(result->>'type', '') AS kind, parsed(result->'value') AS value,
           array_to_string(list_transform(string_split(coalesce(result->>'to_name', ''), ','),
                                          lambda each: trim(each)), ',') AS shown,
           parsed(CASE kind WHEN 'rating' THEN value->'rating' WHEN 'number' THEN value->'number'
                            WHEN 'choices' THEN value->'choices'
                            WHEN 'textarea' THEN value->'text' WHEN 'text' THEN value->'text' END)
               AS said,
           if(json_array_length(said) = 1, said->>0, said->>'$') AS answer, value->>'selected' AS side
    FROM (SELECT *, unnest(elements(results)) AS result FROM annotated
          WHERE NOT coalesce(is_skipped, false))),
pairs AS (
    SELECT *, left(one, alike) AS stem, substr(one, alike + 1) AS one_end,
           substr(other, alike + 1) AS other_end
    FROM (SELECT *, len(list_filter(range(1, least(length(one), length(other)) + 1),
                                    lambda n: left(one, n) = left(other, n))) AS alike
          FROM (SELECT DISTINCT file, shown,
                       lower(regexp_replace(split_part(shown, ',', 1), '[\W_]+', '', 'g')) AS one,
                       lower(regexp_replace(split_part(shown, ',', 2), '[\W_]+', '', 'g')) AS other
                FROM results WHERE kind = 'pairwise' AND len(string_split(shown, ',')) = 2))
    WHERE one <> other),
fields AS (
    SELECT file, _row, field.key AS field, field.value->>'$' AS value,
           lower(regexp_replace(field.key, '[\W_]+', '', 'g')) AS name
    FROM (SELECT file, _row, unnest(entries(data)) AS field FROM given)
    WHERE json_type(field.value) = 'VARCHAR'),
stems AS (
    SELECT one.file, one._row, pairs.shown, one.field AS one_field, other.field AS other_field,
           one.value AS one_value, other.value AS other_value,
           left(one.name, length(one.name) - length(one_end)) AS base,
           list_contains({names.system}, base) AS is_system,
           CASE WHEN is_system THEN 0 WHEN base = stem THEN 3
                WHEN list_contains({names.output}, base) THEN 2 ELSE 1 END AS rank
    FROM pairs JOIN fields AS one ON one.file = pairs.file AND ends_with(one.name, one_end)
    JOIN fields AS other ON other.file = one.file AND other._row = one._row
        AND other.name = left(one.name, length(one.name) - length(one_end)) || other_end),
chosen AS (
    SELECT file, _row, shown, arg_max(one_value, rank) AS one_text,
           arg_max(other_value, rank) AS other_text,
           bool_or(is_system) AS is_named,
           coalesce(any_value(one_value) FILTER (is_system), arg_max(one_field, rank)) AS one_system,
           coalesce(any_value(other_value) FILTER (is_system), arg_max(other_field, rank))
               AS other_system
    FROM (SELECT *, count(*) FILTER (is_system) OVER of_pair AS systems,
                 max(rank) OVER of_pair AS best FROM stems
          WINDOW of_pair AS (PARTITION BY file, _row, shown))
    WHERE systems < 2 AND (is_system OR rank = best)
    GROUP BY file, _row, shown
    HAVING count(*) FILTER (NOT is_system) = 1 AND one_system <> other_system
       AND least(one_system, other_system) <> ''),
sides AS MATERIALIZED (
    SELECT file, _row, split_part(shown, ',', 1) AS tag, 1 AS place, any_value(one_system) AS system,
           any_value(one_text) AS output, bool_or(is_named) AS is_named
    FROM chosen GROUP BY ALL
    UNION
    SELECT file, _row, split_part(shown, ',', 2), 2, any_value(other_system), any_value(other_text),
           bool_or(is_named) FROM chosen GROUP BY ALL),
is_compared AS (SELECT DISTINCT file FROM results WHERE kind = 'pairwise'),
texts AS (
    SELECT given.file, given._row, given.segment, NULL AS tag, 1 AS place,
           coalesce(named(data, {names.system}), 'annotated') AS system,
           named(data, {names.output}) AS output, named(data, {names.system}) IS NULL AS is_unnamed
    FROM given WHERE file NOT IN (FROM is_compared)
    UNION ALL
    SELECT sides.file, sides._row, given.segment, tag, place, system, output, false
    FROM sides JOIN given USING (file, _row)),
answers AS (
    SELECT results.file, results._row, results.segment, system, rater, aspect, answer
    FROM results JOIN texts ON texts.file = results.file AND texts._row = results._row
        AND (tag IS NULL OR tag = shown)
    WHERE answer IS NOT NULL)

-- table: segments
SELECT segment, coalesce(named(data, {names.source}), '') AS source,
       named(data, {names.reference}) AS reference
FROM given WHERE (file, _row) IN (SELECT (file, _row) FROM texts)
GROUP BY ALL ORDER BY min(_row);

-- table: outputs
SELECT segment, system, output FROM texts WHERE output IS NOT NULL
GROUP BY ALL ORDER BY min(_row), min(place);

-- table: ratings
SELECT _row, segment, system, rater, if(is_number(rater), 'person', NULL) AS rater_kind, aspect,
       answer AS score, 'label-studio' AS campaign
FROM answers WHERE is_number(answer) ORDER BY file, _row;

-- table: ratings
SELECT results._row, segment, one_system AS system, other_system AS against, rater,
       if(is_number(rater), 'person', NULL) AS rater_kind, aspect,
       results.side AS judgement, 'output_against_output' AS task, 'a' AS side,
       'label-studio' AS campaign
FROM results JOIN chosen USING (file, _row, shown)
WHERE kind = 'pairwise' AND results.side IN ('left', 'right') ORDER BY file, results._row;

-- table: notes
SELECT 'No system is named in these files: the texts are outputs of a system ''annotated''.'
FROM texts HAVING bool_and(is_unnamed);

-- table: notes
SELECT 'No system is named for texts that are compared; they are outputs of systems named after '
    || 'their fields: ' || string_agg(DISTINCT system, ', ' ORDER BY system) || '.'
FROM sides WHERE NOT is_named HAVING count(*) > 0;

-- table: notes
SELECT format('{}: {:,} answers are words, such as ''{}'', and no scores; they are left out. To '
    || 'take them, translate them in the query.', aspect, count(*), left(min(answer), 40))
FROM answers WHERE NOT is_number(answer) GROUP BY aspect ORDER BY aspect;

-- table: notes
SELECT format('{:,} {} were left out.', count(*), what) FROM (
    SELECT 'annotations that were skipped' AS what FROM annotated WHERE is_skipped
    UNION ALL
    SELECT CASE WHEN said IS NOT NULL AND is_taken THEN NULL
                WHEN said IS NOT NULL THEN 'answers about none of the texts that are compared'
                WHEN kind <> 'pairwise' THEN 'results of the kind ' || coalesce(nullif(kind, ''),
                    'none') || ', which mark parts of texts,'
                WHEN side NOT IN ('left', 'right') OR side IS NULL
                THEN 'comparisons without a choice'
                WHEN (file, _row, shown) NOT IN (SELECT (file, _row, shown) FROM chosen)
                THEN 'comparisons of texts that the names of their fields do not tell apart' END
    FROM (SELECT *, file NOT IN (FROM is_compared)
              OR (file, _row, shown) IN (SELECT (file, _row, tag) FROM sides) AS is_taken
          FROM results)
    UNION ALL
    SELECT 'tasks whose two texts the names of their fields do not tell apart' FROM given
    WHERE file IN (FROM is_compared) AND (file, _row) NOT IN (SELECT (file, _row) FROM sides))
WHERE what IS NOT NULL GROUP BY what ORDER BY what;
