"""What a publication says of checking it: the sums of its files and the words of VERIFY.md."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from analysis.publishing.documents.content import Content

SUMS = "SHA256SUMS"
_CHUNK = 1 << 20


def sha256_of(path: Path) -> str:
    """Return the sum of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def files_below(folder: Path) -> list[str]:
    """Return the paths of all files of a folder, by name."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.relative_to(folder).as_posix() for path in found)


def write_sums(folder: Path) -> dict[str, str]:
    """Write the sum of every file, as `sha256sum --check` reads them; return them."""
    sums = {name: sha256_of(folder / name) for name in files_below(folder) if name != SUMS}
    lines = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    (folder / SUMS).write_text(lines, encoding="utf-8", newline="\n")
    return sums


def how_to_verify(content: Content) -> str:
    """Return VERIFY.md."""
    return "\n".join(_lines(content, content.reports)) + "\n"


def _lines(content: Content, reports: Sequence[object]) -> Iterator[str]:
    yield from (
        f"# How to verify {' '.join(content.title.split())}",
        "",
        "1. **Nothing was changed.** In this folder:",
        "",
        "   ```sh",
        f"   sha256sum --check {SUMS}",
        "   ```",
        "",
        f"   The publisher can tell you the SHA-256 of `{SUMS}` itself.",
        "",
    )
    if reports:
        paths = " ".join(report.path for report in content.reports)
        yield from (
            "2. **The numbers follow from the ratings and scores.** With Touchstone installed (in "
            "a checkout, the command is `manage.py`):",
            "",
            "   ```sh",
            f"   touchstone verify_report {paths}",
            "   ```",
            "",
            "   Each report is computed again from its inputs and every number is compared. The "
            "same versions on the same kind of machine give the same bits, others the same numbers "
            "up to rounding.",
            "",
        )
    yield from (
        f"{3 if reports else 2}. **The study is what it was.** Import this folder and open its "
        "reports:",
        "",
        "   ```sh",
        f"   touchstone import_study . --study {content.slug}",
        "   ```",
        "",
        "   An import compares the tables with `manifest.json` first and refuses what was changed.",
        "",
        "Human raters have other names here than in the original study, and another order. "
        "Numbers that depend on the order of raters therefore differ from those that the authors "
        "see: Pearson correlations in file order, and all that is computed from split halves or "
        "resamples of annotators.",
    )
