/**
 * The transcripts that the client writes under its HOME.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line of a transcript; the client's format is open, so only what tests name is typed. */
export interface TranscriptRecord {
  type: string;
  uuid?: string;
  parentUuid?: string | null;
  promptId?: string;
  isSidechain?: boolean;
  agentId?: string;
  isCompactSummary?: boolean;
  isMeta?: boolean;
  message?: { id?: string; role: string; content: unknown };
  toolUseResult?: unknown;
  [key: string]: unknown;
}

/** Every file under HOME/.claude/projects that ends in `.jsonl` or `.meta.json`, as full paths. */
export function transcriptFiles(home: string): string[] {
  const projects = join(home, '.claude', 'projects');
  if (!existsSync(projects)) return [];
  return readdirSync(projects, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(jsonl|meta\.json)$/.test(path))
    .map((path) => join(projects, path))
    .sort();
}

/** The main transcript of a session, or null. */
export function sessionTranscript(home: string, sessionId: string): string | null {
  return transcriptFiles(home).find((path) => path.endsWith(`/${sessionId}.jsonl`)) ?? null;
}

/** The records of a transcript. @throws when a line is not JSON: the client's run is over. */
export function readTranscript(path: string): TranscriptRecord[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as TranscriptRecord);
}
