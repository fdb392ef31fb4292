/**
 * ben10 installed in a sandbox as a user installs it, and what its journal says afterwards.
 */
import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { JournalEvent } from '../../../src/events/types.ts';
import { outcomesSeenByModel } from '../driver/outcomes.ts';
import { userPrompts } from '../driver/requests.ts';
import { clientEnvironment, createSandbox, type Sandbox } from '../driver/sandbox.ts';
import type { ModelRequest } from '../driver/scenario.ts';
import { PROJECT_COMMANDS } from '../driver/sessions/slash-commands.ts';

/** A project in which ben10 is installed as README says, until the test is over. */
export function installed(): Sandbox {
  const sandbox = createSandbox(PROJECT_COMMANDS);
  onTestFinished(() => sandbox.dispose());
  ben10(sandbox, 'init');
  return sandbox;
}

/** Runs the `ben10` under test in the sandbox's project. Returns its stdout; throws when it fails. */
export function ben10(sandbox: Sandbox, ...args: string[]): string {
  return execFileSync(`${sandbox.binDir}/ben10`, args, {
    cwd: sandbox.project,
    env: clientEnvironment(sandbox),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
}

type Data = Record<string, unknown>;

export function logOf(sandbox: Sandbox): JournalEvent<Data>[] {
  const lines = ben10(sandbox, 'log', '--json').trim().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

export const ofType = (log: JournalEvent<Data>[], type: string): JournalEvent<Data>[] =>
  log.filter((event) => event.type === type);

/** One line a tool call, as `outcomesSeenByModel` has it. */
export function outcomesInLog(log: JournalEvent<Data>[]): string[] {
  const ends = new Map<unknown, string>();
  for (const { data } of ofType(log, 'tool.succeeded')) ends.set(data.toolUseId, 'ok');
  for (const { data } of ofType(log, 'tool.failed')) ends.set(data.toolUseId, 'failed');
  return ofType(log, 'tool.called')
    .map(({ data }) => `${data.toolUseId} ${data.name} ${ends.get(data.toolUseId) ?? 'open'}`)
    .sort();
}

/** What must hold of every session, whatever happened in it: seen from outside, everything once. */
export interface Witnessed {
  prompts: string[];
  outcomes: string[];
}

export const witnessed = (requests: ModelRequest[]): Witnessed => ({
  prompts: userPrompts(requests).sort(),
  outcomes: outcomesSeenByModel(requests),
});

export const recorded = (log: JournalEvent<Data>[]): Witnessed => ({
  prompts: ofType(log, 'prompt.submitted')
    .map(({ data }) => String(data.text))
    .sort(),
  outcomes: outcomesInLog(log),
});

/** Facts that stand in the log more than once; ids are unique whoever told them. */
export function repeated(log: JournalEvent<Data>[]): string[] {
  const seen = new Set<string>();
  return log.map(({ id }) => id).filter((id) => seen.size === seen.add(id).size);
}

/** The longest time between the model's answer with a tool call and its next request, milliseconds. */
export function longestWait(requests: ModelRequest[]): number {
  let longest = 0;
  for (const [index, request] of requests.entries()) {
    const calls = request.answer.content.some(({ type }) => type === 'tool_use');
    const next = requests.slice(index + 1).find(({ kind }) => kind === request.kind);
    if (calls && next !== undefined) longest = Math.max(longest, next.at - request.at);
  }
  return longest;
}
