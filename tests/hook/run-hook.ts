import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

export interface HookRun {
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

/**
 * Runs the real hook process. `stdin: 'open'` leaves stdin open and silent, as a broken client would; a function writes
 * to it as it likes.
 */
export function runHook(
  project: string,
  event: string,
  stdin: string | Buffer | Record<string, unknown> | 'open' | ((stdin: Writable) => void),
  env: Record<string, string> = {},
  dist = DIST,
  more: readonly string[] = [],
): Promise<HookRun> {
  const started = Date.now();
  const { NODE_EXTRA_CA_CERTS: _, CLAUDECODE: __, ...own } = process.env;
  const child = spawn(process.execPath, [`${dist}/ben10.cjs`, 'hook', event, ...more], {
    env: { ...own, CLAUDE_PROJECT_DIR: project, ...env },
    cwd: '/',
  });
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.on('data', (data) => out.push(String(data)));
  child.stderr.on('data', (data) => err.push(String(data)));
  child.stdin.on('error', () => undefined); // the hook may end before it has read everything
  if (typeof stdin === 'function') stdin(child.stdin);
  else if (stdin !== 'open') {
    const whole =
      typeof stdin === 'string' || Buffer.isBuffer(stdin) ? stdin : JSON.stringify(stdin);
    child.stdin.end(whole);
  }
  return new Promise((resolve) => {
    child.on('close', (code) => {
      resolve({ code, stdout: out.join(''), stderr: err.join(''), ms: Date.now() - started });
    });
  });
}

/** Runs a hook of session `s`, which must go well in silence. @returns what it gives to the client */
export async function hooked(
  dir: string,
  event: string,
  fields: Record<string, unknown> = {},
  env: Record<string, string> = {},
  dist = DIST,
): Promise<string> {
  const input = { hook_event_name: event, session_id: 's', cwd: dir, ...fields };
  const run = await runHook(dir, event, input, env, dist);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return run.stdout;
}

/** What a hook puts before the model; empty when it is nothing. */
export const givenIn = (stdout: string): string =>
  stdout === '' ? '' : (JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? '');

/** A tool call as the client hands it over. */
export const toolCall = (id: string, command = 'ls'): Record<string, unknown> => ({
  session_id: 'session-1',
  transcript_path: '/nowhere/session-1.jsonl',
  cwd: '/',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command },
  tool_use_id: id,
});
