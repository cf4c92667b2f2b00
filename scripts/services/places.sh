# Where the services of the graph lane live. Sourced by up.sh and down.sh.
# shellcheck shell=bash disable=SC2034

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
run="$root/services/run"
env_file="$run/env"

postgres_port="${REVETLY_SERVICES_POSTGRES_PORT:-55432}"
redis_port="${REVETLY_SERVICES_REDIS_PORT:-56379}"
neo4j_port="${REVETLY_SERVICES_NEO4J_PORT:-57687}"

redis_pid="$run/redis.pid"
neo4j_pid="$run/neo4j.pid"
# PostgreSQL will not run as root, so its folder may have to be elsewhere: up.sh writes where it put it.
postgres_place="$run/postgres.place"

say() { printf '%s\n' "$*" >&2; }

# The first number in a pid file, if that process lives and its command line holds the given word. A number alone is
# not enough: after a crash another process may have been given it.
alive() {
  local file="$1" word="$2" pid
  [[ -r "$file" ]] || return 1
  read -r pid <"$file" || return 1
  [[ "$pid" =~ ^[0-9]+$ && -r "/proc/$pid/cmdline" ]] || return 1
  tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF -- "$word" || return 1
  printf '%s\n' "$pid"
}

# Runs a command as the owner of PostgreSQL's folder, who is not root.
as_postgres() {
  if [[ "$(id -u)" == 0 ]]; then
    (cd / && runuser -u postgres -- "$@")
  else
    "$@"
  fi
}
