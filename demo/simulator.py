"""A seeded simulator of annotators: scale ratings, pairwise choices, best–worst choices.

Every answer has its own random stream, addressed by seed, annotator, item, aspect
and occasion. Asking for one answer, for some or for all of them, in any order, gives
the same values, so that the same annotators can drive web pages one rating at a time.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demo.streams import normals, uniforms

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

NOISE, CARELESS, CARELESS_ANSWER = 0, 1, 2
SCALE_ANSWERS, CHOICE_ANSWERS = 0, 1
FIRST, TIE, SECOND = "first", "tie", "second"


@dataclass(frozen=True, slots=True)
class Annotator:
    """How one simulated annotator differs from a perfect one.

    Parameters
    ----------
    severity : float
        Subtracted from every score, in points of the scale.
    noise : float
        Standard deviation of the error of each perception, in points of the scale.
    carelessness : float
        Probability of an answer that ignores the item: uniform over the answers offered.
    position_bias : float
        Advantage of the text shown first in a pair, in points of the scale.
    scale_use : float
        Factor on the distance from the scale's midpoint: below 1 the annotator
        avoids the ends of the scale.

    Raises
    ------
    ValueError
        When a parameter is outside its range or not finite.
    """

    severity: float = 0.0
    noise: float = 0.0
    carelessness: float = 0.0
    position_bias: float = 0.0
    scale_use: float = 1.0

    def __post_init__(self) -> None:
        parameters = (self.severity, self.noise, self.position_bias, self.scale_use)
        if not np.isfinite(parameters).all():
            raise ValueError("an annotator's parameters must be finite")
        if self.noise < 0 or self.scale_use < 0:
            raise ValueError("noise and scale use must not be negative")
        if not 0 <= self.carelessness <= 1:
            raise ValueError("carelessness is a probability")


@dataclass(frozen=True, slots=True)
class ScaleRecords:
    """Ratings in long form: four arrays of equal length, one element per rating."""

    item: IntArray
    annotator: IntArray
    aspect: IntArray
    value: FloatArray

    def __len__(self) -> int:
        return len(self.value)


@dataclass(frozen=True, slots=True)
class ChoiceRecords:
    """Pairwise judgements in long form; ``choice`` is "first", "tie" or "second".

    The choice names the text in canonical order, not the side on which it was shown;
    ``swapped`` says that the second text was shown first.
    """

    pair: IntArray
    annotator: IntArray
    swapped: BoolArray
    choice: npt.NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.choice)


def crossed_design(items: int, annotators: int) -> BoolArray:
    """Return the items × annotators design in which everyone rates everything."""
    return np.ones((items, annotators), dtype=np.bool_)


def batch_design(item_batch: npt.ArrayLike, annotator_batch: npt.ArrayLike) -> BoolArray:
    """Return the items × annotators design in which each batch has its own annotators.

    Parameters
    ----------
    item_batch, annotator_batch : array_like
        The batch of each item and of each annotator.

    Examples
    --------
    >>> batch_design([1, 1, 2], [1, 2]).astype(int).tolist()
    [[1, 0], [1, 0], [0, 1]]
    """
    design: BoolArray = np.asarray(item_batch)[:, None] == np.asarray(annotator_batch)[None, :]
    return design


def simulate_scale(
    true_quality: npt.ArrayLike,
    annotators: list[Annotator],
    design: npt.ArrayLike,
    scale: tuple[float, float],
    step: float,
    seed: int,
    occasion: int = 0,
) -> ScaleRecords:
    """Simulate ratings on a scale.

    An attentive answer is midpoint + scale_use · (quality − midpoint) − severity
    + noise · ε with ε standard normal; a careless one is uniform over the steps.
    Either is rounded to the step and clipped to the scale.

    Parameters
    ----------
    true_quality : array_like, items × aspects
        In points of the scale.
    annotators : list of Annotator
        Their position in the list addresses their random streams.
    design : array_like of bool, items × annotators
        Who rates what.
    scale : (low, high)
        Ends of the scale.
    step : float
        Distance of two neighbouring answers, dividing the scale evenly;
        0 means a continuous scale without rounding or clipping.
    seed : int
    occasion : int
        0 for the first time an item is seen, 1 for its repetition, and so on.

    Returns
    -------
    ScaleRecords
        Ordered by item, then annotator, then aspect.

    Raises
    ------
    ValueError
        When shapes do not fit, a quality is not finite or the step does not divide the scale.
    """
    quality = np.asarray(true_quality, dtype=np.float64)
    chosen = np.asarray(design, dtype=np.bool_)
    if quality.ndim != 2 or chosen.shape != (len(quality), len(annotators)):
        raise ValueError("expected qualities items × aspects and a design items × annotators")
    item, annotator = np.nonzero(chosen)
    aspects = quality.shape[1]
    item, annotator = np.repeat(item, aspects), np.repeat(annotator, aspects)
    aspect = np.tile(np.arange(aspects), len(item) // max(aspects, 1))
    value = _scale_answers(
        quality[item, aspect], annotators, annotator, (item, aspect, occasion), scale, step, seed
    )
    return ScaleRecords(item, annotator, aspect, value)


def rate(
    quality: float,
    annotators: list[Annotator],
    annotator: int,
    item: int,
    aspect: int,
    scale: tuple[float, float],
    step: float,
    seed: int,
    occasion: int = 0,
) -> float:
    """Return one rating, the same as :func:`simulate_scale` gives for these indices."""
    values = _scale_answers(
        np.array([quality], dtype=np.float64),
        annotators,
        np.array([annotator]),
        (np.array([item]), np.array([aspect]), occasion),
        scale,
        step,
        seed,
    )
    return float(values[0])


def simulate_choices(
    quality_first: npt.ArrayLike,
    quality_second: npt.ArrayLike,
    swapped: npt.ArrayLike,
    annotators: list[Annotator],
    seed: int,
    ties: float = 0.0,
    design: npt.ArrayLike | None = None,
    occasion: int = 0,
) -> ChoiceRecords:
    """Simulate judgements of which of two texts is better.

    Each text is perceived as scale_use · quality + noise · ε (Thurstone 1927, case V),
    the one shown first with the position bias added. A perceived difference of at most
    ``ties`` is answered as a tie (Glenn and David 1960). Severity shifts both texts
    alike and plays no part.

    Parameters
    ----------
    quality_first, quality_second : array_like, pairs
        True quality of the two texts in canonical order.
    swapped : array_like of bool, pairs × annotators
        Whether the second text was shown first.
    annotators : list of Annotator
    seed : int
    ties : float
        Half-width of the zone of ties, in points of quality; 0: ties are not offered,
        and a perceived difference of exactly 0 goes to either side with equal chance.
    design : array_like of bool, pairs × annotators, optional
        Who judges what; without it everyone judges everything.
    occasion : int
        0 for the first time a pair is seen, 1 for its repetition.

    Returns
    -------
    ChoiceRecords
        Ordered by pair, then annotator.

    Raises
    ------
    ValueError
        When shapes do not fit, a quality is not finite or ``ties`` is negative.
    """
    first = np.asarray(quality_first, dtype=np.float64)
    second = np.asarray(quality_second, dtype=np.float64)
    shown = np.asarray(swapped, dtype=np.bool_)
    shape = (len(first), len(annotators))
    chosen = np.ones(shape, np.bool_) if design is None else np.asarray(design, np.bool_)
    if first.ndim != 1 or second.shape != first.shape or {shown.shape, chosen.shape} != {shape}:
        raise ValueError("expected qualities per pair and a pairs × annotators order and design")
    pair, annotator = np.nonzero(chosen)
    choice = _choice_answers(
        first[pair] - second[pair],
        shown[pair, annotator],
        annotators,
        annotator,
        (pair, occasion),
        ties,
        seed,
    )
    return ChoiceRecords(pair, annotator, shown[pair, annotator], choice)


def choose(
    quality_first: float,
    quality_second: float,
    swapped: bool,
    annotators: list[Annotator],
    annotator: int,
    pair: int,
    seed: int,
    ties: float = 0.0,
    occasion: int = 0,
) -> str:
    """Return one judgement, the same as :func:`simulate_choices` gives for these indices."""
    choices = _choice_answers(
        np.array([quality_first - quality_second], dtype=np.float64),
        np.array([swapped]),
        annotators,
        np.array([annotator]),
        (np.array([pair]), occasion),
        ties,
        seed,
    )
    return str(choices[0])


def best_and_worst(
    qualities: list[float],
    annotators: list[Annotator],
    annotator: int,
    items: list[int],
    seed: int,
    occasion: int = 0,
) -> tuple[int, int]:
    """Return the places of the texts that an annotator takes for the best and for the worst.

    Each text is perceived as in a continuous rating from 0 to 100; of two texts, the better is
    then chosen as often as by :func:`choose` (Thurstone 1927, case V).

    Parameters
    ----------
    qualities : list of float
        True quality of each text.
    annotators : list of Annotator
    annotator : int
    items : list of int
        The number of each text, which addresses its random stream.
    seed, occasion : int
    """
    perceived = [
        rate(quality, annotators, annotator, item, 0, (0.0, 100.0), 0.0, seed, occasion)
        for quality, item in zip(qualities, items, strict=True)
    ]
    return int(np.argmax(perceived)), int(np.argmin(perceived))


def parameters_of(annotators: list[Annotator], index: IntArray, name: str) -> FloatArray:
    """Return one parameter of the annotators at ``index``."""
    return np.array([getattr(one, name) for one in annotators], dtype=np.float64)[index]


def _scale_answers(
    quality: FloatArray,
    annotators: list[Annotator],
    annotator: IntArray,
    address: tuple[npt.ArrayLike, ...],
    scale: tuple[float, float],
    step: float,
    seed: int,
) -> FloatArray:
    low, high = scale
    _require_finite(quality)
    if (
        not low < high
        or step < 0
        or (step and not np.isclose((high - low) % step, [0, step]).any())
    ):
        raise ValueError("expected low < high and a step that divides the scale evenly")
    midpoint = (low + high) / 2
    scale_use, severity, noise, carelessness = (
        parameters_of(annotators, annotator, name)
        for name in ("scale_use", "severity", "noise", "carelessness")
    )
    stream = (SCALE_ANSWERS, annotator, *address)
    perceived = midpoint + scale_use * (quality - midpoint) - severity
    perceived = perceived + noise * normals(seed, *stream, NOISE)
    careless_draw = uniforms(seed, *stream, CARELESS_ANSWER)
    if step == 0:
        careless = low + careless_draw * (high - low)
    else:
        steps = round((high - low) / step)
        careless = low + step * np.floor(careless_draw * (steps + 1))
        perceived = low + step * np.clip(np.rint((perceived - low) / step), 0, steps)
    is_careless = uniforms(seed, *stream, CARELESS) < carelessness
    return np.where(is_careless, careless, perceived)


def _choice_answers(
    difference: FloatArray,
    swapped: BoolArray,
    annotators: list[Annotator],
    annotator: IntArray,
    address: tuple[npt.ArrayLike, ...],
    ties: float,
    seed: int,
) -> npt.NDArray[np.str_]:
    _require_finite(difference)
    if not ties >= 0:
        raise ValueError("ties is the half-width of the zone of ties and must not be negative")
    scale_use, noise, carelessness, position_bias = (
        parameters_of(annotators, annotator, name)
        for name in ("scale_use", "noise", "carelessness", "position_bias")
    )
    stream = (CHOICE_ANSWERS, annotator, *address)
    bias = np.where(swapped, -position_bias, position_bias)
    perceived = scale_use * difference + bias
    perceived = perceived + np.sqrt(2.0) * noise * normals(seed, *stream, NOISE)
    careless_draw = uniforms(seed, *stream, CARELESS_ANSWER)
    if ties > 0:
        careless = np.array([FIRST, TIE, SECOND])[np.floor(careless_draw * 3).astype(np.int64)]
        attentive = np.where(perceived > 0, FIRST, SECOND)
        attentive = np.where(np.abs(perceived) <= ties, TIE, attentive)
    else:
        careless = np.where(careless_draw < 0.5, FIRST, SECOND)
        attentive = np.where(perceived > 0, FIRST, SECOND)
        attentive = np.where(perceived == 0, careless, attentive)
    is_careless = uniforms(seed, *stream, CARELESS) < carelessness
    return np.where(is_careless, careless, attentive)


def _require_finite(values: FloatArray) -> None:
    if not np.isfinite(values).all():
        raise ValueError("every quality must be a finite number")
