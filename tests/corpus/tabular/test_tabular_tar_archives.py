"""Tar archives, however compressed, are unpacked like zip archives, with the same protections."""

import bz2
import gzip
import io
import lzma
import random
import tarfile
from contextlib import suppress

import pytest

from corpus.tabular.limits import Limits
from corpus.tabular.opening.sources import discover
from corpus.tabular.problems import TableError

TABLE = b"segment,system,output\ns1,A,x\n"
PACK = {
    "study.tar": bytes,
    "study.tar.gz": gzip.compress,
    "study.tgz": gzip.compress,
    "study.tar.bz2": bz2.compress,
    "study.tar.xz": lzma.compress,
    "study": gzip.compress,
}


@pytest.fixture
def workdir(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def tarred(*members, kind=tarfile.REGTYPE, form=tarfile.PAX_FORMAT):
    """Return a tar archive of members given as name and content."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "outputs.csv"
            info.size = len(content) if kind == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def saved(tmp_path, data, name="study.tar"):
    (tmp_path / name).write_bytes(data)
    return tmp_path / name


def refused(path, workdir, **limits):
    """Return the problem for which an archive is refused; no file of it is left half written."""
    with pytest.raises(TableError) as caught:
        discover(path, workdir, limits=Limits(**limits))
    [problem] = caught.value.problems
    return problem


@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("name", PACK)
def test_a_tar_archive_is_found_by_its_content(tmp_path, workdir, name, form):
    members = [
        ("./mine/outputs.csv", TABLE),
        ("./mine/scores/Größe.tsv", TABLE),
        ("./mine/._outputs.csv", b"x"),
        ("./mine/study.json", b'{"title": "T"}'),
    ]
    found = discover(saved(tmp_path, PACK[name](tarred(*members, form=form)), name), workdir)
    assert [source.name for source in found.files] == ["outputs.csv", "scores/Größe.tsv"]
    assert [source.path.read_bytes() for source in found.files] == [TABLE, TABLE]
    assert (found.name, found.study_json) == ("study", {"title": "T"})


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        (tarfile.SYMTYPE, "a link"),
        (tarfile.LNKTYPE, "a link"),
        (tarfile.CHRTYPE, "no ordinary file"),
        (tarfile.FIFOTYPE, "no ordinary file"),
    ],
)
def test_links_and_devices_are_refused(tmp_path, workdir, kind, found):
    problem = refused(saved(tmp_path, tarred(("a.csv", b""), kind=kind)), workdir)
    assert (problem.file, problem.found) == ("a.csv", found)


@pytest.mark.parametrize("name", ["../a.csv", "/etc/a.csv", "a/../../b.csv", "C:/a.csv"])
def test_a_member_that_leads_out_is_refused_by_name(tmp_path, workdir, name):
    problem = refused(saved(tmp_path, tarred((name, b"x"))), workdir)
    assert (problem.file, problem.found) == (name, "a path that leads out of the archive")
    assert list(workdir.iterdir()) == []


@pytest.mark.parametrize("name", ["study.tgz", "study.tar.bz2", "study.tar.xz"])
def test_a_bomb_is_stopped_while_it_unpacks(tmp_path, workdir, name):
    path = saved(tmp_path, PACK[name](tarred(("bomb.csv", b"0" * 30_000_000))), name)
    assert refused(path, workdir).code == "expansion"
    assert list(workdir.iterdir()) == []


@pytest.mark.parametrize("name", PACK)
def test_no_archive_that_is_cut_off_is_taken_for_whole(tmp_path, workdir, name):
    content = random.Random(1).randbytes(5000)
    plain = tarred(("a.csv", content), ("b.csv", content))
    data = PACK[name](plain)
    # A tar archive ends with blocks of nothing, of which some may be missing.
    end = len(plain.rstrip(b"\0")) if name == "study.tar" else len(data)
    for length in (600, end // 2, end - 1):
        folder = workdir / str(length)
        folder.mkdir()
        assert refused(saved(tmp_path, data[:length], name), folder).code == "zip"


@pytest.mark.parametrize("name", PACK)
def test_any_changed_bytes_are_unpacked_or_refused(tmp_path, name):
    chance = random.Random(name)
    whole = PACK[name](tarred(("a.csv", TABLE), ("b" * 120, TABLE)))
    for number in range(60):
        data = bytearray(whole)
        for _ in range(3):
            data[chance.randrange(min(len(data), 2048))] = chance.randrange(256)
        folder = tmp_path / str(number)
        folder.mkdir()
        with suppress(TableError):
            discover(saved(tmp_path, bytes(data), name), folder)


def test_no_more_members_than_allowed(tmp_path, workdir):
    path = saved(tmp_path, tarred(*((f"{n}.csv", b"x") for n in range(4))))
    assert refused(path, workdir, members=3).found == "more than 3 files"


def test_what_an_archive_unpacks_to_is_bounded(tmp_path, workdir):
    path = saved(tmp_path, tarred(("a.csv", bytes(range(256)) * 400)))
    assert refused(path, workdir, total_bytes=50_000).found == "more than 50000 bytes"
