"""What the comparison of a collection says, in sentences made by rules from its results."""

from collections.abc import Sequence

from analysis.collections.content import Matrix, PairTests, Standing

LEVEL = 0.05
MOST_NAMED = 8


def sentences(matrix: Matrix, things: str, by: str) -> list[str]:
    """Say who has the highest average, what it exceeds, and who shares its rank.

    Parameters
    ----------
    matrix
    things
        What is compared, in the plural.
    by
        What the average is of, such as ``over 7 tasks``.
    """
    ranked = [row for row in matrix.rows if row.average.value is not None]
    if not ranked:
        return [f"None of the {things} has a value in every column, so there is no average."]
    best = ranked[0]
    said = [f"{best.name} has the highest average {by}: {_number(best)}."]
    if len(ranked) > 1:
        said += _of_rank_one(ranked, things) + _of_tests(
            matrix.pairs[0], len(ranked), things, matrix.permutations
        )
    if left := len(matrix.rows) - len(ranked):
        verb = "lacks" if left == 1 else "lack"
        said.append(
            f"{left} of {len(matrix.rows)} {things} {verb} a value in some column and "
            f"{'has' if left == 1 else 'have'} no average."
        )
    return said


def _number(row: Standing) -> str:
    result = row.average
    text = f"{result.value:.3f}"
    if result.interval:
        text += f" (95 % interval {result.interval.low:.3f} to {result.interval.high:.3f})"
    return text


def _of_rank_one(ranked: Sequence[Standing], things: str) -> list[str]:
    first = [row.name for row in ranked if row.rank == 1]
    if len(first) == 1:
        return [
            f"It alone has rank 1 of {len(ranked)} {things}: it significantly exceeds the next one."
        ]
    if len(first) == len(ranked):
        return [f"No difference between the {len(ranked)} {things} was detected."]
    named = first[:MOST_NAMED]
    if len(first) > MOST_NAMED:
        named.append(f"{len(first) - MOST_NAMED} more")
    listed = f"{', '.join(named[:-1])} and {named[-1]}"
    return [f"{listed} share rank 1: no difference between any two of them was detected."]


def _of_tests(pairs: PairTests, count: int, things: str, permutations: int) -> list[str]:
    detected = sum(p <= LEVEL for p in pairs.adjusted)
    total = count * (count - 1) // 2
    if not detected and pairs.adjusted != pairs.p_value and permutations < 40 * total - 1:
        return [f"{permutations:,} draws are too few to detect any of the {total} differences."]
    return [f"Of {total} pairs of {things}, {detected} differ significantly."]
