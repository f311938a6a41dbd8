"""The comparison of a collection: metrics over its tasks, and systems over its studies."""

from collections.abc import Sequence
from dataclasses import replace

from analysis.collections.computing import Computed, compute
from analysis.collections.content import STATISTICS, ColumnRead, Comparison
from analysis.collections.leaderboards import by_people
from analysis.collections.matrix import Entries
from analysis.collections.reading import ReadTask, metric_names, read_tasks, tasks_of
from analysis.models import Collection
from analysis.stats.results import Estimate, Undefined
from analysis.stats.signature import VariantValue, signature
from analysis.stats.tasks.joint_comparison import Column
from corpus.progress import ProgressCallback, unreported


def compare(collection: Collection, progress: ProgressCallback = unreported) -> Comparison:
    """Compare the metrics of a collection over its tasks, and its systems by people.

    Raises
    ------
    QuestionError
        If a task names something that its study does not have.
    """
    tasks = read_tasks(tasks_of(collection), progress)
    return Comparison(
        tasks=tuple(task.described() for task in tasks),
        metrics=_Metrics(collection, tasks, progress).matrix(),
        systems=by_people(collection, tasks),
    )


class _Metrics(Entries):
    """Metrics over tasks."""

    def __init__(
        self, collection: Collection, tasks: Sequence[ReadTask], progress: ProgressCallback
    ) -> None:
        super().__init__(collection)
        self.tasks, self.unit_range = tasks, collection.unit_range
        names = metric_names(tasks)
        self.names = list(names.values())
        places = {key: place for place, key in enumerate(names)}
        origins = {m.key: m.origin for task in tasks for m in task.data.metrics}
        self.notes = [origins[key] for key in names]
        self.computed: list[Computed] = []
        for done, task in enumerate(tasks):
            progress("computing tasks", done, len(tasks))
            draws, seed = collection.draws, collection.seed
            self.computed.append(compute(task, places, draws=draws, seed=seed))
        self.of_columns = _in_columns(tasks)
        progress("testing metrics over all tasks", 0, 0)

    def columns(self) -> list[tuple[ColumnRead, Column]]:
        """Return a column for each task, or for several whose pairs are pooled."""
        return [(self._read(tasks), self._column(tasks)) for tasks in self.of_columns]

    def over(self, columns: Sequence[ColumnRead]) -> list[str]:
        """Say what the statistic of each column is over."""
        levels = [STATISTICS[column.statistic].level for column in columns]
        return [*levels, " and ".join(sorted(set(levels))) + " of each task"]

    def _column(self, tasks: Sequence[int]) -> Column:
        weight = self._weight(tasks)
        lowest = STATISTICS[self.tasks[tasks[0]].task.statistic].lowest
        total = sum(self.computed[task].pairs or 1 for task in tasks)
        parts = []
        for task in tasks:
            computed = self.computed[task]
            if computed.part is None:
                return Column((), weight, lowest)
            share = (computed.pairs or 1) / total
            parts.append(replace(computed.part, share=share))
        return Column(tuple(parts), weight, lowest)

    def _weight(self, tasks: Sequence[int]) -> float:
        return float(sum(self.tasks[task].task.weight for task in tasks))

    def _read(self, tasks: Sequence[int]) -> ColumnRead:
        first = self.tasks[tasks[0]].task
        return ColumnRead(
            name=f"{first.pool or first.name}: {STATISTICS[first.statistic].short}",
            statistic=first.statistic,
            weight=self._weight(tasks),
            tasks=tuple(tasks),
        )

    def estimate(self, column: int, entry: int, value: float) -> Estimate:
        """Return a value with what it rests on."""
        if column < 0:
            weights = [self._weight(tasks) for tasks in self.of_columns]
            mapping = "halved-plus-half" if self.unit_range else "as-they-are"
            name = signature("weighted-average", **self.resampling(), correlations=mapping)
            details = {"weights": weights, "correlations": mapping}
            return Estimate(value, len(weights), "columns", name, details=details)
        tasks = self.of_columns[column]
        computed = [self.computed[task] for task in tasks]
        facts = dict(computed[0].facts[entry])
        if len(computed) > 1:
            facts["agree"] = sum(each.facts[entry]["agree"] for each in computed)
        pairs = sum(each.pairs for each in computed if each.pairs is not None)
        return Estimate(
            value,
            sum(each.n for each in computed),
            computed[0].unit,
            self._signature(tasks),
            pairs=pairs or None,
            details=facts,
        )

    def reason(self, column: int, entry: int) -> Undefined:
        """Name the columns that lack a value, or say why this one does."""
        if column < 0:
            lacking = [
                self._read(tasks).name
                for tasks in self.of_columns
                if any(not self._has(task, entry) for task in tasks)
            ]
            return Undefined(f"it has no value in: {', '.join(lacking)}", unit="columns")
        tasks = self.of_columns[column]
        without = next(task for task in tasks if not self._has(task, entry))
        computed, name = self.computed[without], self.tasks[without].task.name
        reason = computed.undefined.get(entry, f"no such metric takes part in {name}")
        return Undefined(reason, computed.n, computed.unit, self._signature(tasks))

    def _has(self, task: int, entry: int) -> bool:
        computed = self.computed[task]
        there = computed.part is not None and entry in computed.part.entries
        return there and entry not in computed.undefined

    def _signature(self, tasks: Sequence[int]) -> str:
        read = self.tasks[tasks[0]]
        statistic = read.task.statistic
        parts: dict[str, VariantValue] = {"level": STATISTICS[statistic].level, **self.resampling()}
        if statistic == "acc-eq":
            parts["human-ties"] = read.task.human_ties
        if read.task.standard_reference:
            parts["reference"] = read.task.standard_reference.replace(":", "-").replace("|", "-")
        if len(tasks) > 1:
            parts["pooled"] = len(tasks)
        return signature(f"task-{statistic}", **parts)


def _in_columns(tasks: Sequence[ReadTask]) -> list[list[int]]:
    """Return places of tasks by column, in the order of the first of each."""
    found: dict[str, list[int]] = {}
    for place, read in enumerate(tasks):
        pool = read.task.pool
        found.setdefault(f"pool {pool}" if pool else f"task {place}", []).append(place)
    return list(found.values())
