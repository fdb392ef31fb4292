#!/usr/bin/env node
// A client by a script: speaks stream-json as Claude Code does, and does what the step of its iteration says. It fires no hooks.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

const { SCRIPT, CLIENT_LOG, BEN10_ITERATION } = process.env;
const note = (what) =>
  appendFileSync(
    CLIENT_LOG,
    `${JSON.stringify({ what, pid: process.pid, n: Number(BEN10_ITERATION) })}\n`,
  );
for (const pid of atWork()) if (isAlive(pid)) note('beside');
note('start');
process.on('exit', () => note('stop'));
process.stdout.on('error', () => undefined);

function atWork() {
  const told = existsSync(CLIENT_LOG)
    ? readFileSync(CLIENT_LOG, 'utf8').split('\n').filter(Boolean)
    : [];
  const all = told.map((line) => JSON.parse(line));
  const stopped = new Set(all.filter(({ what }) => what === 'stop').map(({ n }) => n));
  return all.filter(({ what, n }) => what === 'start' && !stopped.has(n)).map(({ pid }) => pid);
}

/** What nobody has waited for yet is none. */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return (
      !existsSync('/proc/self/stat') || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    );
  } catch {
    return false;
  }
}

const prompt = readFileSync(0, 'utf8');
const steps = JSON.parse(readFileSync(SCRIPT, 'utf8'));
const step = steps[Number(BEN10_ITERATION) - 1] ?? steps.at(-1);
const args = process.argv.slice(2);
const session = args[args.indexOf('--session-id') + 1];
if (step.keep)
  writeFileSync(step.keep, JSON.stringify({ prompt, args, loop: process.env.BEN10_LOOP }));

process.on('SIGINT', () => {
  if (!step.ignoresInt) process.exit(130);
});
const print = (line) =>
  process.stdout.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);

print({ type: 'system', subtype: 'init', session_id: session });
for (const line of step.lines ?? []) print(line);
for (const [file, text] of Object.entries(step.write ?? {})) writeFileSync(file, text);
if (step.fail) process.stderr.write(`${step.fail}\n`);
setTimeout(() => {
  if (step.exit === undefined || step.say !== undefined)
    print({
      type: 'result',
      subtype: step.subtype ?? 'success',
      is_error: step.isError ?? false,
      result: step.say === '$PROMPT' ? prompt : (step.say ?? ''),
      session_id: session,
      total_cost_usd: step.cost ?? 0.01,
      usage: step.usage ?? {
        input_tokens: 100,
        output_tokens: 50,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 1000,
      },
    });
  process.exitCode = step.exit ?? 0;
}, step.ms ?? 0);
