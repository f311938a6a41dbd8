"""The look of all charts, in one place: fonts, sizes and colours for light and dark pages."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from analysis.charts.chart import Spec, Value
from analysis.charts.table import compared

OF = "of"
_OTHERS = ("line", "row", "first", "system", "group", "name")
"""Keys that name one where a row has no metric: a line, a row of a matrix, one of a pair."""
_NOTES = (" (raw)", " (human)")
"""What charts say of a metric or system after its name; tables have a badge for it."""
_COMMON = {"aggregate", "datum"}
"""What is encoded so belongs to all: sums, and lines at a constant."""
_VIEWS = ("layer", "hconcat", "vconcat", "concat")
_DESCRIBED = {"field": OF, "type": "nominal"}


def thing_of(row: Mapping[str, Value]) -> str:
    """Return the metric of a row, with what it compares outputs to, or else its system.

    Examples
    --------
    >>> thing_of({"metric": "BLEU", "compared_to": "source"}), thing_of({"system": "BART"})
    ('BLEU · source', 'BART')
    """
    if isinstance(row.get("metric"), str):
        return compared({**row, "metric": _without_note(row["metric"])})
    return next((_without_note(row[key]) for key in _OTHERS if row.get(key)), "")


def other_thing_of(row: Mapping[str, Value]) -> str:
    """Return the second of the two that a row compares; empty where it is about one.

    Examples
    --------
    >>> other_thing_of({"first": "BLEU", "second": "TER"}), other_thing_of({"metric": "BLEU"})
    ('TER', '')
    """
    two = row.get("first") and thing_of(row) == _without_note(row["first"])
    return _without_note(row["second"]) if two and row.get("second") else ""


def _without_note(name: Value) -> str:
    found = str(name)
    for note in _NOTES:
        found = found.removesuffix(note)
    return found


def marked(spec: Spec) -> Spec:
    """Return a specification of which each mark is described by its metric or system alone.

    Marks that belong to several, and marks whose data name neither, are left as they are.
    The name is data, never part of an expression, see `analysis.charts.chart`.
    """
    return _view(spec, named=False)


def _view(view: Spec, *, named: bool) -> Spec:
    """Return a view and those in it; `named` where the data around it name metrics or systems."""
    changed = dict(view)
    rows: Sequence[Any] = view.get("data", {}).get("values", ())
    if rows:
        named = any(thing_of(row) for row in rows)
        if named:
            values = [{**row, OF: thing_of(row)} for row in rows]
            changed["data"] = {**view["data"], "values": values}
    for key in _VIEWS:
        if key in view:
            changed[key] = [_view(part, named=named) for part in view[key]]
    if "spec" in view:
        changed["spec"] = _view(view["spec"], named=named)
    channels = view.get("encoding", {}).values()
    common = any(_COMMON & set(channel) for channel in channels if isinstance(channel, Mapping))
    if named and "mark" in view and not common:
        mark = view["mark"]
        changed["mark"] = {**(mark if isinstance(mark, Mapping) else {"type": mark}), "aria": True}
        changed["encoding"] = {**view.get("encoding", {}), "description": _DESCRIBED}
    return changed


ThemeName = Literal["light", "dark"]

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left")


@dataclass(frozen=True)
class Theme:
    """Colours of one theme, as hexadecimal strings."""

    surface: str
    ink: str
    muted: str
    line: str
    accent: str
    bar: str
    bar_overall: str
    undefined: str
    categories: tuple[str, ...]
    diverging: tuple[str, ...]
    cell_ink: str


THEMES: dict[ThemeName, Theme] = {
    "light": Theme(
        surface="#ffffff",
        ink="#1b1f24",
        muted="#59616b",
        line="#d5d9df",
        accent="#0b5cad",
        bar="#8fb8d8",
        bar_overall="#2f7fb8",
        undefined="#eceef1",
        categories=(
            *("#0067a3", "#b84a00", "#00755a", "#a33b7b"),
            *("#7a5c00", "#5d3a9b", "#4a4f57", "#1a7799"),
        ),
        diverging=("#d97b29", "#eda968", "#f8d7b5", "#f6f6f4", "#c3ddef", "#86bbe0", "#4a95cc"),
        cell_ink="#0b0d0f",
    ),
    "dark": Theme(
        surface="#14171b",
        ink="#e6e9ed",
        muted="#a5aeb9",
        line="#39404a",
        accent="#84bbf5",
        bar="#3f6d92",
        bar_overall="#5ba4d9",
        undefined="#1e2329",
        categories=(
            *("#56b4e9", "#ff9a4d", "#2fc49b", "#e895c3"),
            *("#e2c54c", "#b9a1f5", "#b8bec7", "#63d0d8"),
        ),
        diverging=("#a8520f", "#7d4318", "#50331f", "#262b31", "#1f3d57", "#1d5585", "#1f6fb0"),
        cell_ink="#ffffff",
    ),
}


def themed(spec: Spec, theme: ThemeName = "light") -> Spec:
    """Return a copy of a specification with the colours and fonts of a theme.

    Parameters
    ----------
    spec : dict
        A specification as the functions of this package return it.
    theme : {'light', 'dark'}
        Which page it shall sit on. The background is transparent in both.

    Returns
    -------
    dict
        A complete Vega-Lite specification, ready for `analysis.charts.render.to_svg` or the page.

    Raises
    ------
    ValueError
        If there is no such theme.
    """
    if theme not in THEMES:
        raise ValueError(f"theme {theme!r}: expected one of {', '.join(THEMES)}")
    complete = marked(copy.deepcopy(spec))
    complete["config"] = _config(THEMES[theme])
    return complete


def _config(theme: Theme) -> dict[str, Any]:
    labels = {"labelColor": theme.ink, "labelFontSize": 12, "labelLimit": 260}
    titles = {"titleColor": theme.muted, "titleFontSize": 12, "titleFontWeight": "normal"}
    return {
        # The picture as a whole has a name, a description and a table; a name on every mark
        # would put each label, unescaped, into an expression.
        "aria": False,
        "background": None,
        "font": FONT,
        # Names are measured in the server's font and drawn in the reader's, which may be wider.
        "padding": {"left": 20, "right": 28, "top": 8, "bottom": 8},
        "view": {"stroke": None},
        "concat": {"spacing": 28},
        "facet": {"spacing": 18},
        "range": {"category": list(theme.categories), "diverging": list(theme.diverging)},
        "title": {
            "anchor": "start",
            "frame": "bounds",
            "align": "left",
            "color": theme.ink,
            "fontSize": 14,
            "fontWeight": 600,
            "lineHeight": 18,
            "offset": 12,
            "subtitleColor": theme.muted,
            "subtitleFontSize": 12,
            "subtitleLineHeight": 16,
            "subtitlePadding": 4,
        },
        "axis": labels
        | titles
        | {"titlePadding": 8}
        | dict.fromkeys(("gridColor", "domainColor", "tickColor"), theme.line),
        "header": labels | {"title": None, "labelFontWeight": 600},
        "legend": labels | titles,
        "style": _styles(theme),
    }


def _styles(theme: Theme) -> dict[str, Any]:
    """Return the named mark styles that specifications refer to.

    Vega-Lite takes ``color`` from a style; ``fill`` would lose against its default colour.
    """
    text = {"font": FONT, "fontSize": 12, "color": theme.ink}
    return {
        "cell-value": {**text, "color": theme.cell_ink},
        "front": {"color": theme.ink, "strokeWidth": 1.4},
        "cell-mark": {"color": theme.cell_ink},
        "cell-undefined": {"color": theme.undefined, "stroke": theme.line, "strokeDash": [3, 3]},
        "cell-undefined-value": {**text, "color": theme.muted},
        "label": text,
        "note": {**text, "color": theme.muted},
        "leader": {"color": theme.muted, "strokeWidth": 0.6},
        "whisker": {"color": theme.ink, "strokeWidth": 1.4},
        "dot": {"color": theme.accent, "stroke": theme.surface, "strokeWidth": 1},
        "dot-interval": {"color": theme.accent, "strokeWidth": 2},
        "dot-behind": {"color": theme.muted, "stroke": theme.surface, "strokeWidth": 1},
        "dot-behind-interval": {"color": theme.muted, "strokeWidth": 2},
        "band-1": {"color": theme.diverging[2], "opacity": 0.6},
        "band-2": {"color": theme.diverging[3]},
        "band-3": {"color": theme.diverging[4], "opacity": 0.6},
        "ceiling": {"color": theme.categories[2], "strokeWidth": 1.5, "strokeDash": [5, 4]},
        "cross-interval": {"color": theme.muted, "strokeWidth": 1},
        "zero": {"color": theme.muted, "strokeWidth": 1},
        "bar": {"color": theme.bar},
        "bar-overall": {"color": theme.bar_overall},
        "piece": {"stroke": theme.surface, "strokeWidth": 1.5},
        "piece-number": {**text, "color": theme.surface},
        "box": {"color": theme.bar},
        "median": {"color": theme.ink},
        "mean": {"color": theme.accent, "fill": theme.surface, "strokeWidth": 2},
    }
