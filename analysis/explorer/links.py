"""Where the outputs behind a point of a chart are explored."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from analysis.data.named_metric import NamedMetric
from analysis.filter.fields_of_kinds import OF_PAGES, restricted
from analysis.filter.question import Question

_FIELDS = OF_PAGES["disagreement"]
Range = tuple[float, float]
NOTHING: Mapping[str, Sequence[str]] = {}


def explorer_link(
    asked: Question | Mapping[str, Sequence[str]],
    *,
    scored: Range | None = None,
    judged: Range | None = None,
    **changes: str | Sequence[str],
) -> str:
    """Return the address of the outputs that a question selects, within ranges of scores.

    Relative to a report's page, as charts do not know addresses. What the page of outputs would
    refuse is left behind.

    Examples
    --------
    >>> explorer_link(Question(aspect="style", seed=7), judged=(1.5, 2.0), systems=["bart"])
    '../disagreement/?aspect=style&systems=bart&human_from=1.5&human_to=2.0'
    """
    named = {**(asked.to_query() if isinstance(asked, Question) else asked), **changes}
    selected = tuple(
        (name, value if isinstance(value, str) else tuple(value))
        for name, value in named.items()
        if name in _FIELDS
    )
    more = {name: value for name, value in changes.items() if name not in _FIELDS}
    for name, limits in (("metric", scored), ("human", judged)):
        if limits is not None:
            more |= {f"{name}_from": repr(limits[0]), f"{name}_to": repr(limits[1])}
    parts = (_selecting(selected), urlencode(more, doseq=True))
    return f"../disagreement/?{'&'.join(filter(None, parts))}"


@lru_cache(maxsize=1024)
def _selecting(selected: tuple[tuple[str, str | tuple[str, ...]], ...]) -> str:
    """Return what the address of outputs selects: the same for all cells of a chart or metric."""
    question = restricted("disagreement", Question.parse(dict(selected)))
    return urlencode(question.to_query(), doseq=True)


def metric_link(
    asked: Question,
    metric: NamedMetric,
    among: Mapping[str, Sequence[str]] = NOTHING,
) -> str:
    """Return the address of the outputs of a question and one metric of a report.

    `among` selects further, such as a stratum.
    """
    selected: dict[str, Any] = {
        "metric": metric.name or metric.metric,
        "compared_to": metric.compared_to or "none",
        "text_setting": metric.text_setting or "none",
        **among,
    }
    return explorer_link(asked, **selected)
