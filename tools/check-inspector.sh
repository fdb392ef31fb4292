#!/usr/bin/env bash
# The MCP Inspector's command line lists and calls everything that ben10's server offers. It is installed into a temporary folder
# (130 MB, no scripts) and needs Node 22.19 or later, so it is no dependency of ben10's.
set -euo pipefail
cd "$(dirname "$0")/.."
node -e 'const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) { console.error(`the Inspector needs Node 22.19, this is ${process.version}`); process.exit(1); }'
[ -f dist/ben10.cjs ] || npm run --silent build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo '{}' >"$work/package.json"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$work" @modelcontextprotocol/inspector@2.12.0
node tools/check-inspector.mjs "$work/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js" "$work"
