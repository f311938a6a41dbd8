"""The tests of every two metrics or systems: in tables of pages and files, and as a matrix."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from analysis.charts.heat_map import difference_matrix
from analysis.charts.table import Row
from analysis.estimates.comparisons import LEVEL, PairTests
from analysis.filter.question import Question, number_text
from analysis.reports.figure import Figure, figure
from analysis.reports.summaries import anchor
from analysis.reports.table import Parts
from analysis.result_values import result_values
from analysis.stats.results import Estimate, Result
from analysis.wording import CORRECTIONS, TESTS

PLACES = ("best", "worst", "cluster")
TEST_COLUMNS = ("test", "holm", "benjamini_hochberg")


def tests_of(pair: PairTests, *around: Any) -> Iterator[Parts]:
    """Yield the parts of the rows of one pair, under `TEST_COLUMNS`, one row a test."""
    for test, result in pair.tests.items():
        adjusted = pair.adjusted[test]
        named = ("holm", "benjamini-hochberg")
        values = (test, *(adjusted[name] for name in named))
        yield *around, dict(zip(TEST_COLUMNS, values, strict=True)), result


def difference_figure(
    names: Sequence[str],
    links: Sequence[str],
    pairs: Sequence[PairTests],
    question: Question,
    *,
    statistic: str,
    tests: Mapping[str, str] = TESTS,
    **words: str,
) -> Figure:
    """Return the matrix of differences between every two metrics or systems."""
    test = tests[question.test] + (" test" if tests is TESTS else "")
    said = f"{statistic}; {test}, {CORRECTIONS[question.correction]} over {len(pairs)} pairs"

    def rows() -> Iterator[Row]:
        for pair in pairs:
            result = pair.tests[question.test]
            yield {
                "first": names[pair.first],
                "second": names[pair.second],
                "value": result.value,
                "p_value": pair.p_value,
                "detected": pair.detected,
                "reason": result.reason,
                "link": links[pair.first],
                "other_link": links[pair.second],
            }

    return figure(
        "differences", difference_matrix, rows, said, order=names, statistic=statistic, **words
    )


class _Mean(Protocol):
    @property
    def system(self) -> str: ...
    @property
    def result(self) -> Result: ...


def mean_rows(means: Iterable[_Mean], panel: str, links: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a chart of systems with their means and intervals."""
    for each, link in zip(means, links, strict=True):
        values = result_values(each.result, "mean")
        yield {"system": each.system, "aspect": panel, "link": link, **values}


class _Ranked(Protocol):
    @property
    def best(self) -> int | None: ...
    @property
    def worst(self) -> int | None: ...
    @property
    def cluster(self) -> int | None: ...
    @property
    def result(self) -> Result: ...


def ranked(names: Sequence[str], compared: Sequence[_Ranked]) -> list[dict[str, Any]]:
    """Return what was compared with rank ranges; a line goes where a cluster begins."""
    return [
        vars(each) | {"name": name, "cluster": each.cluster or "", "ranks": _rank_words(each)}
        for name, each in zip(names, compared, strict=True)
    ]


def _rank_words(at: _Ranked) -> str:
    if at.best is None:
        return "not compared"
    return str(at.best) if at.best == at.worst else f"{at.best}–{at.worst}"


def compared(
    pairs: Sequence[PairTests], names: Sequence[str], question: Question, symbol: str
) -> dict[str, Any]:
    """Return the table of all pairs: the difference, and every test beside the one asked for."""
    tests = list(pairs[0].tests) if pairs else []
    # The test that decides comes first.
    tests.sort(key=lambda test: test != question.test)
    return {
        "symbol": symbol,
        "level": LEVEL,
        "decided_by": TESTS[question.test],
        "correction": CORRECTIONS[question.correction],
        "margin": number_text(question.margin),
        "tests": [TESTS[test] for test in tests],
        "pairs": [_pair(pair, names, tests, question) for pair in pairs],
    }


def _pair(
    pair: PairTests, names: Sequence[str], tests: Sequence[str], question: Question
) -> dict[str, Any]:
    asked = pair.tests[question.test]
    if isinstance(asked, Estimate) and not asked.interval:
        asked = replace(asked, interval=pair.interval)
    adjusted = pair.adjusted[question.test]
    return {
        "anchor": anchor(pair),
        "first": names[pair.first],
        "second": names[pair.second],
        "number": asked,
        "p_values": [
            *(adjusted[name] for name in CORRECTIONS),
            *(pair.tests[test].p_value for test in tests),
        ],
        "detected": pair.detected,
        "equivalent": pair.equivalent,
    }
