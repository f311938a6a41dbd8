"""What a query of a user, a format or an archive may not do, tried."""

from dataclasses import replace

import pytest

from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.database import Database
from corpus.tabular.limits import DEFAULT_LIMITS, MEBIBYTE
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import ProblemLog, TableError
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.tabular_specs import SEGMENTS

SMALL = replace(DEFAULT_LIMITS, memory_bytes=256 * MEBIBYTE, total_bytes=64 * MEBIBYTE)
of_this_process = [1]

FILES = (
    "read_csv('{}')", "read_text('{}')", "read_blob('{}')", "read_json_auto('{}')",
    "read_ndjson_objects('{}')", "read_parquet('{}')", "parquet_metadata('{}')",
    "parquet_schema('{}')", "parquet_file_metadata('{}')", "parquet_kv_metadata('{}')",
    "parquet_bloom_probe('{}', 'a', 1)", "read_duckdb('{}')", "sniff_csv('{}')", "glob('{}*')",
    "'{}'", "\"{}\"", "query_table('{}')", "query('FROM ''{}''')",
    "query('SELECT * FROM read_text(''{}'')')",
    "json_execute_serialized_sql(json_serialize_sql('FROM read_text(''{}'')'))",
)  # fmt: skip
PLACES = ("https://example.org/a.csv", "http://127.0.0.1:9/a.parquet", "s3://bucket/a.csv",
          "hf://datasets/a/b.csv", "/proc/self/environ", "../tables.duckdb")  # fmt: skip
STATEMENTS = (
    "SET memory_limit = '64GB'", "RESET threads", "PRAGMA threads = 8", "LOAD httpfs",
    "INSTALL httpfs", "ATTACH 'other.duckdb'", "DETACH tables", "USE tables", "CHECKPOINT",
    "COPY files.t TO 'out.csv'", "EXPORT DATABASE 'out'", "IMPORT DATABASE 'out'",
    "CALL enable_logging()", "CREATE SECRET (TYPE s3)", "INSERT INTO files.t VALUES ('b')",
    "DELETE FROM files.t", "UPDATE files.t SET a = 'b'", "DROP TABLE files.t", "BEGIN", "COMMIT",
    "CREATE TABLE main.t AS SELECT 1", "CREATE MACRO main.key(x) AS x", "SET VARIABLE x = 1",
    "PREPARE p AS SELECT 1", "EXECUTE p", "EXPLAIN ANALYZE SELECT 1", "VACUUM",
    "SELECT 1; SELECT 2", "SELECT 1) ; DELETE FROM files.t; SELECT * FROM (SELECT 1", "", "-- a",
)  # fmt: skip
WRITING = (
    "WITH x AS (INSERT INTO files.t VALUES ('b') RETURNING *) SELECT * FROM x",
    "WITH x AS (UPDATE files.t SET a = 'b' RETURNING *) SELECT * FROM x",
    "WITH x AS (DELETE FROM files.t RETURNING *) SELECT * FROM x",
    "WITH x AS (COPY files.t TO '{}') SELECT * FROM x",
    "WITH x AS (INSERT INTO main.t VALUES ('b') RETURNING *) SELECT * FROM x",
    "SELECT * FROM query('DELETE FROM files.t')",
)
OTHERS = (
    "SELECT * FROM of_this_process", "SELECT getenv('HOME')", "SELECT nextval('s')",
    "SELECT * FROM enable_logging()", "SELECT * FROM enable_profiling()",
    "SELECT * FROM duckdb_extensions()", "SELECT * FROM force_checkpoint()",
    "SELECT * FROM set_config('threads', '8')", "SELECT $1", "SELECT error('no')",
)  # fmt: skip
TOO_LARGE = (
    "SELECT list(i) FROM range(1000000000000) t(i)",
    "SELECT a.i FROM range(100000000) a(i), range(100000000) b(i) ORDER BY hash(a.i, b.i)",
    "SELECT DISTINCT md5(i::VARCHAR) FROM range(1000000000) t(i)",
    "SELECT string_agg(repeat('x', 1000000), '') FROM range(10000)",
    "SELECT list_transform(range(3000000), lambda x: repeat('y', 100000))",
    "WITH RECURSIVE r AS (SELECT 'x' AS t UNION ALL SELECT t || t FROM r) SELECT t FROM r",
)


@pytest.fixture
def database(tmp_path):
    database = Database(tmp_path, SMALL)
    database.loading().execute("CREATE TABLE files.t AS SELECT 'a' AS a")
    database.locked().execute("CREATE TABLE main.t AS SELECT 'a' AS a")
    yield database
    database.close()


def found(database, query):
    """Return the rows that a query finds, or the code of its problem."""
    try:
        with database.selected(query, "a.sql") as selected:
            return [row for piece in selected.pieces() for row in piece]
    except TableError as error:
        [problem] = error.problems
        assert problem.found
        assert problem.message
        return problem.code


def test_no_query_reaches_files_networks_settings_or_this_program(tmp_path, database):
    secret = tmp_path / "secret.csv"
    secret.write_text("a\nhidden\n")
    there = {each.name for each in tmp_path.iterdir()}
    places = [str(secret), *PLACES]
    asked = [f"SELECT * FROM {each.format(place)}" for each in FILES for place in places]
    asked += [query.format(tmp_path / "out.csv") for query in (*STATEMENTS, *WRITING, *OTHERS)]
    ran = {query: rows for query in asked if (rows := found(database, query)) != "query"}
    assert ran == {}
    assert found(database, "SELECT * FROM files.t, main.t") == [("a", "a")]
    left = {each.name for each in tmp_path.iterdir()}
    assert left - there <= {"tables.duckdb.wal", "spilled"}


def test_what_a_query_may_be(database):
    for query in ("FROM files.t", "WITH x AS (FROM files.t) SELECT * FROM x -- all", "VALUES ('a')",
                  "SELECT a FROM query_table('files.t');"):  # fmt: skip
        assert found(database, query) == [("a",)]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,text\ns1,x\n")
    return SourceFile(path, path.name, "csv")


def asking(query: str) -> Mapping:
    return Mapping("segments", query=f"SELECT 's' AS segment, ({query})::VARCHAR AS source")


def test_a_query_takes_no_more_memory_and_disk_than_it_may(table):
    """Not all of what a database takes counts against its own limit; the process has one too."""
    codes = {}
    with ConfinedReading(SMALL) as reading:
        for query in TOO_LARGE:
            asked = f"SELECT 's' AS segment, x::VARCHAR AS source FROM ({query}) t(x)"
            log = ProblemLog()
            list(reading.records(table, Mapping("segments", query=asked), SEGMENTS, log))
            codes[query] = [problem.code for problem in log.problems]
        assert codes == {query: ["memory"] for query in TOO_LARGE}
        log = ProblemLog()
        assert len(list(reading.records(table, asking("SELECT 1"), SEGMENTS, log))) == 1
        assert not log


ENDLESS = "SELECT count(*) FROM range(1000000000000) a, range(1000) b WHERE hash(a, b) = 1"


def test_a_query_that_goes_on_and_on_is_ended_with_the_time_of_reading(table):
    log = ProblemLog()
    with ConfinedReading(replace(DEFAULT_LIMITS, seconds=2)) as reading:
        assert list(reading.records(table, asking(ENDLESS), SEGMENTS, log)) == []
    assert [problem.code for problem in log.problems] == ["time"]


def test_a_query_can_be_cancelled(table):
    class Cancelled(Exception):
        pass

    def cancel(message: str, done: int, total: int) -> None:
        raise Cancelled

    with ConfinedReading(DEFAULT_LIMITS, cancel) as reading:
        with pytest.raises(Cancelled):
            list(reading.records(table, asking(ENDLESS), SEGMENTS, ProblemLog()))
        process = reading._process
    assert process.returned is not None


@pytest.mark.parametrize(
    ("limits", "found", "code"),
    [
        ({"rows": 1000}, "more than 1,000 rows in this import", "too-much"),
        (
            {"rows": 1_000_000, "total_bytes": 4 * MEBIBYTE},
            "more than 16 MiB on the disk",
            "too-much",
        ),
    ],
)
def test_what_a_query_finds_is_bounded_before_anything_is_asked(tmp_path, limits, found, code):
    """A result of thousands of millions of rows fills neither the disk nor the time there is."""
    path = tmp_path / "t.csv"
    path.write_text("segment\na\n", encoding="utf-8")
    query = "SELECT i::VARCHAR AS segment, md5(i::VARCHAR) || repeat('x', 500) AS source "
    query += 'FROM files."t.csv", range(10000000000) AS t(i)'
    with ConfinedReading(replace(DEFAULT_LIMITS, **limits)) as reading:
        [source] = reading.discover(path, tmp_path / "work").files.files
        work = [(source, Mapping("segments", query=query), SEGMENTS)]
        try:
            problems = reading.judge(work, {}).faults
        except TableError as error:
            problems = error.problems
    assert [(p.found.startswith(found), p.code) for p in problems] == [(True, code)]
