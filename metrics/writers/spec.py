"""What a writer declares of itself, for its docs, its form and its signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from metrics.scorers.spec import Library, Parameter, Value, read_parameters

Need = Literal["pairs", "texts", "lexicon"]
"""What a writer learns from: pairs of source and reference, texts by style, a style lexicon."""


@dataclass(frozen=True, slots=True)
class WriterSpec:
    """A writer as forms, docs, commands and signatures need to know it.

    Parameters
    ----------
    key
        Its name in commands, pages and signatures, such as ``formality-rules``.
    title
        Its name in prose.
    group
        What kind of system it is: the attribute `group` of what it writes.
    summary
        What it does and when to use it, in a sentence or two.
    method
        How it works, for the docs.
    citation
        The paper it follows.
    distrust
        What to keep in mind when its outputs are compared.
    needs
        What it learns from under any of its settings; see `Writer.needs_with`.
    parameters, libraries
        Settings, and distributions whose versions go into the signature.
    together
        Sources that it is given at once; each batch is stored before the next one begins.
    is_slow
        Whether several workers should share the segments.
    revision
        Grows whenever the same input would give another output.
    """

    key: str
    title: str
    group: str
    summary: str
    method: str
    citation: str = ""
    distrust: str = ""
    needs: frozenset[Need] = frozenset()
    parameters: tuple[Parameter, ...] = ()
    libraries: tuple[Library, ...] = ()
    together: int = 1000
    is_slow: bool = False
    revision: int = 1

    def read(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return every parameter's value, defaults filled in.

        Raises
        ------
        metrics.scorers.spec.ParameterError
            If a name is unknown or a value is not taken.
        """
        return read_parameters(self.key, self.parameters, given)
