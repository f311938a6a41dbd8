"""Look all installed packages up among published vulnerabilities, by pip-audit.

The service is the package index at pypi.org. Some mirrors answer in its place without
vulnerabilities; so a version that has some is asked for first. ::

    python -m scripts.audit                 fails if the service does not answer
    python -m scripts.audit --if-answered   says so, and goes on
"""

import argparse
import json
import subprocess  # nosec B404  # for developers; no shell
import sys
import urllib.request

VULNERABLE = "https://pypi.org/pypi/Django/3.2/json"
# Why a vulnerability that is known and not mended does no harm here, by its identifier.
JUSTIFIED: dict[str, str] = {}


def why_not() -> str:
    """Return why the service is of no use now, or nothing."""
    try:
        with urllib.request.urlopen(VULNERABLE, timeout=20) as answer:
            known = json.load(answer).get("vulnerabilities")
    except (OSError, ValueError) as error:
        return f"pypi.org does not answer: {error}"
    return "" if known else "what answers as pypi.org knows no vulnerabilities"


def main() -> None:
    """Exit as pip-audit does."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--if-answered", action="store_true", help="go on if nothing answers")
    if_answered = parser.parse_args().if_answered
    if why := why_not():
        sys.stderr.write(f"pip-audit was NOT run: {why}\n")
        raise SystemExit(0 if if_answered else 1)
    command = [sys.executable, "-m", "pip_audit", "--local", "--progress-spinner", "off"]
    command += [word for known in JUSTIFIED for word in ("--ignore-vuln", known)]
    raise SystemExit(subprocess.run(command, check=False).returncode)  # noqa: S603  (constants)


if __name__ == "__main__":
    main()
