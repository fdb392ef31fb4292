import { Ben10Error, errno, unlessRefused } from '../platform/errors.ts';
import { readdirIfThere } from '../platform/files.ts';
import type { FileSystem } from '../platform/fs.ts';
import { isObject, type Json, name, path as pathIn } from './json.ts';
import { TranscriptFile } from './transcript-file.ts';

/** A transcript of one thread of one session. */
export interface TranscriptSource {
  path: string;
  session: string;
  /** Null for the main thread. */
  agent: string | null;
}

export interface FoundTranscript extends TranscriptSource {
  /** Where the session started, as its first records say. */
  cwd: string | null;
}

const AGENT_FILE = /(?:^|[/\\])agent-([A-Za-z0-9_-]{1,100})\.jsonl$/;
/** The session of a sub-agent's folder: some clients name another one in its records. */
const SUBAGENT_PATH = /([^/\\]+)[/\\]subagents[/\\](?:workflows[/\\][^/\\]+[/\\])?[^/\\]+$/;
/** Limits of a search: the client's own folders are three deep. */
const DEPTH_MAX = 8;
const FILES_MAX = 100_000;
/** Lines examined to find a transcript's session and folder. Clients until 2.1.7 put summaries before: 158 were seen. */
const HEAD_LINES_MAX = 1_000;

/** The transcripts of a session: the main thread's, then its sub-agents'. */
export const sessionTranscripts = (
  fs: FileSystem,
  path: string,
  session: string,
): TranscriptSource[] => [
  { path, session, agent: null },
  ...subagentTranscripts(fs, path, session),
];

/**
 * Transcripts of a session's sub-agents, since client 2.1: `<session>/subagents/agent-<id>.jsonl`, and a workflow's
 * in `subagents/workflows/<name>/`.
 */
export function subagentTranscripts(
  fs: FileSystem,
  transcript: string,
  session: string,
): TranscriptSource[] {
  const dir = `${transcript.replace(/\.jsonl$/, '')}/subagents`;
  const workflows = namesIn(fs, `${dir}/workflows`).map((one) => `${dir}/workflows/${one}`);
  return [dir, ...workflows].flatMap((folder) =>
    namesIn(fs, folder).flatMap((file) => {
      const agent = AGENT_FILE.exec(file)?.[1];
      return agent === undefined ? [] : [{ path: `${folder}/${file}`, session, agent }];
    }),
  );
}

/** Empty if it is missing or unreadable. */
const namesIn = (fs: FileSystem, dir: string): string[] =>
  unlessRefused(() => readdirIfThere(fs, dir).sort(), []);

/**
 * All transcripts in a file or folder, main threads first. Links, and unreadable files in a folder, are skipped.
 * @throws Node's ENOENT; Ben10Error FS_READ_ERROR for a file that cannot be read
 */
export function findTranscripts(fs: FileSystem, path: string): FoundTranscript[] {
  const files: string[] = [];
  collect(fs, path, files, 0);
  const sources = files.flatMap((file) => {
    try {
      return describe(fs, file);
    } catch (error) {
      if (errno(error) === undefined) throw error;
      if (file === path) throw unreadable(file, error);
      return [];
    }
  });
  return sources.sort(
    (a, b) => Number(a.agent !== null) - Number(b.agent !== null) || (a.path < b.path ? -1 : 1),
  );
}

const unreadable = (file: string, error: unknown): Ben10Error =>
  new Ben10Error('FS_READ_ERROR', `${file} cannot be read: ${(error as Error).message}`, {
    place: { file },
    next: 'Name a transcript: a plain file that ends in .jsonl, or a folder of such files.',
    cause: error,
  });

function collect(fs: FileSystem, path: string, files: string[], depth: number): void {
  const stat = fs.stat(path);
  if (stat.isFile) {
    if (depth === 0 || path.endsWith('.jsonl')) files.push(path);
    return;
  }
  if (!stat.isDirectory || depth > DEPTH_MAX) return;
  for (const entry of fs.readdir(path).sort()) {
    if (files.length >= FILES_MAX) return;
    // Removed meanwhile, or unreadable: the rest can still be imported.
    unlessRefused(() => collect(fs, `${path}/${entry}`, files, depth + 1), undefined);
  }
}

/** Whose transcript a file is, by its records: file names are free. */
function describe(fs: FileSystem, path: string): FoundTranscript[] {
  const file = TranscriptFile.open(fs, path);
  if (file === undefined) return [];
  const agent = AGENT_FILE.exec(path)?.[1] ?? null;
  let found: TranscriptSource | undefined;
  let cwd: string | null = null;
  try {
    let lines = 0;
    for (const { record } of file.lines(0, true)) {
      lines += 1;
      if (lines > HEAD_LINES_MAX || (found !== undefined && cwd !== null)) break;
      if (!isObject(record)) continue;
      cwd ??= pathIn(record.cwd) ?? null;
      found ??= sourceOf(record, path, agent);
    }
    return found === undefined ? [] : [{ ...found, cwd }];
  } finally {
    file.close();
  }
}

function sourceOf(record: Json, path: string, agent: string | null): TranscriptSource | undefined {
  const session = name(record.sessionId);
  if (session === undefined || typeof record.type !== 'string') return undefined;
  if (agent === null) return { path, session, agent };
  const owner = name(SUBAGENT_PATH.exec(path)?.[1]) ?? session;
  return { path, session: owner, agent: name(record.agentId) ?? agent };
}
