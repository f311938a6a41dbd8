"""All ratings of a study as columns, read from the database some thousand rows at a time."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from django.db import connection

from analysis.data.arrays import Floats, Integers
from analysis.data.judgements import CHOICES
from annotation.models import Rating
from corpus.models import Study

ROWS_AT_A_TIME = 20_000
_COLUMNS = (
    *("submission__item__campaign_id", "submission__annotator_id", "aspect"),
    *("submission__item__first__ordinal", "submission__item__second__ordinal"),
    *("value", "choice", "submission__swapped", "submission__active_seconds"),
)


@dataclass(frozen=True)
class RatingRows:
    """Ratings in the order in which they were given or imported; one entry of each array a rating.

    `campaign` and `annotator` are primary keys, `first` and `second` ordinals of outputs, `aspect`
    indexes `names`. Whole numbers are −1 and others NaN where there is none.
    """

    campaign: Integers
    annotator: Integers
    aspect: Integers
    first: Integers
    second: Integers
    value: Floats
    choice: Integers
    swapped: Integers
    seconds: Floats
    names: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    """What `choice` indexes: `CHOICES`, then the categories in order of appearance."""


def rating_rows(study: Study, *, withdrawn: bool) -> RatingRows:
    """Return the current ratings of a study; those that were withdrawn only if asked for."""
    names: dict[str, int] = defaultdict(lambda: len(names))
    choices: dict[str, int] = defaultdict(lambda: len(choices) - 1)
    choices.update({"": -1} | {name: index for index, name in enumerate(CHOICES)})
    read: tuple[Callable[[Sequence[Any]], Any], ...] = (
        *(_whole, _whole, _coded(names), _whole, _whole),
        *(_number, _coded(choices), _whole, _number),
    )
    parts = [tuple(of([]) for of in read)]
    rows = Rating.objects.counted(study, withdrawn=withdrawn).values_list(*_COLUMNS)
    # As the database gives them: Django would convert the truth value in every row by itself.
    with connection.chunked_cursor() as cursor:
        cursor.execute(*rows.query.sql_with_params())
        while some := cursor.fetchmany(ROWS_AT_A_TIME):
            columns = zip(*some, strict=True)
            parts.append(tuple(of(column) for of, column in zip(read, columns, strict=True)))
    arrays = (np.concatenate(column) for column in zip(*parts, strict=True))
    named = [field.name for field in fields(RatingRows)][: len(read)]
    return RatingRows(
        **dict(zip(named, arrays, strict=True)), names=tuple(names), choices=tuple(choices)[1:]
    )


def _number(column: Sequence[float | None]) -> Floats:
    return np.array(column, dtype=np.float64)


def _whole(column: Sequence[int | None]) -> Integers:
    return np.nan_to_num(_number(column), nan=-1).astype(np.int64)


def _coded(codes: dict[str, int]) -> Callable[[Sequence[str]], Integers]:
    return lambda column: np.fromiter(map(codes.__getitem__, column), dtype=np.int64)


def placed(keys: Sequence[int] | Integers, places: Sequence[int]) -> Integers:
    """Return the place of each key in a list of different keys that has all of them."""
    known = np.array(places, dtype=np.int64)
    order = np.argsort(known)
    return order[np.searchsorted(known[order], keys)].astype(np.int64)
