"""`manage.py score STUDY METRIC…`: score a study's outputs, with a progress bar."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from corpus.management.arguments import named_values, study_named
from corpus.models import Study
from metrics.management.running import JobCommand
from metrics.models import MetricRun
from metrics.runs.asking import KIND, Asked, prepare_runs
from metrics.runs.requests import RunRequest
from metrics.runs.text_settings import KINDS
from metrics.scorers.registry import UnknownMetric, scorer_class, scorers

ALL = "all"


class Command(JobCommand):
    """Score in the foreground; what is stored stays, whatever happens."""

    help = "Score a study's outputs by metrics; what was scored before is found, not computed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options, which are those of the page and the API."""
        parser.add_argument("study", nargs="?", default="")
        parser.add_argument(
            "metric",
            nargs="*",
            help="keys, none or 'all': the default ones; or names of runs, to score what they lack",
        )
        parser.add_argument("--list", action="store_true", help="list the metrics and stop")
        parser.add_argument(
            "--against",
            default="",
            help="source, reference.N, reference (a run for each) or references (all at once); "
            "default: what each metric prefers",
        )
        parser.add_argument("--text-setting", choices=KINDS, default="plain")
        parser.add_argument("--lexicon", default="", help="style lexicon of a text setting")
        parser.add_argument("--threshold", type=float, help="weight of its words")
        parser.add_argument("--placeholder", default="", help="for masked words")
        parser.add_argument(
            "--text",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="further settings of the texts, as in by=attribution, model=NAME; may be repeated",
        )
        parser.add_argument("--classifier", default="", help="name or hash of a trained model")
        parser.add_argument("--language-model", default="", help="name or hash of a trained model")
        parser.add_argument(
            "--parameter", action="append", default=[], metavar="NAME=VALUE", help="may be repeated"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Score, and say what was done, found and refused."""
        if options["list"]:
            self._list()
            return
        study = study_named(options["study"])
        asked = prepare_runs(study, _requests(study, options))
        is_named = bool(set(options["metric"]) - {ALL})
        for metric, reason in asked.refused.items():
            self.stderr.write(f"not scored: {metric}: {reason}")
        for metric, warning in asked.warnings.items():
            self.stderr.write(f"warning: {metric}: {warning}")
        for run in asked.found:
            self.stdout.write(f"found: {run.name}: signature {run.signature}")
        if asked.started:
            self._score(study, asked, options["verbosity"])
        if asked.refused and (is_named or not (asked.found or asked.started)):
            raise CommandError(f"{len(asked.refused)} of the metrics could not be scored")

    def _score(self, study: Study, asked: Asked, verbosity: int) -> None:
        kept = "what was scored is stored: the same command goes on from there"
        job = self.finished(
            KIND, asked.job_key, study, asked.parameters, verbosity=verbosity, kept=kept
        )
        tables = job.result["tables"]
        for run in MetricRun.objects.filter(study=study, signature__in=tables).order_by("pk"):
            counts = tables[run.signature]
            if not run.fields:
                self.stdout.write(
                    f"made: {run.name}: a score of systems, see their report; "
                    f"signature {run.signature}"
                )
                continue
            undefined = run.undefined.values("output").distinct().count()
            self.stdout.write(
                f"scored: {run.name}: {counts['added']:,} texts, {undefined:,} undefined; "
                f"signature {run.signature}"
            )

    def _list(self) -> None:
        for key, scorer in scorers().items():
            spec = scorer.spec
            mark = "*" if spec.is_default else " "
            against = ", ".join(each for each in spec.comparisons if each)
            words = f" (against {against})" if against else ""
            self.stdout.write(f"{mark} {key:24} {spec.aspect:12} {spec.title}{words}")
        self.stdout.write("* scored when none is named")


def _requests(study: Study, options: dict[str, Any]) -> list[RunRequest]:
    """Return what is asked for: named runs as they are, and metrics as the options say."""
    named = [name for name in options["metric"] if name != ALL]
    runs = {
        run.name: RunRequest(**run.request)
        for run in study.runs.filter(name__in=named).exclude(request={})
        if run.name not in scorers()
    }
    of_metrics = [name for name in named if name not in runs]
    if runs and not of_metrics:
        return list(runs.values())
    return [*runs.values(), *_of_metrics(of_metrics, options)]


def _of_metrics(named: list[str], options: dict[str, Any]) -> list[RunRequest]:
    keys = named or [key for key, scorer in scorers().items() if scorer.spec.is_default]
    parameters = named_values("--parameter", options["parameter"])
    text = {name: options[name] for name in ("lexicon", "threshold", "placeholder")}
    text = {name: value for name, value in text.items() if value not in ("", None)}
    text |= {"kind": options["text_setting"]}
    text |= named_values("--text", options["text"])
    given = {
        "classifier": options["classifier"],
        "regressor": options["classifier"],
        "language_model": options["language_model"],
        "lstm_language_model": options["language_model"],
    }
    requests = []
    for key in keys:
        try:
            spec = scorer_class(key).spec
        except UnknownMetric as error:
            raise CommandError(str(error)) from None
        # What is said for several metrics at once holds for those that it makes sense for.
        of_this = {each.name for each in spec.parameters}
        chosen = {n: v for n, v in parameters.items() if len(keys) == 1 or n in of_this}
        compares = any(spec.comparisons)
        requests.append(
            RunRequest(
                key,
                chosen,
                options["against"] if compares or len(keys) == 1 else "",
                text,
                {need: name for need, name in given.items() if name and need in spec.needs},
            )
        )
    return requests
