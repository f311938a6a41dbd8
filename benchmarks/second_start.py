"""How long a second start takes until a page is answered, as people meet it after `make run`.

    python -m benchmarks.second_start [--old CHECKOUT] [--starts 5]

Makes a database with the demo study and a campaign, then starts `manage.py serve` again and again,
each time for one page: the sign-in page, an annotator's rating page, and a report that is stored.
The clock runs from the start of the command to the last byte of the answer; "cpu" is the processor
time of all its processes by then, "memory" what they hold together, shared pages counted once.
With --old another checkout does the same, with data of its own, in turns with this one.
"""

import argparse
import http.client
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.figures import show_figure

ROOT = Path(__file__).resolve().parent.parent
REPORT = "/studies/formality-demo/correlation/"
PREPARE = (
    "import json, sys; from pathlib import Path; from benchmarks.rating_load import prepare; "
    "print(json.dumps(prepare(Path(sys.argv[1]), 20, 1, 'shared_queue', 1)))"
)
TICK = os.sysconf("SC_CLK_TCK")


@dataclass
class Start:
    """What was measured until one answer."""

    seconds: float
    cpu: float
    megabytes: float


@dataclass
class Site:
    """A checkout with data of its own; `pages` are addresses, with the cookie that opens them."""

    checkout: Path
    folder: Path
    cookie: str = ""
    pages: dict[str, str] = field(default_factory=dict)

    def prepare(self) -> None:
        """Make the data, sign in, enter the campaign and let the report be computed."""
        [[public_id, token]] = json.loads(
            self.run("-c", PREPARE, str(self.folder)).splitlines()[-1]
        )
        self.run("manage.py", "import_study", "demo/formality-demo")
        process, port, link = self.start()
        _, guard, page = ask(port, "GET", link)
        form = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert form
        body = f"csrfmiddlewaretoken={form[1]}"
        signed_in = ask(port, "POST", link, guard, body)[1]
        entered = ask(port, "GET", f"/join/{token}/", signed_in)[1]
        self.cookie = f"{signed_in}; {entered}"
        self.pages = {"sign_in": "/sign-in/", "rating": f"/rate/{public_id}/", "report": REPORT}
        while (status := ask(port, "GET", REPORT, self.cookie)[0]) == 202:
            time.sleep(0.5)
        stop(process)
        if status != 200:
            raise SystemExit(f"{REPORT} answers {status}")

    def run(self, *arguments: str) -> str:
        """Run something of the checkout in Python."""
        return subprocess.run(
            [sys.executable, *arguments], cwd=self.checkout, env=self.environment(),
            check=True, stdout=subprocess.PIPE, text=True,
        ).stdout  # fmt: skip

    def environment(self) -> dict[str, str]:
        """Return the environment with the data of this checkout."""
        kept = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
        return kept | {"TOUCHSTONE_DATA": str(self.folder)}

    def start(self) -> tuple["subprocess.Popen[str]", int, str]:
        """Start `serve`; return it once it printed its address and the link that signs in."""
        process = self.serve(0)
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"Sign in once as .*:(\d+)(/\S+)", line):
                return process, int(found[1]), found[2]
        raise SystemExit(f"{self.checkout} does not start")

    def serve(self, port: int) -> "subprocess.Popen[str]":
        """Start `serve` and return at once."""
        return subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--no-demo", "--port", str(port)],
            cwd=self.checkout, env=self.environment(), stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def measure(self, page: str, port: int) -> Start:
        """Start for one page."""
        # Who is signed in is sent on from the sign-in page.
        cookie = "" if page == "sign_in" else self.cookie
        started = time.perf_counter()
        process = self.serve(port)
        while True:
            try:
                status, *_ = ask(port, "GET", self.pages[page], cookie)
                break
            except ConnectionRefusedError:
                time.sleep(0.01)
        seconds = time.perf_counter() - started
        family = processes_of(process.pid)
        result = Start(seconds, sum(map(cpu_of, family)), sum(map(megabytes_of, family)))
        stop(process)
        if status != 200:
            raise SystemExit(f"{self.pages[page]} answers {status}")
        return result


def ask(
    port: int, method: str, path: str, cookie: str = "", body: str | None = None
) -> tuple[int, str, str]:
    """Return the status of an answer, the cookies that it sets, and its text."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    headers = {"Cookie": cookie} if cookie else {}
    if body:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    given = answer.headers.get_all("Set-Cookie") or ()
    return answer.status, "; ".join(each.partition(";")[0] for each in given), text


def stop(process: "subprocess.Popen[str]") -> None:
    """Tell `serve` to stop and wait until it has."""
    process.send_signal(signal.SIGTERM)
    process.communicate()


def processes_of(pid: int) -> list[Path]:
    """Return the folders in /proc of a process and of all that it started."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):  # It has just ended.
            continue
    family = [pid]
    for each in family:
        family += [child for child, parent in parents.items() if parent == each]
    return [Path("/proc") / str(each) for each in family]


def cpu_of(process: Path) -> float:
    """Return the processor seconds of a process and of its children that have ended."""
    return sum(map(int, (process / "stat").read_text().rpartition(")")[2].split()[11:15])) / TICK


def megabytes_of(process: Path) -> float:
    """Return what a process holds; of pages that several share, its part."""
    lines = (process / "smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def main() -> None:
    """Measure, and print a line for each page and checkout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", type=Path, help="another checkout, measured in turns")
    parser.add_argument("--starts", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        checkouts = {"new": ROOT} | ({"old": options.old.resolve()} if options.old else {})
        sites = {each: Site(path, Path(name) / each) for each, path in checkouts.items()}
        for site in sites.values():
            site.folder.mkdir()
            site.prepare()
        for page in sites["new"].pages:
            taken: dict[str, list[Start]] = {each: [] for each in sites}
            for _ in range(options.starts):
                for each, site in sites.items():
                    taken[each].append(site.measure(page, free_port()))
            for each, starts in taken.items():
                show(page, each, starts)


def show(page: str, checkout: str, starts: list[Start]) -> None:
    """Print the medians of some starts; those of this checkout as figures, too."""
    seconds = statistics.median(each.seconds for each in starts)
    cpu = statistics.median(each.cpu for each in starts)
    memory = statistics.median(each.megabytes for each in starts)
    print(f"{page:8} {checkout}: {seconds:5.2f} s, {cpu:5.2f} s of cpu, {memory:4.0f} MB")
    if checkout == "new":
        show_figure(f"second_start.{page}", seconds, "s")


if __name__ == "__main__":
    main()
