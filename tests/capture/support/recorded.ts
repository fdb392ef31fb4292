import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures');
const REAL = path.join(FIXTURES, 'real-client');
const TODO_APP = path.join(FIXTURES, 'transcripts/claude-2.1.329-real-todo-app');

export type HookInput = Record<string, unknown> & { session_id: string; hook_event_name: string };

/** One hook as it came, and what of the transcripts was on disk at that moment. */
export interface Moment {
  input: HookInput;
  /** Milliseconds since the epoch. */
  at: number;
  /** Lines by transcript. */
  lines: ReadonlyMap<Transcript, number>;
}

export interface Transcript {
  /** Relative to the folder of all transcripts. */
  file: string;
  session: string;
  agent: string | null;
  /** Each with its newline. */
  lines: readonly string[];
}

/** What the scripted model saw and did. */
export interface ModelAccount {
  prompts: string[];
  toolUses: { agent: string | null; id: string; name: string }[];
  toolResults: { toolUseId: string; isError: boolean; text: string }[];
}

/** A session of a real client, or several at once. */
export interface Recorded {
  name: string;
  moments: readonly Moment[];
  transcripts: readonly Transcript[];
  /** Undefined where it was not kept. */
  model: ModelAccount | undefined;
}

const jsonLines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${line}\n`);

/** All sessions of the real client that the project keeps. */
export function recordedSessions(): Recorded[] {
  const names = readdirSync(REAL, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [todoApp(), ...names.map(({ name }) => realClient(name)).sort(byName)];
}

const byName = (a: Recorded, b: Recorded): number => (a.name < b.name ? -1 : 1);

function realClient(name: string): Recorded {
  const dir = path.join(REAL, name);
  const transcripts = transcriptsUnder(path.join(dir, 'projects'));
  const inputs = jsonLines<HookInput>(path.join(dir, 'hooks.jsonl'));
  const arrivals = jsonLines<{ at: string; lines: Record<string, number> }>(
    path.join(dir, 'arrivals.jsonl'),
  );
  const moments = inputs.map((input, index) => {
    const { at, lines } = arrivals[index]!;
    const onDisk = transcripts.map((one) => [one, lines[path.basename(one.file)] ?? 0] as const);
    return { input, at: Date.parse(at), lines: new Map(onDisk) };
  });
  const model = JSON.parse(readFileSync(path.join(dir, 'model.json'), 'utf8'));
  return { name, moments, transcripts, model };
}

function transcriptsUnder(dir: string): Transcript[] {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .map((file) => {
      const lines = linesOf(path.join(dir, file));
      const record = lines.map((line) => JSON.parse(line)).find((one) => one.sessionId);
      return { file, session: record.sessionId, agent: record.agentId ?? null, lines };
    });
}

/**
 * The one session whose times of arrival were not kept: a hook about a call came when its record was written, and
 * what is on disk is what was written 100 ms before.
 */
function todoApp(): Recorded {
  const inputs = jsonLines<HookInput>(path.join(TODO_APP, 'hooks.jsonl'));
  const lines = linesOf(path.join(TODO_APP, 'transcript.jsonl'));
  const session = inputs[0]!.session_id;
  const transcript = { file: `${session}.jsonl`, session, agent: null, lines };
  const times = latestTimes(lines);
  let line = 0;
  const moments = inputs.map((input) => {
    const found = lines.findIndex((one, index) => index >= line && isAbout(one, input));
    // The end of a turn comes when all but its last records are there.
    if (found !== -1) line = found;
    else if (input.hook_event_name === 'SessionEnd') line = endOfRun(lines, line);
    const at = times[line]! + 1;
    const isEnd = input.hook_event_name === 'SessionEnd';
    const onDisk = isEnd ? line + 1 : times.filter((time) => time < at - 100).length;
    return { input, at, lines: new Map([[transcript, onDisk]]) };
  });
  return { name: 'todo-app', moments, transcripts: [transcript], model: undefined };
}

function latestTimes(lines: readonly string[]): number[] {
  let latest = 0;
  return lines.map((line) => {
    const { timestamp } = JSON.parse(line);
    if (timestamp !== undefined) latest = Math.max(latest, Date.parse(timestamp));
    return latest;
  });
}

function isAbout(line: string, { hook_event_name: event, prompt, tool_use_id: call }: HookInput) {
  const quoted = (value: unknown) => line.includes(JSON.stringify(value));
  if (event === 'UserPromptSubmit') return line.includes('"type":"user"') && quoted(prompt);
  if (event === 'PreToolUse') return line.includes('"type":"tool_use"') && quoted(call);
  if (event === 'PostToolUse' || event === 'PostToolUseFailure') {
    return line.includes('"type":"tool_result"') && quoted(call);
  }
  if (event === 'PostCompact') return line.includes('"isCompactSummary":true');
  return event === 'Stop' && line.includes('"subtype":"stop_hook_summary"');
}

/** A run of the client ends with what it used. */
function endOfRun(lines: readonly string[], from: number): number {
  const end = lines.findIndex(
    (line, index) => index >= from && line.includes('"type":"cost-state"'),
  );
  return end === -1 ? lines.length - 1 : end;
}
