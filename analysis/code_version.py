"""The hash of the code that computes stored results, which keys them together with their inputs."""

import ast
import hashlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile

ROOMS = ("analysis", "annotation", "corpus", "metrics")
ROOTS = (
    "analysis/reports/*/report.py",
    "analysis/sweeps/service.py",
    "analysis/text_map/layout.py",
)
NOT_COMPUTING = (
    *("analysis.reports.service", "analysis.stored_results", "analysis.code_version"),
    # Rows and jobs: what is read from them is hashed with the inputs of each result.
    *("analysis.models", "annotation.models", "corpus.models", "metrics.models", "corpus.jobs"),
    # What scores texts: each run has a signature of its own.
    *("metrics.runs.requests", "metrics.runs.scoring_job", "metrics.runs.asking"),
    *("metrics.resources.trained_models", "metrics.trials", "metrics.scorers.registry"),
)
"""Modules, and packages with all in them, that decide no number of a report."""
FOLLOWED = ("analysis", "metrics.scorers")
"""What is imported by modules of these belongs to the code too; other modules end the search."""


@cache
def kept_code_sha256(base: Path, file: Path) -> str:
    """Return the same as `code_sha256`, out of a file unless a module changed: it takes a second.

    Where the file cannot be written, it is computed in each process.
    """
    digest = hashlib.sha256()
    for path in sorted(path for room in ROOMS for path in base.glob(f"{room}/**/*.py")):
        digest.update(str(path.relative_to(base)).encode())
        digest.update(path.read_bytes())
    with suppress(OSError, ValueError):
        modules, code = file.read_text(encoding="ascii").split()
        if modules == digest.hexdigest():
            return code
    code = code_sha256(base)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", encoding="ascii", dir=file.parent, delete=False) as written:
            written.write(f"{digest.hexdigest()} {code}\n")
        Path(written.name).replace(file)
    return code


@cache
def code_sha256(base: Path) -> str:
    """Return the hash of the code below `base` that decides the numbers of stored results.

    Comments, docstrings and formatting are no part of it.
    """
    digest = hashlib.sha256()
    for path, module in sorted(computing_modules(base).items()):
        digest.update(f"{path.relative_to(base)} {module.sha256}\n".encode())
    return digest.hexdigest()


def computing_modules(base: Path) -> dict[Path, "Module"]:
    """Return the modules of all reports and what these import, except what computes nothing."""
    waiting = [path for pattern in ROOTS for path in base.glob(pattern)]
    found: dict[Path, Module] = {}
    while waiting:
        path = waiting.pop()
        name = ".".join(path.relative_to(base).with_suffix("").parts)
        if path in found or _is_within(name, NOT_COMPUTING):
            continue
        found[path] = _read(path.read_bytes())
        if _is_within(name, FOLLOWED):
            files = (_file_of(base, module) for module in found[path].imported)
            waiting += [file for file in files if file]
    return found


def _is_within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


@dataclass(frozen=True)
class Module:
    """What is known of a module.

    Parameters
    ----------
    sha256
        Of its code, without what only people read.
    imported
        Names of imported modules, among names that may be something else.
    """

    sha256: str
    imported: tuple[str, ...]


@cache
def _read(source: bytes) -> Module:
    tree = ast.parse(source)
    imported: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.append(node.module)
            imported += (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(body := getattr(node, "body", None), list):
            node.body = [each for each in body if not _is_text(each)]  # type: ignore[attr-defined]
    return Module(hashlib.sha256(ast.dump(tree).encode()).hexdigest(), tuple(imported))


def _file_of(base: Path, module: str) -> Path | None:
    """Return where a module of this project is."""
    place = base.joinpath(*module.split("."))
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return path
    return None


def _is_text(statement: ast.AST) -> bool:
    """Whether a statement is a text alone: a docstring, of a module, a function or a constant."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
