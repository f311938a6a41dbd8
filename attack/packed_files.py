"""D1: workbooks, archives, markup and JSON that grow, nest, lead out or declare too much."""

import io
import tarfile
import time
import zipfile
from collections.abc import Iterator
from typing import Any

from attack.finding import Line
from attack.harmful_files import workbook
from attack.hostile_files import IMPORT, MEMORY, PROGRAMS, megabytes, start
from attack.people import Person, signed_in
from attack.processes import MemoryWatch, processes, processor_seconds
from attack.raw_errors import raw
from attack.site import Site, running_site

MOST_SECONDS = 60
"""Of a processor, for the mapping page and the button that imports."""
LONG = "x" * 60_000_000
_TABLE = b"segment,source\ns1,hello\n"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def replay() -> Iterator[Line]:
    """Upload each, look at the mapping page, and press the button that imports."""
    with running_site(IMPORT_MEMORY_MB=str(MEMORY)) as site:
        ada = signed_in(site, "ada", "owner")
        (site.folder / "outside.csv").write_text("kept")
        for name, content, what in files():
            yield _line(site, ada, what, name, content)


def files() -> Iterator[tuple[str, bytes, str]]:
    """Yield name, content and what it is of each file."""
    rows = [["segment", "source"], ["s1", "hello"]]
    for kind in ("xlsx", "ods"):
        yield f"segments.{kind}", _with(workbook(rows, kind), LONG), f"{kind}: 60 MB packed small"
        yield f"segments.{kind}", _laughing(workbook(rows, kind)), f"{kind}: entities of entities"
    yield "segments.xlsx", shared_texts(), "xlsx: two million shared texts"
    yield "segments.xlsx", many_sheets(), "xlsx: 20,000 sheets of one part"
    yield "segments.ods", _repeated(workbook(rows, "ods")), "ods: a row repeated a billion times"
    for kind in ("xml", "sgml"):
        deep = b"<a>" * 100_000 + b"x" + b"</a>" * 100_000
        yield f"segments.{kind}", deep, f"{kind}: 100,000 elements inside each other"
    yield "segments.xml", LAUGHS + b"<r><row><a>&l9;</a></row></r>", "xml: entities of entities"
    elsewhere = b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    yield "segments.xml", elsewhere + b"<r><row><a>&x;</a></row></r>", "xml: an entity elsewhere"
    yield "segments.sgml", b"<doc " + b"a=" * 2_000_000, "sgml: a tag that does not end"
    for kind in ("json", "jsonl"):
        deep = b'{"segment": "s1", "source": "x", "more": %b}' % (b"[" * 900 + b"]" * 900)
        yield f"segments.{kind}", deep, f"{kind}: 900 levels"
    yield (
        "study.zip",
        _zipped("study.json", b'{"title": %b}' % (b"[" * 900 + b"]" * 900)),
        ("study.json: 900 levels"),
    )
    for what, member in HARMFUL_MEMBERS.items():
        yield "study.tar", _tarred(member), f"tar: {what}"
    yield "study.tgz", _tarred({"size": 400_000_000}, "w:gz"), "tgz: 400 MB of one character"
    yield "study.zip", _zipped("../outside.csv", _TABLE), "zip: a path that leads out"


HARMFUL_MEMBERS: dict[str, dict[str, Any]] = {
    "a path that leads out": {"name": "../outside.csv"},
    "an absolute path": {"name": "/etc/outside.csv"},
    "a symbolic link": {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
    "a hard link": {"type": tarfile.LNKTYPE, "linkname": "/etc/passwd"},
    "a device": {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 5},
    "a pipe": {"type": tarfile.FIFOTYPE},
}
LAUGHS = b"<!DOCTYPE r [<!ENTITY l0 'ha'>%b]>" % b"".join(
    b"<!ENTITY l%d '%b'>" % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10)
)


def _line(site: Site, owner: Person, what: str, name: str, content: bytes) -> Line:
    before, held = processes(site), megabytes(site)
    began, taken = time.monotonic(), processor_seconds(site)
    with MemoryWatch(site) as watch:
        page = owner.upload(IMPORT, name, content)
        started = start(owner, page) if "/import/" in page.address else page
    seconds, taken = time.monotonic() - began, processor_seconds(site) - taken
    ended, grown = len(before - processes(site)), megabytes(site) - held
    told = raw(site, page.text) + raw(site, started.text)
    secret = "root:" in page.text + started.text
    kept = (site.folder / "outside.csv").read_text() == "kept"
    refused = not started.address.startswith("/jobs/")
    figure = f"{page.status}, {started.status}{'' if refused else ' (a job)'}; {seconds:.1f} s, "
    figure += f"{taken:.1f} s of a processor, {watch.most} MiB, {grown} MiB of disk, "
    figure += f"{told} raw errors, {ended} processes ended"
    good = refused and kept and not (told or secret or ended) and max(page.status, 400) < 500
    good = good and started.status < 500 and taken < MOST_SECONDS
    return Line("D1", what, figure, good and watch.most < MEMORY + PROGRAMS)


def _changed(data: bytes, part: str, old: bytes, new: bytes) -> bytes:
    """Return a workbook in one part of which something was replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as read, zipfile.ZipFile(out, "w", 8) as written:
        for name in read.namelist():
            content = read.read(name)
            written.writestr(name, content.replace(old, new) if name == part else content)
    return out.getvalue()


def _part(data: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(data)) as read:
        return "content.xml" if "content.xml" in read.namelist() else "xl/worksheets/sheet1.xml"


def _with(data: bytes, text: str) -> bytes:
    return _changed(data, _part(data), b"hello", text.encode())


def _laughing(data: bytes) -> bytes:
    mark = b'<?xml version="1.0" encoding="UTF-8"?>'
    laughs = _changed(data, _part(data), mark, mark + LAUGHS)
    return _changed(laughs, _part(data), b"hello", b"&l9;")


def _repeated(data: bytes) -> bytes:
    often = b'<table:table-row table:number-rows-repeated="1000000000">'
    return _changed(data, "content.xml", b"<table:table-row>", often)


def shared_texts() -> bytes:
    """Return a workbook with two million shared texts, all but equal."""
    rows = workbook([["segment", "source"], ["s1", "hello"]], "xlsx")
    part = b'<Relationship Id="r2" Type="%b/sharedStrings" Target="sharedStrings.xml"/>'
    end = b"</Relationships>"
    related = part % _RELATION.encode() + end
    data = _changed(rows, "xl/_rels/workbook.xml.rels", end, related)
    inline = b'<c t="inlineStr"><is><t xml:space="preserve">hello</t></is></c>'
    data = _changed(data, "xl/worksheets/sheet1.xml", inline, b'<c t="s"><v>1</v></c>')
    out = io.BytesIO(data)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_STORED) as archive:
        texts = "".join(f"<si><t>{n}</t></si>" for n in range(2_000_000))
        archive.writestr("xl/sharedStrings.xml", f"<sst>{texts}</sst>")
    return out.getvalue()


def many_sheets() -> bytes:
    """Return a workbook whose list of sheets names one part again and again."""
    sheets = b"".join(b'<sheet name="%d" sheetId="1" r:id="r1"/>' % n for n in range(20_000))
    one = b'<sheet name="Sheet1" sheetId="1" r:id="r1"/>'
    data = workbook([["segment", "source"], ["s1", "hello"]], "xlsx")
    return _changed(data, "xl/workbook.xml", one, sheets)


def _zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("segments.csv", _TABLE)
        archive.writestr(name, content)
    return out.getvalue()


def _tarred(member: dict[str, Any], mode: str = "w") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        plain = tarfile.TarInfo("segments.csv")
        plain.size = len(_TABLE)
        archive.addfile(plain, io.BytesIO(_TABLE))
        harmful = tarfile.TarInfo("more.csv")
        for name, value in member.items():
            setattr(harmful, name, value)
        archive.addfile(harmful, io.BytesIO(b"x" * harmful.size))
    return out.getvalue()
