import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { RedactionOptions } from '../capture/redaction/index.ts';
import type { PackCaptured } from '../events/types.ts';
import { Ben10Error } from '../platform/errors.ts';
import { isOutside } from '../platform/inside.ts';
import { Ends } from '../platform/programs/ends.ts';
import { runShell } from '../platform/programs/shell.ts';
import type { Project } from '../project/open.ts';
import type { ArtifactRecord } from '../projections/folds/packs.ts';
import { redactedSpan } from './render/content.ts';
import { commandIn } from './render/source.ts';

/** What is kept of an output: its beginning and its end, cut at lines. */
const FIRST_BYTES = 64 * 1024;
const LAST_BYTES = 192 * 1024;
/** Of what is cut off beside them, so that a secret that goes over a cut is known. */
const BESIDE_BYTES = 64 * 1024;

export interface Captured extends Omit<PackCaptured, 'output'> {
  lines: number;
  /** How many secrets were redacted. */
  secrets: number;
}

interface How {
  timeoutS: number;
  /** Ends the command; then nothing is kept. */
  signal: AbortSignal;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a command of a pack, and keeps what it prints: the only place where one is run. A person has agreed to it.
 * @throws Ben10Error USAGE for a folder outside of the project, or after an interruption; FS_NOT_FOUND
 */
export async function captureCommand(
  project: Project,
  pack: string,
  artifact: Pick<ArtifactRecord, 'id' | 'source' | 'options'>,
  { timeoutS, signal, env }: How,
): Promise<Captured> {
  const command = commandIn(artifact);
  const { cwd = '.' } = artifact.options;
  const ends = new Ends(FIRST_BYTES + BESIDE_BYTES, LAST_BYTES + BESIDE_BYTES);
  const ended = await runShell(command, {
    cwd: folderOf(project.dir, cwd),
    env,
    timeoutMs: timeoutS * 1000,
    signal,
    printed: (chunk) => ends.add(chunk),
  });
  if (signal.aborted) throw new Ben10Error('USAGE', 'interrupted; nothing was kept');
  const { output, cut, secrets } = keptOf(ends, project.redaction);
  const what = { name: pack, artifact: artifact.id, command, cwd };
  const captured = { ...what, ...ended, bytes: ends.bytes, cut };
  const { recorder } = project;
  recorder.append([recorder.ownEvent('pack.captured', null, { ...captured, output }, 'cli')]);
  return { ...captured, secrets, lines: output.split('\n').length - 1 };
}

/** A link must not lead out. */
function folderOf(top: string, cwd: string): string {
  const dir = realpathSync.native(path.join(top, cwd));
  if (!isOutside(realpathSync.native(top), dir)) return dir;
  throw new Ben10Error('USAGE', `${cwd} leads out of the project`, {
    next: 'Give a folder of the project: --cwd src',
  });
}

interface Kept {
  output: string;
  /** Bytes that are not in it. */
  cut: number;
  secrets: number;
}

/** Redacted as far as it is known, and only then cut. */
export function keptOf({ first, last, bytes }: Ends, redaction: RedactionOptions): Kept {
  const isWhole = first.length + last.length === bytes;
  const all = isWhole ? Buffer.concat([first, last]) : undefined;
  if (all !== undefined && bytes <= FIRST_BYTES + LAST_BYTES) {
    const { text, secrets } = redacted(all, 0, all.length, redaction);
    return { output: ended(text), cut: 0, secrets };
  }
  const [begin, end] = [all ?? first, all ?? last];
  const to = lineEndBefore(begin, FIRST_BYTES);
  const from = lineStartAfter(end, end.length - LAST_BYTES);
  const cut = bytes - to - (end.length - from);
  const head = redacted(begin, 0, to, redaction);
  const tail = redacted(end, from, end.length, redaction);
  const told = `[${cut.toLocaleString('en-US')} bytes are left out here]\n`;
  return {
    output: `${ended(head.text)}${told}${ended(tail.text)}`,
    cut,
    secrets: head.secrets + tail.secrets,
  };
}

/** A part of what is known, of which the whole tells what is secret. */
function redacted(bytes: Buffer, from: number, to: number, redaction: RedactionOptions) {
  const before = decoded(bytes.subarray(0, from));
  const part = decoded(bytes.subarray(from, to));
  const whole = before + part + decoded(bytes.subarray(to));
  const span = { start: before.length, end: before.length + part.length };
  const { text, counts } = redactedSpan(whole, span, redaction);
  return { text, secrets: Object.values(counts).reduce((sum, count) => sum + count, 0) };
}

/** With a NUL in it, it would pass for no text. */
const decoded = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '');

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

const LF = 0x0a;

const lineEndBefore = (bytes: Buffer, most: number): number =>
  bytes.lastIndexOf(LF, most - 1) + 1 || characterAt(bytes, most);

function lineStartAfter(bytes: Buffer, least: number): number {
  const at = bytes.indexOf(LF, least - 1) + 1;
  return at === 0 || at === bytes.length ? characterAt(bytes, least) : at;
}

/** Not within a character of UTF-8. */
function characterAt(bytes: Buffer, from: number): number {
  let at = from;
  while (at > from - 3 && (bytes[at]! & 0xc0) === 0x80) at -= 1;
  return at;
}
