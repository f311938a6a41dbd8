"""An external command: lines in, lines out, only if listed, with limits, and no secrets."""

import os
import sys
from time import monotonic

import pytest

from metrics.scorers.scorer import Unavailable
from metrics.scorers.spec import ParameterError
from metrics.writers.external import ExternalCommand
from metrics.writers.writer import Source, WriterError

SOURCES = [Source(f"s{n}", text, "a", "b") for n, text in enumerate(["one", "zwölf", ""])]


@pytest.fixture
def command(tmp_path, monkeypatch):
    """List a program, given as Python code, under the name ``mine``."""

    def listed(code, arguments=""):
        program = tmp_path / "program.py"
        program.write_text(f"#!{sys.executable}\nimport sys\n{code}\n", encoding="utf-8")
        program.chmod(0o700)
        monkeypatch.setenv("TOUCHSTONE_WRITER_COMMANDS", f"mine={program} {arguments}".strip())
        return program

    return listed


def mine(**parameters):
    return ExternalCommand({"command": "mine", **parameters})


UPPER = "for line in sys.stdin: print(line.strip().upper())"


def test_a_line_is_written_for_each_source(command):
    command(UPPER)
    assert [each.text for each in mine().write(SOURCES)] == ["ONE", "ZWÖLF", ""]
    assert mine().model == "mine"


def test_styles_are_filled_in_and_each_direction_runs_once(command):
    command(
        "lines = sys.stdin.read().splitlines()\n"
        "for line in lines: print(line, sys.argv[1:], len(lines))",
        "--from {source_style} --to={target_style}",
    )
    sources = [
        Source("x", "u", "a b", "c"),
        Source("y", "v", "c", "a b"),
        Source("z", "w", "a b", "c"),
    ]
    assert [each.text for each in mine().write(sources)] == [
        "u ['--from', 'a b', '--to=c'] 2",
        "v ['--from', 'c', '--to=a b'] 1",
        "w ['--from', 'a b', '--to=c'] 2",
    ]
    mine().check({("formal", "très формальный 2.0"), ("हिन्दी", "C++"), ("", "non-toxic")})


@pytest.mark.parametrize(
    "style",
    [
        *("--output", "-o", "../../etc", "/abs", "a/../../b", "@file", "a\nb", "a\rb", "a\u2028b"),
        *("a\tb", "$(id)", "`id`", "a;b", "a=b", " a", "..", "~", "a\\b", "a*", "a\u202eb", "a\0b"),
    ],
)
def test_a_style_that_could_mean_more_than_itself_is_in_no_argument(command, style):
    command(UPPER, "--to={target_style}")
    with pytest.raises(WriterError, match="style"):
        mine().check({("a", style)})
    with pytest.raises(WriterError, match="style"):
        mine().write([Source("x", "u", "a", style)])


def test_any_style_is_in_a_variable_of_the_environment(command):
    command(
        "import os\nsys.stdin.read()\n"
        "print(repr([os.environ[name] for name in ('SOURCE_STYLE', 'TARGET_STYLE')]))"
    )
    [written] = mine().write([Source("x", "u", "../../etc", "@file\n-o")])
    assert written.text == repr(["../../etc", "@file\n-o"])


def test_a_source_of_two_lines_is_missing_and_shifts_nothing(command):
    command(UPPER)
    texts = ["one", "two\nlines", "three"]
    written = mine().write([Source(str(n), text) for n, text in enumerate(texts)])
    assert [each.text for each in written] == ["ONE", "", "THREE"]
    assert "line break" in written[1].reason


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("print('one')", "wrote 1 lines for 3 sources"),
        ("print('1\\n2\\n3\\n4')", "wrote 4 lines for 3 sources"),
        ("sys.exit(3)", "ended with the code 3"),
        ("sys.stdout.buffer.write(b'\\xff\\n' * 3)", "did not write UTF-8"),
        ("sys.stdout.buffer.write(b'\\0\\n' * 3)", "wrote a NUL character"),
    ],
)
def test_what_is_no_line_for_each_source_is_refused(command, code, message):
    command(code)
    with pytest.raises(WriterError, match=message):
        mine().write(SOURCES)


def test_a_command_is_stopped_with_all_it_started(command, tmp_path):
    beat = tmp_path / "beat"
    child = f"import time\nwhile True: open({str(beat)!r}, 'a').write('.'); time.sleep(0.01)"
    command(
        "import subprocess, time\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        "time.sleep(60)"
    )
    with pytest.raises(WriterError, match=r"stopped after 1 seconds \(timeout\)"):
        mine(timeout=1).write(SOURCES)
    size = beat.stat().st_size if beat.exists() else 0
    until = monotonic() + 0.3
    while monotonic() < until:
        pass
    assert (beat.stat().st_size if beat.exists() else 0) == size


def test_a_command_sees_no_secrets_and_an_empty_folder(command, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_JUDGE_KEY", "secret")
    monkeypatch.setenv("SECRET_KEY", "secret")
    command("import os\nfor line in sys.stdin: print(sorted(os.environ), os.listdir('.'))")
    (written,) = mine().write(SOURCES[:1])
    assert "PATH" in written.text
    assert "KEY" not in written.text
    assert written.text.endswith("[]")
    assert "KEY" in " ".join(os.environ)


def test_only_listed_commands_run(command, tmp_path):
    program = command(UPPER)
    with pytest.raises(ParameterError, match="TOUCHSTONE_WRITER_COMMANDS"):
        ExternalCommand({"command": "/bin/cat"})
    with pytest.raises(WriterError, match="there are: mine"):
        ExternalCommand({})
    program.chmod(0o600)
    # Whoever may do anything may still not run what nobody may run.
    with pytest.raises(Unavailable, match="cannot be run"):
        mine()


def test_the_fingerprint_follows_the_program(command):
    command(UPPER)
    before = mine().fingerprint()
    assert set(before) == {"command line", "program.py"}
    command(UPPER + " # changed")
    after = mine().fingerprint()
    assert after["program.py"] != before["program.py"]
    assert after["command line"] == before["command line"]
    command(UPPER + " # changed", "--beam 4")
    assert mine().fingerprint()["command line"] != after["command line"]
