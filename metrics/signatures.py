"""Signatures of computed runs and written outputs, in the manner of sacreBLEU."""

import hashlib
from collections.abc import Mapping

from metrics.scorers.spec import MetricSpec, Value
from metrics.writers.writer import WriterSpec

LONGEST = 1000
HASH_DIGITS = 16
"""Digits of a SHA-256 that a signature shows; the run keeps the whole."""


def run_signature(
    spec: MetricSpec | WriterSpec,
    parameters: Mapping[str, Value],
    *,
    against: str = "",
    text: str = "",
    material: str = "",
    files: Mapping[str, str],
    libraries: Mapping[str, str],
    version: str,
) -> str:
    """Return the signature of a metric run, or of what a writer writes.

    Parameters
    ----------
    spec
        Its key and revision.
    parameters
        Every parameter with its value, defaults included; those that decide nothing are left out.
    against
        What outputs are compared with: ``source``, ``reference.2``, ``references`` or nothing.
    text
        Of a metric: the signature of the text setting, such as ``plain``.
    material
        Of a writer: what it learns from, with a hash, such as ``train:1f0c…``, if it learns.
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
    # What changes nothing, such as a price, is left out.
    idle = {each.name for each in spec.parameters if not each.decides}
    about = {"against": against, "text": text, "material": material}
    parts = [spec.key, *(f"{name}:{value}" for name, value in about.items() if value)]
    parts += [f"{n}:{_written(value)}" for n, value in parameters.items() if n not in idle]
    parts.append(f"revision:{spec.revision}")
    parts += [f"{name}:{digest[:HASH_DIGITS]}" for name, digest in sorted(files.items())]
    parts += [f"{name}:{number}" for name, number in sorted(libraries.items())]
    parts.append(f"touchstone:{version}")
    return shortened("|".join(parts))


def _written(value: Value) -> str:
    """Write a value so that it cannot be taken for the next part."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return str(value).replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n")


def shortened(text: str, longest: int = LONGEST, digits: int = 64) -> str:
    """Return a text that fits; a longer one ends in the digits of its SHA-256."""
    if len(text) <= longest:
        return text
    tail = f"…|sha256:{hashlib.sha256(text.encode()).hexdigest()[:digits]}"
    return text[: longest - len(tail)] + tail
