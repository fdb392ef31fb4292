import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { spool } from '../../src/journal/append/inbox.ts';
import { decodeContainer } from '../../src/journal/format/container.ts';
import { segmentPath } from '../../src/journal/format/layout.ts';
import { allSegments } from '../../src/journal/read/all-entries.ts';
import { compactJournal } from '../../src/journal/seal/compact.ts';
import type { Codecs } from '../../src/journal/seal/compact-segment.ts';
import { xxh64 } from '../../src/platform/xxh64.ts';
import type { Project } from '../../src/project/open.ts';
import { save } from '../../src/timetravel/saves.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { anEvent, call, NOON, prompt } from '../log/events.ts';
import { decoders } from '../ports.ts';
import { saw, tell } from '../tell.ts';

/** The leaked secret of these tests: no rule of ours knows it, and it has a character that needs an escape. */
export const CANARY = 'zq/Kanari"enVogel+7731';

/** What an independent reader would look for; written down here by hand, not taken from the code under test. */
export const NEEDLES: [string, Buffer][] = [
  ['plain', Buffer.from(CANARY)],
  ['json', Buffer.from('zq/Kanari\\"enVogel+7731')],
  ['base64 at 0', Buffer.from(Buffer.from(CANARY).toString('base64').slice(0, 28))],
  ['base64 at 1', Buffer.from(Buffer.from(`-${CANARY}`).toString('base64').slice(2, 30))],
  ['base64 at 2', Buffer.from(Buffer.from(`--${CANARY}`).toString('base64').slice(3, 30))],
  ['hex', Buffer.from(Buffer.from(CANARY).toString('hex'))],
  ['HEX', Buffer.from(Buffer.from(CANARY).toString('hex').toUpperCase())],
  ['percent', Buffer.from('zq%2FKanari%22enVogel%2B7731')],
];

/** The secret as it stands in texts of each form. */
export const TEXTS: Record<string, string> = {
  plain: `the key is ${CANARY}, keep it`,
  json: JSON.stringify({ headers: { key: CANARY } }),
  'json in json': JSON.stringify(JSON.stringify({ key: CANARY })),
  base64: `Authorization: Basic ${Buffer.from(`user:${CANARY}!`).toString('base64')} end`,
  'base64 one on': Buffer.from(`a${CANARY}bc`).toString('base64'),
  'base64 two on': Buffer.from(`ab${CANARY}c`).toString('base64'),
  'base64 in lines': Buffer.from(`${'x'.repeat(50)}${CANARY}${'y'.repeat(50)}`)
    .toString('base64')
    .replace(/.{20}/g, '$&\n'),
  hex: `0x${Buffer.from(CANARY).toString('hex')}`,
  HEX: Buffer.from(CANARY).toString('hex').toUpperCase(),
  percent: `https://x.example/?key=${encodeURIComponent(CANARY)}&a=1`,
};

/** Every file below a folder. */
export const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(dir, name))
    .filter((file) => statSync(file).isFile());

/** Where a canary is found, in raw and in unpacked bytes: `file: form`. */
export function canaries({ root, ports, layout }: Project, needles = NEEDLES): string[] {
  const found: string[] = [];
  const search = (where: string, bytes: Buffer) => {
    for (const [form, needle] of needles)
      if (bytes.includes(needle)) found.push(`${where}: ${form}`);
  };
  for (const file of filesBelow(root)) {
    const bytes = readFileSync(file);
    search(path.relative(root, file), bytes);
    const plain = decodeContainer(bytes, decoders, xxh64);
    if (plain !== undefined) search(`${path.relative(root, file)} unpacked`, plain);
  }
  for (const { file, entries } of allSegments(ports, layout, decoders)) {
    for (const { seq, payload } of entries) search(`${path.basename(file.path)} @${seq}`, payload);
  }
  return found;
}

const ordinary = (n: number) => prompt(`an ordinary prompt ${n}`, { at: NOON + n * 1000 });

/** Puts the secret into every class of file of a project that has nothing yet. */
export function leakInto(project: Project, codecs: Codecs): void {
  const { dir, writer, ports, layout, root } = project;
  const started = { source: 'startup', cwd: dir, transcriptPath: '/t/s1.jsonl', worktree: dir };
  writer.append([anEvent('session.started', started), ordinary(1), ordinary(2)]);
  writer.append(Object.values(TEXTS).map((text, n) => prompt(text, { at: NOON + 5000 + n })));
  writer.append([call('t1', `curl -H 'key: ${CANARY}' x`), ordinary(3)]);
  writer.rotate(0);
  const twin = segmentPath(layout, project.reader.origin()!, 1, false);
  const raw = readFileSync(twin);
  compactJournal(ports, root, codecs);
  writeFileSync(twin, raw, { mode: 0o600 });
  const large = `${'line\n'.repeat(20_000)}${CANARY}\n${'more\n'.repeat(1000)}`;
  tell(project, saw('prompt.submitted', { text: large }, { session: 's1', at: NOON + 9000 }));
  writer.append([ordinary(4), prompt(`again ${CANARY}`), ordinary(5)]);
  save(project, { name: 'before' });
  takeSnapshot(project, { session: 's1', trigger: 'threshold' });
  writer.append([prompt(`and ${TEXTS.base64}`)]);
  spool(ports, layout, [prompt(`waiting ${CANARY}`)]);
  mkdirSync(layout.quarantine, { mode: 0o700 });
  writeFileSync(path.join(layout.quarantine, '0000000000000001.b10.128.0a'), `torn ${CANARY}`);
  writeFileSync(`${twin}z.0123456789ab.tmp`, `half ${CANARY}`);
}
