"""Whatever five roles ask of the API, it answers in the form of its schema, in bounded memory."""

import pytest

from attack.api_fuzz import LIBRARIES, MEMORY, ROLES, fuzz, fuzzed_site
from attack.processes import MemoryWatch

SEED = "316"


@pytest.mark.slow
@pytest.mark.sqlite
@pytest.mark.parametrize(
    "bounds",
    [
        ("--phases", "fuzzing", "--max-examples", "1", "--seed", SEED),
        pytest.param(("--max-time", "120"), marks=pytest.mark.nightly),
    ],
    ids=["short", "long"],
)
def test_no_role_finds_an_error_of_the_server(bounds):
    with fuzzed_site() as (site, people), MemoryWatch(site) as memory:
        found = [fuzz(site, role, people[role], *bounds) for role in ROLES]
    assert [(each.role, each.failures) for each in found if each.failures] == []
    # All were asked for, by each role.
    assert [each.tested for each in found] == [each.operations for each in found]
    assert min(each.asked for each in found) >= found[0].operations
    assert 0 < memory.most < MEMORY + LIBRARIES
