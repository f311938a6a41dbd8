"""A number that no database holds is not found, in whatever place of an address it stands."""

import re
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from tests.fixtures.nonempty import at_least_one
from tests.fixtures.secret_study import SAMPLES, address, routes

pytestmark = pytest.mark.django_db
TOO_LARGE = str(10**20)
WITH_A_NUMBER = pytest.mark.parametrize(
    "number",
    [TOO_LARGE, *(pytest.param(n, marks=pytest.mark.nightly) for n in (f"-{TOO_LARGE}", "-1"))],
)
QUERIES = ("page", "job", "look", "part", "screen", "after", "limit", "offset", "segment", "seed")
"""Parameters of pages that are read as numbers, or may be one day."""


@pytest.fixture
def client(small_secret_study, db) -> Client:
    """The browser of an administrator, who may look for everything."""
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("root"))
    return client


@WITH_A_NUMBER
def test_addresses_with_numbers_that_no_database_holds_are_not_found(client, number):
    patterns = dict.fromkeys(pattern for _, pattern in routes())
    assert not [pattern for pattern in patterns if "<int:" in pattern]
    for pattern in at_least_one(p for p in patterns if "<number:" in p):
        filled = re.sub(
            r"<(\w+):(\w+)>",
            lambda part: number if part[1] == "number" else known(part[2]),
            pattern,
        )
        for method in ("get", "post"):
            assert getattr(client, method)(f"/{filled}").status_code in (404, 405), filled


def known(parameter: str) -> str:
    return "small" if parameter == "slug" else SAMPLES.get(parameter, "1")


@WITH_A_NUMBER
def test_other_parts_of_addresses_may_be_any_number(client, number):
    for pattern in at_least_one(
        dict.fromkeys(p for _, p in routes() if "<str:" in p or "<slug" in p)
    ):
        filled = re.sub(r"<(str|slug|path):\w+>", number, pattern)
        filled = re.sub(r"<number:\w+>", "1", re.sub(r"<uuid:\w+>", "0" * 32, filled))
        assert client.get(f"/{filled}").status_code < 500, filled


@WITH_A_NUMBER
def test_queries_with_numbers_that_no_database_holds_are_answered(client, number):
    for name, pattern in at_least_one(dict(routes()).items()):
        query = urlencode(dict.fromkeys(QUERIES, number))
        assert client.get(f"{address(pattern, name)}?{query}").status_code < 500, pattern


@WITH_A_NUMBER
def test_numbers_in_queries_of_the_api_are_refused_or_answered(client, number):
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for path, item in at_least_one(schema["paths"].items()):
        for parameter in item.get("get", {}).get("parameters", ()):
            if parameter["in"] != "query" or parameter["schema"].get("type") not in (
                *("integer", "number"),
            ):
                continue
            filled = re.sub(r"\{slug\}", "small", path)
            filled = filled.replace("{kind}", "ranking").replace("{name}", "ranking")
            asked = f"{re.sub(r'{[^}]+}', '1', filled)}?{parameter['name']}={number}"
            assert client.get(asked).status_code < 500, asked
