#!/usr/bin/env bash
# Follow the Containerfile in a clean Debian root, where no registry of images can be reached.
#
#   scripts/try_containerfile.sh [FOLDER]
#
# Needs root and debootstrap. The first stage runs here, the second one inside the root: its COPY,
# RUN and ENV lines as they are written; then its CMD, and services of compose.yaml, are started in
# it and asked for a page and a backup, with PostgreSQL and Redis of this machine
# (scripts/with_services.sh). The root is Debian 12, which has Python 3.11; its pg_dump is 15.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -n "${TEST_POSTGRES_URL:-}" ] || exec scripts/with_services.sh "$0" "$@"
root="${1:-$(mktemp -d)}"
python="$(command -v python3.11)"

lines() { tac Containerfile | awk '/^FROM/ {exit} {print}' | tac | sed -n "s/^$1 //p"; }
# Sets `inside` and `as_user`, the beginnings of commands in the root with the settings so far.
settings=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
prepare() {
    inside=(chroot "$root" env -i "${settings[@]}")
    as_user=("${inside[@]}" setpriv --reuid="$user" --regid="$user" --clear-groups)
}
running=()
kept="${1:-}"
cleanup() {
    kill "${running[@]}" 2>/dev/null || true
    wait
    umount "$root/dev/shm" "$root/proc" 2>/dev/null || true
    [ -n "$kept" ] || rm -rf "$root"
}
trap cleanup EXIT

# The image that the Containerfile begins with, made of packages.
[ -x "$root/usr/bin/python3" ] || debootstrap --variant=minbase \
    --include=python3,python3-venv,python3-pip bookworm "$root" >/dev/null
rm -f "$root"/usr/lib/python3*/EXTERNALLY-MANAGED
ln -sf python3 "$root/usr/bin/python"
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm"
mount -t tmpfs -o mode=1777 shm "$root/dev/shm"

# Debian's Python 3.11.2 is older than the image's: redis needs one package more for it.
stage="$(sed -n 's/^RUN pip wheel .*"\/source\(.*\)"$/\1/p' Containerfile)"
"$python" -m pip wheel --quiet --wheel-dir "$root/wheels" ".$stage" async-timeout

while read -r setting; do settings+=("$setting"); done < <(lines ENV)
user="$(lines USER)"
prepare
while read -r step; do
    echo "RUN $step"
    "${inside[@]}" sh -c "$step" >/dev/null
done < <(lines RUN)

answers() {
    for _ in $(seq 300); do
        "$python" -c "import urllib.request as u; u.urlopen('http://localhost:$1/sign-in/')" \
            2>/dev/null && return
        sleep 0.2
    done
    echo "no answer on port $1"
    return 1
}

echo "CMD $(lines CMD)"
"${as_user[@]}" touchstone serve --no-demo --port 8321 & running+=($!)
answers 8321

settings+=("DATABASE_URL=$TEST_POSTGRES_URL" "REDIS_URL=$TEST_REDIS_URL" BACKUP_FOLDER=/backups)
prepare
"${as_user[@]}" touchstone serve --no-demo --no-worker --port 8322 & running+=($!)
answers 8322
"${as_user[@]}" touchstone celery worker --concurrency 2 --loglevel warning & running+=($!)
"${as_user[@]}" touchstone celery beat --schedule /data/beat --loglevel warning & running+=($!)
sleep 10
"${as_user[@]}" touchstone celery inspect ping --timeout 20
kill -0 "${running[@]}"
cp -r demo/formality-demo "$root/data/formality-demo"
"${as_user[@]}" touchstone import_study /data/formality-demo | tail -n 1
"${as_user[@]}" touchstone report formality-demo --kind agreement --format json --output /data/report.json
[ -s "$root/data/report.json" ]
"${as_user[@]}" touchstone backup
[ -s "$(ls "$root"/backups/*/database.pgdump)" ]
echo "Every step of the Containerfile and every service of compose.yaml ran."
