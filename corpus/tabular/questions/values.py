"""Questions about answers: votes in numbers or words, values off the scale, strange words."""

from collections.abc import Iterator, Mapping
from typing import Any

from corpus.tabular.questions.numbers import (
    TIES,
    Answers,
    Found,
    all_words,
    counted,
    numbers_in_other_forms,
    reading,
)
from corpus.tabular.questions.question import (
    KEEP,
    Change,
    Question,
    Results,
    ask,
    left_out,
    plural,
    records,
)

_CODES: tuple[tuple[dict[float, str], set[float]], ...] = (
    ({1: "first", 2: "second"}, {0, 3}),
    ({1: "first", -1: "second"}, {0}),
    ({1: "first", 0: "second"}, {0.5}),
)
"""What numbers say of two texts, and which mean a tie."""
_WORDS = {
    **dict.fromkeys(("win", "wins", "won", "better", "first"), "first"),
    **dict.fromkeys(("loss", "lose", "loses", "lost", "worse", "second"), "second"),
    **dict.fromkeys(("draw", "neither", "no preference", "no difference"), "tie"),
}
"""What words say of two texts, of those that the import does not read itself."""
_MEANINGS = {"first": "the first is better", "second": "the second is better", "tie": "a tie"}
_FEW = 0.2
_LONGER = {5: 7, 7: 10, 10: 12, 100: 100}
"""Highest value of usual scales, and of a scale that could be meant instead."""
_PLAIN = "lower({0}) NOT IN ('source', 'output') AND TRY_CAST({0} AS DOUBLE) IS NULL"
_VOTED = f"""
    UPDATE results.ratings SET judgement = better, score = NULL FROM (
        SELECT place, system <> against AND {_PLAIN.format("system")}
                      AND {_PLAIN.format("against")} AS plain,
               CASE WHEN list_contains(?, token) THEN 'tie'
                    WHEN list_contains(?, token) <> (lower(side) = 'b')
                    THEN if(plain, system, 'output')
                    ELSE if(plain, against, '(against)') END AS better
        FROM rated WHERE list_contains(?, token) AND about = ? AND is_pair)
    WHERE rowid = place"""
"""The name of the better system, or a word where the name could be misread."""


def answers(results: Results) -> Iterator[Question]:
    """Ask about votes in numbers and other words, other forms of numbers, and strange answers."""
    groups = counted(results)
    words = all_words(groups)
    yield from numbers_in_other_forms(groups)
    for group in groups:
        if group.column != "answer":
            continue
        code = _code(group)
        if code:
            yield _votes(group, code)
        if strays := _strays(group, code, reading(group, words).unread):
            yield _unlike_others(group, strays)
        off = values_off_the_scale(group.numbers)
        if off and not group.is_pair and not group.fractions:
            yield _off_the_scale(group, off)


def _code(group: Answers) -> dict[str, str]:
    """Return which answers mean first, second and tie; nothing where they are scores."""
    if not group.is_pair or group.fractions:
        return {}
    others = [found.token for found in group.found("text")]
    words = {word: _WORDS[word] for word in others if word in _WORDS}
    is_vote = any(word not in TIES and "bad" not in word for word in group.known)
    numbers = {} if is_vote or not group.numbers else _numbers_of_votes(group.numbers)
    return {_token(number): side for number, side in numbers.items()} | words


def _numbers_of_votes(counts: Mapping[float, int]) -> dict[float, str]:
    for sides, ties in _CODES:
        code = sides | dict.fromkeys(ties, "tie")
        used = sum(n for number, n in counts.items() if number in code)
        is_likely = used >= (1 - _FEW) * sum(counts.values())
        if is_likely and (sides.keys() <= counts.keys() or counts.keys() <= {1, 2}):
            return {number: word for number, word in code.items() if number in counts}
    if -3 <= min(counts) == -max(counts):
        return {n: "first" if n > 0 else "second" if n else "tie" for n in counts}
    return {}


def _token(number: float) -> str:
    """Return a number as the view of ratings writes it."""
    return str(float(number))


def _strays(group: Answers, code: Mapping[str, str], unread: tuple[Found, ...]) -> list[Found]:
    """Return the few answers that cannot be read as most can, and those that are missing."""
    known, total = sum(group.known.values()), group.plain + group.count()
    found = [each for each in unread if each.token not in code]
    if code or (group.is_pair and known > group.plain):
        left = {n: count for n, count in group.numbers.items() if _token(n) not in code}
        found += [Found(_token(n), f"{n:g}", n, count) for n, count in left.items()]
    elif known + sum(each.n for each in found) > total / 2 and not group.is_pair:
        return []  # Words may be categories.
    is_few = sum(each.n for each in found) <= _FEW * (known + total)
    return group.found("missing") + (found if is_few else [])


def _votes(group: Answers, code: dict[str, str]) -> Question:
    swapped = {"first": "second", "second": "first", "tie": "tie"}
    readings = {"usual": code, "reversed": {n: swapped[word] for n, word in code.items()}}
    if code.keys() == {"0.0", "1.0", "2.0"}:
        readings["from-zero"] = {"0.0": "first", "1.0": "second", "2.0": "tie"}
    counts = {_token(number): (f"{number:g}", n) for number, n in group.numbers.items()}
    counts |= {found.token: (found.example, found.n) for found in group.found("text")}
    offered: list[tuple[Any, ...]] = []
    add = "ALTER TABLE results.ratings ADD COLUMN IF NOT EXISTS {} VARCHAR"
    added = [(add.format(column),) for column in ("judgement", "score")]
    for value, read in readings.items():
        label = ", ".join(f"{counts[each][0]}: {_MEANINGS[read[each]]}" for each in sorted(read))
        lists = [[each for each in read if read[each] == word] for word in ("tie", "first")]
        offered.append((value, label, *added, (_VOTED, *lists, list(read), group.about)))
    return ask(
        f"votes:ratings:{group.about}",
        f"{group.title}: two texts were compared. What do the answers mean?",
        records([counts[each] for each in sorted(code)], "answer"),
        *offered,
        (KEEP, "Keep them as they are"),
    )


def _left_out(group: Answers, tokens: list[str]) -> Change:
    where = "about = ? AND is_pair = ? AND list_contains(?, token)"
    return left_out("ratings", where, group.about, group.is_pair, tokens, view="rated")


def _unlike_others(group: Answers, strays: list[Found]) -> Question:
    dates = " Dates may have been numbers such as 3.5, which a spreadsheet takes for dates."
    is_dated = any(found.example[:1].isdigit() and found.number is None for found in strays)
    tokens = [found.token for found in strays]
    return ask(
        f"unlike-others:ratings:{group.about}",
        f"{group.title}: {plural(sum(found.n for found in strays), 'answer')} cannot be read "
        f"like the others.{dates if is_dated else ''}",
        records([(found.example or "(empty)", found.n) for found in strays], "answer"),
        ("leave-out", "Leave them out: nobody answered", _left_out(group, tokens)),
        (KEEP, "Keep them: the import refuses what cannot be read"),
    )


def _off_the_scale(group: Answers, off: list[float]) -> Question:
    inside = [number for number in group.numbers if number not in off]
    return ask(
        f"off-the-scale:ratings:{group.about}",
        f"{group.title}: ratings are from {min(inside):g} to {max(inside):g}, and a "
        "few far outside. Do these mean that nobody answered?",
        records([(f"{number:g}", group.numbers[number]) for number in off], "rating"),
        ("missing", "Yes: leave them out", _left_out(group, list(map(_token, off)))),
        (KEEP, "No: keep them as ratings"),
    )


def values_off_the_scale(counts: Mapping[float, int]) -> list[float]:
    """Return the rare whole numbers that are far from a usual scale on which most are.

    Examples
    --------
    >>> values_off_the_scale({1: 9, 2: 8, 3: 9, 4: 5, 5: 7, -2: 1, 99: 2})
    [-2, 99]
    >>> values_off_the_scale({1: 9, 2: 8, 3: 9, 7: 1}), values_off_the_scale({-1: 9, 0: 9, 1: 9})
    ([], [])
    """
    for end in _LONGER:
        inside = sorted(value for value in counts if 0 <= value <= end)
        if sum(counts[value] for value in inside) >= (1 - _FEW) * sum(counts.values()):
            break
    else:
        return []
    below = sorted(value for value in counts if value < 0)
    if len(inside) < 3 or (below and inside[-1] - (below[-1] == -1 and inside[0] == 0) < 4):
        below = []  # Scales around 0 are usual.
    above: list[float] = []
    last: float = end
    for value in sorted(value for value in counts if value > end):
        if above or (value > _LONGER[end] and (value - last >= 3 or end == 100)):
            above.append(value)
        last = value
    off = below + above if len(inside) >= 3 else []
    return off if all(value % 1 == 0 for value in off) else []
