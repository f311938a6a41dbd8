-- name: appraise
-- title: Appraise scores (CSV)
-- version: ExportSystemScoresToCSV, of direct assessment, of error spans (ESA) and of MQM
-- documentation: https://github.com/AppraiseDev/Appraise
-- recognised: scores = *.csv like ("?[^,"\n]*"?,){3}"?(TGT|REF|BAD|CHK)"?,("?[^,"\n]*"?,){2}"?-?[\d.]+"?(,|\s|$)
-- optional: batches = *.json with items[], task
-- dialect: scores = {"header": false, "delimiter": ","}
-- preset: changed-repeats:ratings = first
--
-- Batches say which item is which segment: an item's number is one of its batch, and a rater's
-- batch is the one that has most of the rater's items. Without them items are segments.
-- Tutorials, whole documents and items that fill a batch up (#duplicate) are left out. BAD, REF and
-- CHK are control items. Of an item that was submitted again the first submission counts, as in the
-- released scores of WMT23; with marks of MQM the score is minus the sum of their weights (critical
-- 25, major 5, minor 1, punctuation .1, undecided 0).
WITH items AS MATERIALIZED (
    SELECT file AS from_file, _row AS batch, item->>'itemID' AS item,
           item->>'documentID' AS document, item->>'itemType' AS kind,
           item->>'sourceText' AS source, item->>'targetText' AS output,
           string_split(item->>'_item', ' | ') AS place,
           joined([place[3], place[2]]) AS segment
    FROM (SELECT file, _row, unnest(elements(record->'items')) AS item FROM {batches})
    WHERE item->>'_item' IS NOT NULL),
lines AS MATERIALIZED (
    SELECT _row, file, stem, record->>'column 1' AS rater, record->>'column 2' AS target,
           record->>'column 3' AS item, record->>'column 4' AS kind,
           record->>'column 7' AS score, coalesce(record->>'column 8', '') AS document,
           record->>'column 9' = 'True' AS is_whole,
           elements(TRY_CAST(record->>'column 10' AS JSON)) AS marks,
           bool_or(json_type(marks[1]->'error_type') = 'ARRAY') OVER (PARTITION BY file)
               AND max(TRY_CAST(score AS DOUBLE)) OVER (PARTITION BY file) = 0 AS is_mqm,
           regexp_matches(document, 'tutorial', 'i') AS is_tutorial,
           contains(document, '#duplicate') AS is_duplicate
    FROM {scores}),
judged AS (
    SELECT * FROM lines WHERE NOT (coalesce(is_whole, false) OR is_tutorial OR is_duplicate)),
shared AS (
    SELECT rater, from_file, batch, count(*) AS shared
    FROM judged JOIN items USING (item, document) GROUP BY ALL),
placed AS (
    SELECT judged.*, segment, place[1] AS system
    FROM judged LEFT JOIN items USING (item, document)
    LEFT JOIN shared USING (rater, from_file, batch)
    QUALIFY row_number() OVER (
        PARTITION BY judged.file, judged._row ORDER BY shared DESC NULLS LAST, batch) = 1)

-- table: segments
SELECT segment, source, any_value(place[3]) AS document FROM items GROUP BY segment, source
ORDER BY min(batch);

-- table: outputs
SELECT DISTINCT segment, place[1] AS system, output FROM items WHERE kind = 'TGT'
ORDER BY ALL;

-- table: ratings
SELECT _row, rater, 'overall' AS aspect, left(stem, 100) AS campaign,
       coalesce(segment, if(document = '', item, joined([document, item]))) AS segment,
       CASE WHEN system IS NOT NULL THEN system
            WHEN ends_with(target, '.' || split_part(document, '#', 2))
            THEN split_part(document, '#', 2) ELSE target END AS system,
       CASE WHEN NOT is_mqm THEN score
            ELSE (-coalesce(list_sum(list_transform(marks, lambda mark:
                CASE WHEN mark->>'severity' = 'undecided' THEN 0
                     WHEN contains((mark->'error_type')::VARCHAR, 'Punctuation') THEN 1
                     WHEN mark->>'severity' = 'critical' THEN 250
                     WHEN mark->>'severity' = 'major' THEN 50 ELSE 10 END)), 0) / 10)::VARCHAR
            END AS score,
       MAP {'BAD': 'degraded', 'REF': 'reference', 'CHK': 'repeat'}[kind] AS item_kind,
       if(item_kind IS NULL, NULL, dense_rank() OVER (
           PARTITION BY stem, segment, system, kind ORDER BY document)) AS occasion,
       if(item_kind IS NULL, NULL, row_number() OVER (
           PARTITION BY stem, rater, segment, system, kind, document ORDER BY _row DESC))
           AS revision
FROM placed ORDER BY file, _row;

-- table: notes
SELECT format('{:,} lines of {} were left out.', count(*), what) FROM (
    SELECT CASE WHEN is_tutorial THEN 'tutorials'
                WHEN is_duplicate THEN 'items that fill a batch up (#duplicate)'
                WHEN is_whole THEN 'whole documents' END AS what FROM lines)
WHERE what IS NOT NULL GROUP BY what ORDER BY what;

-- table: notes
SELECT format('{:,} scores of BAD, REF and CHK are of control items, not of systems.', count(*))
FROM judged WHERE kind <> 'TGT' HAVING count(*) > 0;
