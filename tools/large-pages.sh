#!/usr/bin/env bash
# Runs a command where starting a Node costs a little more than half: tests and harnesses start some ten thousand of them, and
# of a start most is faults of pages, as much for Node's own code as for its heap. Here the code is a copy on pages of 2 MiB,
# and memory is handed out 64 KiB at a time (the whole machine's, put back at the end). What is run is the same.
# Their folders are in memory, too, where there is plenty of it: a disk costs an eighth of the processor's time, and waiting
# for it more, and shows nothing where nobody cuts its power.
#
#   tools/large-pages.sh COMMAND…
#
# Takes root on Linux (6.8 for the memory); elsewhere, or where the kernel refuses, it only runs the command.
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2; }
[ "$(uname)" = Linux ] && [ "$(id -u)" = 0 ] || exec "$@"

memory=/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled
before=$(sed -n 's/.*\[\(.*\)\].*/\1/p' "$memory" 2>/dev/null || true)
# Another run's to put back, or the machine's own.
if [ "$before" = always ]; then before=; fi
code=$(mktemp -d)
chmod 755 "$code" # tests run it as nobody, too
files=$(mktemp -d)

undo() {
  if [ -n "$before" ]; then { echo "$before" >"$memory"; } 2>/dev/null || true; fi
  umount -l "$code" "$files" 2>/dev/null || true
  rmdir "$code" "$files" 2>/dev/null || true
}
trap undo EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if [ -n "$before" ]; then { echo always >"$memory"; } 2>/dev/null || true; fi
if mount -t tmpfs -o huge=always,size=256m,mode=755 tmpfs "$code" 2>/dev/null; then
  # One with libraries beside it does not run elsewhere, and a larger one has no room.
  if cp -L "$(node -p process.execPath)" "$code/node" 2>/dev/null && "$code/node" -e 0 2>/dev/null; then PATH="$code:$PATH"; fi
fi
if [ "$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)" -gt 6000000 ] &&
  mount -t tmpfs -o size=3g,mode=1777 tmpfs "$files" 2>/dev/null; then export TMPDIR=$files; fi
"$@"
