"""The documentation page of our metrics, written from what they declare."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from metrics.scorers.scorer import Scorer
from metrics.scorers.spec import MetricSpec, Parameter, need_words

_TITLES = {
    "style": "Style",
    "content": "Content",
    "fluency": "Fluency",
    "naturalness": "Naturalness",
    "overall": "Overall",
    "description": "Description",
}
_BETTER = {
    "higher": "higher is better",
    "lower": "lower is better",
    "descriptive": "describes, does not judge",
}
_COMPARED = {
    "": "nothing",
    "source": "the source",
    "reference": "one reference",
    "references": "all references at once",
}
_HEAD = """\
# Metrics

Written by `manage.py metrics_docs` from what each metric declares; do not edit. To score outputs \
by metrics, see [scoring](../scoring.md).
"""

_EDGE_CASES = """\
## Empty, short and equal texts

The first number of each metric under its default parameters, for texts like these. An output with \
nothing in it has the score that the metric's own library gives it. Where no library defines one, \
it is undefined: it is counted, and a mean without it says over how many outputs it is. An empty \
reference or source leaves every system without a score there, where libraries give 0 (TER: 1).

- empty output, blank output: nothing, or white space only, against *the cat sat on the mat*
- empty compared text: *the cat sat on the mat* against nothing
- one word: *ok* against *ok*; identical: *the cat sat on the mat* against itself

*scored*: a number that depends on the model. –: it compares with nothing.
"""


@cache
def edge_cases() -> dict[str, dict[str, str]]:
    """Return what each metric gives empty, short and equal texts, by its key and the case."""
    path = Path(__file__).with_name("edge_cases.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return {row.pop("metric"): row for row in csv.DictReader(file)}


def metrics_page(scorers: Iterable[type[Scorer]]) -> str:
    """Return the page in Markdown: a table of all metrics, then each by what it measures."""
    specs = [scorer.spec for scorer in scorers]
    anchors = _anchors(specs)
    lines = [
        _HEAD,
        "| metric | measures | better | scored by default |",
        "| --- | --- | --- | --- |",
    ]
    for spec in specs:
        default = "yes" if spec.is_default else ""
        lines.append(
            f"| [{spec.title}](#{anchors[spec.key]}) `{spec.key}` | {spec.aspect} "
            f"| {_better(spec)} | {default} |"
        )
    known = {spec.key: edge_cases()[spec.key] for spec in specs}
    cases = next(iter(known.values()))
    lines += [
        "",
        _EDGE_CASES,
        f"| metric | {' | '.join(cases)} |",
        "| --- |" + " --- |" * len(cases),
    ]
    lines += [f"| `{key}` | {' | '.join(row.values())} |" for key, row in known.items()]
    for aspect, title in _TITLES.items():
        of_aspect = [spec for spec in specs if spec.aspect == aspect]
        if of_aspect:
            lines += ["", f"## {title}"]
            for spec in of_aspect:
                lines += ["", *_described(spec)]
    return "\n".join(lines) + "\n"


def _anchors(specs: Iterable[MetricSpec]) -> dict[str, str]:
    """Return the anchors of the headings, as Markdown viewers make them: without signs."""
    anchors: dict[str, str] = {}
    order = list(_TITLES)
    for spec in sorted(specs, key=lambda spec: order.index(spec.aspect)):
        plain = spec.key.replace("+", "")
        same = sum(key.replace("+", "") == plain for key in anchors)
        anchors[spec.key] = f"{plain}-{same}" if same else plain
    return anchors


def _described(spec: MetricSpec) -> Iterator[str]:
    yield f"### {spec.key}"
    yield ""
    yield f"**{spec.title}.** {spec.summary or spec.formula}"
    yield ""
    if spec.summary:
        yield f"- Computed as: {spec.formula}"
    yield f"- Range: {spec.range}; {_better(spec)}."
    if not spec.fields:
        yield "- One number for each system, none for single outputs."
    elif spec.fields != ("score",):
        yield f"- Numbers for each output: {_listed(spec.fields)}."
    compared = [_COMPARED[each] for each in spec.comparisons]
    if compared != ["nothing"]:
        yield f"- Compared with: {', '.join(compared)}; by default with the first."
    if spec.needs:
        needs = ", ".join(sorted(map(need_words, spec.needs)))
        yield f"- Needs: {needs}."
    if spec.statistics:
        yield f"- Kept for corpus scores: {_listed(spec.statistics)}."
    if not spec.takes_masked:
        yield "- Not for texts whose style words were masked or removed."
    if spec.libraries:
        yield f"- Computed with: {', '.join(each.distribution for each in spec.libraries)}."
    yield f"- When not to trust it: {spec.distrust}"
    yield f"- Source: {spec.citation}"
    if spec.parameters:
        yield ""
        yield "| parameter | default | takes | |"
        yield "| --- | --- | --- | --- |"
        for parameter in spec.parameters:
            default = _cell(f"`{_written(parameter)}`" if str(parameter.default) else "")
            takes, words = _takes(parameter), _cell(parameter.help)
            yield f"| `{parameter.name}` | {default} | {takes} | {words} |"


def _better(spec: MetricSpec) -> str:
    if spec.orientation == "target":
        return f"nearer {spec.target:g} is better"
    return _BETTER[spec.orientation]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _written(parameter: Parameter) -> str:
    if isinstance(parameter.default, bool):
        return "yes" if parameter.default else "no"
    text = str(parameter.default)
    return f"{text.splitlines()[0]} …" if "\n" in text else text


def _takes(parameter: Parameter) -> str:
    if isinstance(parameter.default, bool):
        return "yes or no"
    if parameter.listed:
        default = f"`{parameter.default}` or " if parameter.default else ""
        return f"{default}a name in `{parameter.listed.variable}`"
    if parameter.choices:
        return ", ".join(f"`{each}`" for each in parameter.choices)
    if isinstance(parameter.default, str):
        return "text"
    kind = "whole number" if isinstance(parameter.default, int) else "number"
    low, high = parameter.minimum, parameter.maximum
    if low is not None and high is not None:
        return f"{kind} from {low:g} to {high:g}"
    if low is not None:
        return f"{kind} of at least {low:g}"
    return f"{kind} of at most {high:g}" if high is not None else kind


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
