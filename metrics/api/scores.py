"""Scores of a study, page by page, each with the text that it is about."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Q
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from corpus.access import study_for
from corpus.api.errors import ErrorSerializer
from corpus.api.paging import LIMIT_PARAMETER, Page, page_of, page_response, read_limit, read_text
from corpus.api.studies import FORBIDDEN, SLUG
from corpus.models import Output, Study
from metrics.models import BLOCK_SIZE, MetricRun, ScoreBlock, Undefined
from metrics.runs.packed_scores import unpack

AFTER = OpenApiParameter(
    "after",
    {"type": "string", "pattern": r"^\d{1,18}-\d{1,18}$"},
    description="Where the page before ended; `next` has it.",
)
_BLOCKS_AT_A_TIME = 4


class ScoreSerializer(serializers.Serializer[Any]):
    """The numbers of one metric run for one text."""

    segment = serializers.CharField()
    system = serializers.CharField()
    variant = serializers.IntegerField()
    run = serializers.CharField(help_text="Name of the run.")
    metric = serializers.CharField()
    aspect = serializers.CharField()
    compared_to = serializers.CharField()
    text_setting = serializers.CharField()
    signature = serializers.CharField(help_text="Of the run.")
    values = serializers.DictField(
        child=serializers.FloatField(allow_null=True),
        help_text="`score`; of a style distribution the probability of each style.",
    )
    reasons = serializers.DictField(
        child=serializers.CharField(), help_text="Why a value is null, by its name."
    )


class Cell(NamedTuple):
    """The numbers of one run for the output at one place."""

    run: int
    ordinal: int
    values: list[float]


class ScoresView(APIView):
    """Scores of a study."""

    @extend_schema(
        operation_id="study_scores",
        tags=["scores"],
        parameters=[SLUG, AFTER, LIMIT_PARAMETER],
        responses={200: page_of(ScoreSerializer), 400: ErrorSerializer, **FORBIDDEN},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List scores and style distributions, run by run, in the order of the study's texts.

        A page holds fewer rows than asked for where outputs without a score lie between.
        """
        study = study_for(request.user, slug)
        limit, place = read_limit(request), _read_place(request)
        runs = {run.pk: run for run in study.runs.select_related("metric")}
        widths = {key: len(run.fields) for key, run in runs.items()}
        page = _cells_after(study, widths, place, limit)
        return page_response(request, page, list(_rows(study, runs, page.rows)))


def _read_place(request: Request) -> tuple[int, int]:
    """Return run and ordinal after which a page starts; `ValidationError` if they are none."""
    text = read_text(request, "after")
    if text is None:
        return 0, -1
    run, dash, ordinal = text.partition("-")
    if not (dash and all(p.isascii() and p.isdecimal() and len(p) < 19 for p in (run, ordinal))):
        raise ValidationError({"after": f"{text!r}: expected what `next` says"})
    return int(run), int(ordinal)


def _cells_after(
    study: Study, widths: dict[int, int], place: tuple[int, int], limit: int
) -> Page[Cell]:
    """Read the cells behind a place by one query, which stops when there are enough."""
    run, ordinal = place
    here = Q(run_id=run, number__gte=(ordinal + 1) // BLOCK_SIZE)
    blocks = (
        ScoreBlock.objects.filter(here | Q(run_id__gt=run), run__study=study)
        .order_by("run_id", "number")
        .values_list("run_id", "number", "values")
        .iterator(chunk_size=_BLOCKS_AT_A_TIME)
    )
    cells: list[Cell] = []
    for owner, number, packed in blocks:
        values = unpack(packed, widths[owner])
        start = number * BLOCK_SIZE
        first = max(0, ordinal + 1 - start) if owner == run else 0
        rows = values[first : first + limit + 1 - len(cells)].tolist()
        cells += (Cell(owner, start + first + n, row) for n, row in enumerate(rows))
        if len(cells) > limit:
            last = cells[limit - 1]
            return Page(cells[:limit], f"{last.run}-{last.ordinal}")
    return Page(cells)


def _rows(study: Study, runs: dict[int, MetricRun], cells: list[Cell]) -> Iterator[dict[str, Any]]:
    """Name the cells of a page, leaving out those for which no score was ever stored."""
    ordinals = {cell.ordinal for cell in cells}
    texts = {
        ordinal: (segment, system, variant)
        for ordinal, segment, system, variant in Output.objects.filter(
            study=study, ordinal__in=ordinals
        ).values_list("ordinal", "segment__key", "system__name", "variant")
    }
    reasons: dict[tuple[int, int], dict[str, str]] = {}
    undefined = Undefined.objects.filter(
        run__in={cell.run for cell in cells}, output__study=study, output__ordinal__in=ordinals
    )
    for owner, ordinal, name, reason in undefined.values_list(
        "run_id", "output__ordinal", "field", "reason"
    ):
        reasons.setdefault((owner, ordinal), {})[name] = reason
    for cell in cells:
        run, why = runs[cell.run], reasons.get((cell.run, cell.ordinal), {})
        if np.isnan(cell.values).all() and not why:
            continue
        segment, system, variant = texts[cell.ordinal]
        yield {
            "segment": segment,
            "system": system,
            "variant": variant,
            "run": run.name,
            "metric": run.metric.name,
            "aspect": run.aspect,
            "compared_to": run.compared_to,
            "text_setting": run.text_setting,
            "signature": run.signature,
            "values": {
                name: None if value != value else value
                for name, value in zip(run.fields, cell.values, strict=True)
            },
            "reasons": why,
        }
