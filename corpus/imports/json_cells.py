"""Cells of tables that hold JSON, read by the dataclass that says what is in them.

Pure: this module imports no Django. cattrs is imported by what reads such a cell only.
"""

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from typing import Any, get_origin

_WORDS: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}
_MOST_NAMED = 3


class JSONCellError(ValueError):
    """JSON that is not of its kind; the message says where in it, and what is expected."""


def read_json_cell(content: Any, kind: Any) -> Any:
    """Return decoded JSON as what a dataclass, or a type of plain values, says is in it.

    Nothing is converted, and a name that the dataclass does not have is refused.

    Raises
    ------
    JSONCellError
        With the first places that are wrong.

    Examples
    --------
    >>> read_json_cell({"style": ["formal"]}, dict[str, list[str]])
    {'style': ['formal']}
    >>> read_json_cell({"style": ["formal", 1]}, dict[str, list[str]])
    Traceback (most recent call last):
        ...
    corpus.imports.json_cells.JSONCellError: ['style'][1]: 1 is not a text
    """
    from cattrs import transform_error

    try:
        return _converter().structure(content, kind)
    except Exception as error:
        if not isinstance(error, ExceptionGroup | ValueError | TypeError | AttributeError):
            raise
        faults = transform_error(error, "", _in_words)
        found = [_placed(*fault.rpartition(" @ ")[::2]) for fault in faults[:_MOST_NAMED]]
        more = [f"{len(faults) - _MOST_NAMED} more"] if len(faults) > _MOST_NAMED else []
        raise JSONCellError("; ".join(found + more)) from None


@cache
def _converter() -> Any:
    from cattrs import Converter
    from cattrs.cols import list_structure_factory, mapping_structure_factory
    from cattrs.gen import make_dict_structure_fn

    def object_of(kind: Any, converter: Any) -> Any:
        return _checked_before(mapping_structure_factory(kind, converter, dict), dict)

    def list_of(kind: Any, converter: Any) -> Any:
        return _checked_before(list_structure_factory(kind, converter), list)

    def dataclass_of(kind: Any, converter: Any) -> Any:
        read = make_dict_structure_fn(kind, converter, _cattrs_forbid_extra_keys=True)
        return _checked_before(read, dict)

    converter = Converter()
    for kind in (str, int, bool):
        converter.register_structure_hook(kind, _only)
    converter.register_structure_hook_factory(_is_generic(dict), object_of)
    converter.register_structure_hook_factory(_is_generic(list), list_of)
    converter.register_structure_hook_factory(is_dataclass, dataclass_of)
    return converter


def _is_generic(origin: type) -> Callable[[Any], bool]:
    return lambda kind: get_origin(kind) is origin


def _checked_before(read: Callable[[Any, Any], Any], kind: type) -> Callable[[Any, Any], Any]:
    return lambda value, annotation: read(_only(value, kind), annotation)


def _only(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        shown = repr(value)
        shown = f"{shown[:40]}…" if len(shown) > 40 else shown
        raise ValueError(f"{shown} is not {_WORDS[kind]}")
    return value


def _in_words(error: BaseException, kind: type | None) -> str:
    if isinstance(error, KeyError):
        return "is missing"
    if names := getattr(error, "extra_fields", None):
        return f"{', '.join(sorted(names))} is not known"
    return str(error)


def _placed(words: str, path: str) -> str:
    place = path.lstrip(".")
    if not place:
        return words
    return f"{place}{' ' if words == 'is missing' else ': '}{words}"
