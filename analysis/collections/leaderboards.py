"""Systems over the studies of a collection: by human scores, or by a metric."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from analysis.collections.content import ColumnRead, Leaderboard, Matrix
from analysis.collections.matrix import Entries
from analysis.collections.reading import ReadTask, metric_names, read_tasks, selections, tasks_of
from analysis.collections.task_data import TaskData
from analysis.data.arrays import Floats
from analysis.filter.question import QuestionError
from analysis.models import Collection
from analysis.stats.results import Estimate, Undefined
from analysis.stats.signature import signature
from analysis.stats.tasks.joint_comparison import Column, Compared, Part, Units
from analysis.stats.tasks.task_statistics import ratio_by_unit
from corpus.progress import ProgressCallback, unreported

Scores = tuple[str, float, TaskData, Floats]
"""Name and weight of a selection, its data, and scores of outputs (segments × systems)."""


def by_people(collection: Collection, tasks: Sequence[ReadTask]) -> Matrix:
    """Return systems by human scores, a column for each study and selection."""
    scores = [(name, weight, data, data.human) for name, weight, data in selections(tasks)]
    return _Board(collection, scores, "human").matrix()


def by_metric(
    collection: Collection, by: str, progress: ProgressCallback = unreported
) -> Leaderboard:
    """Return systems by the mean of a metric over rated outputs, oriented: higher is better.

    Raises
    ------
    QuestionError
        If no metric of the collection has this name, or it scores no outputs.
    """
    tasks = read_tasks(tasks_of(collection), progress)
    names = metric_names(tasks)
    if by not in names.values():
        known = ", ".join(names.values()) or "none"
        raise QuestionError(f"by={by}: the collection has {known}")
    scores = [
        (name, weight, data, metric.segments)
        for name, weight, data in selections(tasks)
        for metric in data.metrics
        if names[metric.key] == by and metric.segments is not None
    ]
    if not scores:
        raise QuestionError(f"by={by}: it scores systems only, and no outputs")
    return Leaderboard(by=by, systems=_Board(collection, scores, "metric").matrix())


class _Board(Entries):
    """Systems by scores of their outputs.

    The average is of scores that are standardised within each column, mean 0 and standard
    deviation 1 over all outputs of the systems that take part; columns show means as they are.
    """

    def __init__(self, collection: Collection, scores: Sequence[Scores], what: str) -> None:
        super().__init__(collection)
        self.scores, self.what = scores, what
        self.names = list(dict.fromkeys(name for *_, data, _ in scores for name in data.systems))
        self.notes = ["" for _ in self.names]
        self.places = {name: place for place, name in enumerate(self.names)}
        self.centres = [(float(np.nanmean(each)), _deviation(each)) for *_, each in scores]

    def columns(self) -> list[tuple[ColumnRead, Column]]:
        """Return a column for each study and selection."""
        statistic = f"mean-{self.what}-score"
        return [
            (
                ColumnRead(name=name, statistic=statistic, weight=weight, tasks=()),
                self._column(place),
            )
            for place, (name, weight, *_) in enumerate(self.scores)
        ]

    def over(self, columns: Sequence[ColumnRead]) -> list[str]:
        """Say that means are over segments."""
        return ["segments"] * len(columns) + ["segments of each column"]

    def _column(self, place: int) -> Column:
        _, weight, data, scores = self.scores[place]
        mean, deviation = self.centres[place]
        present = np.isfinite(scores)
        above = np.where(present, (scores - mean) / deviation, 0.0).T
        part = Part(
            ratio_by_unit(above, present.T.astype(np.float64)),
            tuple(self.places[name] for name in data.systems),
            Units(data.study, "segments", data.shape[0]),
            data.rated,
        )
        return Column((part,), weight)

    def as_given(self, column: int, compared: Compared) -> Compared:
        """Return means on the scale of the scores."""
        mean, deviation = self.centres[column]
        return replace(
            compared,
            values=compared.values * deviation + mean,
            low=compared.low * deviation + mean,
            high=compared.high * deviation + mean,
        )

    def estimate(self, column: int, entry: int, value: float) -> Estimate:
        """Return a mean with the number of its outputs."""
        parts = {**self.resampling(), "scores": self.what}
        if column < 0:
            name = signature("weighted-average", of="standardised-means", **parts)
            weights = [weight for _, weight, *_ in self.scores]
            n = len(weights)
            return Estimate(value, n, "columns", name, details={"weights": weights})
        _, _, data, scores = self.scores[column]
        place = data.systems.index(self.names[entry])
        n = int(np.isfinite(scores[:, place]).sum())
        return Estimate(value, n, "outputs", signature("system-mean", **parts))

    def reason(self, column: int, entry: int) -> Undefined:
        """Say where a system takes no part."""
        name = self.names[entry]
        if column >= 0:
            data = self.scores[column][2]
            return Undefined(data.left_out.get(name, "it is no system of this study"))
        lacking = [title for title, _, data, _ in self.scores if name not in data.systems]
        reason = f"it takes no part in: {', '.join(lacking)}" if lacking else "no score"
        return Undefined(reason, unit="columns")


def _deviation(scores: Floats) -> float:
    deviation = float(np.nanstd(scores))
    return deviation if deviation > 0 else 1.0
