"""Arrow files, as Hugging Face `datasets` saves them, written again as Parquet."""

from __future__ import annotations

from pathlib import Path

from corpus.extras import how_to_install
from corpus.formats.offered import Offered
from corpus.tabular.files import SourceFile, check_expansion
from corpus.tabular.problems import Problem, TableError


def as_parquet(files: Offered, name: str, folder: Path) -> SourceFile:
    """Write the batches of an Arrow stream as Parquet; rows keep their places.

    Parameters
    ----------
    files
        Those that came.
    name
        Of the Arrow file.
    folder
        Where the Parquet file goes.
    """
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        message = f"The administrator adds it by: {how_to_install('parquet')}"
        expected = "a format that this installation reads"
        raise TableError(
            Problem(name, None, None, None, "Arrow", expected, message, "format")
        ) from None

    source = files.source(name)
    place = folder / f"{name.replace('/', '-')}.parquet"
    packed, unpacked = max(source.path.stat().st_size, 1), 0
    try:
        with (
            source.path.open("rb") as stream,
            arrow.ipc.open_stream(stream) as batches,
            parquet.ParquetWriter(place, batches.schema) as writer,
        ):
            for batch in batches:
                unpacked += batch.nbytes
                check_expansion(name, unpacked, packed, files.limits)
                batch.validate(full=True)
                writer.write_batch(batch)
    except MemoryError:
        raise
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise TableError(
            Problem(
                name,
                found=str(error).splitlines()[0][:80] if str(error) else "",
                expected="a whole Arrow file",
                message="Save the dataset again, or write it by dataset.to_parquet.",
                code="damaged",
            )
        ) from error
    return SourceFile(place, name, "parquet")
