/**
 * Writes what a scripted session left behind as a fixture: trimmed, and as if it had been
 * recorded on the machine of a developer "dev".
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { recordedHooks } from './hook-recorder.ts';
import { toolResults, toolUses, userPrompts } from './requests.ts';
import type { ClientRun } from './run-client.ts';
import type { Sandbox } from './sandbox.ts';
import { type TranscriptRecord, transcriptFiles } from './transcripts.ts';

const HOME = '/home/dev';
const PROJECT = '/home/dev/todo-app';

/**
 * Attachments that hold the client's own prompts and lists. They are large, not ours to
 * publish, and tell nothing about the session; the records stay, for the chain of parents.
 */
const CLIENT_TEXT = new Set([
  'agent_listing_delta',
  'deferred_tools_delta',
  'deferred_tools_record',
  'environment',
  'prompt_snapshot',
  'remote_session_change',
  'skill_listing',
  'unknown_command_fallback',
]);

/** Writes hooks.jsonl, arrivals.jsonl, model.json and projects/ into `folder`, anew. */
export function writeFixture(folder: string, sandbox: Sandbox, runs: ClientRun[]): void {
  rmSync(folder, { recursive: true, force: true });
  const clean = cleaner(sandbox);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), clean(text));
  };
  const kept = writeTranscripts(sandbox, (path, text) => write(clean(path), text));
  const hooks = recordedHooks(sandbox);
  write('hooks.jsonl', jsonLines(hooks.map(({ input }) => input)));
  const arrivals = hooks.map(({ at, input, transcriptLines }) => ({
    at: new Date(Number(BigInt(at) / 1_000_000n)).toISOString(),
    event: input.hook_event_name,
    lines: keptLines(transcriptLines, kept),
  }));
  write('arrivals.jsonl', jsonLines(arrivals));
  const requests = runs.flatMap((run) => run.requests);
  const seen = {
    prompts: userPrompts(requests),
    toolUses: toolUses(requests),
    toolResults: toolResults(requests),
  };
  write('model.json', `${JSON.stringify(seen, null, 2)}\n`);
}

/** For each line of a transcript, whether the fixture keeps it. */
type Kept = Map<string, boolean[]>;

function writeTranscripts(sandbox: Sandbox, write: (path: string, text: string) => void): Kept {
  const kept: Kept = new Map();
  for (const path of transcriptFiles(sandbox.home)) {
    const text = readFileSync(path, 'utf8');
    const target = relative(join(sandbox.home, '.claude'), path);
    if (!path.endsWith('.jsonl')) {
      write(target, `${text}\n`);
      continue;
    }
    const lines = text.split('\n').filter((line) => line !== '');
    const records = lines.map((line) => trim(JSON.parse(line) as TranscriptRecord));
    kept.set(
      basename(path),
      records.map((record) => record !== null),
    );
    write(target, jsonLines(records.filter((record) => record !== null)));
  }
  return kept;
}

/** The record as the fixture keeps it, or null. */
function trim(record: TranscriptRecord): TranscriptRecord | null {
  // Copies of whole requests, with all of the client's prompts and tools.
  if (record.type.startsWith('api-request')) return null;
  if (record.type !== 'attachment') return record;
  const { rendered, ...rest } = record;
  const { type } = record.attachment as { type: string };
  return CLIENT_TEXT.has(type) ? { ...rest, attachment: { type, trimmed: true } } : rest;
}

/** How many of a transcript's lines on disk at that moment are in the fixture. */
function keptLines(onDisk: Record<string, number>, kept: Kept): Record<string, number> {
  const counts = Object.entries(onDisk).map(([name, lines]) => [
    name,
    (kept.get(name) ?? []).slice(0, lines).filter(Boolean).length,
  ]);
  return Object.fromEntries(counts) as Record<string, number>;
}

/** Replaces the sandbox's paths, and the folder name that the client makes of one. */
function cleaner(sandbox: Sandbox): (text: string) => string {
  const asFolder = (path: string): string => path.replaceAll(/[^A-Za-z0-9]/g, '-');
  const replacements: [string, string][] = [
    [sandbox.project, PROJECT],
    [sandbox.home, HOME],
    [sandbox.binDir, `${HOME}/bin`],
    [join(sandbox.root, 'tmp'), '/tmp'],
    [asFolder(sandbox.project), asFolder(PROJECT)],
  ];
  return (text) => {
    const cleaned = replacements.reduce((rest, [from, to]) => rest.replaceAll(from, to), text);
    if (cleaned.includes(basename(sandbox.root))) {
      throw new Error(`The fixture would name this machine's folder ${sandbox.root}`);
    }
    return cleaned;
  };
}

const jsonLines = (values: unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');
