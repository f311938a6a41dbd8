-- name: mt-test-sets
-- title: Test sets of machine translation (XML, SGML)
-- version: XML of the WMT since 2020, SGML of mteval 13a
-- documentation: https://github.com/wmt-conference/wmt-format-tools
-- recognised: sets = *.xml like .*<dataset[\s>].*<src[\s>]
-- recognised: sources = *.sgm, *.sgml like (?i).*<srcset[\s>]
-- optional: sets = *.xml like .*<dataset[\s>]
-- optional: references = *.sgm, *.sgml like (?i).*<refset[\s>]
-- optional: outputs = *.sgm, *.sgml like (?i).*<tstset[\s>]
-- dialect: sets = {"element": "seg"}
-- dialect: sources = {"element": "seg"}
-- dialect: references = {"element": "seg"}
-- dialect: outputs = {"element": "seg"}
--
-- All files are one set: a segment is named by its document and its number there. A file without
-- paths has texts of one kind.
WITH texts AS MATERIALIZED (
    SELECT *, row_number() OVER () AS place,
           joined([coalesce(nullif(record->>'doc.id', ''), record->>'doc.docid'), record->>'id'])
               AS segment,
           coalesce(nullif(record->>'doc.id', ''), record->>'doc.docid') AS document,
           coalesce(nullif(record->>'collection.id', ''), nullif(record->>'doc.domain', ''),
                    nullif(record->>'doc.genre', '')) AS domain,
           coalesce(record->>'text', '') AS text,
           coalesce(nullif(record->>'hyp.system', ''), nullif(record->>'doc.sysid', ''),
                    record->>'tstset.sysid', '') AS system,
           coalesce(nullif(record->>'ref.translator', ''), nullif(record->>'doc.sysid', ''),
                    record->>'refset.refid', '') AS translator,
           coalesce(kind, regexp_extract(record->>'path', '\b(src|ref|hyp)\b', 1),
                    if(record->>'hyp.system' IS NOT NULL, 'hyp', NULL),
                    if(record->>'ref.translator' IS NOT NULL, 'ref', 'src')) AS is_a
    FROM (SELECT NULL AS kind, * FROM {sets} UNION ALL BY NAME
          SELECT 'src' AS kind, * FROM {sources} UNION ALL BY NAME
          SELECT 'ref' AS kind, * FROM {references} UNION ALL BY NAME
          SELECT 'hyp' AS kind, * FROM {outputs})),
translators AS MATERIALIZED (
    SELECT translator, min(place) AS place FROM texts WHERE is_a = 'ref' GROUP BY translator),
told AS MATERIALIZED (
    SELECT segment, translator, text FROM texts WHERE is_a = 'ref' GROUP BY ALL),
given AS MATERIALIZED (
    SELECT segment, list(told.text ORDER BY translators.place) AS reference
    FROM (SELECT DISTINCT segment FROM told) CROSS JOIN translators
    LEFT JOIN told USING (segment, translator) GROUP BY segment)

-- table: segments
SELECT min(_row) AS _row, segment, text AS source, any_value(reference) AS reference,
       any_value(document) AS document, any_value(domain) AS domain
FROM texts LEFT JOIN given USING (segment) WHERE is_a = 'src'
GROUP BY segment, text ORDER BY min(texts.place);

-- table: outputs
SELECT _row, segment, system, text AS output FROM texts WHERE is_a = 'hyp' ORDER BY place;

-- table: notes
SELECT 'References are in the order ' || string_agg(translator, ', ' ORDER BY place) || '.'
FROM translators HAVING count(*) > 1;

-- table: problems
SELECT file, _row, text,
       format('the text that segment {} of document {} had before', record->>'id', document),
       'Import sets with other texts under the same names one at a time.'
FROM (SELECT *, first_value(text) OVER (
          PARTITION BY segment, is_a, if(is_a = 'ref', translator, '') ORDER BY place) AS before
      FROM texts WHERE is_a IN ('src', 'ref'))
WHERE text <> before ORDER BY place LIMIT 1;
