"""A source and an output picked from a study, to be tried."""

from collections.abc import Mapping

from corpus.models import Output, Study, System
from corpus.texts_needed import why_not


def picked(study: Study, segment: str, system: str) -> tuple[dict[str, str], str]:
    """Return texts for the form, or what is wrong with what was asked for."""
    texts = Output.objects.filter(study=study, segment__key=segment, variant=1)
    rows = list(texts.select_related("segment", "system").order_by("ordinal"))
    if not rows:
        return {}, f"This study has no segment {segment!r}."
    of_kind: Mapping[str, Output] = {str(row.system.kind): row for row in reversed(rows)}
    initial = {
        "source": _text(of_kind, System.Kind.SOURCE),
        "reference": _text(of_kind, System.Kind.REFERENCE),
        "target_style": rows[0].segment.target_style,
    }
    output = next((row for row in rows if row.system.name == system), None)
    if output is None and system:
        return initial, f"Segment {segment!r} has no output of {system!r}."
    if output and output.known_text is None:
        return initial, f"{why_not('this page')[:1].upper()}{why_not('this page')[1:]}."
    return initial | {"output": output.text if output else ""}, ""


def _text(of_kind: Mapping[str, Output], kind: str) -> str:
    found = of_kind.get(str(kind))
    return found.text if found else ""
