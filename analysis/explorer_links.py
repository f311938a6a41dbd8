"""Where the outputs behind a point of a chart are explored."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from analysis.question import Question

_EXPLORED = (
    *("aspect", "metric", "compared_to", "text_setting", "direction", "humans", "withdrawn"),
    *("systems", "leave_out", "where", "scores", "ddof", "orientation"),
)
"""Parts of a question that choose outputs or scores; what else a report asks is left behind."""
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

    Relative to a report's page, as charts do not know addresses.

    Examples
    --------
    >>> explorer_link(Question(aspect="style", seed=7), judged=(1.5, 2.0), systems=["bart"])
    '../disagreement/?aspect=style&systems=bart&human_from=1.5&human_to=2.0'
    """
    query = asked.to_query() if isinstance(asked, Question) else asked
    kept: dict[str, str | Sequence[str]] = {n: query[n] for n in _EXPLORED if n in query}
    kept |= changes
    for name, limits in (("metric", scored), ("human", judged)):
        if limits is not None:
            kept |= {f"{name}_from": repr(limits[0]), f"{name}_to": repr(limits[1])}
    return f"../disagreement/?{urlencode(kept, doseq=True)}"


def metric_link(
    asked: Question, column: Mapping[str, Any], among: Mapping[str, Sequence[str]] = NOTHING
) -> str:
    """Return the address of the outputs of a question beside one metric of a report.

    `among` selects further, such as a stratum.
    """
    selected: dict[str, Any] = {
        "metric": column.get("name") or column["metric"],
        "compared_to": column["compared_to"] or "none",
        "text_setting": column["text_setting"] or "none",
        **among,
    }
    return explorer_link(asked, **selected)
