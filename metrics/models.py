"""Metrics, their runs, and scores as packed arrays."""

from django.db import models
from django.db.models.functions import Length

from corpus.models import Output, Segment, Study, System
from corpus.models.job import Job
from corpus.models.staging import StagedRow

BLOCK_SIZE = 1024
LONGEST_SIGNATURE = 1000


class Metric(models.Model):
    """What is known of a metric in one study: which way is better and of which style it speaks."""

    class Orientation(models.TextChoices):
        HIGHER = "higher", "higher is better"
        LOWER = "lower", "lower is better"
        TARGET = "target", "nearer a target value is better"
        DESCRIPTIVE = "descriptive", "describes, does not judge"
        UNKNOWN = "unknown", "not declared"

    study = models.ForeignKey(Study, models.CASCADE, related_name="metrics")
    name = models.CharField(max_length=200)
    orientation = models.CharField(max_length=20, choices=Orientation.choices)
    target = models.FloatField(null=True, blank=True)
    speaks_of = models.CharField(
        max_length=100, blank=True, help_text="The one style it measures; empty if none."
    )
    midpoint = models.FloatField(
        null=True,
        blank=True,
        help_text="Where a one-style score is mirrored: 0.5 for probabilities.",
    )

    class Meta:
        ordering = ("study", "id")
        constraints = [
            models.UniqueConstraint("study", "name", name="metric_name_once"),
            models.CheckConstraint(
                condition=models.Q(
                    orientation__in=["higher", "lower", "target", "descriptive", "unknown"]
                ),
                name="metric_known_orientation",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class MetricRunQuerySet(models.QuerySet["MetricRun"]):
    """Reading vocabulary of runs."""

    def published(self) -> "MetricRunQuerySet":
        """Runs that reports and exports read: imported ones, and those that were once finished."""
        return self.exclude(origin=MetricRun.Origin.COMPUTED, content_sha256="")

    def computed_here(self) -> "MetricRunQuerySet":
        """Runs of which this server computed every score."""
        return self.filter(origin=MetricRun.Origin.COMPUTED, imported_at=None)

    def with_stored_bytes(self) -> "MetricRunQuerySet":
        """Say how many bytes of scores each has, 8 for every number of every output."""
        return self.annotate(stored_bytes=models.Sum(Length("blocks__values"), default=0))


class MetricRun(models.Model):
    """One metric with one setting over a study's outputs, under its signature.

    What was computed also knows its request (metric, parameters, comparison, text setting,
    trained models), the versions of what computed it, and the job that works on it. A run is
    finished when its blocks hold a row for every output of the study.
    """

    class Origin(models.TextChoices):
        COMPUTED = "computed"
        IMPORTED = "imported"

    study = models.ForeignKey(Study, models.CASCADE, related_name="runs")
    metric = models.ForeignKey(Metric, models.PROTECT, related_name="runs")
    name = models.CharField(
        max_length=200, help_text="What pages, commands and the API call it; never changed."
    )
    signature = models.CharField(max_length=LONGEST_SIGNATURE)
    aspect = models.CharField(max_length=100, blank=True)
    compared_to = models.CharField(max_length=100, blank=True)
    text_setting = models.CharField(max_length=100, blank=True)
    fields = models.JSONField(help_text="Names of the numbers that each output has, in order.")
    is_distribution = models.BooleanField(default=False)
    origin = models.CharField(max_length=20, choices=Origin.choices)
    content_sha256 = models.CharField(max_length=64, blank=True)
    request = models.JSONField(default=dict, blank=True, help_text="What was asked for, in full.")
    versions = models.JSONField(
        default=dict,
        blank=True,
        help_text="Libraries, SHA-256 of model files, names of sufficient statistics.",
    )
    job = models.ForeignKey(Job, models.SET_NULL, null=True, blank=True, related_name="runs")
    error = models.TextField(blank=True, help_text="Why the last attempt stopped, in words.")
    created_at = models.DateTimeField(auto_now_add=True, null=True)
    imported_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When an import first brought scores of it; empty if all are from here.",
    )

    objects = MetricRunQuerySet.as_manager()

    class Meta:
        ordering = ("study", "id")
        constraints = [
            models.UniqueConstraint("study", "signature", name="run_signature_once"),
            models.UniqueConstraint("study", "name", name="run_name_once"),
            models.CheckConstraint(condition=~models.Q(name=""), name="run_has_name"),
            models.CheckConstraint(
                condition=models.Q(origin__in=["computed", "imported"]), name="run_known_origin"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_stated(self) -> bool:
        """Whether only a file states how it was computed; this server did not see it."""
        return self.origin == MetricRun.Origin.COMPUTED and self.imported_at is not None

    @property
    def statistics(self) -> list[str]:
        """Names of the sufficient statistics that its blocks keep."""
        return list(self.versions.get("statistics", ()))


class ScoreBlock(models.Model):
    """The scores of up to `BLOCK_SIZE` consecutive outputs: float64, outputs × fields, C order.

    Block `number` starts at ordinal `number * BLOCK_SIZE`. NaN stands for "no score"; the reason
    is in `Undefined`, or else no score was imported for that output. `statistics` has the
    sufficient statistics of the same outputs, where the metric keeps some.
    """

    run = models.ForeignKey(MetricRun, models.CASCADE, related_name="blocks")
    number = models.PositiveIntegerField()
    values = models.BinaryField()
    statistics = models.BinaryField(null=True)

    class Meta:
        ordering = ("run", "number")
        constraints = [models.UniqueConstraint("run", "number", name="block_number_once")]

    def __str__(self) -> str:
        return f"{self.run} block {self.number}"


class Undefined(models.Model):
    """Why one output has no score."""

    run = models.ForeignKey(MetricRun, models.CASCADE, related_name="undefined")
    output = models.ForeignKey(Output, models.PROTECT, related_name="+")
    field = models.CharField(max_length=100)
    reason = models.CharField(max_length=500)

    class Meta:
        constraints = [models.UniqueConstraint("run", "output", "field", name="undefined_once")]

    def __str__(self) -> str:
        return self.reason


class SystemScore(models.Model):
    """One number of a metric for a whole system, as somebody released it.

    It need not be the mean of the scores of outputs: of BLEU it is a corpus score. A run that has
    no other scores has no `fields`.
    """

    run = models.ForeignKey(MetricRun, models.CASCADE, related_name="system_scores")
    system = models.ForeignKey(System, models.PROTECT, related_name="+")
    value = models.FloatField()

    class Meta:
        ordering = ("run", "system")
        constraints = [models.UniqueConstraint("run", "system", name="system_score_once")]

    def __str__(self) -> str:
        return f"{self.run} of {self.system}"


class JudgeAnswer(models.Model):
    """What a language model answered to a prompt, as it came, or why no answer came.

    Runs, pairs and probes of one study share answers: what was asked in the same way is not asked
    again.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="judge_answers")
    asked_as = models.CharField(
        max_length=500, help_text="Model, address or files, and how an answer was drawn."
    )
    prompt_sha256 = models.CharField(max_length=64)
    prompt = models.TextField()
    answer = models.TextField(blank=True)
    reason = models.CharField(max_length=500, blank=True, help_text="Why no answer came.")
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    created_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint("study", "asked_as", "prompt_sha256", name="judge_answer_once")
        ]

    def __str__(self) -> str:
        return self.answer or self.reason


class StagedScore(StagedRow):
    """One number on its way in; NULL where the table says that it is missing."""

    run = models.PositiveSmallIntegerField(help_text="Place among the runs of this import.")
    field = models.PositiveSmallIntegerField(help_text="Place among the fields of the run.")
    ordinal = models.PositiveIntegerField()
    value = models.FloatField(null=True)
    reason = models.CharField(max_length=500, blank=True, help_text="Why it is missing.")


class StagedBlock(models.Model):
    """A packed block, made before the publish so that publishing is one short copy."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="+")
    signature = models.CharField(max_length=LONGEST_SIGNATURE)
    number = models.PositiveIntegerField()
    values = models.BinaryField()
    statistics = models.BinaryField(null=True)


WRITER = "writer"
"""Kind of a trained model that writes outputs."""


class TrainedModelQuerySet(models.QuerySet["TrainedModel"]):
    """Reading vocabulary of trained models."""

    def style_models(self) -> "TrainedModelQuerySet":
        """Classifiers and regressors of style."""
        return self.exclude(kind=WRITER)

    def writers(self) -> "TrainedModelQuerySet":
        """Models that write outputs."""
        return self.filter(kind=WRITER)


class TrainedModel(models.Model):
    """A style classifier, a regressor of one style, or a writer; trained here, never changed."""

    study = models.ForeignKey(
        Study,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="trained_models",
        help_text="Empty: all studies may use it.",
    )
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=40)
    styles = models.JSONField(help_text="Names of the styles; one where texts were graded.")
    settings = models.JSONField(help_text="All that determined the model, apart from its texts.")
    data_sha256 = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64)
    report = models.JSONField(help_text="Quality on held-out texts, and what was left out.")
    path = models.CharField(max_length=200, help_text="Its folder, below the folder of files.")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TrainedModelQuerySet.as_manager()

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint("study", "name", name="trained_model_name_once"),
            models.UniqueConstraint(
                "name", condition=models.Q(study=None), name="trained_model_shared_name_once"
            ),
            models.UniqueConstraint("study", "sha256", name="trained_model_once"),
            models.UniqueConstraint(
                "sha256", condition=models.Q(study=None), name="trained_model_shared_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_graded(self) -> bool:
        """Whether it grades one style."""
        return len(self.styles) == 1


class WordAttributions(models.Model):
    """What a style classifier attributes to the pieces of a text, whatever study the text is in.

    Word pieces and logits are packed as `metrics.resources.attributors` says.
    """

    model_sha256 = models.CharField(max_length=64, help_text="Of the classifier's files.")
    method = models.CharField(max_length=100, help_text="Baseline and quadrature, as a name.")
    column = models.PositiveSmallIntegerField(help_text="Of the classifier, whose logit it was.")
    text_sha256 = models.CharField(max_length=64)
    pieces = models.BinaryField()
    logits = models.BinaryField()
    baseline_logit = models.FloatField()
    left_out = models.PositiveIntegerField(default=0, help_text="Pieces beyond those it reads.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "model_sha256", "method", "column", "text_sha256", name="attributed_once"
            )
        ]
        verbose_name_plural = "word attributions"

    def __str__(self) -> str:
        return f"{self.text_sha256[:12]} by {self.model_sha256[:12]}, column {self.column}"


class WrittenText(models.Model):
    """What a writer has written for a segment, or why it could not.

    Texts wait here until all are written, and become outputs of a system then, all at once;
    reasons stay as long as there is no output.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="+")
    signature_sha256 = models.CharField(max_length=64, help_text="Of the writer's signature.")
    segment = models.ForeignKey(Segment, models.CASCADE, related_name="+")
    text = models.TextField(blank=True)
    reason = models.CharField(max_length=500, blank=True, help_text="Why there is no text.")

    class Meta:
        ordering = ("study", "signature_sha256", "segment")
        constraints = [
            models.UniqueConstraint(
                "study", "signature_sha256", "segment", name="written_text_once"
            ),
            models.CheckConstraint(
                condition=models.Q(text="") ^ models.Q(reason=""), name="written_text_or_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.segment} by {self.signature_sha256[:12]}"
