#!/usr/bin/env bash
# Packs ben10 as npm would publish it, installs the tarball with --ignore-scripts, globally (below a folder of its own) and in
# an app, and runs demo, init, hook, serve, log, verify and the library from there, on the Node that is first on PATH.
#
#   tools/check-package.sh [TARBALL]    one that is packed already
set -euo pipefail
cd "$(dirname "$0")/.."
clone=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tarball=${1:-}
if [ -z "$tarball" ]; then
  npm pack --silent --pack-destination "$work" >"$work/pack.out" || { cat "$work/pack.out"; exit 1; }
  tarball=$(echo "$work"/ben10-*.tgz)
fi
mkdir "$work/app" "$work/project"
(cd "$work/app" && npm init -y >/dev/null && npm install --silent --no-audit --no-fund --ignore-scripts "$tarball")
unset CLAUDE_PROJECT_DIR
(cd "$work/app" && npx --no-install ben10 demo >"$work/demo.out") || { echo "npx ben10 demo:"; cat "$work/demo.out"; exit 1; }
npm install -g --prefix "$work/global" --silent --no-audit --no-fund --ignore-scripts "$tarball"
# On Windows, npm puts programs into the folder itself.
export PATH="$work/global/bin:$work/global:$PATH"
cd "$work/project"
ben10 version
ben10 init >/dev/null
# The folder as the system names it, which is not how Git Bash does.
node -p 'JSON.stringify({session_id: "s1", cwd: process.cwd(), hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {command: "ls"}, tool_use_id: "t1"})' |
  ben10 hook PreToolUse
printf '%s\n' \
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"check","version":"1"}}}' \
  '{"jsonrpc":"2.0","method":"notifications/initialized"}' \
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ben10_status","arguments":{}}}' |
  ben10 serve >"$work/serve.out"
grep -q '"id":2' "$work/serve.out" || { echo "serve did not answer:"; cat "$work/serve.out"; exit 1; }
[ "$(ben10 log --json | grep -c tool.called)" = 1 ] || { echo "the hook's event is not in the log"; exit 1; }
ben10 verify
# The library, in strict TypeScript that knows nothing of Node.
cat >"$work/app/main.mts" <<'TS'
import { type ContextState, type JournalEvent, open } from 'ben10';
declare const console: { log(text: string): void };
const journal = open('../project');
const calls: JournalEvent[] = [...journal.events({ from: 1, to: '@head', types: ['tool'] })];
const state: ContextState = journal.at('@head', 'context');
journal.close();
if (state.conversation === undefined) throw new Error('no state');
console.log(calls.map(({ type }) => type).join());
TS
tsc=$clone/node_modules/typescript/bin/tsc
(cd "$work/app" && node "$tsc" --strict --module nodenext --target es2022 --types "" --skipLibCheck false main.mts)
[ "$(cd "$work/app" && node main.mjs)" = tool.called ] || { echo "the library does not read the event"; exit 1; }
echo "package: ok on $(node --version), $(du -sk "$work/app/node_modules/ben10" | cut -f1) KiB installed"
