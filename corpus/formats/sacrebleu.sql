-- name: sacrebleu
-- title: sacreBLEU scores (JSON)
-- version: sacrebleu 2, --format json
-- documentation: https://github.com/mjpost/sacrebleu
-- recognised: scores = *.json with name, score, signature
-- recognised: scores = *.json like \s*\[?\s*\{\s*"system"\s*:\s*"[^"]*"\s*,\s*"(?i:BLEU|chrF|TER)
-- read: scores = whole
--
-- Scores of whole systems; those of one system are named by their file.
WITH records AS MATERIALIZED (SELECT file, _row, stem, record FROM {scores})

-- table: system_scores
SELECT _row, stem AS system, record->>'name' AS metric, 'reference' AS compared_to,
       record->>'score' AS score
FROM records WHERE record->>'signature' IS NOT NULL
UNION ALL
SELECT _row, regexp_replace(regexp_replace(record->>'system', '^Baseline: ', ''),
                            '^.*/|\.(txt|text|out|output|hyp|tok|lines|dat|data)$', '', 'g'),
       entry.key, 'reference',
       coalesce(entry.value->>'score', entry.value->>'$')
FROM (SELECT *, unnest(entries(record)) AS entry FROM records
      WHERE record->>'signature' IS NULL)
WHERE entry.key NOT IN ('_row', 'system');

-- table: notes
SELECT file || ': ' || (record->>'name') || ' is ' || (record->>'signature') || '.'
FROM records WHERE record->>'signature' IS NOT NULL;
