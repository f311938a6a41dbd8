"""`manage.py metrics_docs`: write the documentation page of our metrics."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from metrics.scorers.registry import own_scorers
from metrics.scorers.scorer import Scorer
from metrics.scorers.spec import EDGE_CASES, MetricSpec, need_words

PAGE = Path("docs") / "metrics" / "index.md"


class Command(BaseCommand):
    """Write what the metrics declare of themselves; metrics of other packages are left out."""

    help = f"Write {PAGE} from what the metrics declare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare where the page goes."""
        parser.add_argument("--output", type=Path, default=Path(settings.BASE_DIR) / PAGE)

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the page at once or not at all."""
        target: Path = options["output"]
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_name(f"{target.name}.part")
        unfinished.write_text(metrics_page(own_scorers()), encoding="utf-8")
        unfinished.replace(target)
        self.stdout.write(f"wrote {target}")


_TITLES = {
    "style": "Style",
    "content": "Content",
    "fluency": "Fluency",
    "naturalness": "Naturalness",
    "overall": "Overall",
    "description": "Description",
}
_BETTER = {
    "higher": "Higher is better",
    "lower": "Lower is better",
    "descriptive": "Describes outputs, does not judge them",
}
_COMPARED = {
    "source": "the source",
    "reference": "one reference",
    "references": "all references at once",
}
_HEAD = """\
# Metrics

Written by `manage.py metrics_docs` from what each metric declares; do not edit. \
[Scoring](../scoring.md) says how to score outputs. Metrics with a star are scored by default. The \
page of a run and [the API](../api.md#scoring) add formula, range and parameters.
"""
_EDGE_CASES = """
## Empty, short and equal texts

The first number of each metric under its default parameters. An output with nothing in it has the \
score that the metric's own library gives it. Where no library defines one, the score is \
undefined: it is counted, and a mean without it says over how many outputs it is. An empty \
reference or source leaves every system without a score there, where libraries give 0 (TER: 1).

- empty output, blank output: nothing, or white space only, against *the cat sat on the mat*
- empty compared text: *the cat sat on the mat* against nothing
- one word: *ok* against *ok*; identical: *the cat sat on the mat* against itself

*scored*: a number that depends on the model. –: it compares with nothing.
"""


def metrics_page(scorers: Iterable[type[Scorer]]) -> str:
    """Return the page in Markdown: each metric by what it measures, then the edge cases."""
    specs = [scorer.spec for scorer in scorers]
    lines, cautions = [_HEAD.rstrip()], dict[str, str]()
    for aspect, title in _TITLES.items():
        of_aspect = [spec for spec in specs if spec.aspect == aspect]
        if of_aspect:
            lines += ["", f"## {title}"]
            for spec in of_aspect:
                lines += ["", *_described(spec, cautions)]
    return "\n".join([*lines, _EDGE_CASES, *_edge_cases(specs)]) + "\n"


def _described(spec: MetricSpec, cautions: dict[str, str]) -> Iterator[str]:
    """Yield heading and two lines; what is no different from an earlier metric refers to it."""
    star = " \\*" if spec.is_default else ""
    yield f"### {spec.key}"
    yield ""
    yield f"**{spec.title}**{star}: {spec.summary or spec.formula} {_facts(spec)}"
    yield ""
    known = cautions.setdefault(spec.distrust, spec.key)
    caution = spec.distrust if known == spec.key else f"As for [{known}](#{known})."
    yield f"*When not to trust it:* {caution} *Source:* {spec.citation}"


def _facts(spec: MetricSpec) -> str:
    """Return direction, comparisons and needs."""
    better = _BETTER.get(spec.orientation, f"Nearer {spec.target or 0:g} is better")
    compared = " or ".join(_COMPARED[each] for each in spec.comparisons if each)
    words = f"{better}{f'; compared with {compared}' if compared else ''}."
    needs = ", ".join(sorted(map(need_words, spec.needs)))
    return f"{words} Needs: {needs}." if needs else words


def _edge_cases(specs: Iterable[MetricSpec]) -> Iterator[str]:
    """Yield a table with a row for all metrics that give the same."""
    by_values: dict[tuple[str, ...], list[str]] = {}
    for spec in specs:
        by_values.setdefault(spec.edge_cases, []).append(f"`{spec.key}`")
    yield f"| metric | {' | '.join(EDGE_CASES)} |"
    yield "| --- |" + " --- |" * len(EDGE_CASES)
    for values, keys in by_values.items():
        yield f"| {', '.join(keys)} | {' | '.join(values)} |"
