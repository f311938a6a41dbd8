"""The tasks of a collection with what they read, each study and selection read once."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from analysis.collections.content import TaskRead
from analysis.collections.task_data import MetricKey, TaskData, read_task
from analysis.filter.question import Question, QuestionError
from analysis.models import Collection, CollectionTask
from analysis.stats.correlation.tie_calibration import HumanTies
from corpus.progress import ProgressCallback, unreported


@dataclass(frozen=True)
class ReadTask:
    """A task and what it reads."""

    task: CollectionTask
    data: TaskData

    @property
    def human_ties(self) -> HumanTies:
        """Which human scores are ties."""
        return cast(HumanTies, self.task.human_ties)

    def described(self) -> TaskRead:
        """Return what the task rests on."""
        task, data = self.task, self.data
        of_task = ("name", "statistic", "weight", "pool", "standard_reference", "human_ties")
        of_data = ("aspect", "systems", "left_out", "passed_over", "segments", "pooled")
        same: dict[str, Any] = {name: getattr(task, name) for name in of_task}
        same |= {name: getattr(data, name) for name in of_data}
        return TaskRead(
            **same,
            study=task.study.slug,
            study_title=str(task.study),
            simulated=task.study.simulated,
            question=question_of(task).to_query(),
            rated=len(data.rated),
        )


def question_of(task: CollectionTask) -> Question:
    """Return what is asked of a task's study.

    Raises
    ------
    QuestionError
        If it was stored by another version, and names what there is no more.
    """
    return Question.parse(task.question)


def selection_of(task: CollectionTask) -> str:
    """Name what a task reads: tasks that read the same have the same name."""
    asked = json.dumps(question_of(task).to_query(), sort_keys=True)
    return f"{task.study_id} {task.standard_reference} {asked}"


def read_tasks(
    tasks: Sequence[CollectionTask], progress: ProgressCallback = unreported
) -> list[ReadTask]:
    """Return tasks with what they read.

    Raises
    ------
    QuestionError
        If a task names something that its study does not have.
    """
    known: dict[str, TaskData] = {}
    found = []
    for place, task in enumerate(tasks):
        progress(f"reading {task.study.slug}", place, len(tasks))
        selection = selection_of(task)
        if selection not in known:
            try:
                known[selection] = read_task(task.study, question_of(task), task.standard_reference)
            except QuestionError as error:
                raise QuestionError(f"task {task.name} ({task.study.slug}): {error}") from None
        found.append(ReadTask(task, known[selection]))
    return found


def tasks_of(collection: Collection) -> list[CollectionTask]:
    """Return the tasks of a collection in their order."""
    return list(collection.tasks.select_related("study").order_by("ordinal"))


def selections(tasks: Iterable[ReadTask]) -> list[tuple[str, float, TaskData]]:
    """Return what tasks read, each once: name of its first task, weights together, data."""
    found: dict[int, tuple[str, float, TaskData]] = {}
    for each in tasks:
        name, weight, data = found.get(id(each.data), (each.task.name, 0.0, each.data))
        found[id(each.data)] = (name, weight + each.task.weight, data)
    return list(found.values())


def metric_names(tasks: Iterable[ReadTask]) -> dict[MetricKey, str]:
    """Name every metric; what it read is added only where metrics would have the same name."""
    keys = list(dict.fromkeys(metric.key for each in tasks for metric in each.data.metrics))
    namesakes: dict[str, list[MetricKey]] = {}
    for key in keys:
        namesakes.setdefault(key.metric, []).append(key)
    return {key: _name(key, namesakes[key.metric]) for key in keys}


def _name(key: MetricKey, namesakes: Sequence[MetricKey]) -> str:
    parts: Mapping[str, str] = key._asdict()
    distinguishing = [
        parts[name] or "no reference"
        for name in ("kind", "text_setting", "parameters")
        if len({getattr(each, name) for each in namesakes}) > 1
    ]
    return f"{key.metric} ({', '.join(distinguishing)})" if distinguishing else key.metric
