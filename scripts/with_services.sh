#!/usr/bin/env bash
# Run a command with a private PostgreSQL and Redis, both started here and stopped afterwards.
#
#   scripts/with_services.sh [--fsync] [--database postgresql] COMMAND...
#
# With --fsync PostgreSQL writes through to the disk, as it does where people rate, and allows more
# connections, as other tools take one for each request. Tests and benchmarks find both services in
# TEST_POSTGRES_URL and TEST_REDIS_URL. A service whose program is absent is left out; tests that
# need it then skip by name (and fail in CI).
set -euo pipefail

pg_bin="$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)"
[ -z "$pg_bin" ] && command -v initdb >/dev/null && pg_bin="$(dirname "$(command -v initdb)")"

# PostgreSQL refuses to run as root: borrow an unprivileged account there.
as_owner() {
    if [ "$(id -u)" = 0 ]; then setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$folder" "$@"; else "$@"; fi
}

# However this script ends, killed too, a watcher in a session of its own ends what it started:
# a trap would wait until the command has ended by itself.
if [ "${1:-}" = "--end-after" ]; then
    folder="$3"
    tail --pid="$2" -f /dev/null
    for running in "$folder"/*.pid; do kill "$(cat "$running")" || true; done
    [ ! -d "$folder/postgresql" ] || as_owner "$pg_bin/pg_ctl" -D "$folder/postgresql" -m immediate stop || true
    rm -rf "$folder"
    exit
fi

fsync=off connections=100
if [ "${1:-}" = "--fsync" ]; then fsync=on connections=300; shift; fi
database=""
if [ "${1:-}" = "--database" ]; then database="$2"; shift 2; fi

folder="$(mktemp -d)"
chmod 755 "$folder"
setsid "$0" --end-after $$ "$folder" </dev/null >/dev/null 2>&1 &

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

if [ -n "$pg_bin" ]; then
    port="$(free_port)"
    mkdir "$folder/postgresql" "$folder/socket"
    [ "$(id -u)" = 0 ] && chown nobody:nogroup "$folder/postgresql" "$folder/socket"
    as_owner "$pg_bin/initdb" -D "$folder/postgresql" -U touchstone -A trust -E UTF8 --locale=C >/dev/null
    as_owner "$pg_bin/pg_ctl" -D "$folder/postgresql" -w -l "$folder/socket/log" \
        -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder/socket -c fsync=$fsync -c max_connections=$connections" start >/dev/null
    export TEST_POSTGRES_URL="postgres://touchstone@127.0.0.1:$port/postgres"
fi

if command -v redis-server >/dev/null; then
    port="$(free_port)"
    redis-server --port "$port" --bind 127.0.0.1 --save "" --dir "$folder" --daemonize no >/dev/null &
    echo $! >"$folder/redis.pid"
    for _ in $(seq 100); do redis-cli -p "$port" ping >/dev/null 2>&1 && break; sleep 0.05; done
    export TEST_REDIS_URL="redis://127.0.0.1:$port/0"
fi

if [ "$database" = postgresql ]; then
    if [ -z "${TEST_POSTGRES_URL:-}" ]; then
        echo "PostgreSQL is not installed here: its test run is skipped." >&2
        [ -n "${CI:-}" ] && exit 1
        exit 0
    fi
    export DATABASE_URL="$TEST_POSTGRES_URL"
fi

status=0
bash -c 'echo $$ >"$0/command.pid"; exec "$@"' "$folder" "$@" || status=$?
rm -f "$folder/command.pid"
exit $status
