"""Archives and folders: what is found, what is listed, what is refused."""

import csv
import io
import stat
import zipfile

import pyarrow
import pyarrow.parquet
import pytest

from corpus.tabular.limits import Limits
from corpus.tabular.opening.sources import discover
from corpus.tabular.problems import ProblemLog, TableError
from tests.fixtures.guessed_files import guess_file
from tests.fixtures.harmful_files import KINDS, written
from tests.fixtures.tabular_reading import records
from tests.fixtures.tabular_specs import OUTPUTS, SPECS

ROWS = [("s1", "A", "eins"), ("s2", "A", ""), ("s3", "Ä", 'a\nb\t"c"')]
COLUMNS = ("segment", "system", "output")


@pytest.fixture
def workdir(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def archive(tmp_path):
    """Make a zip archive of members given as name and content."""

    def make(*members, name="study.zip"):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as opened:
            for member, content in members:
                opened.writestr(member, content)
        return tmp_path / name

    return make


def delimited(delimiter):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerows([COLUMNS, *ROWS])
    return out.getvalue().encode()


TABLE = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("ending", KINDS)
def test_every_format_gives_the_same_records_compressed_or_not(
    tmp_path, workdir, archive, ending, packed
):
    name = f"outputs.{ending}" + (".gz" if packed else "")
    data = written(name, TABLE)
    (tmp_path / name).write_bytes(data)
    zipped = archive((f"study/{name}", data))
    for number, path in enumerate((tmp_path / name, zipped)):
        folder = workdir / str(number)
        folder.mkdir()
        (source,) = discover(path, folder).files
        assert source.name == name
        (mapping,) = guess_file(source, SPECS).mappings
        log = ProblemLog()
        found = [values[:3] for _, values in records(source, mapping, OUTPUTS, log)]
        assert found == ROWS
        assert log.problems == ()


@pytest.mark.parametrize(
    "member",
    [
        "../evil.csv",
        "a/../../evil.csv",
        "/etc/evil.csv",
        "C:/evil.csv",
        "..\\evil.csv",
        "\\evil.csv",
    ],
)
def test_a_member_that_leads_out_of_the_archive_is_refused_by_name(workdir, archive, member):
    path = archive(("outputs.csv", delimited(",")), (member, b"x"))
    with pytest.raises(TableError) as caught:
        discover(path, workdir)
    assert caught.value.problems[0].file == member
    assert list(workdir.iterdir()) == []


def test_a_link_in_an_archive_is_refused(workdir, archive):
    link = zipfile.ZipInfo("link.csv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(TableError, match=r"link\.csv: found 'a link'"):
        discover(archive((link, b"/etc/passwd")), workdir)


def test_an_encrypted_member_is_refused(workdir, archive):
    path = archive(("secret.csv", b"abc"))
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(TableError, match=r"secret\.csv: found 'an encrypted file'"):
        discover(path, workdir)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_named_twice_is_refused(workdir, archive):
    with pytest.raises(TableError, match=r"a\.csv: found 'the name twice'"):
        discover(archive(("a.csv", b"x"), ("a.csv", b"y")), workdir)


def test_a_bomb_is_stopped_while_it_unpacks_and_leaves_nothing(workdir, archive):
    path = archive(("bomb.csv", b"0" * 30_000_000))
    assert 30_000_000 / path.stat().st_size > 900
    with pytest.raises(TableError, match=r"bomb\.csv: found '.* times its packed size'"):
        discover(path, workdir)
    assert list(workdir.iterdir()) == []


def test_limits_on_size_and_number_hold(workdir, archive):
    path = archive(("a.csv", bytes(range(256)) * 100), ("b.csv", bytes(range(256)) * 100))
    with pytest.raises(TableError, match=r"b\.csv: found 'more than 30000 bytes'"):
        discover(path, workdir, limits=Limits(total_bytes=30_000))
    with pytest.raises(TableError, match="more than 1 files"):
        discover(path, workdir, limits=Limits(members=1))


def test_an_archive_with_a_name_that_is_no_text_is_refused_in_words(tmp_path, workdir, archive):
    whole = archive(("ségments.csv", "segment,source\ns1,x\n")).read_bytes()
    (tmp_path / "study.zip").write_bytes(whole.replace("é".encode(), b"\xff\xff"))
    with pytest.raises(TableError) as raised:
        discover(tmp_path / "study.zip", workdir)
    assert raised.value.problems[0].expected == "a whole zip archive"


DEEP = "brackets nested more than 32 deep"


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (b'{\n  "title": "T",\n  "scale": [1, 2\n}', 4, "Expecting ',' delimiter"),
        (b'{"a": \n  NaN}', None, "NaN is no number"),
        (b'{"a":\n "\xff"}', 2, "byte 0xff"),
        (b"[1]", 1, "[1]"),
        (b"", 1, "Expecting value"),
        (b'{"title": ' + b"[" * 40 + b"]" * 40 + b"}", None, DEEP),
        (b'{"title": ' + b"[" * 9999, None, DEEP),
    ],
)
def test_a_broken_description_is_placed(tmp_path, workdir, text, line, found):
    (tmp_path / "study.json").write_bytes(text)
    with pytest.raises(TableError) as caught:
        discover(tmp_path / "study.json", workdir)
    problem = caught.value.problems[0]
    assert (problem.line, problem.found) == (line, found)


def test_a_parquet_file_that_says_it_unpacks_a_thousandfold_is_refused(tmp_path, workdir):
    table = pyarrow.table({"output": ["0" * 1_000_000] * 80})
    pyarrow.parquet.write_table(
        table, tmp_path / "outputs.parquet", use_dictionary=False, compression="zstd"
    )
    (source,) = discover(tmp_path / "outputs.parquet", workdir).files
    with pytest.raises(TableError, match="times its packed size"):
        guess_file(source, SPECS)


def test_a_header_that_understates_a_members_size_does_not_help_it(workdir, archive):
    path = archive(("bomb.csv", b"0" * 30_000_000))
    data = bytearray(path.read_bytes())
    true = (30_000_000).to_bytes(4, "little")
    assert data.count(true) == 2
    path.write_bytes(data.replace(true, (1000).to_bytes(4, "little")))
    with pytest.raises(TableError, match=r"bomb\.csv"):
        discover(path, workdir)
    assert list(workdir.iterdir()) == []
