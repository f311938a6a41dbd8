"""How fast Touchstone is meant to be, and which benchmark measures it at which size."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """A figure that is wanted.

    Parameters
    ----------
    figure
        Name of the figure, as its benchmark prints it.
    wanted
        The most that it may be; with `at_least`, the least.
    unit
    at_least
    """

    figure: str
    wanted: float
    unit: str
    at_least: bool = False

    def is_met(self, value: float) -> bool:
        """Say whether a measured value is good enough."""
        return value >= self.wanted if self.at_least else value <= self.wanted

    def __str__(self) -> str:
        """Return what is wanted, in words."""
        return f"{'at least' if self.at_least else 'at most'} {self.wanted:g} {self.unit}"


@dataclass(frozen=True)
class Benchmark:
    """A benchmark and how it is run.

    Parameters
    ----------
    module
        Its name in `benchmarks`.
    quick
        Its arguments for a look that takes some minutes at most.
    full
        Its arguments for the sizes of which the goals speak.
    goals
    postgresql
        Whether it needs a PostgreSQL server, whose address it takes by `--postgresql`.
    """

    module: str
    quick: str = ""
    full: str = ""
    goals: tuple[Goal, ...] = ()
    postgresql: bool = False


REPORTS = ("ranking", "agreement", "correlation", "system-comparison", "accuracy")
FORMS = ("wide", "parquet")
OF_VOTES = ("ranking", "agreement", "system-comparison")
STORED = ("study", *REPORTS, "disagreement", "segments")

SEEN, WHEN = ("paint", "picture"), ("cold", "again")


def _at_most(unit: str, **figures: float) -> tuple[Goal, ...]:
    return tuple(Goal(name, wanted, unit) for name, wanted in figures.items())


def _submissions(wanted: float, *figures: str) -> tuple[Goal, ...]:
    return tuple(Goal(name, wanted, "submissions/s", at_least=True) for name in figures)


BENCHMARKS = (
    Benchmark(
        "segment_choice",
        "--segments 10000",
        "--segments 100000",
        _at_most("s", **{"segment_choice.probability": 1.0, "segment_choice.top": 1.0}),
    ),
    Benchmark(
        "second_start",
        "--starts 3",
        "--starts 5",
        _at_most("s", **{f"second_start.{page}": 1.5 for page in ("sign_in", "rating", "report")}),
    ),
    Benchmark(
        "rating_load",
        "--items 1000 --runs 1 --seconds 10",
        "--items 1000 --runs 3 --seconds 12",
        _submissions(650, "rating_load.balanced_overlap.1000"),
    ),
    Benchmark(
        "rating_load",
        "--items 5000 --designs balanced_overlap --runs 1 --seconds 10",
        "--items 5000 100000 1000000 --runs 3 --seconds 60",
        _submissions(
            650, *(f"rating_load.balanced_overlap.{n}" for n in (5_000, 100_000, 1_000_000))
        ),
    ),
    Benchmark(
        "rating_load",
        "--items 5000 --clients 100 --designs balanced_overlap --runs 1 --seconds 10",
        "--items 5000 --clients 100 --designs balanced_overlap --runs 3 --seconds 60",
        _at_most("ms", **{"rating_load.balanced_overlap.5000.100_clients.p95": 200}),
    ),
    Benchmark(
        "rating_load",
        "--items 5000 --designs balanced_overlap --runs 1 --seconds 10",
        "--items 5000 --runs 3 --seconds 60",
        _submissions(400, "rating_load.postgresql.balanced_overlap.5000"),
        postgresql=True,
    ),
    Benchmark("stopping_load", "--items 2000 --seconds 5 --runs 1", "--items 20000 --seconds 30"),
    Benchmark(
        "soak",
        "--sessions 10000 --submissions 200000 --minutes 7",
        "--sessions 10000 --submissions 200000",
        _at_most("errors", **{"soak.errors": 0}),
    ),
    Benchmark("growth", "--sizes 100000 1000000", ""),
    Benchmark("growth", "--sizes 100000", "", postgresql=True),
    Benchmark("backup_at_size", "--scores 1000000"),
    Benchmark("backup_at_size", "--scores 1000000", "", postgresql=True),
    Benchmark("peers", "", "--full"),
    Benchmark("submission_profile", "--submissions 200"),
    Benchmark(
        "pages_at_size",
        "--segments 2000",
        "",
        (
            *_at_most("s", **{f"pages_at_size.first.{page}": 0.5 for page in REPORTS}),
            *_at_most("s", **{f"pages_at_size.again.{page}": 0.15 for page in STORED}),
            *_at_most("MB", **{f"pages_at_size.{step}.memory": 250 for step in ("first", "again")}),
        ),
    ),
    Benchmark(
        "findings_at_size",
        "--segments 1000",
        "",
        (
            *_at_most("s", **{"findings_at_size.cold.paint": 2}),
            *_at_most("s", **{f"findings_at_size.again.{seen}": 0.5 for seen in SEEN}),
            *_at_most("of the window", **{f"findings_at_size.{when}.shift": 0.01 for when in WHEN}),
            *_at_most("KB", **{f"findings_at_size.{when}.weight": 150 for when in WHEN}),
        ),
    ),
    Benchmark(
        "report_jobs",
        "--segments 1000",
        "",
        _at_most(
            "s",
            **{
                "report_jobs.agreement": 2,
                "report_jobs.correlation": 3,
                "report_jobs.system-comparison": 5,
                "report_jobs.accuracy": 5,
            },
        ),
    ),
    Benchmark(
        "collections_at_size",
        "--segments 500 --metrics 20",
        "",
        (
            *_at_most("s", **{"collections_at_size.first": 10, "collections_at_size.again": 1}),
            *_at_most("MB", **{"collections_at_size.memory": 700}),
        ),
    ),
    Benchmark(
        "votes_at_size",
        "--votes 5000 --systems 40",
        "",
        (
            *_at_most("s", **{f"votes_at_size.first.{page}": 0.5 for page in OF_VOTES}),
            *_at_most("s", **{"votes_at_size.import": 30, "votes_at_size.job.agreement": 60}),
            *_at_most("s", **{"votes_at_size.job.system-comparison-annotators": 60}),
            *_at_most("MB", **{"votes_at_size.import.memory": 500}),
            *_at_most("MB", **{"votes_at_size.job.system-comparison-annotators.memory": 1000}),
        ),
    ),
    Benchmark("text_map", "--segments 1000", "", _at_most("s", **{"text_map.stored": 20})),
    Benchmark(
        "large_import",
        "--segments 2000 --forms wide",
        "--forms wide parquet",
        (
            *_at_most("s", **{"large_import.wide": 60, "large_import.parquet": 60}),
            *_at_most(
                "MB", **{"large_import.wide.memory": 300, "large_import.parquet.memory": 300}
            ),
        ),
    ),
    Benchmark(
        "campaign_at_size",
        "--items 1000",
        "--items 1000 100000",
        _at_most(
            "s",
            **{
                "campaign_at_size.balanced_overlap.100000.preview_cold": 1,
                "campaign_at_size.shared_queue.100000.preview_cold": 1,
                "campaign_at_size.balanced_overlap.100000.campaign_cold": 0.5,
                "campaign_at_size.balanced_overlap.100000.answers_first_bytes": 0.3,
            },
        ),
    ),
    Benchmark(
        "sentence_embeddings",
        "--texts 180 --turns 3",
        "",
        (Goal("sentence_embeddings.sources_as_they_stand", 2, "times", at_least=True),),
    ),
    Benchmark("shared_scoring", "--turns 1"),
    Benchmark("import_phases", "--rows 100000", "--rows 1000000", postgresql=True),
    Benchmark("shared_reports", "--turns 1 --segments 1000 --only pearson"),
    Benchmark("report_pages", "--segments 1000"),
    Benchmark("large_reports", "systems --systems 60 --votes 20000", "systems"),
    Benchmark("large_reports", "raters --raters 60 --outputs 300", "raters"),
    Benchmark("importing", "20000"),
    Benchmark("reading", "50000"),
    Benchmark("comparing", "--only pooled"),
    Benchmark("system_scores"),
    Benchmark("lexical_metrics", "500"),
    Benchmark("metric_runs", "--outputs 10000", "--outputs 1000000"),
)
"""What `make bench` runs, in turn; what has no goal shows our speed beside an alternative's."""
