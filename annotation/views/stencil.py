"""Templates that are rendered once for each shape of page, and only filled in after that.

Every click of every annotator shows a screen, and screens of a campaign differ by little but their
texts. The template engine needs more time for one than everything else that a click does.
"""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

# Marks have the form of UUIDs, so that `{% url %}` takes them for identifiers.
_MARK = "5e1f0a7c-93d4-4b6e-8c25-{:012d}"
_MARKS = re.compile(_MARK[:24] + r"(\d{12})")


@dataclass(frozen=True, slots=True)
class Hole:
    """A value that a template only puts in, or asks whether it is empty; no more.

    It is not cut, compared or counted: while the template is rendered, something else stands in
    for it.
    """

    value: object


def filled(template: str, context: dict[str, object]) -> SafeString:
    """Render a template of which all pages are alike but for the holes in its context.

    Parameters
    ----------
    template
    context
        Holes, and what JSON can write: what is not in a hole makes another shape of page, of which
        the latest are kept.
    """
    values: list[str] = []

    def mark(hole: Hole) -> str:
        value = hole.value
        text = value if isinstance(value, SafeString) else escape(str(value))
        if not text:
            return ""
        values.append(text)
        return _MARK.format(len(values) - 1)

    shape = json.dumps(context, default=mark)
    pieces = _pieces(template, shape, get_language())
    # Pieces of the template take turns with the numbers of holes.
    parts = [values[int(each)] if turn % 2 else each for turn, each in enumerate(pieces)]
    return mark_safe("".join(parts))  # noqa: S308  (values are escaped, the rest is the template's)


@lru_cache(maxsize=1000)
def _pieces(template: str, shape: str, language: str | None) -> tuple[str, ...]:
    return tuple(_MARKS.split(render_to_string(template, json.loads(shape))))
