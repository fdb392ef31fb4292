#!/usr/bin/env bash
# The protocol's own conformance suite, over HTTP: the scenarios that any server can pass. The others ask for tools, prompts and
# resources that only the suite's own test server has. Needs Node 22; installed into a temporary folder, without scripts.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$PWD/dist/ben10.cjs
[ -f "$program" ] || npm run --silent build
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
echo '{}' >"$work/package.json"
# Only the registry may be missing; every failing scenario is a failure.
if ! timeout 120 npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$work" \
  @modelcontextprotocol/conformance@0.1.16; then
  echo "conformance: SKIPPED, the suite cannot be fetched"
  exit 0
fi
unset NODE_EXTRA_CA_CERTS
mkdir "$work/project"
cd "$work/project"
CLAUDE_PROJECT_DIR=$PWD node "$program" serve --http --port 0 --read-only --no-token 2>"$work/stderr" &
server=$!
url=
for _ in $(seq 50); do
  url=$(grep -o 'http://[^ ]*' "$work/stderr" || true)
  [ -n "$url" ] && break
  sleep 0.2
done
[ -n "$url" ] || { cat "$work/stderr"; exit 1; }
for scenario in server-initialize ping completion-complete tools-list tools-call-error resources-list prompts-list dns-rebinding-protection; do
  node "$work/node_modules/@modelcontextprotocol/conformance/dist/index.js" server --url "$url" --scenario "$scenario" >"$work/out" 2>&1 ||
    { tail -c 2000 "$work/out"; exit 1; }
  echo "conformance: $scenario passes"
done
