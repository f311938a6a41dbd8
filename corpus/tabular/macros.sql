-- What mappings may use beside DuckDB's own functions; docs/importing.md describes each.
CREATE OR REPLACE MACRO main.key(text) AS left(sha256(nullif(text, '')), 12);
CREATE OR REPLACE MACRO main.joined(parts) AS 
    array_to_string(list_transform(parts, lambda part:
        replace(replace(coalesce(part, ''), '\', '\\'), ':', '\:')), ':');
CREATE OR REPLACE MACRO main.missing(text, words) AS
    CASE WHEN list_contains(words, text) THEN NULL ELSE text END;
CREATE OR REPLACE MACRO main.choice(text, meanings) AS coalesce(meanings[text], text);
CREATE OR REPLACE MACRO main.number(text) AS
    replace(replace(trim(text), '.', ''), ',', '.');
CREATE OR REPLACE MACRO main.likert(text) AS
    coalesce(nullif(regexp_extract(text, '^\s*([-+]?\d+)\b', 1), ''),
             nullif(regexp_extract(text, '\b(\d+)\W*$', 1), ''), text);
CREATE OR REPLACE MACRO main.text_between(text, before, after) AS
    CASE WHEN before <> '' AND NOT contains(text, before) THEN NULL
         WHEN after = '' THEN substr(text, strpos(text, before) + length(before))
         WHEN NOT contains(substr(text, strpos(text, before) + length(before)), after) THEN NULL
         ELSE split_part(substr(text, strpos(text, before) + length(before)), after, 1) END;
CREATE OR REPLACE MACRO main.filled(text, place) AS
    last_value(nullif(text, '') IGNORE NULLS) OVER (ORDER BY place);
CREATE OR REPLACE MACRO main.entries(json) AS
    CASE WHEN json_type(json) = 'OBJECT' THEN map_entries(CAST(json AS MAP(VARCHAR, JSON)))
         ELSE [] END;
CREATE OR REPLACE MACRO main.elements(json) AS
    CASE WHEN json_type(json) = 'ARRAY' THEN CAST(json AS JSON[]) ELSE [] END;
CREATE OR REPLACE MACRO main.parsed(value) AS
    CASE WHEN json_type(value) = 'VARCHAR' AND left(value->>'$', 1) IN ('{', '[')
         THEN coalesce(TRY_CAST(value->>'$' AS JSON), value) ELSE value END;
CREATE OR REPLACE MACRO main.named(json, names) AS
    list_extract(list_filter(entries(json), lambda each:
        list_contains(names, lower(regexp_replace(each.key, '[\W_]+', '', 'g')))
        AND json_type(each.value) NOT IN ('NULL', 'OBJECT', 'ARRAY')), 1).value->>'$';
CREATE OR REPLACE MACRO main.is_number(text) AS
    regexp_full_match(trim(text), '[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?');
