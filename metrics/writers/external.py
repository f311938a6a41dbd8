"""A program of this machine: sources in on lines, outputs out on as many lines."""

import contextlib
import hashlib
import os
import re
import shlex
import signal
import subprocess  # nosec B404  # only programs that the administrator lists, and no shell
import tempfile
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from time import monotonic

from metrics.scorers.scorer import Unavailable
from metrics.scorers.spec import Parameter
from metrics.weights.files import file_sha256
from metrics.weights.registered import WRITER_COMMANDS
from metrics.writers.writer import (
    Direction,
    Report,
    Source,
    Writer,
    WriterError,
    WriterSpec,
    Written,
)

SECONDS_BETWEEN_LOOKS = 0.2
MOST_BYTES = 256 * 2**20
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "CUDA_VISIBLE_DEVICES")
"""Variables of the environment that a command sees; keys and passwords are not among them."""
STYLES = ("{source_style}", "{target_style}")
VARIABLES = ("SOURCE_STYLE", "TARGET_STYLE")
_PLACE = re.compile("|".join(map(re.escape, STYLES)))


class ExternalCommand(Writer):
    """Sends the sources to a program of this machine, one on a line, and takes its lines as
    outputs: for published systems with their own code.

    Method
    ------
    The program runs once for each batch of a direction, without a shell, in a folder of its own,
    with few variables of the environment. It reads UTF-8 lines from standard input and writes as
    many to standard output. It finds the styles in the variables SOURCE_STYLE and TARGET_STYLE.
    {source_style} and {target_style} in its listed arguments are filled in, with styles of letters,
    digits, spaces and the signs _ - . + alone.

    Distrust
    --------
    The signature has a hash of the program file and of files among its arguments, not of what else
    it reads.
    """

    spec = WriterSpec(
        key="command",
        title="Run a command",
        group="commands",
        parameters=(
            Parameter(
                "command",
                "",
                "A name that the administrator lists (TOUCHSTONE_WRITER_COMMANDS).",
                listed=WRITER_COMMANDS,
            ),
            Parameter(
                "timeout",
                3600.0,
                "Seconds that one batch may take.",
                minimum=1,
                maximum=86_400,
                decides=False,
            ),
        ),
        together=1000,
    )

    def set_up(self) -> None:
        """Find the command."""
        name = str(self.parameters["command"])
        line = WRITER_COMMANDS.places().get(name)
        if line is None:
            known = ", ".join(WRITER_COMMANDS.names()) or "none"
            raise WriterError(
                f"choose a command that the administrator lists in {WRITER_COMMANDS.variable}; "
                f"there are: {known}"
            )
        self._arguments = shlex.split(line)
        if not os.access(self._arguments[0], os.X_OK):
            raise Unavailable(f"command {name!r}: its program is not there, or cannot be run")

    @property
    def model(self) -> str:
        """Name of the command."""
        return str(self.parameters["command"])

    def check(self, directions: Collection[Direction]) -> None:
        """Refuse styles that a program could take for an option, a path or several lines."""
        for direction in sorted(directions):
            self._filled(direction)
            self._styles(direction)

    def fingerprint(self) -> Mapping[str, str]:
        """Return hashes of the command line, and of the files on it."""
        line = hashlib.sha256("\0".join(self._arguments).encode()).hexdigest()
        files = [Path(each) for each in self._arguments if Path(each).is_file()]
        return {"command line": line} | {path.name: file_sha256(path) for path in files}

    def write(self, sources: Sequence[Source], report: Report = lambda done: None) -> list[Written]:
        """Run the command once for each direction."""
        written: dict[int, Written] = {}
        by_direction: dict[Direction, list[int]] = {}
        for place, source in enumerate(sources):
            if len(source.text.splitlines()) > 1:
                written[place] = Written(
                    reason="the source has a line break, and the command reads one text on a line"
                )
            else:
                by_direction.setdefault(source.direction, []).append(place)
        for direction, places in by_direction.items():
            lines = self._run([sources[place].text for place in places], direction, report)
            written |= {
                place: Written(line.strip()) for place, line in zip(places, lines, strict=True)
            }
        return [written[place] for place in range(len(sources))]

    def _run(self, texts: Sequence[str], direction: Direction, report: Report) -> list[str]:
        given = "".join(f"{text}\n" for text in texts).encode("utf-8", "replace")
        with (
            tempfile.TemporaryDirectory(prefix="touchstone-writer-") as folder,
            tempfile.TemporaryFile() as sent,
            tempfile.TemporaryFile() as received,
        ):
            sent.write(given)
            sent.seek(0)
            process = subprocess.Popen(  # noqa: S603  # nosec B603  # listed by the administrator
                self._filled(direction),
                stdin=sent,
                stdout=received,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env={name: value for name, value in os.environ.items() if name in PASSED_ON}
                | self._styles(direction),
                start_new_session=True,
            )
            try:
                code = self._waited(process, received.fileno(), report)
            finally:
                _end(process)
            if code:
                raise WriterError(f"the command {self.model} ended with the code {code}")
            received.seek(0)
            return _lines(received.read(MOST_BYTES), len(texts), self.model)

    def _waited(self, process: subprocess.Popen[bytes], output: int, report: Report) -> int:
        """Wait for the command's end, for no longer than it may take."""
        limit = float(self.parameters["timeout"])
        stop_at = monotonic() + limit
        while True:
            try:
                return process.wait(SECONDS_BETWEEN_LOOKS)
            except subprocess.TimeoutExpired:
                report(0)
            if os.fstat(output).st_size > MOST_BYTES:
                raise WriterError(f"the command {self.model} wrote more than {MOST_BYTES:,} bytes")
            if monotonic() >= stop_at:
                raise WriterError(
                    f"the command {self.model} was stopped after {limit:g} seconds (timeout)"
                )

    def _filled(self, direction: Direction) -> list[str]:
        named = dict(zip(STYLES, direction, strict=True))
        for style in {
            named[place[0]] for each in self._arguments for place in _PLACE.finditer(each)
        }:
            if not _is_plain(style):
                raise WriterError(
                    f"style {style!r}: the command {self.model} takes styles in its arguments, and "
                    "there only letters, digits, spaces and the signs _ - . + are safe, the first "
                    "a letter or digit. Rename the style, or let the administrator list the "
                    "command without it: it is in a variable of the environment too."
                )
        return [_PLACE.sub(lambda place: named[place[0]], each) for each in self._arguments]

    def _styles(self, direction: Direction) -> dict[str, str]:
        if any("\0" in style for style in direction):
            raise WriterError("no command takes a style with a NUL character")
        return dict(zip(VARIABLES, direction, strict=True))


def _is_plain(style: str) -> bool:
    """Whether a style means nothing but itself, wherever a program puts it."""
    plain = (unicodedata.category(sign)[0] in "LMN" or sign in " _-.+" for sign in style)
    return not style or (style[0].isalnum() and all(plain))


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a command and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _lines(output: bytes, wanted: int, name: str) -> list[str]:
    try:
        text = output.decode("utf-8")
    except UnicodeDecodeError:
        raise WriterError(f"the command {name} did not write UTF-8") from None
    if "\0" in text:
        raise WriterError(f"the command {name} wrote a NUL character, which no text has")
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if len(lines) != wanted:
        raise WriterError(
            f"the command {name} wrote {len(lines):,} lines for {wanted:,} sources: it must write "
            "one line for each"
        )
    return lines


WRITERS = (ExternalCommand,)
