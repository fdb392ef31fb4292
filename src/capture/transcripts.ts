import { errno } from '../platform/errors.ts';
import { type FileSystem, readdirIfThere } from '../platform/fs.ts';
import { isObject, text } from './json.ts';
import { TranscriptFile } from './transcript-file.ts';

/** A transcript of one thread of one session. */
export interface TranscriptSource {
  path: string;
  session: string;
  /** Null for the main thread. */
  agent: string | null;
}

const AGENT_FILE = /^agent-([A-Za-z0-9_-]{1,100})\.jsonl$/;
/** How deep and how wide a folder is searched: the client's own is three levels deep. */
const DEPTH_MAX = 8;
const FILES_MAX = 100_000;
/** Lines that are looked at to find out whose transcript it is. */
const HEAD_LINES_MAX = 50;

/** Transcripts of the sub-agents of a session, as clients since 2.1 lay them: `<session>/subagents/agent-<id>.jsonl`. */
export function subagentTranscripts(
  fs: FileSystem,
  transcript: string,
  session: string,
): TranscriptSource[] {
  const dir = `${transcript.replace(/\.jsonl$/, '')}/subagents`;
  const found: TranscriptSource[] = [];
  for (const name of readdirIfThere(fs, dir).sort()) {
    const agent = AGENT_FILE.exec(name)?.[1];
    if (agent !== undefined) found.push({ path: `${dir}/${name}`, session, agent });
  }
  return found;
}

/** All transcripts in a file or folder, main threads before their sub-agents. Links are not followed. */
export function findTranscripts(fs: FileSystem, path: string): TranscriptSource[] {
  const files: string[] = [];
  collect(fs, path, files, 0);
  const sources = files.flatMap((file) => describe(fs, file));
  return sources.sort(
    (a, b) => Number(a.agent !== null) - Number(b.agent !== null) || (a.path < b.path ? -1 : 1),
  );
}

function collect(fs: FileSystem, path: string, files: string[], depth: number): void {
  const stat = fs.stat(path);
  if (stat.isFile) {
    if (depth === 0 || path.endsWith('.jsonl')) files.push(path);
    return;
  }
  if (!stat.isDirectory || depth > DEPTH_MAX) return;
  for (const name of fs.readdir(path).sort()) {
    if (files.length >= FILES_MAX) return;
    try {
      collect(fs, `${path}/${name}`, files, depth + 1);
    } catch (error) {
      // Removed meanwhile, or not ours to read: the rest can still be imported.
      if (errno(error) === undefined) throw error;
    }
  }
}

/** Whose transcript a file is: by its records, since names are free. Nothing when it has no record of a client. */
function describe(fs: FileSystem, path: string): TranscriptSource[] {
  const file = TranscriptFile.open(fs, path);
  if (file === undefined) return [];
  const name = path.slice(path.lastIndexOf('/') + 1);
  let agent = AGENT_FILE.exec(name)?.[1] ?? null;
  try {
    let lines = 0;
    for (const { record } of file.lines(0, true)) {
      lines += 1;
      if (lines > HEAD_LINES_MAX) break;
      if (!isObject(record)) continue;
      const session = text(record.sessionId);
      if (session === undefined || typeof record.type !== 'string') continue;
      if (agent !== null) agent = text(record.agentId) ?? agent;
      return [{ path, session, agent }];
    }
    return [];
  } finally {
    file.close();
  }
}
