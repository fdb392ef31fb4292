import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { NewEvent } from '../src/journal/append/inbox.ts';
import type { Durability } from '../src/journal/format/durability.ts';
import { type Envelope, encodeEnvelope, typeTag } from '../src/journal/format/envelope.ts';
import type { Entry, Frame } from '../src/journal/format/frame.ts';
import { layoutOf } from '../src/journal/format/layout.ts';
import { readManifest, writeManifest } from '../src/journal/format/manifest.ts';
import { Ben10Error } from '../src/platform/errors.ts';
import { systemRandom } from '../src/platform/random.ts';
import { xxh64 } from '../src/platform/xxh64.ts';
import { openProject, type Project } from '../src/project/open.ts';
import { realPorts } from './ports.ts';

export { ADDONS, decoders, realPorts } from './ports.ts';

/** A folder of its own, gone when the test is over. */
export function scratch(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'ben10-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A folder of its own with these files. */
export function folder(files: Readonly<Record<string, string | Buffer>>): string {
  const dir = scratch();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), content);
  }
  return dir;
}

/** Leaves a socket that nobody listens on. Its path can be of any length: it is bound elsewhere, and moved. */
export async function socketAt(file: string): Promise<void> {
  const server = net.createServer();
  const bound = path.join(scratch(), 's');
  await new Promise<void>((done) => void server.listen(bound, done));
  renameSync(bound, file);
  server.close();
}

/** Copies a `.ben10` for a test that wants the same journal again, not a copy with an origin of its own. */
export function twinOf(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const layout = layoutOf(to);
  const manifest = readManifest(realPorts, layout);
  if (manifest === undefined) return;
  const { places: _, ...unplaced } = manifest;
  writeManifest(realPorts, layout, unplaced);
}

/** An event ready to be appended; what is not given is filled in. */
export function newEvent(
  fields: Partial<Envelope> = {},
  durability: Durability = 'process',
): NewEvent {
  const envelope: Envelope = {
    type: 'test.happened',
    version: 1,
    session: 's1',
    agent: null,
    client: 'test',
    source: 'tool',
    at: 1_795_250_100_000,
    data: {},
    ...fields,
  };
  const id = Buffer.alloc(16);
  systemRandom.fill(id);
  return {
    id,
    typeTag: typeTag(envelope.type, xxh64),
    payload: encodeEnvelope(envelope),
    durability,
  };
}

/** A project in a folder of its own, with the real lock. */
export function openTestProject(
  dir: string = scratch(),
  options: Partial<Parameters<typeof openProject>[1]> = {},
): Project {
  const project = openProject(dir, { lockBudgetMs: 1000, lock: realPorts.lock!, ...options });
  onTestFinished(() => project.close());
  return project;
}

/** Root may read and write everything: be somebody else meanwhile. */
export function withoutRoot<T>(run: () => T): T {
  if (process.getuid?.() !== 0) return run();
  process.seteuid?.(65_534);
  try {
    return run();
  } finally {
    process.seteuid?.(0);
  }
}

/** The error of ours that `attempt` throws. */
export function errorOf(attempt: () => unknown): Ben10Error {
  try {
    attempt();
  } catch (error) {
    if (error instanceof Ben10Error) return error;
    throw error;
  }
  throw new Error('it went well');
}

/** Its stable code. */
export const codeOf = (attempt: () => unknown): string => errorOf(attempt).code;

/** All fields of an entry as its own: one that was read takes them out of its segment's bytes when it is asked. */
export function fieldsOf<T extends Entry>(entry: T): T {
  const { flags, hlc, id, syncedUpto, salt, payload, commit } = entry;
  const chain = (entry as Partial<Frame>).chain;
  const fields = { ...entry, flags, hlc, id, syncedUpto, salt, payload, commit };
  return chain === undefined ? fields : { ...fields, chain };
}
