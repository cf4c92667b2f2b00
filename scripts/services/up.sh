#!/usr/bin/env bash
# Starts PostgreSQL, Redis and Neo4j for the graph lane, and finds a Chromium and a Node 22, installing what is missing.
# May be run again at any time. Prints the file to source; what does not come up is named with the end of its log.
set -euo pipefail
# shellcheck source=scripts/services/places.sh
source "$(dirname "${BASH_SOURCE[0]}")/places.sh"

mkdir -p "$run"
# Two runs at once would start everything twice. The servers must not inherit the lock: they outlive this script.
exec 9>"$run/lock"
flock 9

fail() {
  say "services: $1"
  if [[ -n "${2:-}" && -r "$2" ]]; then
    say "--- the end of $2"
    tail -n 40 "$2" >&2
  fi
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

initdb_path() { find /usr/lib/postgresql -path '*/bin/initdb' 2>/dev/null | sort -V | tail -n 1; }

java_17() { has java && java -version 2>&1 | grep -qE 'version "(1[7-9]|2[0-9])'; }

# A password that is made once and kept: 48 hex digits in a file that only its owner reads.
password_in() {
  local file="$1"
  if [[ ! -s "$file" ]]; then
    (umask 077 && od -An -v -N24 -tx1 /dev/urandom | tr -d ' \n' >"$file")
  fi
  cat "$file"
}

# Calls a check until it holds, for at most the given seconds; gives up early when the process ended.
wait_until() {
  local seconds="$1" pid="$2"
  shift 2
  local end=$((SECONDS + seconds))
  until "$@"; do
    ((SECONDS < end)) || return 1
    [[ -z "$pid" || -d "/proc/$pid" ]] || return 1
    sleep 0.3
  done
}

port_is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

install_packages() {
  local missing=()
  [[ -n "$(initdb_path)" ]] || missing+=(postgresql)
  has redis-server || missing+=(redis-server)
  has chromium || missing+=(chromium)
  has chromedriver || missing+=(chromium-driver)
  java_17 || missing+=(openjdk-17-jdk-headless)
  has mvn || missing+=(maven)
  has npm || missing+=(npm)
  ((${#missing[@]})) || return 0
  [[ "$(id -u)" == 0 ]] || fail "missing: ${missing[*]}; install them, or run this as root"
  say "services: installing ${missing[*]}"
  local log="$run/apt.log"
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1 9>&- || fail "could not install ${missing[*]}" "$log"
}

# npm's `node` package brings one binary a platform; its own link to it is made by a script that npm may not run.
node_22() {
  local binary
  while IFS= read -r binary; do
    if [[ "$("$binary" --version 2>/dev/null)" == v22.* ]]; then
      printf '%s\n' "$binary"
      return 0
    fi
  done < <(find "$run/node/node_modules" -type f -path '*/bin/node' 2>/dev/null)
  return 1
}

install_node() {
  node_22 >/dev/null && return 0
  say "services: fetching Node 22"
  local log="$run/npm.log"
  mkdir -p "$run/node"
  npm install --prefix "$run/node" --no-audit --no-fund --no-save node@22 >"$log" 2>&1 9>&- \
    || fail "could not fetch Node 22" "$log"
  node_22 >/dev/null || fail "npm brought no Node 22 for this machine" "$log"
}

install_neo4j() {
  local lib="$root/services/neo4j/lib" log="$run/maven.log" wanted
  wanted="$(sha256sum <"$root/services/neo4j/pom.xml")"
  [[ -f "$lib/.made-from" && "$(<"$lib/.made-from")" == "$wanted" ]] && return 0
  say "services: fetching Neo4j's jars"
  rm -rf "$lib"
  (cd "$root/services/neo4j" && mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib -DincludeScope=runtime) \
    >"$log" 2>&1 9>&- || fail "could not fetch Neo4j's jars" "$log"
  printf '%s\n' "$wanted" >"$lib/.made-from"
}

# The folder of the private cluster: in the checkout, or where the postgres user can go when it cannot go there.
choose_postgres_place() {
  if [[ -s "$postgres_place" && -d "$(<"$postgres_place")" ]]; then
    cat "$postgres_place"
    return
  fi
  local place="$run/pg"
  if ! as_postgres test -x "$run"; then
    place="/var/lib/postgresql/revetly-$(printf '%s' "$root" | sha256sum | cut -c1-12)"
  fi
  mkdir -p "$place"
  [[ "$(id -u)" != 0 ]] || chown postgres: "$place"
  chmod 0700 "$place"
  printf '%s\n' "$place" | tee "$postgres_place"
}

start_postgres() {
  local bin place password_file="$run/postgres.password" log
  bin="$(dirname "$(initdb_path)")"
  place="$(choose_postgres_place)"
  log="$place/log"
  if ! alive "$place/data/postmaster.pid" "$place/data" >/dev/null; then
    # Without its password the cluster is of no use; it holds nothing but test databases.
    [[ -s "$password_file" && -f "$place/data/PG_VERSION" ]] || rm -rf "$place/data"
    password_in "$password_file" >/dev/null
    port_is_free "$postgres_port" || fail "port $postgres_port is taken, and not by our PostgreSQL"
    if [[ ! -d "$place/data" ]]; then
      install -m 0600 "$password_file" "$place/password"
      [[ "$(id -u)" != 0 ]] || chown postgres: "$place/password"
      as_postgres "$bin/initdb" -D "$place/data" -U revetly -A scram-sha-256 --pwfile="$place/password" \
        -E UTF8 --locale=C.UTF-8 --no-instructions >"$run/initdb.log" 2>&1 9>&- \
        || fail "PostgreSQL's cluster could not be made" "$run/initdb.log"
    fi
    as_postgres "$bin/pg_ctl" -D "$place/data" -l "$log" -w -t 60 -s \
      -o "-p $postgres_port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off" start \
      >"$run/pg_ctl.log" 2>&1 9>&- || fail "PostgreSQL did not start" "$log"
  fi
  export PGPASSWORD
  PGPASSWORD="$(<"$password_file")"
  local ask=(psql -h 127.0.0.1 -p "$postgres_port" -U revetly -d postgres -qAt -c)
  wait_until 30 "" "${ask[@]}" 'SELECT 1' >/dev/null 2>"$run/psql.log" || fail "PostgreSQL does not answer" "$log"
  if [[ -z "$("${ask[@]}" "SELECT 1 FROM pg_database WHERE datname = 'revetly'")" ]]; then
    "${ask[@]}" 'CREATE DATABASE revetly' >/dev/null
  fi
}

redis_answers() { [[ "$(redis-cli -h 127.0.0.1 -p "$redis_port" ping 2>/dev/null)" == PONG ]]; }

start_redis() {
  local log="$run/redis.log"
  if ! alive "$redis_pid" redis-server >/dev/null; then
    port_is_free "$redis_port" || fail "port $redis_port is taken, and not by our Redis"
    redis-server --bind 127.0.0.1 --port "$redis_port" --save '' --appendonly no --dir "$run" --daemonize yes \
      --pidfile "$redis_pid" --logfile "$log" >/dev/null 9>&- || fail "Redis did not start" "$log"
  fi
  wait_until 20 "" redis_answers || fail "Redis does not answer" "$log"
}

# Bolt's first words: its magic number and four versions offered; a server answers with the version it took.
bolt_answers() {
  local taken
  taken="$( (exec 3<>"/dev/tcp/127.0.0.1/$neo4j_port" \
    && printf '\x60\x60\xb0\x17\x00\x00\x04\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00' >&3 \
    && timeout 5 head -c 4 <&3 | od -An -tx1) 2>/dev/null)"
  [[ "$taken" =~ 05 ]]
}

neo4j_is_ready() { grep -q '^ready on port' "$run/neo4j.log" && bolt_answers; }

launch_neo4j() {
  setsid nohup java -Xms512m -Xmx1g -cp "$root/services/neo4j/lib/*" "$root/services/neo4j/Neo4jServer.java" \
    "$run/neo4j" "$neo4j_port" "$run/neo4j.password" >"$run/neo4j.log" 2>&1 </dev/null 9>&- &
  printf '%s\n' "$!" >"$neo4j_pid"
  wait_until 120 "$!" neo4j_is_ready
}

stop_failed_neo4j() {
  local pid
  pid="$(alive "$neo4j_pid" Neo4jServer)" && kill -KILL "$pid"
  rm -f "$neo4j_pid"
}

start_neo4j() {
  password_in "$run/neo4j.password" >/dev/null
  if alive "$neo4j_pid" Neo4jServer >/dev/null; then
    wait_until 30 "" neo4j_is_ready || fail "Neo4j runs and does not answer" "$run/neo4j.log"
    return
  fi
  port_is_free "$neo4j_port" || fail "port $neo4j_port is taken, and not by our Neo4j"
  local had_data=false
  [[ ! -d "$run/neo4j" ]] || had_data=true
  launch_neo4j && return
  stop_failed_neo4j
  "$had_data" || fail "Neo4j did not start" "$run/neo4j.log"
  # A killed server can leave a folder it will not open again. It holds test data only: begin anew, once.
  say "services: Neo4j did not start on its old data; starting on none"
  rm -rf "$run/neo4j"
  launch_neo4j && return
  stop_failed_neo4j
  fail "Neo4j did not start" "$run/neo4j.log"
}

write_env() {
  local password
  password="$(<"$run/postgres.password")"
  (
    umask 077
    cat >"$env_file.new" <<END
export REVETLY_TEST_NEO4J_URL='bolt://127.0.0.1:$neo4j_port'
export REVETLY_TEST_NEO4J_USER='neo4j'
export REVETLY_TEST_NEO4J_PASSWORD_FILE='$run/neo4j.password'
export REVETLY_TEST_DATABASE_URL='postgres://revetly:$password@127.0.0.1:$postgres_port/revetly'
export REVETLY_TEST_REDIS_URL='redis://127.0.0.1:$redis_port/0'
export REVETLY_TEST_CHROMIUM='$(command -v chromium)'
export REVETLY_TEST_NODE='$(node_22)'
END
  )
  mv "$env_file.new" "$env_file"
}

install_packages
install_node
install_neo4j
start_postgres
start_redis
start_neo4j
write_env
say "services: PostgreSQL on $postgres_port, Redis on $redis_port, Neo4j on $neo4j_port, Node at $(node_22)"
printf '%s\n' "$env_file"
