"""Pages that are rendered once for each shape and filled in."""

import uuid

import pytest
from django.template import engines
from django.utils.safestring import mark_safe

from annotation.views import stencil
from annotation.views.stencil import Hole, filled


@pytest.fixture
def rendered(monkeypatch):
    """Render templates that are given as text; return the texts that were rendered."""
    asked = []

    def render(text, context):
        asked.append(text)
        return engines["django"].from_string(text).render(context)

    monkeypatch.setattr(stencil, "render_to_string", render)
    stencil._pieces.cache_clear()
    yield asked
    stencil._pieces.cache_clear()


def test_values_are_escaped_and_safe_ones_are_not(rendered):
    context = {"a": Hole("<b>&'"), "b": Hole(mark_safe("<i>"))}
    assert filled("{{ a }}|{{ b }}", context) == "&lt;b&gt;&amp;&#x27;|<i>"


def test_pages_that_differ_in_holes_alone_are_rendered_once(rendered):
    pages = [filled("{{ a }} {{ n }}", {"a": Hole(text), "n": 1}) for text in ("x", "y", "z")]
    assert pages == ["x 1", "y 1", "z 1"]
    assert len(rendered) == 1
    assert filled("{{ a }} {{ n }}", {"a": Hole("x"), "n": 2}) == "x 2"
    assert len(rendered) == 2


def test_an_identifier_in_a_hole_makes_an_address(rendered):
    who = uuid.uuid4()
    assert filled("{% url 'rate-done' who %}", {"who": Hole(who)}) == f"/rate/{who}/done/"
