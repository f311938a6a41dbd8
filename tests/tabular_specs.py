"""Declarations of every table a study may have, for tests of reading alone."""

from corpus.tabular.fields import Field, Spread, TableSpec

SEGMENT = Field(
    "segment",
    "key",
    required=True,
    synonyms=("segment_id", "seg_id", "id", "key"),
    digest_of=("source", "source_text"),
)
SYSTEM = Field("system", "key", required=True, synonyms=("system_id", "model", "system_name"))

SEGMENTS = TableSpec(
    "segments",
    "Segments",
    (
        SEGMENT,
        Field(
            "source",
            required=True,
            synonyms=("source_text", "src", "input"),
            synonyms_if_named=("text", "sentence"),
        ),
        Field("source_style"),
        Field("target_style"),
        Field("reference", many="list", synonyms=("ref", "references")),
    ),
    keep_other_columns_as_attributes=True,
    recognised_by=(("source",),),
    file_names=("segment", "source"),
)
OUTPUTS = TableSpec(
    "outputs",
    "Outputs",
    (
        SEGMENT,
        SYSTEM,
        Field("output", required=True, synonyms=("hypothesis", "prediction", "text")),
        Field("variant", "integer"),
    ),
    wide=(Spread("system", "output", patterns=("outputs.{name}", "output_{name}")),),
    file_names=("output", "hypothes"),
    named_by_file="system",
)
RATINGS = TableSpec(
    "ratings",
    "Ratings",
    (
        Field("campaign", "key"),
        SEGMENT,
        SYSTEM,
        Field("against", "key", synonyms=("system_b",)),
        Field("rater", "key", synonyms=("annotator", "workerid")),
        Field("aspect", "key", synonyms=("criterion",)),
        Field("task", "key"),
        Field("score", "number", synonyms=("rating",)),
        Field("judgement", synonyms=("judgment", "preference")),
        Field("comment"),
    ),
    wide=(
        Spread("rater", "score", patterns=("rater*", "annotator*")),
        Spread(
            "aspect",
            "score",
            labels=("style", "content", "fluency"),
            patterns=("scores.{name}", "Answer.{name}"),
        ),
    ),
    one_of=(("score", "judgement"),),
    recognised_by=(("score", "judgement"), ("rater", "aspect", "task")),
    file_names=("rating", "human"),
)
METRIC_SCORES = TableSpec(
    "metric_scores",
    "Metric scores",
    (
        SEGMENT,
        SYSTEM,
        Field("aspect", "key"),
        Field("metric", "key", required=True),
        Field("compared_to", "key"),
        Field("text_setting", "key"),
        Field("score", "number", required=True, synonyms=("value",)),
    ),
    wide=(
        Spread(
            "metric",
            "score",
            labels=("bleu", "chrf", "bertscore", "comet", "wmd"),
            patterns=("scores.{name}", "metric_{name}"),
        ),
    ),
    recognised_by=(("metric",), ("score",)),
    file_names=("metric", "score"),
)
STYLE_DISTRIBUTIONS = TableSpec(
    "style_distributions",
    "Style distributions",
    (
        SEGMENT,
        SYSTEM,
        Field("classifier", "key", required=True),
        Field(
            "probabilities",
            "number",
            required=True,
            many="map",
            synonyms=("p_{name}", "probabilities.{name}"),
        ),
    ),
    recognised_by=(("classifier",), ("probabilities",)),
    file_names=("distribution",),
)
SYSTEMS = TableSpec(
    "systems",
    "Systems",
    (
        Field("system", "key", required=True, synonyms=("name",)),
        Field("human", "choice", choices=("true", "false")),
        Field("model"),
        Field("parameter"),
        Field("value", "number"),
        Field("group"),
    ),
    keep_other_columns_as_attributes=True,
    recognised_by=(("human", "model", "parameter", "group"),),
    file_names=("systems",),
)
PUBLISHED_VALUES = TableSpec(
    "published_values",
    "Published values",
    (
        Field("where", "key", required=True),
        Field("what", "key", required=True),
        Field("conditions", "json"),
        Field("value", "number", required=True),
        Field("decimals", "integer"),
        Field("note"),
    ),
    recognised_by=(("where",), ("what",), ("value",)),
    file_names=("published",),
)
SPECS = (
    SEGMENTS,
    SYSTEMS,
    OUTPUTS,
    RATINGS,
    METRIC_SCORES,
    STYLE_DISTRIBUTIONS,
    PUBLISHED_VALUES,
)


def spec_named(name: str) -> TableSpec:
    """Return one of the specs."""
    return next(spec for spec in SPECS if spec.name == name)
