"""Values of pieces of a report as JSON, for the worker that puts them together.

What is written follows from what the piece declares to return, so that a new piece needs nothing
here. No bit of a number is lost.
"""

from base64 import b64decode, b64encode
from functools import cache, partial
from typing import Any, TypeVar, get_origin, get_type_hints

import numpy as np
from cattrs import Converter

from analysis.reports.content import converter
from analysis.stats.pieces import Piece

T = TypeVar("T")


def packed(piece: Piece[Any]) -> Any:
    """Compute a piece and return its value as JSON."""
    return _converter().unstructure(piece(), unstructure_as=_declared(piece))


def unpacked(piece: Piece[T], stored: Any) -> T:
    """Return the value of a piece that another process packed."""
    value: T = _converter().structure(stored, _declared(piece))
    return value


def _declared(piece: Piece[Any]) -> Any:
    """Return the type that a piece declares to return."""
    return get_type_hints(piece.func if isinstance(piece, partial) else piece)["return"]


@cache
def _converter() -> Converter:
    """Return what reads and writes contents of reports, and arrays too."""
    arrays = converter().copy()
    arrays.register_unstructure_hook_func(_is_array, _array_packed)
    arrays.register_structure_hook_func(_is_array, _array)
    return arrays


def _is_array(annotation: Any) -> bool:
    return np.ndarray in (annotation, get_origin(annotation))


def _array_packed(values: np.ndarray[Any, Any]) -> dict[str, Any]:
    data = b64encode(np.ascontiguousarray(values).tobytes()).decode()
    return {"type": values.dtype.str, "shape": list(values.shape), "base64": data}


def _array(stored: dict[str, Any], _: Any) -> np.ndarray[Any, Any]:
    values = np.frombuffer(b64decode(stored["base64"]), dtype=stored["type"])
    return values.reshape(stored["shape"]).copy()
