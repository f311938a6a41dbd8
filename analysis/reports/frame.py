"""What stands around the content of a report: question, signature, versions, counts."""

import hashlib
import json
import platform
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from django.conf import settings

from analysis.code_version import kept_code_sha256
from analysis.data.chosen import chosen_segments
from analysis.data.judgements import CampaignView, Judgements
from analysis.data.narrowing import narrowed
from analysis.data.pooling import pooled_words
from analysis.data.selection import measures_of
from analysis.data.study_data import StudyData
from analysis.filter.question import Question
from analysis.models import PublishedValue
from analysis.stats.signature import VERSION as STATISTICS_VERSION
from annotation.chosen_segments import ChosenSegments
from annotation.protocols.catalogue import PROTOCOLS, protocol
from annotation.protocols.protocol import ConfigError
from corpus.models import Study

Published = Sequence[PublishedValue]


def report_signature(data: StudyData, kind: str, question: Question, published: Published) -> str:
    """Hash everything that a report depends on apart from its ratings."""
    used = (*data.runs, *data.system_runs)
    runs = [(run.signature, data.digest(run), run.orientation) for run in used]
    settings_of_runs = [(run.target, run.speaks_of, run.midpoint, run.trained) for run in used]
    measured = [(run.family, run.aspect_key, run.describes) for run in used]
    systems = [(system.name, system.human, system.attributes) for system in data.systems]
    met = data.judgements.campaigns_met
    campaigns = [(each.slug, each.protocol, _read_of(each)) for each in met]
    measures = [repr(measure) for measure in data.judgements.measures]
    parts: list[Any] = [kind, question.to_query(), runs, settings_of_runs, systems]
    parts += [data.segments_sha256, campaigns, measures, measured]
    if kind == "replication":
        parts.append([(p.where, p.what, p.conditions_text, p.value, p.decimals) for p in published])
    if kind == "saving":
        # It reads texts, which never change, of the outputs that there are.
        there = (data.segment_of_output, data.column_of_output)
        parts.append([hashlib.sha256(each.tobytes()).hexdigest() for each in there])
    parts.append(versions())
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


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


def framed(
    study: Study, data: StudyData, kind: str, question: Question, published: Published
) -> dict[str, Any]:
    """Return all of a report but its content: question, signature, versions, counts."""
    judged, asked = data.judgements, narrowed(data, question)
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
        "kind": kind,
        "study": study.slug,
        "simulated": study.simulated,
        "question": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(question).items()
        },
        "signature": report_signature(data, kind, question, published),
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
