-- name: mt-metrics-eval-v2
-- title: WMT metrics task (mt-metrics-eval v2)
-- part: language pair
-- version: the layout of mt-metrics-eval-v2.tgz, without error spans
-- documentation: https://github.com/google-research/mt-metrics-eval#file-organization-and-naming-convention
-- recognised: sources = *sources/*.txt
-- optional: outputs = *system-outputs/*.txt
-- optional: references = *references/*.txt
-- optional: documents = *documents/*.docs
-- optional: human = *human-scores/*.seg.score, *human-scores/*.sys.score
-- optional: metrics = *metric-scores/*.seg.score, *metric-scores/*.sys.score
-- read: sources = lines
-- read: outputs = lines
-- read: references = lines
-- read: documents = lines
-- read: human = lines
-- read: metrics = lines
-- dialect: sources = {"encoding": "utf-8"}
-- dialect: outputs = {"encoding": "utf-8"}
-- dialect: references = {"encoding": "utf-8"}
-- dialect: documents = {"encoding": "utf-8"}
-- left_out: *.domain.score = scores of domains, which follow from those of segments
-- left_out: *.doc.score = scores of documents, which follow from those of segments
-- left_out: *.rating = error spans; only the scores are read
-- left_out: * = no file of this layout
--
-- A file of scores has a block of lines `SYSTEM SCORE` for each system, one for each line of the
-- source file, or a line for each system. Higher is better for every metric.
WITH files_of_pair AS (
    SELECT *, regexp_extract(stem, '\.(.+)$', 1) AS reference,
           regexp_extract(file, '([^/]+)\.(seg|sys)\.score(\.gz)?$', ['title', 'level']) AS name,
           if(kind = 'human', regexp_extract(name['title'], '\.(.+)$', 1), name['title']) AS title,
           regexp_extract(title, '^(.+)-([^-]*)$', ['base', 'to']) AS metric,
           coalesce(nullif(metric['base'], ''), title) AS base
    FROM {files}),
size AS (SELECT any_value(rows) AS segments, any_value(file) AS file
         FROM files_of_pair WHERE kind = 'sources'),
lines AS (
    SELECT *, if(name.level = 'seg', segments, 1) AS per_system,
           (_row - 1) // per_system AS block, (_row - 1) % per_system + 1 AS number,
           regexp_extract(text, '^\s*(\S+)\s+(\S+)\s*$', ['system', 'score']) AS words
    FROM (SELECT _row, text, file FROM {metrics} UNION ALL SELECT _row, text, file FROM {human})
    JOIN files_of_pair USING (file)
    CROSS JOIN (SELECT segments FROM size)),
scores AS (
    SELECT _row, kind, title, base, metric.to AS compared_to, name.level AS level,
           number::VARCHAR AS segment, words.system AS system, words.score AS score, file
    FROM lines WHERE words.score NOT IN ('', 'None')),
lines_to_check AS (
    SELECT lines.*, last, regexp_extract(text, '^\s*(\S*)', 1) AS first_word
    FROM lines
    JOIN (SELECT file, max(_row) AS last FROM lines WHERE trim(text) <> '' GROUP BY file)
        USING (file)
    WHERE _row <= last),
blocks AS (
    SELECT file, block, _row, per_system, last, first_word AS system,
           row_number() OVER (PARTITION BY file, first_word ORDER BY block) > 1 AS is_repeated,
           lag(first_word) OVER (PARTITION BY file ORDER BY block) AS before
    FROM lines_to_check WHERE number = 1),
human_names AS (
    SELECT stem AS system, regexp_full_match(stem, '(?i)ref-?[a-z0-9]?') AS is_human
    FROM files_of_pair WHERE kind = 'outputs' AND stem IN (
        SELECT reference FROM files_of_pair WHERE kind = 'references'))

-- table: segments
SELECT _row, _row::VARCHAR AS segment, text AS source, reference, domain, document
FROM {sources}
LEFT JOIN (SELECT _row, list(text ORDER BY stem) AS reference FROM {references} GROUP BY _row)
    USING (_row)
LEFT JOIN (SELECT _row, unnest(regexp_extract(trim(text), '^(\S+)\s+(.+)$', ['domain', 'document']))
           FROM {documents}) USING (_row)
ORDER BY _row;

-- table: outputs
SELECT _row, _row::VARCHAR AS segment, stem AS system, text AS output FROM {outputs};

-- table: ratings
SELECT _row, segment, system, left(title, 100) AS campaign, 'overall' AS aspect, score
FROM scores WHERE kind = 'human' AND level = 'seg' AND EXISTS (FROM {human})
-- Of equal measures reports take the first by default.
ORDER BY title <> 'mqm', file, _row;

-- table: metric_scores
SELECT _row, segment, system, base AS metric, compared_to, score
FROM scores WHERE kind = 'metrics' AND level = 'seg';

-- table: system_scores
SELECT _row, system, base AS metric, compared_to, score
FROM scores WHERE kind = 'metrics' AND level = 'sys';

-- table: study
SELECT {
    'title': trim(coalesce(nullif(regexp_extract(size.file, '([^/]+)/sources/[^/]*$', 1), ''),
                           {title}) || ' ' || regexp_extract({chosen}, '[^/]*$')),
    'language': coalesce(nullif(left(regexp_extract({chosen}, '[^-]*$'), 35), ''), 'und'),
    'metrics': (SELECT map(list(base), list({'orientation': 'higher'}))
                FROM (SELECT DISTINCT base FROM files_of_pair WHERE kind = 'metrics')),
    'systems': (SELECT list({'system': system, 'human': is_human, 'reference': system}
                            ORDER BY system) FROM human_names)}
FROM size;

-- table: notes
SELECT 'References: ' || string_agg(format('{} is reference {}', reference, number), ', '
                                    ORDER BY number) || '.'
FROM (SELECT reference, row_number() OVER (ORDER BY stem) AS number
      FROM files_of_pair WHERE kind = 'references');

-- table: notes
SELECT format('{} is a reference and a system; it is {}taken for human-written. The systems page '
              'changes that.', system, if(is_human, '', 'not '))
FROM human_names ORDER BY system;

-- table: notes
SELECT format('{}: {:,} of {:,} scores are None, so not rated.', title,
              count(*) FILTER (words.score = 'None'), count(*))
FROM lines WHERE kind = 'human' AND name.level = 'seg' AND words.score <> ''
GROUP BY title HAVING bool_or(words.score = 'None') ORDER BY title;

-- table: notes
SELECT format('{}: human scores of systems without any of segments are passed over.', file)
FROM files_of_pair WHERE kind = 'human' AND name.level = 'sys' AND title NOT IN (
    SELECT title FROM files_of_pair WHERE kind = 'human' AND name.level = 'seg');

-- table: notes
SELECT format('{}: the released scores of {} of {} systems are not the means of their segments'' '
              'scores ({}); reports compute means.', file, count(*), any_value(rows),
              array_to_string(list(system ORDER BY _row)[:5], ', '))
FROM (SELECT file, title, system, TRY_CAST(score AS DOUBLE) AS released, _row FROM scores
      WHERE kind = 'human' AND level = 'sys')
JOIN (SELECT title, system, avg(TRY_CAST(score AS DOUBLE)) AS mean FROM scores
      WHERE kind = 'human' AND level = 'seg' GROUP BY title, system) USING (title, system)
JOIN files_of_pair USING (file)
WHERE abs(released - mean) > 1e-6 * greatest(abs(released), abs(mean), 1) GROUP BY file;

-- table: notes
SELECT 'Higher is better for every metric, as everywhere in mt-metrics-eval: error rates are '
       'released with their sign turned.'
FROM files_of_pair WHERE kind = 'metrics' LIMIT 1;

-- table: problems
SELECT file, _row, found, expected, advice, code FROM (
    SELECT 0 AS place, files_of_pair.file, least(rows, segments) + 1 AS _row,
           rows || ' lines' AS found, format('{} lines, as in {}', segments, size.file) AS expected,
           'Each line belongs to the same line of the source file; an empty text is an empty line.'
               AS advice, 'line-count' AS code
    FROM files_of_pair CROSS JOIN size
    WHERE kind IN ('outputs', 'references', 'documents') AND rows <> segments
    UNION ALL
    SELECT 1, file, _row, left(text, 80), 'two words',
           'Write the domain and the name of the document.', 'fields'
    FROM {documents} WHERE NOT regexp_matches(trim(text), '^\S+\s+\S')
    UNION ALL
    SELECT 2, file, _row, system, 'a system that has a file in system-outputs',
           'Correct the name.', 'unknown-system'
    FROM blocks
    WHERE NOT is_repeated AND system NOT IN (
        SELECT stem FROM files_of_pair WHERE kind = 'outputs')
    UNION ALL
    SELECT 2, file, _row, if(system = before, 'more scores of ' || system, system),
           if(system = before, format('{} scores of {}, one for each line of the source',
                                      per_system, system), 'each system once'),
           if(system = before, 'Correct the number of lines.', 'Keep one block of scores.'),
           if(system = before, 'fields', 'duplicate')
    FROM blocks WHERE is_repeated
    UNION ALL
    SELECT 2, file, last + 1, 'the end of the file',
           format('{} scores of {}; there are {}', per_system, system, last - _row + 1),
           'There is one line for each line of the source file, in its order.', 'line-count'
    FROM blocks WHERE last < _row + per_system - 1
    UNION ALL
    SELECT 2, file, l._row,
           CASE WHEN words.score = '' THEN text WHEN words.system <> b.system THEN words.system
                ELSE words.score END,
           CASE WHEN words.score = '' THEN 'a system and a score'
                WHEN words.system <> b.system
                THEN format('{} scores of {}; there are {}', b.per_system, b.system, number - 1)
                ELSE 'a number, or None' END,
           CASE WHEN words.score = '' THEN 'Correct the line.'
                WHEN words.system <> b.system
                THEN 'There is one line for each line of the source file, in its order.'
                ELSE 'Correct the score.' END,
           CASE WHEN words.score = '' THEN 'fields' WHEN words.system <> b.system THEN 'line-count'
                ELSE 'number' END
    FROM lines_to_check AS l JOIN blocks AS b USING (file, block)
    WHERE words.score = '' OR words.system <> b.system
       OR (words.score <> 'None'
           AND (contains(words.score, '_')
                OR NOT coalesce(isfinite(TRY_CAST(words.score AS DOUBLE)), false))))
ORDER BY place, file, _row LIMIT 1;
