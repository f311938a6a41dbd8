"""Signatures of computed runs, in the manner of sacreBLEU: all that decides the numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from metrics.scorers.spec import MetricSpec, Value
from metrics.writers.writer import WriterSpec

LONGEST = 1000
HASH_DIGITS = 16
"""Digits of a SHA-256 that a signature shows; the run keeps the whole."""


def run_signature(
    spec: MetricSpec,
    parameters: Mapping[str, Value],
    *,
    against: str,
    text: str,
    files: Mapping[str, str],
    libraries: Mapping[str, str],
    version: str,
) -> str:
    """Return a run's signature.

    Parameters
    ----------
    spec
        Its key and revision.
    parameters
        Every parameter with its value, defaults included; those that decide nothing are left out.
    against
        What outputs are compared with: ``source``, ``reference.2``, ``references`` or nothing.
    text
        Signature of the text setting, such as ``plain``.
    files
        Names of model files and trained models to their SHA-256.
    libraries
        Distributions to their versions.
    version
        Of this program.

    Returns
    -------
    str
        At most 1,000 characters; a longer one ends in the SHA-256 of the whole.

    Examples
    --------
    >>> spec = MetricSpec(
    ...     key="bleu", title="BLEU", aspect="content", orientation="higher", formula="",
    ...     range="", distrust="", citation="",
    ... )
    >>> run_signature(
    ...     spec, {"tokenize": "13a", "effective_order": True}, against="reference.1",
    ...     text="plain", files={}, libraries={"sacrebleu": "2.6.0"}, version="0.1.0",
    ... )
    'bleu|against:reference.1|text:plain|tokenize:13a|effective_order:yes|revision:1|sacrebleu:2.6.0|touchstone:0.1.0'
    """
    parts = [spec.key]
    if against:
        parts.append(f"against:{against}")
    parts.append(f"text:{text}")
    return _joined(parts, _deciding(spec, parameters), spec.revision, files, libraries, version)


def writing_signature(
    spec: WriterSpec,
    parameters: Mapping[str, Value],
    *,
    material: str,
    files: Mapping[str, str],
    libraries: Mapping[str, str],
    version: str,
) -> str:
    """Return the signature of what a writer writes, like that of a metric run.

    Parameters
    ----------
    spec, parameters, files, libraries, version
        As for `run_signature`.
    material
        What it learns from, with a hash, such as ``train:1f0c…``; empty if it learns nothing.
    """
    parts = [spec.key]
    if material:
        parts.append(f"material:{material}")
    return _joined(parts, _deciding(spec, parameters), spec.revision, files, libraries, version)


def _deciding(
    spec: MetricSpec | WriterSpec, parameters: Mapping[str, Value]
) -> Mapping[str, Value]:
    """Leave out what changes nothing, such as a price."""
    idle = {each.name for each in spec.parameters if not each.decides}
    return {name: value for name, value in parameters.items() if name not in idle}


def _joined(
    first: list[str],
    parameters: Mapping[str, Value],
    revision: int,
    files: Mapping[str, str],
    libraries: Mapping[str, str],
    version: str,
) -> str:
    parts = list(first)
    parts += [f"{name}:{_written(value)}" for name, value in parameters.items()]
    parts.append(f"revision:{revision}")
    parts += [f"{name}:{digest[:HASH_DIGITS]}" for name, digest in sorted(files.items())]
    parts += [f"{name}:{number}" for name, number in sorted(libraries.items())]
    parts.append(f"touchstone:{version}")
    return _shortened("|".join(parts))


def _written(value: Value) -> str:
    """Write a value so that it cannot be taken for the next part."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return str(value).replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n")


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    tail = f"…|sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    return text[: LONGEST - len(tail)] + tail
