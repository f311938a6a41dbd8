"""No mapping whatever makes reading fail otherwise than by a problem, in any format."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.tabular.opening.files import SourceFile
from corpus.tabular.problems import ProblemLog, TableError
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.mapping import Mapping
from tests.fixtures.harmful_files import KINDS, written
from tests.fixtures.tabular_reading import blocks, records
from tests.fixtures.tabular_specs import RATINGS, SEGMENTS

ROWS = [
    {"id": "1", "sys": "A", "r": "4|5", "j": '[{"a": 1}, null]', "s.x-A": "3", "s.y-A": "g=2"},
    {"id": "2", "sys": "B", "r": "", "j": "[", "s.x-A": "x", "s.y-A": "g=1;g=2"},
    {"id": "", "sys": "B", "r": "a", "j": '["\\ud800"]', "s.x-A": "", "s.y-A": "NA"},
]
names = st.sampled_from(
    [*ROWS[0], "no", "[#]", "r[]", "r[#]", "j[].a", "j[#]", "s.{name}", "{name}", "", "s", "é"]
)
fields = st.sampled_from(["segment", "system", "rater", "aspect", "score", "source", "colour"])
patterns = st.sampled_from(
    [
        "s.{aspect}-{system}",
        "s.{aspect}.{system}",
        "{aspect}-{system}",
        "s.{rater}-A",
        "*",
        "{a}{b}",
    ]
)
wides = st.fixed_dictionaries(
    {"value": fields, "pattern": patterns},
    optional={
        "columns": st.lists(names, max_size=3),
    },
)
expressions = st.sampled_from(
    [
        *("= _row", "= id", "= joined([id, sys])", "= key(sys)", "= 1) (", "= 'x'", "= no", "= ''"),
        *("= missing(r, ['a'])", "= now(", "= [id, sys]", "= {'x': id}", '= "j[].a"', "="),
    ]
)
conditions = st.sampled_from(["", "id <> ''", "_row < 2", "r", "false", "no = 1", "); SELECT (1"])
usual = {"segment": "id", "system": "sys", "source": "sys", "score": "s.x-A"}
columns = st.builds(
    lambda kept, others: {name: usual[name] for name in kept} | others,
    st.sets(st.sampled_from(sorted(usual)), min_size=2),
    st.dictionaries(fields, names | expressions, max_size=2),
)
plain_mappings = st.fixed_dictionaries(
    {"table": st.sampled_from(["ratings", "segments"]), "columns": columns},
    optional={
        "wide": wides,
        "attributes": st.lists(names, max_size=2),
        "where": conditions,
        "explode": names,
        "distinct": st.booleans(),
    },
)


def read_mapping(data):
    """Return the mapping, and the problems for which it is refused."""
    try:
        return Mapping.from_dict(data), ()
    except TableError as error:
        return None, error.problems


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """The same rows in each format."""
    folder = tmp_path_factory.mktemp("formats")
    found = []
    for kind in KINDS:
        path = folder / f"r.{kind}"
        path.write_bytes(written(path.name, ROWS))
        found.append(SourceFile(path, path.name, kind))
    return found


@settings(deadline=None, max_examples=30)
@given(plain=plain_mappings, number=st.integers(0, len(KINDS) - 1))
def test_any_mapping_gives_records_or_problems(sources, plain, number):
    source, spec = sources[number], SEGMENTS if plain["table"] == "segments" else RATINGS
    plain["columns"] = {name: c for name, c in plain["columns"].items() if name in spec.names}
    mapping, problems = read_mapping(plain)
    assert all(problem.found and problem.expected for problem in problems)
    if mapping is None:
        return
    assert Mapping.from_dict(mapping.to_dict()) == mapping
    log, again = ProblemLog(), ProblemLog()
    found = list(records(source, mapping, spec, log))
    for _, values in found:
        str(values).encode()
    assert list(Records(blocks(source, mapping, spec, again))) == found
    assert again.to_dict() == log.to_dict()
    assert found or log.problems or log.counts or not mapping.given
