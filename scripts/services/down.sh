#!/usr/bin/env bash
# Stops what up.sh started, by process number, and nothing else. Data and passwords stay for the next time.
set -euo pipefail
# shellcheck source=scripts/services/places.sh
source "$(dirname "${BASH_SOURCE[0]}")/places.sh"

[[ -d "$run" ]] || exit 0
exec 9>"$run/lock"
flock 9

# Asks a process to end, and insists after a while.
stop() {
  local name="$1" signal="$2" file="$3" word="$4" pid
  if ! pid="$(alive "$file" "$word")"; then
    say "services: $name is not running"
    return
  fi
  kill "-$signal" "$pid"
  local end=$((SECONDS + 45))
  while [[ -d "/proc/$pid" ]]; do
    if ((SECONDS >= end)); then
      say "services: $name does not end; killing it"
      kill -KILL "$pid" 2>/dev/null || true
      break
    fi
    sleep 0.2
  done
  say "services: $name stopped"
}

stop Neo4j TERM "$neo4j_pid" Neo4jServer
stop Redis TERM "$redis_pid" redis-server
if [[ -s "$postgres_place" ]]; then
  # INT is PostgreSQL's fast stop: it ends sessions rather than wait for them.
  stop PostgreSQL INT "$(<"$postgres_place")/data/postmaster.pid" "$(<"$postgres_place")/data"
fi
rm -f "$neo4j_pid" "$redis_pid" "$env_file"
