"""The schema is valid and whole, and people can read it, and every answer, without scripts."""

import re

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from rest_framework.test import APIClient

from corpus.api.rendering import linked
from corpus.models import Study
from tests.fixtures.api_clients import API, client_of

DOCS = settings.BASE_DIR / "docs"
HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
NOT_IN_SCHEMA = {"api-docs", "api-schema"}


@pytest.fixture(scope="module")
def schema():
    from drf_spectacular.generators import SchemaGenerator

    return SchemaGenerator().get_schema(request=None, public=True)


def api_addresses():
    """Name and address of everything below the API, as the schema writes it."""
    for resolver in get_resolver().url_patterns:
        if isinstance(resolver, URLResolver) and str(resolver.pattern) == "api/v1/":
            for pattern in resolver.url_patterns:
                assert isinstance(pattern, URLPattern)
                route = re.sub(r"<\w+:(\w+)>", r"{\1}", str(pattern.pattern))
                route = route.replace("{pk}", "{id}")
                yield pattern.name, f"/api/v1/{route}"


def test_the_schema_is_valid_and_gives_no_warning(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))


def test_every_address_is_in_the_schema(schema):
    expected = {address for name, address in api_addresses() if name not in NOT_IN_SCHEMA}
    assert set(schema["paths"]) == expected
    assert len(expected) >= 14


@pytest.mark.django_db
def test_the_documentation_shows_every_operation_with_parameters_and_shapes(schema):
    page = APIClient().get(f"{API}docs/").text
    for address, item in schema["paths"].items():
        for method in {"get", "post"} & set(item):
            assert f"<code>{method.upper()} {address}</code></h3>" in page
    for shape in schema["components"]["schemas"]:
        assert f'id="shape-{shape}"' in page
    assert "<code>next</code> has it." in page
    assert "integer from 1 to 1000, 100 if not given" in page
    for target in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{target}"' in page, target


@pytest.mark.django_db
def test_answers_are_pages_for_browsers_with_links_and_without_scripts():
    client = client_of("owner", Study.objects.create(slug="small", title="<b>x</b>"), "owner")
    page = client.get(f"{API}studies/?limit=1", headers=HTML)
    assert page["Content-Type"] == "text/html; charset=utf-8"
    assert 'href="http://testserver/api/v1/studies/small/"' in page.text
    assert "&lt;b&gt;x&lt;/b&gt;" in page.text
    assert "<b>x" not in page.text
    assert "/api/v1/studies/?limit=1&amp;format=json" in page.text
    assert "<style" not in page.text
    assert "default-src 'self'" in page["Content-Security-Policy"]
    missing = client.get(f"{API}studies/nothing/", headers=HTML)
    assert missing.status_code == 404
    assert "404 Not Found" in missing.text


def test_only_addresses_of_this_site_become_links():
    text = '{"a": "http://here/x?a=1&b=\\u003c", "b": "http://there/", "c": "see http://here/y"}'
    html = linked(text, "http://here/")
    assert html.count("<a ") == 1
    assert '<a href="http://here/x?a=1&amp;b=\\u003c">' in html


def test_the_addresses_in_the_pages_about_the_api_lead_somewhere():
    pages = [(DOCS / name).read_text(encoding="utf-8") for name in ("api.md", "importing.md")]
    found = {
        address
        for page in pages
        for address in re.findall(r"http://localhost:8000(/[^\s\"?]*)", page)
    }
    assert len(found) >= 8
    for address in found:
        assert resolve(address).func.__name__ != "UnknownAddressView", address
