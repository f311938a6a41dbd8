"""What a metric run is asked for with, and what it then is: scorer, text setting, signature."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db.models import Max

from corpus.models import Output, Study, System
from metrics.resources.loaders import ResourceError, resources_for
from metrics.runs.combined_parts import PartColumn, PartError, found_parts, part_facts
from metrics.runs.text_settings import TextSetting, TextSettingError, parse
from metrics.scorers.combination import Combination
from metrics.scorers.registry import scorer_class
from metrics.scorers.scorer import Scorer, library_versions
from metrics.scorers.spec import MetricSpec, ParameterError, main_language
from metrics.scorers.tokens import UNSPACED, is_unspaced, words_warning
from metrics.signatures import run_signature

REFERENCE = "reference"
LOOKED_AT = 200
"""Texts by which a study's script is found."""


class RequestError(ValueError):
    """A run that cannot be asked for like this; the message says what to change."""


@dataclass(frozen=True)
class RunRequest:
    """One metric with one setting.

    Parameters
    ----------
    metric
        Key of the metric.
    parameters
        Those that differ from the defaults.
    against
        ``source``, ``reference.2`` or ``references``; empty for the metric's own choice.
    text
        Text setting: `kind` (plain, style_removed, style_masked), `lexicon`, `threshold`,
        `placeholder`.
    models
        Trained models by what they are needed as: `classifier`, `language_model`, …
    """

    metric: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    against: str = ""
    text: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return what can be stored."""
        return asdict(self)


@dataclass(frozen=True)
class PlannedRun:
    """A request that can be met, and the signature of the run that meets it."""

    request: RunRequest
    scorer: Scorer
    setting: TextSetting
    signature: str
    versions: Mapping[str, Any]
    parts: Mapping[str, PartColumn] = field(default_factory=dict)
    """Scores that a combination takes, by what each is for; none of a metric of texts."""
    warning: str = ""
    """Why the metric's words do not fit the study's texts; empty if they do."""

    @property
    def spec(self) -> MetricSpec:
        """What the metric declares."""
        return self.scorer.spec


class Planner:
    """Turns requests about one study into planned runs; reads each fact of the study once."""

    def __init__(self, study: Study) -> None:
        self.study = study

    @cached_property
    def references(self) -> int:
        """How many references the segment with the most has."""
        most = Output.objects.filter(study=self.study, system__kind=System.Kind.REFERENCE)
        return most.aggregate(most=Max("variant"))["most"] or 0

    @cached_property
    def unspaced(self) -> bool:
        """Whether texts have no white space between words, by the study's language or a look."""
        if main_language(self.study.language) in UNSPACED:
            return True
        texts = Output.objects.filter(study=self.study).order_by("ordinal")
        return is_unspaced(texts.values_list("text", flat=True)[:LOOKED_AT])

    def warning(self, scorer: Scorer, setting: TextSetting) -> str:
        """Say why words of a metric or of its texts' setting do not fit the study's language."""
        if setting.is_plain:
            if not scorer.words_by:
                return ""
        elif self.unspaced:
            return (
                "style words are found between white space and signs, and these texts have no "
                "white space between words; score them as they are"
            )
        return words_warning(scorer, self.study.language, unspaced=self.unspaced)

    def comparisons(self, spec: MetricSpec) -> list[str]:
        """Return what outputs of this study can be compared with by a metric, its choice first."""
        possible: list[str] = []
        for each in spec.comparisons:
            if each == REFERENCE:
                possible += [f"{REFERENCE}.{number}" for number in range(1, self.references + 1)]
            elif each != "references" or self.references:
                possible.append(each)
        return possible

    def expanded(self, request: RunRequest) -> Iterator[RunRequest]:
        """Yield the runs that a request means: ``reference`` is one run for each reference."""
        if request.against != REFERENCE:
            yield request
            return
        if not self.references:
            raise RequestError("this study has no references")
        given = request.to_dict()
        for number in range(1, self.references + 1):
            yield RunRequest(**{**given, "against": f"{REFERENCE}.{number}"})

    def plan(self, request: RunRequest) -> PlannedRun:
        """Say what a request comes to.

        Raises
        ------
        RequestError
            If it cannot be met as it is.
        Unavailable
            If weights, a library or a trained model are missing.
        UnknownMetric
            If there is no such metric.
        """
        kind = scorer_class(request.metric)
        spec = kind.spec
        against = self._against(spec, request.against)
        try:
            setting = parse(self.study, request.text)
            resources, models = resources_for(self.study, spec, request.models)
            # Read here: the study's language decides defaults, and what they are is in the request.
            parameters = spec.read(request.parameters, self.study.language)
            scorer = kind(parameters, resources)
            libraries = library_versions(scorer.libraries)
            parts = found_parts(self.study, scorer) if isinstance(scorer, Combination) else {}
        except (ParameterError, TextSettingError, ResourceError, PartError) as error:
            raise RequestError(str(error)) from None
        if not (setting.is_plain or spec.takes_masked):
            raise RequestError("it makes no sense on texts without their style words")
        if isinstance(scorer, Combination):
            # Names that stay, whatever is scored or imported later.
            scorer = kind(scorer.naming({role: part.key for role, part in parts.items()}))
        files = {**models, **scorer.fingerprint(), **part_facts(parts)}
        full = RunRequest(spec.key, scorer.parameters, against, setting.to_dict(), models)
        signature = run_signature(
            spec,
            scorer.parameters,
            against=against,
            text=setting.signature(),
            files=files,
            libraries=libraries,
            version=settings.VERSION,
        )
        versions = {
            "libraries": {**libraries, "touchstone": settings.VERSION},
            "files": files,
            "statistics": list(spec.statistics),
        }
        warning = self.warning(scorer, setting)
        return PlannedRun(full, scorer, setting, signature, versions, parts, warning)

    def _against(self, spec: MetricSpec, wanted: str) -> str:
        possible = self.comparisons(spec)
        if not wanted:
            if possible or not spec.comparisons:
                return possible[0] if possible else ""
            raise RequestError("it compares with references, and this study has none")
        if wanted not in possible:
            takes = ", ".join(each for each in possible if each) or "nothing"
            raise RequestError(
                f"it cannot be compared with {wanted!r}; in this study it takes {takes}"
            )
        return wanted
