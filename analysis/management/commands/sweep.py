"""`manage.py sweep STUDY METRIC ASPECT`: a metric under many settings and human scores."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis import models
from analysis.management.results import finished_job
from analysis.stats.results import Result
from analysis.sweeps.asked import MASKS, UNITS, Sweep, SweepError, SweepResult, read_grid
from analysis.sweeps.service import KIND, sweep_job, usual_model
from corpus.access.log import Action, log_access
from corpus.management.arguments import ProgressLine, study_named
from corpus.models import Study
from metrics.attribution.masking import AT_LEAST_ONE, RULES
from metrics.trials.styles import THRESHOLDS


class Command(BaseCommand):
    """Sweep in this process; what was scored is kept if it is stopped."""

    help = "Score a study by a metric under many settings, and say which agrees with human raters."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("study")
        parser.add_argument("metric", help="its key, see manage.py score --list")
        parser.add_argument("aspect", help="what human raters judged")
        parser.add_argument("--scores", choices=("raw", "z"), default="raw")
        parser.add_argument("--against", default="", help="source, reference.N or references")
        parser.add_argument(
            "--model",
            help="classifier whose attributions say what is masked; default: the first fine-tuned "
            "one; empty for plain texts only",
        )
        parser.add_argument("--threshold", type=float, action="append", help="may be repeated")
        parser.add_argument("--mask", choices=list(MASKS), action="append", help="may be repeated")
        parser.add_argument("--units", choices=list(UNITS), action="append", help="may be repeated")
        parser.add_argument(
            "--rule",
            choices=list(RULES),
            action="append",
            help="where one word exceeds the threshold: mask it all the same (default), or "
            "nothing; report-2022 takes all settings of that report; may be repeated",
        )
        parser.add_argument(
            "--grid",
            action="append",
            default=[],
            metavar="NAME=VALUE,VALUE",
            help="values of a parameter of the metric; may be repeated",
        )
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def handle(self, *args: Any, **options: Any) -> None:
        """Sweep, and print every setting."""
        study = study_named(options["study"])
        try:
            key, parameters = sweep_job(study, _sweep(study, options))
        except SweepError as error:
            raise CommandError(str(error)) from None
        line = ProgressLine(self.stderr)
        try:
            report = line.report if options["verbosity"] else None
            job = finished_job(KIND, key, study, parameters, report)
        finally:
            line.clear()
        stored = models.Result.objects.get(pk=job.result["sweep"]).content
        if options["format"] == "json":
            log_access(Action.EXPORTED, "sweep by command", study=study)
            self.stdout.write(json.dumps(stored, ensure_ascii=False, indent=2))
            return
        content = SweepResult.from_dict(stored)
        for row in content.rows:
            threshold = "" if row.threshold is None else f", threshold {row.threshold:g}"
            self.stdout.write(f"{row.number}, {row.line}{threshold}: {_words(row.result)}")
        self.stdout.write(
            self.style.SUCCESS(f"choosing the best, held out: {_words(content.honest)}")
        )


def _sweep(study: Study, options: dict[str, Any]) -> Sweep:
    lines = "\n".join(options["grid"])
    return Sweep(
        metric=options["metric"],
        aspect=options["aspect"],
        against=options["against"],
        model=usual_model(study) if options["model"] is None else options["model"],
        thresholds=options["threshold"] or list(THRESHOLDS),
        masks=options["mask"] or list(MASKS),
        units=options["units"] or list(UNITS),
        grid=read_grid(options["metric"], lines),
        scores=options["scores"],
        rules=options["rule"] or [AT_LEAST_ONE],
    )


def _words(result: Result) -> str:
    """Say a correlation with its interval, or why there is none."""
    if result.value is None:
        return f"undefined, because {result.reason}"
    interval = result.interval
    bounds = f" [{interval.low:.3f}, {interval.high:.3f}]" if interval else ""
    return f"r {result.value:.3f}{bounds}, n {result.n:,}"
