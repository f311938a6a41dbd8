"""Scores of a study, page by page, each with the text that it is about."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from django.db.models import Q, QuerySet
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request

from corpus.api.paging import KeyPagination, MadeRowSerializer, read_text
from corpus.api.studies import OfStudy
from corpus.models import Output, Study
from metrics.models import BLOCK_SIZE, ScoreBlock, Undefined
from metrics.runs.packed_scores import unpack

_BLOCKS_AT_A_TIME = 4


class ScoreSerializer(MadeRowSerializer):
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


class ScorePages(KeyPagination):
    """Pages of cells in the order of runs and texts; a key names both."""

    after: ClassVar = {"type": "string", "pattern": r"^\d{1,18}-\d{1,18}$"}

    def read_after(self, request: Request) -> tuple[int, int]:
        """Return run and ordinal after which a page starts."""
        text = read_text(request, "after")
        if text is None:
            return 0, -1
        run, dash, ordinal = text.partition("-")
        parts = (run, ordinal)
        if not (dash and all(p.isascii() and p.isdecimal() and len(p) < 19 for p in parts)):
            raise ValidationError({"after": f"{text!r}: expected what `next` says"})
        return int(run), int(ordinal)

    def rows_after(self, queryset: Any, after: tuple[int, int], count: int) -> list[Cell]:
        """Read the cells behind a place by one query, which stops when there are enough."""
        run, ordinal = after
        here = Q(run_id=run, number__gte=(ordinal + 1) // BLOCK_SIZE)
        blocks = (
            queryset.filter(here | Q(run_id__gt=run))
            .order_by("run_id", "number")
            .values_list("run_id", "run__fields", "number", "values")
            .iterator(chunk_size=_BLOCKS_AT_A_TIME)
        )
        cells: list[Cell] = []
        for owner, fields, number, packed in blocks:
            start = number * BLOCK_SIZE
            first = max(0, ordinal + 1 - start) if owner == run else 0
            rows = unpack(packed, len(fields))[first : first + count - len(cells)].tolist()
            cells += (Cell(owner, start + first + n, row) for n, row in enumerate(rows))
            if len(cells) == count:
                break
        return cells

    def key_of(self, row: Cell) -> str:
        """Name the place of a cell."""
        return f"{row.run}-{row.ordinal}"


class ScoresView(OfStudy, ListAPIView[Any]):
    """List scores and style distributions, run by run, in the order of the study's texts.

    A page holds fewer rows than asked for where outputs without a score lie between.
    """

    tag = "scores"
    operation_ids = {"GET": "study_scores"}
    serializer_class = ScoreSerializer
    pagination_class = ScorePages

    def get_queryset(self) -> QuerySet[ScoreBlock]:
        """Return the blocks of the study's scores."""
        return ScoreBlock.objects.filter(run__study=self.study)

    def paginate_queryset(self, queryset: Any) -> Any:
        """Return the cells of a page with the texts that they are about."""
        return list(_rows(self.study, super().paginate_queryset(queryset) or ()))


def _rows(study: Study, cells: Sequence[Cell]) -> Iterator[dict[str, Any]]:
    """Name the cells of a page, leaving out those for which no score was ever stored."""
    runs = study.runs.select_related("metric").in_bulk({cell.run for cell in cells})
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
