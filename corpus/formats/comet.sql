-- name: comet
-- title: COMET scores (JSON)
-- version: unbabel-comet 2, comet-score --to_json
-- documentation: https://unbabel.github.io/COMET/html/running.html
-- recognised: scores = *.json like \s*\{\s*"[^"]*"\s*:\s*\[\s*\{(?=.*"src")(?=.*"mt")
--
-- A list of segments for each system, numbered as the lines of the files that were scored.
WITH lines AS MATERIALIZED (
    SELECT file, _row, part AS system, record->>'src' AS source, record->>'mt' AS output,
           record->>'ref' AS reference, record
    FROM {scores})

-- table: segments
SELECT _row, _row::VARCHAR AS segment, source, reference FROM lines
QUALIFY row_number() OVER (PARTITION BY _row, source, reference ORDER BY file) = 1 ORDER BY _row;

-- table: outputs
SELECT _row, _row::VARCHAR AS segment, system, output FROM lines;

-- table: metric_scores
SELECT _row, _row::VARCHAR AS segment, system, score.key AS metric, score.value->>'$' AS score,
       if(bool_or(reference IS NOT NULL) OVER (), 'reference', 'source') AS compared_to
FROM (SELECT *, unnest(entries(record)) AS score FROM lines)
WHERE score.key NOT IN ('_row', 'src', 'mt', 'ref', 'errors', 'variance')
  AND is_number(score.value->>'$');

-- table: notes
SELECT any_value(file) || ': error spans are passed over; only the scores are read.'
FROM lines WHERE json_type(record->'errors') = 'ARRAY' HAVING count(*) > 0;
