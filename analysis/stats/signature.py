"""Signatures: one line of text that says exactly which variant of a statistic a number is."""

import math
from collections.abc import Mapping
from typing import TypeAlias

VERSION = "0.1"
"""Version of the definitions in this package; raised when a value changes for the same input."""

VariantValue = str | int | float | bool | None
Variant: TypeAlias = Mapping[str, VariantValue]
"""Parts of a signature by name."""
NO_VARIANT: Variant = {}


def signature(statistic: str, **variant: VariantValue) -> str:
    """Describe a statistic and its variant in one deterministic line.

    The manner is that of sacreBLEU (Post 2018): the name first, then ``key:value`` parts joined by
    bars, sorted by key, and the version last. Underscores in keys and values become hyphens, text
    is lower-cased with its spaces turned into hyphens, whole floats lose their fraction, and a
    ``None`` is left out.

    Parameters
    ----------
    statistic : str
        Name of the statistic, such as ``"kendall-tau-like"``.
    **variant : str, int, float, bool or None
        What was chosen.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If a part is empty, holds a bar or a colon, or is a float that is not finite.

    Examples
    --------
    >>> signature("kendall-tau-like", min_gap=25.0, human="raw", seed=None)
    'kendall-tau-like|human:raw|min-gap:25|v:0.1'
    """
    parts = [_normalised(statistic)]
    for key in sorted(variant):
        value = variant[key]
        if value is not None:
            parts.append(f"{_normalised(key)}:{_normalised(value)}")
    return "|".join([*parts, f"v:{VERSION}"])


def extended(name: str, **variant: VariantValue) -> str:
    """Return a signature with further parts.

    Examples
    --------
    >>> extended("fleiss-kappa|level:0.95|v:0.1", threshold=2.0)
    'fleiss-kappa|level:0.95|threshold:2|v:0.1'
    """
    statistic, *parts, _ = name.split("|")
    known = dict(part.split(":", 1) for part in parts)
    return signature(statistic, **known | variant)


def _normalised(value: VariantValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("a signature holds finite numbers only")
        return str(int(value)) if value.is_integer() else repr(value)
    text = str(value).strip().lower().replace("_", "-").replace(" ", "-")
    if not text or "|" in text or ":" in text:
        raise ValueError(f"not a part of a signature: {value!r}")
    return text
