"""Charts come out as accessible, self-contained SVG that reads in both themes."""

import copy
import io
import json
import re
from functools import cache
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from analysis.charts.bars import agreement_bars, score_distributions, variance_shares
from analysis.charts.calibration import calibration_curve, reliability_diagram
from analysis.charts.chart import Chart
from analysis.charts.dots import direction_dots, metric_dots, stratum_dots, system_means
from analysis.charts.heat_map import difference_matrix, heat_map, metric_matrix
from analysis.charts.lines import plan_curves, sweep_curves, top_last_curves
from analysis.charts.outputs import histograms, score_scatter, text_map
from analysis.charts.render import VEGA_LITE_VERSION, size_of, to_pdf, to_svg
from analysis.charts.scatter import system_scatter, trade_off
from analysis.charts.size import planned_size
from analysis.charts.small_dots import WIDTHS, Band, small_dots, small_height
from analysis.charts.theme import THEMES, themed

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = 'A&B <script>alert(1)</script> "x" \\ \n {datum}'


@cache
def charts(systems: int, name: str = "") -> dict[str, Chart]:
    """Each chart for a number of systems, whose names may be hostile."""
    names = [f"{name}{index}" for index in range(systems)]
    aspects = ["style", name or "content"]
    scatter = [
        {"system": s, "human": i * 1.0, "human_low": i - 0.5, "human_high": i + 0.5, "n": 80}
        | {"metric": i * 0.01, "metric_low": i * 0.01 - 0.1, "metric_high": i * 0.01 + 0.1}
        for i, s in enumerate(names)
    ]
    curve = [
        {"metric": name or "bleu", "end": end, "systems": n}
        | {"value": None if n == 3 else 0.5 - 0.001 * n, "low": 0.1, "high": 0.6}
        for end in ("top", "last")
        for n in range(max(systems, 3), 2, -1)
    ]
    means = [
        {"system": s, "aspect": a, "mean": None if i == 1 else i * 1.0}
        | {"low": i - 1.0, "high": i + 1.0}
        for i, s in enumerate(names)
        for a in aspects
    ]
    by_direction = [
        {"system": s, "score": a, "direction": f"{name}{way}", "mean": None if i == 1 else i / 9}
        | {"low": i / 9 - 0.1, "high": i / 9 + 0.1}
        for i, s in enumerate(names)
        for a in aspects
        for way in ("a to b", "b to a")
    ]
    cells = [
        {"metric": s, "aspect": a, "value": 0.5 if i else None}
        for i, s in enumerate(names)
        for a in aspects
    ]
    bars = [
        {"batch": s, "aspect": a, "value": None if i == 1 else 0.4}
        | {"low": 0.3, "high": 0.5, "n": 20}
        for i, s in enumerate(names)
        for a in aspects
    ]
    pairs = [
        {"first": a, "second": b, "value": None if i == 1 else 0.25 * i / 9, "n": 20}
        for i, a in enumerate(names)
        for b in names[: i + 1]
    ]
    gaps = [
        {"first": a, "second": b, "value": None if i == 1 else 0.1 * i}
        | {"p_value": 0.01, "detected": i > 3, "reason": "tied"}
        for i, a in enumerate(names)
        for b in names[:i]
    ]
    quantiles = {"low": 0.1, "quarter": 0.2, "median": 0.4, "three_quarters": 0.6, "high": 0.9}
    boxes = [{"group": s, "n": 20, "mean": 0.5, **quantiles} for s in names]
    settings = [
        {"system": s, "x": i * 1.0, "y": (i * 7 % 5) * 1.0, "model": f"{name}model {i % 2}"}
        for i, s in enumerate(names)
    ]
    score_bins = [
        {"metric": i + 0.5, "low": i, "high": i + 1.0, "n": 9}
        | {"human": i * 2.0, "human_low": i * 2 - 0.5, "human_high": i * 2 + 0.5}
        for i in range(systems)
    ]
    outputs = [
        {"metric_low": i, "metric_high": i + 1.0, "n": 1 + i % 4}
        | {"human_low": i % 3, "human_high": i % 3 + 1.0}
        for i in range(systems)
    ]
    swept = [
        {"line": s, "threshold": t / 10, "value": None if i == 1 else 0.5 - t / 90}
        | {"low": 0.3, "high": 0.6, "n": 20}
        for i, s in enumerate(names)
        for t in range(6)
    ]
    dots = [
        {"metric": s, "stratum": part, "overall": not part}
        | {"value": None if i == 1 else 0.4, "low": 0.1, "high": 0.6, "n": 20}
        for i, s in enumerate(names)
        for part in ("", f"{name} long")
    ]
    sizes = [
        {"segments": n, "raters": k, "value": None if k == 3 else 1 / (n * k)}
        for n in range(20, 20 + 10 * systems, 10)
        for k in (1, 2, 3)
    ]
    shares = [
        {"aspect": s, "source": part, "share": 0.5, "estimate": 1.0}
        for s in names
        for part in ("a", name or "b")
    ]
    places = [
        {"x": i, "y": i % 3} | dict.fromkeys(("segment", "kind", "system", "style", "text"), s)
        for i, s in enumerate(names)
    ]
    words = {"title": name or "Title"}
    small = [
        {"name": s, "behind": i > 2, "value": None if i == 1 else 0.4, "low": 0.1, "high": 0.6}
        for i, s in enumerate(names)
    ]
    bins = [
        {"group": group, "low": k / 10, "high": (k + 1) / 10, "n": k, "share": k / 45}
        for group in (names[:4] if systems else [])
        for k in range(10)
    ]
    return {
        "small dots": small_dots(small, statistic=name or "r", line=(name, 0.9), **words),
        "small dots over bands": small_dots(
            small, statistic=name or "r", bands=[Band(name, 0.5), Band(name, 1.0)], **words
        ),
        "scatter": system_scatter(
            scatter, human_label=name, metric_label=name, subtitle=name, **words
        ),
        "curves": top_last_curves(curve, statistic=name or "r", bands=True, **words),
        "by direction": direction_dots(by_direction, **words),
        "means": system_means(means, score=name or "mean", **words),
        "heat map": heat_map(cells, statistic=name or "r", **words),
        "agreement": agreement_bars(bars, statistic=name or "alpha", **words),
        "matrix": metric_matrix(pairs, names, statistic=name or "r", **words),
        "differences": difference_matrix(
            gaps, names, statistic=name or "r", things="metrics", **words
        ),
        "trade-off": trade_off(settings, x_label=name or "x", y_label=name or "y", **words),
        "calibration": calibration_curve(
            score_bins, metric_label=name or "bleu", human_label=name or "people", **words
        ),
        "outputs": score_scatter(
            outputs, metric_label=name or "bleu", human_label=name or "people", **words
        ),
        "plan": plan_curves(sizes, reached=name or "power", wanted=0.8, **words),
        "shares": variance_shares(shares, **words),
        "strata": stratum_dots(dots, statistic=name or "r", **words),
        "metrics": metric_dots(
            [
                {key: row[key] for key in row if key not in ("stratum", "overall")}
                for row in dots
                if row["overall"] or not systems
            ],
            statistic=name or "r",
            ceiling=0.9,
            **words,
        ),
        "text map": text_map(places, **words),
        "reliability": reliability_diagram(
            [
                {"lowest": i / 10, "highest": i / 10 + 0.1, "confidence": i / 10 + 0.05}
                | {"accuracy": (i * 7 % 9) / 10, "n": 9, "low": 0.0, "high": 0.9}
                for i in range(min(systems, 10))
            ],
            **words,
        ),
        "histograms": histograms(bins, score=name or "sti", **words),
        "sweep": sweep_curves(swept, statistic=name or "r", **words),
        "distributions": score_distributions(boxes, metric=name or "bleu", **words),
    }


KINDS = list(charts(1))
BY_NIGHT = pytest.mark.nightly


def test_a_pdf_is_one_page_whose_fonts_are_embedded_and_whose_title_is_text() -> None:
    chart = charts(3)["matrix"]
    (page,) = PdfReader(io.BytesIO(to_pdf(chart))).pages
    assert chart.title in page.extract_text()
    fonts = [font.get_object() for font in page["/Resources"]["/Font"].values()]
    assert fonts
    for font in fonts:
        (descendant,) = font["/DescendantFonts"]
        described = descendant.get_object()["/FontDescriptor"].get_object()
        assert "/FontFile2" in described or "/FontFile3" in described


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_says_what_it_shows_in_readable_text_on_the_page_behind_it(kind: str) -> None:
    for systems in (0, 9):
        chart = charts(systems)[kind]
        picture = to_svg(chart)
        root = ElementTree.fromstring(picture)
        title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None
        assert description is not None
        assert root.get("role") == "img"
        assert root.get("aria-labelledby") == title.get("id")
        assert root.get("aria-describedby") == description.get("id")
        assert title.text == chart.title
        assert description.text == chart.description
        assert kind == "outputs" or '"orient": "bottom"' not in json.dumps(chart.spec)
        sizes = re.findall(r'font-size="([\d.]+)px"', picture)
        assert min(map(float, sizes)) >= 12
        full = [
            element
            for element in root.iter(f"{SVG}rect")
            if element.get("width") == root.get("width") and element.get("fill") != "none"
        ]
        assert full == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("systems", "name"), [pytest.param(0, "", marks=BY_NIGHT), (5, "system of some name ")]
)
def test_the_size_of_a_picture_is_known_before_it_is_drawn(
    kind: str, systems: int, name: str
) -> None:
    chart = charts(systems, name)[kind]
    width, height = size_of(to_svg(chart))
    planned_width, planned_height = planned_size(chart)
    assert abs(planned_height - height) <= 0.04 * height + 12
    assert abs(planned_width - width) <= 0.12 * width


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=BY_NIGHT)])
def test_hostile_names_stay_text(kind: str, theme: str) -> None:
    root = ElementTree.fromstring(to_svg(charts(3, HOSTILE)[kind], theme))
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert not tags & {"script", "foreignObject", "a", "image", "style", "use"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in attributes if name.startswith("on") or name.endswith("href")}
    assert any("<script>alert(1)" in (text.text or "") for text in root.iter(f"{SVG}text"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_renderer_has_nothing_to_warn_about(kind: str, capfd: pytest.CaptureFixture) -> None:
    import vl_convert

    vl_convert.vegalite_to_vega(
        themed(charts(4)[kind].spec), vl_version=VEGA_LITE_VERSION, show_warnings=True
    )
    captured = capfd.readouterr()
    assert captured.out + captured.err == ""


@pytest.mark.parametrize("width", WIDTHS.values())
@pytest.mark.parametrize("name", ["A", "a name that is much longer than a phone is wide " * 3])
def test_a_small_picture_is_as_large_as_was_said_before_it_was_drawn(width: int, name: str) -> None:
    rows = [{"name": name, "value": 0.5}, {"name": "B", "value": None, "reason": "tied"}]
    for bands in ((), (Band("low", 0.5), Band("high", 1.0))):
        chart = small_dots(rows, statistic="r", bands=bands, width=width, title="t")
        root = ElementTree.fromstring(to_svg(chart))
        size = (float(root.get("width", "")), float(root.get("height", "")))
        assert size == (width, small_height(2))


def test_data_from_another_address_is_refused() -> None:
    chart = copy.deepcopy(charts(2)["means"])
    chart.spec["data"] = {"url": "http://example.org/ratings.csv"}
    with pytest.raises(ValueError, match="not allowed"):
        to_svg(chart)


def luminance(color: str) -> float:
    """Relative luminance of a colour (WCAG 2.2)."""
    if color.startswith("#"):
        channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    else:
        channels = [float(part) / 255 for part in re.findall(r"[\d.]+", color)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", list(THEMES))
def test_numbers_in_a_heat_map_read_on_every_shade(theme: str) -> None:
    shades = 81
    cells = [{"metric": f"{i:03}", "aspect": "style", "value": i / 40 - 1} for i in range(shades)]
    root = ElementTree.fromstring(to_svg(heat_map(cells, title="t", statistic="r"), theme))
    marks = [group for group in root.iter(f"{SVG}g") if "mark-rect" in group.get("class", "")]
    fills = [path.get("fill", "") for path in max(marks, key=len)]
    assert len(fills) == shades
    assert len(set(fills)) > shades / 2
    assert min(contrast(fill, THEMES[theme].cell_ink) for fill in fills) >= 4.5


@pytest.mark.parametrize("theme", list(THEMES))
def test_names_in_the_colours_of_lines_read_on_the_page(theme: str) -> None:
    colors = THEMES[theme]
    for color in (*colors.categories, colors.ink, colors.muted):
        assert contrast(color, colors.surface) >= 4.5
