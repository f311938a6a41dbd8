#!/usr/bin/env bash
# Install the Debian packages that `make test` needs and this machine lacks: Python, a compiler (for
# kenlm), a browser, PostgreSQL, Redis, fonts and WordNet. Where it may not install, it prints the
# command that does, and fails. The shell of Chromium only makes tests quicker: it may be missing.
set -euo pipefail

missing=()
need() { missing+=("$@"); }
has() { command -v "$1" >/dev/null; }
has make || need make
has g++ || need g++
has cmake || need cmake
ls /usr/include/python3.11/Python.h >/dev/null 2>&1 || need python3.11-dev
python3.11 -c 'import ensurepip, venv' 2>/dev/null || need python3.11 python3.11-venv
has chromium || need chromium
has redis-server || need redis-server
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || need postgresql
{ has fc-list && fc-list | grep -qi "noto sans"; } || need fontconfig fonts-noto-core fonts-dejavu-core
# METEOR reads WordNet.
[ -f /usr/share/wordnet/data.noun ] || need wordnet-base

as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo -n)
install() {
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@"
}
has chromium-headless-shell || (install chromium-headless-shell) >/dev/null 2>&1 || true
[ ${#missing[@]} -gt 0 ] || exit 0

if ! has apt-get || ! "${as_root[@]}" true 2>/dev/null; then
    echo "The tests need packages that only an administrator can install. On Debian:" >&2
    echo "    apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
fi
install "${missing[@]}"
