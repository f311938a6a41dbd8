"""What a kind of report is asked of a study: read, narrowed, checked and signed once."""

import hashlib
import json
import platform
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from django.conf import settings

from analysis.code_version import kept_code_sha256
from analysis.data import matrices
from analysis.data.judgements import CampaignView, Judgements
from analysis.data.narrowing import check_size, chosen_segments, narrowed
from analysis.data.pooling import pooled_words
from analysis.data.selection import measures_of
from analysis.data.study_data import StudyData
from analysis.filter.fields_of_kinds import check_asked
from analysis.filter.question import Question
from analysis.models import PublishedValue
from analysis.preregistration.marks import mark_of
from analysis.reports.catalogue import report_kind
from analysis.reports.content import Asked, Content, Published
from analysis.reports.kind import Report, ReportKind, Size
from analysis.stats.pieces import Divide, in_turn
from analysis.stats.signature import VERSION as STATISTICS_VERSION
from analysis.stored_results import store_result, stored_result
from annotation.chosen_segments import ChosenSegments
from annotation.protocols.catalogue import PROTOCOLS, protocol
from annotation.protocols.protocol import ConfigError
from corpus.models import Study
from corpus.progress import ProgressCallback, unreported

AT_ONCE = 20_000_000
"""Cells × statistics of values that a page computes itself; a job stores those of more."""
_WITHOUT_TESTS = {"interval": None, "p_value": None}


@dataclass(frozen=True)
class Snapshot:
    """A study as arrays, and what a kind of report is asked of it.

    Parameters
    ----------
    study
    kind
    question
    data
        The study with all its ratings.
    published
        Its published values, where the kind of report reads them.
    """

    study: Study
    kind: ReportKind[Any]
    question: Question
    data: StudyData
    published: Published = ()

    @classmethod
    def of(cls, study: Study, kind: str, question: Question) -> "Snapshot":
        """Read a study for a question.

        Raises
        ------
        analysis.filter.question.QuestionError
            If the kind of report would not use a field of the question.
        """
        check_asked(kind, question)
        described = report_kind(kind)
        data = matrices.load(study, withdrawn=question.withdrawn == "in")
        published = PublishedValue.objects.filter(study=study) if described.reads_published else ()
        return cls(study, described, question, data, tuple(published))

    @cached_property
    def narrowed(self) -> StudyData:
        """The study with the ratings that the question is about."""
        return narrowed(self.data, self.question)

    def check(self) -> None:
        """Refuse what the kind of report cannot answer for the study.

        Raises
        ------
        analysis.filter.question.QuestionError
        """
        if self.kind.lays_out(self.narrowed):
            check_size(self.narrowed)
        self.kind.check(self.narrowed, self.question)

    @property
    def cost(self) -> int:
        """Estimated work of the report: cells that its statistics read, resamples counted in."""
        return self.kind.cost(Size(self.narrowed, self.question))

    @cached_property
    def signature(self) -> str:
        """Hash of everything that the report depends on apart from its ratings."""
        data, kind = self.data, self.kind
        used = (*data.runs, *data.system_runs)
        runs = [(run.signature, data.digest(run), run.orientation) for run in used]
        settings_of_runs = [(run.target, run.speaks_of, run.midpoint, run.trained) for run in used]
        measured = [(run.family, run.aspect_key, run.describes) for run in used]
        systems = [(system.name, system.human, system.attributes) for system in data.systems]
        met = data.judgements.campaigns_met
        campaigns = [(each.slug, each.protocol, _read_of(each)) for each in met]
        measures = [repr(measure) for measure in data.judgements.measures]
        parts: list[Any] = [kind.key, self.question.to_query(), runs, settings_of_runs, systems]
        parts += [data.segments_sha256, campaigns, measures, measured]
        if kind.reads_published:
            parts.append(
                [(p.where, p.what, p.conditions_text, p.value, p.decimals) for p in self.published]
            )
        if kind.reads_texts:
            # Texts never change: the outputs that there are say which ones it reads.
            there = (data.segment_of_output, data.column_of_output)
            parts.append([hashlib.sha256(each.tobytes()).hexdigest() for each in there])
        parts.append(versions())
        text = json.dumps(parts, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def _early_signature(self) -> str:
        return hashlib.sha256(f"early {self.signature}".encode()).hexdigest()

    def _stored(self, signature: str) -> dict[str, Any] | None:
        found = stored_result(self.study, self.data.ratings_sha256, signature)
        return found.content if found else None

    def stored(self) -> dict[str, Any] | None:
        """Return the report if it is stored."""
        found = self._stored(self.signature)
        return None if found is None else self.marked(found)

    def marked(self, report: dict[str, Any]) -> dict[str, Any]:
        """Return a report with how it stands to the preregistrations of the study, if any."""
        mark = mark_of(self.study, self.kind.key, self.question)
        return report if mark is None else report | {"registration": mark}

    def built(
        self,
        progress: ProgressCallback = unreported,
        divide: Divide = in_turn,
        *,
        early: bool = False,
    ) -> Content:
        """Compute the content of the report."""
        asked = Asked(
            self.narrowed, self.question, self.published, progress, early=early, divide=divide
        )
        content: Content = self.kind.build(asked)
        return content

    def computed(
        self, progress: ProgressCallback = unreported, divide: Divide = in_turn
    ) -> dict[str, Any]:
        """Compute the report and what it allows to say, without a look at what is stored."""
        content = self.built(progress, divide)
        made = self.frame() | {"content": content.to_dict()}
        verdict = self.kind.verdict(Report(made, type(content)), self.question)
        return made | {"verdict": verdict}

    def keep(self, report: dict[str, Any]) -> dict[str, Any]:
        """Store a report that was computed, and return it."""
        kind, data = self.kind.key, self.data
        store_result(self.study, data.ratings_sha256, self.signature, kind, report)
        return self.marked(report)

    def early(self, *, at_once: bool = True) -> dict[str, Any] | None:
        """Return the report without what takes long, from the store if it is there.

        None where this kind of report has no such part, or takes too long for a
        page to compute at once.
        """
        early = self.kind.early
        if early is None:
            return None
        if stored := self._stored(self._early_signature):
            return stored
        if at_once and early.cost(Size(self.narrowed, self.question)) > AT_ONCE:
            return None
        report = self.frame() | {"early": True}
        report["content"] = values_alone(self.built(early=True).to_dict())
        data = self.data
        store_result(self.study, data.ratings_sha256, self._early_signature, self.kind.key, report)
        return report

    def has_early(self) -> bool:
        """Whether the values of the report are stored."""
        return self._stored(self._early_signature) is not None

    def frame(self) -> dict[str, Any]:
        """Return all of the report but its content: question, signature, versions, counts."""
        study, data, question = self.study, self.data, self.question
        judged, asked = data.judgements, self.narrowed
        chosen = chosen_segments(asked.judgements)
        about_ratings: dict[str, Any] = {}
        stated = len({run.pk for run in (*data.runs, *data.system_runs) if run.is_stated})
        if chosen:
            about_ratings["chosen_segments"] = [each.words for each in chosen]
            about_ratings["are_weighted"] = all(each.is_weighted for each in chosen)
        measures = measures_of(asked, question.aspect) if question.aspect else judged.measures
        if pooled := pooled_words(asked.judgements, measures):
            about_ratings["pooled"] = pooled
        return {
            **about_ratings,
            "kind": self.kind.key,
            "study": study.slug,
            "simulated": study.simulated,
            "question": {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in asdict(question).items()
            },
            "signature": self.signature,
            "ratings_sha256": data.ratings_sha256,
            "versions": versions(),
            "counts": {
                "segments": len(data.segment_keys),
                "systems": len(data.systems),
                "ratings": len(judged.value),
                **raters_counted(judged),
                "metric_runs": len(data.runs),
                **({"stated_runs": stated} if stated else {}),
            },
        }


def _read_of(campaign: CampaignView) -> str:
    """Return those settings of a campaign that reports read, as text."""
    rules = protocol(campaign.protocol if campaign.protocol in PROTOCOLS else "unstated")
    found: dict[str, Any] = {}
    for name in ("step", "tie"):
        with suppress(LookupError):
            try:
                found[name] = rules.setting(campaign.config, name)
            except ConfigError:
                found[name] = None
    if chosen := ChosenSegments.of(campaign.config):
        found["chosen"] = chosen.to_config()
    return json.dumps(found, sort_keys=True)


def values_alone(part: Any) -> Any:
    """Return a part of a report without its intervals and p-values, whatever they rest on.

    Some statistics have an interval by a formula, which the whole report may replace by one that
    is drawn: nothing is shown that may change.
    """
    if isinstance(part, list):
        return [values_alone(each) for each in part]
    if isinstance(part, dict):
        kept = {name: values_alone(each) for name, each in part.items()}
        return kept | _WITHOUT_TESTS if part.get("kind") == "estimate" else kept
    return part


def raters_counted(judged: Judgements) -> dict[str, int]:
    """Count who rated: human raters, models, and several raters together."""
    kinds = [judged.annotators[index].kind for index in np.unique(judged.annotator)]
    humans, models = kinds.count("person"), kinds.count("model")
    return {"annotators": humans, "models": models, "aggregates": len(kinds) - humans - models}


def versions() -> dict[str, str]:
    """Versions of what computes the numbers."""
    return {
        "touchstone": settings.VERSION,
        "statistics": STATISTICS_VERSION,
        "code": kept_code_sha256(Path(settings.BASE_DIR), settings.DATA_DIR / "code_version")[:12],
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }
