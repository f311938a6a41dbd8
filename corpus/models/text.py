"""Segments, systems and outputs: texts that never change once stored."""

from django.db import models

from corpus.models.study import Study

SOURCE_SYSTEM = "(source)"
REFERENCE_SYSTEM = "(reference)"


class Segment(models.Model):
    """One source sentence's place in a study, with its direction and attributes."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="segments")
    ordinal = models.PositiveIntegerField()
    key = models.CharField(max_length=200)
    source_style = models.CharField(max_length=100, blank=True)
    target_style = models.CharField(max_length=100, blank=True)
    attributes = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("study", "ordinal")
        constraints = [
            models.UniqueConstraint("study", "key", name="segment_key_once"),
            models.UniqueConstraint("study", "ordinal", name="segment_ordinal_once"),
        ]

    def __str__(self) -> str:
        return self.key


class System(models.Model):
    """What produced outputs: a system under study; sources and references are pseudo-systems."""

    class Kind(models.TextChoices):
        SYSTEM = "system"
        SOURCE = "source"
        REFERENCE = "reference"

    study = models.ForeignKey(Study, models.CASCADE, related_name="systems")
    ordinal = models.PositiveIntegerField()
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.SYSTEM)
    attributes = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("study", "ordinal")
        constraints = [
            models.UniqueConstraint("study", "name", name="system_name_once"),
            models.UniqueConstraint("study", "ordinal", name="system_ordinal_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["system", "source", "reference"]),
                name="system_known_kind",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_human(self) -> bool:
        """Whether people wrote the outputs, as declared."""
        return bool(self.attributes.get("human", False))


class Output(models.Model):
    """One text: a system's for a segment, the source itself, or one of its references.

    Of a study without texts the key alone is known: then `sha256` is empty.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="outputs")
    ordinal = models.PositiveIntegerField(help_text="Place in the study's score arrays.")
    segment = models.ForeignKey(Segment, models.CASCADE, related_name="outputs")
    system = models.ForeignKey(System, models.CASCADE, related_name="outputs")
    variant = models.PositiveSmallIntegerField(default=1)
    text = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ("study", "ordinal")
        constraints = [
            models.UniqueConstraint("study", "ordinal", name="output_ordinal_once"),
            models.UniqueConstraint("segment", "system", "variant", name="output_once"),
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.segment}"

    @property
    def known_text(self) -> str | None:
        """The text; None where the key alone is known."""
        return self.text if self.sha256 else None


class StyleLexicon(models.Model):
    """Words that speak for or against a style, under a name; never changed once stored."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="lexicons")
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64, help_text="Of the entries, whatever their order.")
    entries = models.JSONField(help_text="Word, style (may be empty) and weight (or null) of each.")

    class Meta:
        ordering = ("study", "id")
        constraints = [
            models.UniqueConstraint("study", "name", name="lexicon_name_once"),
            models.UniqueConstraint("study", "sha256", name="lexicon_once"),
        ]

    def __str__(self) -> str:
        return self.name


class MaskedText(models.Model):
    """An output with its style words replaced, made elsewhere or as a campaign showed it."""

    output = models.ForeignKey(Output, models.CASCADE, related_name="masked_texts")
    recipe = models.CharField(max_length=200, help_text="How it was masked, as a name.")
    text = models.TextField(blank=True)

    class Meta:
        ordering = ("recipe", "output")
        constraints = [models.UniqueConstraint("output", "recipe", name="masked_text_once")]
        verbose_name = "masked text"

    def __str__(self) -> str:
        return f"{self.output}, {self.recipe}"
