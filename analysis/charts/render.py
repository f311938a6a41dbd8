"""Charts as SVG and PDF, in this process and without the network."""

import re
from functools import lru_cache
from html import escape

from analysis.charts.chart import Chart
from analysis.charts.theme import FONT, ThemeName, themed

VEGA_LITE_VERSION = "6.4"
_KEPT_PICTURES = 64
"""Pictures that a process keeps: a page asks for the size of those that it is about to send."""
_ROOT = re.compile(r"^<svg\b([^>]*)>")
_MARK = re.compile(
    r' aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="[a-z ]+ mark"'
)
_MARKS = re.compile(r' role="graphics-(?:object|symbol)" aria-roledescription="[a-z ]+ container"')
_FONT = f' font-family="{FONT}"'
"""Written by the renderer at each text; here once, for the whole picture."""
_EMPTY = re.compile(
    r'<path class="(?:back|fore)ground" aria-hidden="true" d="(?:M0,0h0v0h0Z)?"'
    r'(?: pointer-events="none")?(?: display="none")?/>'
)
_ELSEWHERE = 'xlink:href="https://vega.github.io/vega-datasets/'
"""How the renderer begins links that are relative to the page."""


@lru_cache(maxsize=_KEPT_PICTURES)
def to_svg(chart: Chart, theme: ThemeName = "light") -> str:
    """Return a chart as an SVG document with an accessible name and description.

    The document has ``role="img"``, a ``title`` and a ``desc``, a transparent background, no
    script and no style sheet; its only references are links relative to the page that shows it.
    Marks of a metric or system have its name in ``data-of``, see `analysis.charts.theme`.

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
        f'<svg{root.group(1)}{_FONT} role="img" aria-labelledby="{title_id}" '
        f'aria-describedby="{description_id}">'
        f'<title id="{title_id}">{escape(chart.title)}</title>'
        f'<desc id="{description_id}">{escape(chart.description)}</desc>'
    )
    marks = _EMPTY.sub("", _MARKS.sub("", _MARK.sub(_data_of, svg[root.end() :])))
    return opening + marks.replace(_FONT, "").replace(_ELSEWHERE, 'xlink:href="')


def _data_of(mark: re.Match[str]) -> str:
    """Return the name of a mark as data: inside a picture that has a name of its own."""
    return "" if mark[1] == "undefined" else f' data-of="{mark[1]}"'


def size_of(svg: str) -> tuple[int, int]:
    """Return width and height of a drawn chart in pixels, so that a page keeps the place free.

    Examples
    --------
    >>> size_of('<svg class="marks" width="377" height="947" viewBox="0 0 377 947">')
    (377, 947)
    """
    root = svg[: svg.index(">")]
    width, height = (
        round(float(found[1])) if (found := re.search(rf' {side}="([\d.]+)"', root)) else 0
        for side in ("width", "height")
    )
    return width, height


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
