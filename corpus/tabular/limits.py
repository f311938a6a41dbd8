"""How much a study's files may hold before they are refused."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Bounds on what is read, so that no file can fill the memory or the disk.

    Attributes
    ----------
    total_bytes
        Unpacked size of an archive, or of one compressed file.
    members
        Files in an archive or folder.
    ratio
        Unpacked to packed size. Deflate reaches 1032 to 1 at most; tables stay below 100.
    ratio_grace
        Unpacked bytes below which the ratio is not looked at.
    field_characters
        One field.
    record_characters
        One record, and one physical line.
    """

    total_bytes: int = 4096 * MEBIBYTE
    members: int = 10_000
    ratio: int = 200
    ratio_grace: int = MEBIBYTE
    field_characters: int = MEBIBYTE
    record_characters: int = 8 * MEBIBYTE
