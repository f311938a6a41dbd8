"""Charts as SVG and PDF, in this process and without the network."""

import re
from html import escape

from analysis.charts.chart import Chart
from analysis.charts.theme import ThemeName, themed

VEGA_LITE_VERSION = "6.4"
_ROOT = re.compile(r"^<svg\b([^>]*)>")


def to_svg(chart: Chart, theme: ThemeName = "light") -> str:
    """Return a chart as an SVG document with an accessible name and description.

    The document has ``role="img"``, a ``title`` and a ``desc``, a transparent background, no
    script, no style sheet and no reference to another document.

    Parameters
    ----------
    chart : Chart
        Any chart of this package.
    theme : {'light', 'dark'}
        The page it shall sit on.

    Returns
    -------
    str
        SVG text.

    Raises
    ------
    ValueError
        If there is no such theme, or the specification cannot be drawn or asks for data from
        elsewhere.

    Examples
    --------
    >>> from analysis.charts.bars import agreement_bars
    >>> to_svg(agreement_bars([], title="Agreement", statistic="alpha"))[:4]
    '<svg'
    """
    # Most processes never draw; those that do load the renderer then.
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(
        themed(chart.spec, theme), vl_version=VEGA_LITE_VERSION, allowed_base_urls=[]
    )
    root = _ROOT.match(svg)
    if root is None:
        raise ValueError(f"{chart.name}: the renderer returned no SVG document")
    title_id, description_id = f"{chart.name}-title", f"{chart.name}-description"
    opening = (
        f'<svg{root.group(1)} role="img" aria-labelledby="{title_id}" '
        f'aria-describedby="{description_id}">'
        f'<title id="{title_id}">{escape(chart.title)}</title>'
        f'<desc id="{description_id}">{escape(chart.description)}</desc>'
    )
    return opening + svg[root.end() :]


def to_pdf(chart: Chart) -> bytes:
    """Return a chart as a PDF document of one page, as large as the picture, for papers.

    Text stays text and fonts are embedded; colours are those of the light theme.

    Parameters
    ----------
    chart : Chart
        Any chart of this package.

    Returns
    -------
    bytes
        The document.

    Raises
    ------
    ValueError
        If the specification cannot be drawn or asks for data from elsewhere.
    """
    import vl_convert

    document: bytes = vl_convert.vegalite_to_pdf(
        themed(chart.spec, "light"), vl_version=VEGA_LITE_VERSION, allowed_base_urls=[]
    )
    return document
