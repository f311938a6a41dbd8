"""What the metrics of a study say of whole systems: means, corpus scores, and Joint."""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from analysis.data.arrays import Floats
from analysis.data.selection import Cells, MetricColumn
from analysis.data.study_data import RunView, StudyData
from analysis.estimates.correlations import oriented, raw_scores
from analysis.stats.arrays import ratio_of_sums
from analysis.stats.results import Undefined
from analysis.stats.signature import VariantValue, signature
from analysis.stats.systems.system_scores import SummedScores, corpus_scores, mean_scores
from metrics.runs.combined_parts import part_key
from metrics.runs.listing import stored_scorer
from metrics.scorers.combination import joint, joint_with_fluency, read_weights
from metrics.scorers.overall import Joint
from metrics.scorers.registry import scorers
from metrics.scorers.scorer import Scorer

CORPUS, MEAN = "corpus", "mean"
POINTS = {"1": 1.0, "100": 100.0}
"""By what a run's parameter scale says that its scores are multiplied."""


def system_metric(
    data: StudyData, cells: Cells, column: MetricColumn, value: str = CORPUS
) -> SummedScores | Undefined:
    """Return a metric of the selected systems, as sums over the selected segments.

    Parameters
    ----------
    data, cells
        Study and selection.
    column
        Which metric; one of systems has no scores of outputs.
    value
        ``corpus`` takes the corpus score where the metric has one, ``mean`` the mean of outputs.
    """
    if not column.run.fields:
        return _joint(data, cells, column.run)
    scorer = _corpus_scorer(column)
    if scorer is not None and value == CORPUS:
        return _of_corpus(data, cells, column.run, scorer)
    scores, is_turned = toward_target(data, column)
    return mean_scores(cells.of(scores), {"scores": "toward-target" if is_turned else "raw"})


def has_corpus_score(column: MetricColumn) -> bool:
    """Whether a column has a score of all outputs of a system together."""
    return bool(column.run.fields) and _corpus_scorer(column) is not None


def judged(
    data: StudyData, cells: Cells, column: MetricColumn, shown: SummedScores
) -> SummedScores | Undefined:
    """Return a metric turned so that higher is better; undefined where nobody has said which is.

    Where nearness to a value is better, it is the mean of the outputs' distances that counts.
    """
    better = "higher" if column.derived else column.run.orientation
    if better == "higher":
        return shown
    if better == "lower":
        return shown.turned()
    found = oriented(data, column, raw_scores(data, column))
    if isinstance(found, Undefined):
        return found
    return mean_scores(cells.of(found), {"scores": "distance-from-target"})


def toward_target(data: StudyData, column: MetricColumn) -> tuple[Floats, bool]:
    """Return scores as they are, but those of one style turned toward each target style."""
    scores = raw_scores(data, column)
    if column.derived or not column.run.speaks_of or column.run.orientation != "higher":
        return scores, False
    turned = oriented(data, column, scores)
    return (scores, False) if isinstance(turned, Undefined) else (turned, True)


def made_of(data: StudyData, run: RunView) -> str:
    """Say in words what a combined metric is made of; empty of any other."""
    metric = str(run.request.get("metric", ""))
    if metric not in scorers() or "scores" not in scorers()[metric].spec.needs:
        return ""
    words = {key: view.name for view in data.runs if (key := _key(view))}
    usual = scorers()[metric].spec.read({})
    changed = {n: v for n, v in run.request["parameters"].items() if v != usual[n]}
    return "; ".join(
        ", ".join(words.get(part, part) for part in str(value).split(","))
        if "#" in str(value)
        else f"{name} {value}"
        for name, value in changed.items()
    )


def _corpus_scorer(column: MetricColumn) -> Scorer | None:
    run = column.run
    if column.derived or column.run.column or not run.statistics:
        return None
    scorer = stored_scorer(run.request, run.signature)
    return scorer if scorer is not None and scorer.has_corpus_score else None


def _of_corpus(data: StudyData, cells: Cells, run: RunView, scorer: Scorer) -> SummedScores:
    return corpus_scores(_statistics(data, cells, run), scorer.corpus_scores)


def _statistics(data: StudyData, cells: Cells, run: RunView) -> Floats:
    """Return a run's sufficient statistics as segments × systems × statistics."""
    stored = data.statistics(run)
    columns = [cells.of(data.matrix(stored[:, place])) for place in range(stored.shape[1])]
    return np.stack(columns, axis=-1)


def _joint(data: StudyData, cells: Cells, run: RunView) -> SummedScores | Undefined:
    """Return Joint from the sums of its parts, each over the outputs that it is defined for."""
    if not run.request:
        return _why("it has released scores of systems only, and none of outputs")
    if stored_scorer(run.request, run.signature) is None:
        return _why("it was made by another version of this metric: ask for it again")
    parameters = run.request["parameters"]
    parts = {role: _part(data, str(parameters[role])) for role in Joint.ROLES}
    for role, part in parts.items():
        if part is None:
            return _why(f"its part {parameters[role]} is not finished, or not there")
    style, content, fluency = (cast(RunView, parts[role]) for role in Joint.ROLES)
    counts = stored_scorer(content.request, content.signature)
    if counts is None or not counts.has_corpus_score:
        return _why(f"{content.metric} was made by another version of it: score it again")
    sides = [_mean_part(data, cells, style), _statistics(data, cells, content)]
    by_perplexity = parameters["third"] == "perplexity"
    if by_perplexity:
        sides.append(_statistics(data, cells, fluency))
    else:
        sides.append(_mean_part(data, cells, fluency))
    for view, side in ((style, sides[0]), (fluency, sides[2])):
        if (view is style or not by_perplexity) and not _is_share(side[..., 0]):
            return _why(f"{view.metric} is not from 0 to 1")
    return _summed_joint(sides, counts, content, parameters)


def _summed_joint(
    sides: list[Floats], counts: Scorer, content: RunView, parameters: Mapping[str, Any]
) -> SummedScores:
    ends = np.cumsum([side.shape[-1] for side in sides])
    unit = POINTS[str(content.request["parameters"].get("scale", "1"))]
    scale = float(parameters["scale"])
    weights = read_weights(str(parameters["weights"]), len(Joint.ROLES))
    by_perplexity = parameters["third"] == "perplexity"

    def split(sums: Floats) -> tuple[Floats, Floats, Floats]:
        style, content_sums, third = np.split(sums, ends[:-1], axis=-1)
        with np.errstate(over="ignore"):
            last = np.exp(ratio_of_sums(third)) if by_perplexity else ratio_of_sums(third)
        return ratio_of_sums(style), counts.corpus_scores(content_sums) / unit, last

    def score(sums: Floats) -> Floats:
        accuracy, bleu, last = split(sums)
        combine = joint if by_perplexity else joint_with_fluency
        return combine(accuracy, bleu, last, scale=scale, weights=weights)

    def factors(sums: Floats) -> dict[str, float]:
        names = ("accuracy", "BLEU", "perplexity" if by_perplexity else "fluency")
        return {name: float(part) for name, part in zip(names, split(sums), strict=True)}

    present = np.stack([np.isfinite(side).all(axis=-1) for side in sides])
    rows = [
        np.where(there[..., None], side, 0.0) for there, side in zip(present, sides, strict=True)
    ]
    variant: dict[str, VariantValue] = {
        name: str(parameters[name]).replace("|", "-").replace(":", "-") for name in Joint.ROLES
    }
    variant |= {"third": str(parameters["third"]), "scale": scale}
    if weights is not None:
        variant["weights"] = ",".join(f"{each:g}" for each in weights)
    return SummedScores(
        np.concatenate(rows, axis=-1),
        np.asarray(present.any(axis=0), dtype=np.bool_),
        score,
        "joint",
        variant,
        factors,
    )


def _part(data: StudyData, key: str) -> RunView | None:
    """Return the number of a finished run that goes by a key."""
    return next((view for view in data.runs if key == _key(view)), None)


def _key(view: RunView) -> str:
    """Return the key of one number of a run, as requests name it; a distribution has none."""
    if view.is_distribution:
        return ""
    return part_key(view.signature, view.fields[view.column], view.fields)


def _mean_part(data: StudyData, cells: Cells, view: RunView) -> Floats:
    """Return a part's scores toward the target style, with a count beside each."""
    scores, _ = toward_target(data, MetricColumn(view.metric, view))
    cut = cells.of(scores)
    return np.stack([cut, np.where(np.isfinite(cut), 1.0, np.nan)], axis=-1)


def _is_share(values: Floats) -> bool:
    known = values[np.isfinite(values)]
    return bool(((known >= 0) & (known <= 1)).all())


def _why(reason: str) -> Undefined:
    return Undefined(reason, unit="outputs", signature=signature("joint"))
