"""Pictures of cards as they are drawn once: a process that never drew needs a second for it."""

from functools import cache as once
from importlib.metadata import version
from pathlib import Path

from django.core.cache import caches

from analysis import charts
from analysis.charts.chart import Chart
from analysis.charts.theme import ThemeName, themed
from analysis.data.states import short_hash
from analysis.stored_results import PICTURE, store_result, stored_result
from corpus.models import Study


def drawn(study: Study, chart: Chart, theme: ThemeName) -> str:
    """Return the SVG of a chart: as it was drawn before, by any process, else drawn now.

    Drawings are stored with the results of the study, and so deleted with them.
    """
    shown = repr(themed(chart.spec, theme))
    signature = short_hash(chart.name, chart.title, chart.description, shown, _drawing_code())
    key = f"picture:{study.pk}:{signature}"
    if known := caches["local"].get(key):
        return str(known)
    stored = stored_result(study, "", signature)
    if not stored:
        # Nothing else on Findings needs the renderer.
        from analysis.charts.render import to_svg

        stored = store_result(study, "", signature, PICTURE, {"svg": to_svg(chart, theme)})
    svg: str = stored.content["svg"]
    caches["local"].set(key, svg, None)
    return svg


def signed(chart: Chart) -> str:
    """Name what a chart draws: its address changes with it, so that browsers may keep it."""
    return short_hash(repr(chart.spec))


@once
def _drawing_code() -> str:
    """Return the hash of what makes an SVG of a specification: code and renderer."""
    code = sorted(Path(charts.__file__).parent.glob("*.py"))
    return short_hash(
        version("vl-convert-python"), *(path.read_text(encoding="utf-8") for path in code)
    )
