"""Pages of parameter sweeps."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from analysis.charts.bars import score_distributions
from analysis.charts.chart import Chart
from analysis.charts.heat_map import heat_map
from analysis.charts.lines import sweep_curves
from analysis.data.narrowing import asked_data
from analysis.data.selection import rated_aspects
from analysis.filter.fields_of_kinds import check_fields
from analysis.filter.question import Question, QuestionError
from analysis.models import Result
from analysis.reports.figure import box
from analysis.reports.page_address import read_address
from analysis.result_values import result_values
from analysis.stats.results import result_of
from analysis.sweeps.asked import SweepError, SweepResult, SweptSetting
from analysis.sweeps.form import SweepForm
from analysis.sweeps.service import KIND, ask_for_sweep, sweeps_of
from analysis.tables.flat_table import RESULT_COLUMNS, FlatTable, result_cells
from analysis.views.files import chart_context, in_plain_words, in_theme, named, send_chart
from corpus.access.guard import may_change, study_view
from corpus.jobs.queue import JobActive
from corpus.models import Study
from corpus.pages.frame import actor, study_frame

_SPREAD = ("mean", "sd", "minimum", "q05", "q25", "median", "q75", "q95", "maximum")
_TAB = "study-sweeps"


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner_posts=True)
def sweeps(request: HttpRequest, study: Study) -> HttpResponse:
    """List a study's sweeps; owners start one."""
    owned = may_change(request.user, study)
    sent = request.method == "POST"
    aspects = rated_aspects(asked_data(study, Question()))
    form = SweepForm(study, aspects, request.POST if sent else None) if owned and aspects else None
    if sent and form is not None and form.is_valid():
        try:
            job = ask_for_sweep(study, form.sweep, actor(request))
        except SweepError as error:
            form.add_error(None, f"{error}.")
        except JobActive as active:
            messages.error(request, f"Not started: {active}.")
            return redirect("job", active.job.pk)
        else:
            return redirect("job", job.pk)
    context = study_frame(study, _TAB, "Sweeps") | {
        "form": form,
        "owned": owned,
        "results": [_listed(result) for result in sweeps_of(study)],
        "jobs": study.jobs.active().filter(kind=KIND),
    }
    return render(request, "analysis/sweeps.html", context, status=400 if sent else 200)


@require_safe
@study_view
def sweep(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show one sweep: the honest choice, the curves, every setting."""
    result = get_object_or_404(sweeps_of(study), pk=pk)
    content = SweepResult.from_dict(result.content)
    context = study_frame(study, _TAB, "Sweep") | {
        "content": content,
        "made_at": result.created_at,
        "honest": content.honest,
        "rows": content.rows,
        "trained": content.trained,
        "charts": [
            _shown(study, pk, name, chart) for name, chart in _charts(content).items() if chart.rows
        ],
    }
    return render(request, "analysis/sweep.html", context)


@require_safe
@study_view
def sweep_file(
    request: HttpRequest, study: Study, pk: int, name: str, file_format: str
) -> HttpResponse:
    """Send the curves or the heat map as a picture, or every setting as a table."""
    result = get_object_or_404(sweeps_of(study), pk=pk)
    content = SweepResult.from_dict(result.content)
    chart = named(_charts(content), "chart", name)
    file = study.slug, KIND, str(pk), file_format
    try:
        address = read_address(request.GET)
        check_fields("sweep", address.question)
    except QuestionError as error:
        return in_plain_words(str(error), 400)
    return send_chart(request, chart, _table(study, content), file, address.theme)


def _listed(result: Result) -> dict[str, Any]:
    content = result.content
    return {
        "pk": result.pk,
        "made_at": result.created_at,
        "metric": content["sweep"]["metric"],
        "aspect": content["sweep"]["aspect"],
        "settings": len(content["rows"]),
        "honest": result_of(content["honest"]),
    }


def _names(content: SweepResult) -> list[str]:
    """Name each row's line; with the number's name where a metric gives several."""
    several = len({row.number for row in content.rows}) > 1
    return [f"{row.number}: {row.line}" if several else row.line for row in content.rows]


def _shown(study: Study, pk: int, name: str, chart: Chart) -> dict[str, Any]:
    """Return what `components/chart.html` needs."""

    def at(form: str, theme: str) -> str:
        return in_theme(reverse("study-sweep-file", args=[study.slug, pk, name, form]), theme)

    return chart_context(chart, at)


def _charts(content: SweepResult) -> dict[str, Chart]:
    """Return the curves, how scores are spread and, with several thresholds, the heat map."""
    charts = {"curves": _curves(content), "distributions": _distributions(content)}
    if len({row.threshold for row in content.rows} - {None}) > 1:
        charts["heat-map"] = _heat_map(content)
    return charts


def _heat_map(content: SweepResult) -> Chart:
    masked = [
        (row.threshold, name, row.result)
        for name, row in zip(_names(content), content.rows, strict=True)
        if row.threshold is not None
    ]
    asked = content.sweep
    return heat_map(
        [
            {"metric": name, "aspect": f"{threshold:g}"} | result_values(result)
            for threshold, name, result in sorted(masked, key=lambda each: each[0])
        ],
        title=f"{asked['metric']} and human {asked['aspect']}, by threshold",
        statistic="Pearson r",
        name="sweep-heat-map",
        rows_are="setting",
        columns_are="threshold",
    )


def _distributions(content: SweepResult) -> Chart:
    """Return the boxes of every setting's scores: where they pile up, a correlation says little."""
    spread = [
        (name if row.threshold is None else f"{name}, {row.threshold:g}", row.distribution)
        for name, row in zip(_names(content), content.rows, strict=True)
    ]
    return score_distributions(
        [box(name, found) for name, found in spread if found],
        metric=content.sweep["metric"],
        things="Setting",
        title=f"Scores of {content.sweep['metric']}, setting by setting",
        subtitle="On the cells that every setting has; boxes are quartiles, whiskers 5 and 95 %",
        name="sweep-distributions",
    )


def _curves(content: SweepResult) -> Chart:
    points = [
        {"line": name, "threshold": row.threshold or 0.0, **result_values(row.result)}
        for name, row in zip(_names(content), content.rows, strict=True)
    ]
    asked = content.sweep
    return sweep_curves(
        points,
        title=f"{asked['metric']} and human {asked['aspect']}, setting by setting",
        subtitle="On the cells that every setting has; intervals by bootstrap over segments",
        statistic="Pearson r",
    )


def _spread(row: SweptSetting) -> tuple[float | None, ...]:
    found = row.distribution
    return (found.mean, found.sd, *found.quantiles) if found else (None,) * len(_SPREAD)


def _table(study: Study, content: SweepResult) -> FlatTable:
    rows = [
        (
            *(name, row.run_name, row.threshold, row.chosen, row.missing),
            *_spread(row),
            *result_cells(row.result),
        )
        for name, row in zip(_names(content), content.rows, strict=True)
    ]
    unspread = (None,) * len(_SPREAD)
    honest = ("nested selection", "", None, None, None, *unspread, *result_cells(content.honest))
    return FlatTable(
        name=KIND,
        title=f"{content.sweep['metric']} and {content.sweep['aspect']} by setting",
        columns=("setting", "run", "threshold", "chosen", "missing", *_SPREAD, *RESULT_COLUMNS),
        rows=(*rows, honest),
        sources=(f"study {study.slug}", f"ratings {content.ratings_sha256}"),
        simulated=study.simulated,
    )
