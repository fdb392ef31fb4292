/** @module-tag long */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ben10 } from '../cli/support.ts';
import { familyOf, serverOf } from '../mcp/processes.ts';
import { playTurns, prompt, record } from '../mcp/session.ts';
import { type Connected, call, connect, textOf } from '../mcp/support.ts';

const SECRET = 'kanari-4711-vogel';
/** As JavaScript and files hold it, and as it stands in base64 at the place where these tests put it. */
const FORMS = [
  Buffer.from(SECRET),
  Buffer.from(SECRET, 'utf16le'),
  Buffer.from(Buffer.from(SECRET).toString('base64').slice(0, 20)),
];
const GIVEN_BACK = 'given back meanwhile';
const LOOKS_MAX = 20;
const PAGES = /^([0-9a-f]+)-([0-9a-f]+) rw\S+ \S+ \S+ \S+\s*(.*)$/;

/** Where a running process has it in memory that it can write: reachable or only given back, the kernel shows both. */
function foundIn(pid: number): string[] {
  const found: string[] = [];
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, from, to, name] = PAGES.exec(line) ?? [];
    if (from === undefined || to === undefined || name?.startsWith('[v')) continue;
    const start = Number.parseInt(from, 16);
    const piece = Buffer.alloc(Number.parseInt(to, 16) - start);
    try {
      const read = readSync(memory, piece, 0, piece.length, start);
      if (read < piece.length) found.push(`only ${read} bytes of ${line}`);
    } catch {
      found.push(`${GIVEN_BACK}: ${line}`);
    }
    for (const form of FORMS) {
      let at = piece.indexOf(form);
      for (; at !== -1; at = piece.indexOf(form, at + 1)) {
        found.push(`${name} ${JSON.stringify(piece.toString('latin1', at - 24, at + 40))}`);
      }
    }
  }
  closeSync(memory);
  return found;
}

/** In the memory of every process of a server. What a process gives back while it is looked into is looked at again. */
function foundAt({ pid }: Connected): string[] {
  let found: string[] = [];
  for (let n = 0; n < LOOKS_MAX; n += 1) {
    found = familyOf(pid).flatMap(foundInIfThere);
    if (!found.some((one) => one.startsWith(GIVEN_BACK))) break;
  }
  return found;
}

/** One that has ended has nothing any more. */
function foundInIfThere(pid: number): string[] {
  try {
    return foundIn(pid);
  } catch {
    return [];
  }
}

/** A session that says it in every turn, as what was asked for, as a file's name and in what was written down of it. */
async function workWithIt(server: Connected): Promise<void> {
  await prompt(server, 100, `Remember: always use ${SECRET} for staging`);
  for (let turn = 0; turn < 20; turn += 1) {
    const words = Array.from({ length: 1000 }, (_, n) => `w${(n * 7919 + turn * 104729) % 99991}`);
    await prompt(server, 101 + turn, words.join(' '));
    const run = {
      tool_name: 'Bash',
      tool_input: JSON.stringify({ command: `echo ${SECRET} > ${SECRET}.txt` }),
    };
    await record(server, 'PreToolUse', `echo${turn}`, run);
    const response = JSON.stringify({ stdout: words.join(' '), stderr: '' });
    await record(server, 'PostToolUse', `echo${turn}`, { ...run, tool_response: response });
    await record(server, 'Stop', turn, { last_assistant_message: `ok, ${SECRET} it is` });
  }
  await record(server, 'PreCompact', 1, {
    trigger: 'manual',
    custom_instructions: `keep ${SECRET}`,
  });
  await record(server, 'PostCompact', 1, { trigger: 'manual', compact_summary: 'they talked' });
  await record(server, 'SessionStart', 1, { source: 'compact' });
  await call(server, 'save_work_state', { task_summary: `use ${SECRET}` });
}

/** All that brings recorded texts into a server's memory. */
async function askEverything(server: Connected): Promise<string> {
  const asked: [string, Record<string, unknown>][] = [
    ['ben10_log', { detail: 'data', limit: 100 }],
    ['ben10_log', { limit: 5 }],
    ['ben10_replay', {}],
    ['ben10_restore', {}],
    ['ben10_diff', { from: '@1' }],
    ['ben10_save', { name: 'held' }],
    ['ben10_status', {}],
    ['ben10_recall', {}],
    ['ben10_lost', {}],
    ['get_dev_context', {}],
  ];
  const answers: string[] = [];
  for (const [name, args] of asked) answers.push(textOf(await call(server, name, args)));
  return answers.join('\n');
}

/** A session with the secret in all that a server remembers of it, and then erases it. */
async function erasedUnder(server: Connected): Promise<number> {
  await playTurns(server, 2);
  await prompt(server, 3, `the key is ${SECRET}, thanks`);
  await prompt(server, 4, `${'long and dull '.repeat(2500)}${SECRET}`);
  const encoded = Buffer.from(`${SECRET}\n`).toString('base64');
  const command = { tool_name: 'Bash', tool_input: JSON.stringify({ command: 'show it' }) };
  await record(server, 'PreToolUse', 'big', command);
  await record(server, 'PostToolUse', 'big', {
    ...command,
    tool_response: JSON.stringify({ stdout: `${'line\n'.repeat(20_000)}${SECRET} ${encoded}` }),
  });
  await playTurns(server, 1);
  await workWithIt(server);
  expect(ben10(server.dir, ['compact']).status).toBe(0);
  expect(await askEverything(server)).toContain(SECRET);
  const before = foundAt(server).length;
  expect(ben10(server.dir, ['erase', '--pattern', SECRET, '--yes']).status).toBe(0);
  return before;
}

async function goesOn(server: Connected): Promise<void> {
  await playTurns(server, 1);
  expect(await askEverything(server)).toContain('[REDACTED:ERASED]');
  expect(ben10(server.dir, ['verify']).status).toBe(0);
}

/** Resident memory of a server, its supervisor included, and not what reads for it, MB. */
const residentMb = ({ pid }: Connected): number =>
  [...new Set([pid, serverOf(pid)!])]
    .map((one) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1]))
    .reduce((sum, kilobytes) => sum + kilobytes / 1024, 0);

describe.runIf(process.platform === 'linux')('the memory of a running server', () => {
  it('has none of it soon after an erasure, and is as small as at the beginning', async () => {
    const server = await connect();
    // Some kernels count a page from when it was looked at, as those of stacks that nobody has touched.
    expect(foundAt(server)).toEqual([]);
    const fresh = residentMb(server);
    expect(await erasedUnder(server)).toBeGreaterThan(100);
    await expect.poll(() => foundAt(server), { timeout: 60_000, interval: 1000 }).toEqual([]);
    expect(residentMb(server)).toBeLessThan(fresh * 1.25);
    await goesOn(server);
    expect(foundAt(server)).toEqual([]);
  });
});
