"""Scores of a study, page by page, and what metrics give two texts that are tried."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from django.db.models import Q, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api.errors import ErrorSerializer
from corpus.api.paging import KeyPagination, MadeRowSerializer, read_text
from corpus.api.studies import OfStudy
from corpus.models import Output, Study
from metrics.attribution.masking import AT_LEAST_ONE, RULES
from metrics.models import BLOCK_SIZE, ScoreBlock, Undefined
from metrics.runs.packed_scores import unpack
from metrics.trials.scores import trial_data, usual_model
from metrics.trials.styles import MOST_MODELS, models_for
from metrics.trials.trial import LONGEST_TEXT, Busy, Trial, own_turn

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


class TrialSerializer(serializers.Serializer[Any]):
    """Two texts, and what is known of them."""

    source = serializers.CharField(max_length=LONGEST_TEXT)  # type: ignore[assignment]
    output = serializers.CharField(max_length=LONGEST_TEXT)
    reference = serializers.CharField(
        max_length=LONGEST_TEXT, required=False, default="", allow_blank=True
    )
    target_style = serializers.CharField(
        max_length=100,
        required=False,
        default="",
        allow_blank=True,
        help_text="Style that the output should have; style metrics ask for it.",
    )
    model = serializers.CharField(
        max_length=100,
        required=False,
        default="",
        allow_blank=True,
        help_text="Style model of the words and the style metrics; a fine-tuned one if not given.",
    )
    rule = serializers.ChoiceField(
        choices=list(RULES),
        default=AT_LEAST_ONE,
        help_text="Which words are masked where one alone exceeds the threshold.",
    )


class TrialView(OfStudy):
    """A trial beside a study, whose style models go first."""

    tag = "scores"
    operation_ids = {"POST": "try"}
    body_serializer_class = TrialSerializer
    owner_methods = ()

    @extend_schema(
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "Styles, words and metrics."),
            503: ErrorSerializer,
        }
    )
    def post(self, request: Request, slug: str) -> Response:
        """Say what style models and every default metric make of two texts; nothing is stored."""
        given = self.read_body()
        name = given.pop("model")
        models = list(models_for(request.user, self.study)[:MOST_MODELS])
        chosen = next((model for model in models if model.name == name), None)
        if name and chosen is None:
            known = ", ".join(model.name for model in models) or "none"
            raise ValidationError({"model": f"no style model {name!r}; there are: {known}"})
        try:
            with own_turn():
                return Response(trial_data(Trial(**given), models, chosen or usual_model(models)))
        except Busy as busy:
            content = {"detail": str(busy), "problems": []}
            return Response(content, status.HTTP_503_SERVICE_UNAVAILABLE)
