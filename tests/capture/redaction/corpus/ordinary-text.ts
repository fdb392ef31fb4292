import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { BASE62, BASE64, chars, HEX, pick, type Random, seeded } from '../samples.ts';

/** Text without a secret: what is there at test time, and what a machine prints all day. */
export interface OrdinaryText {
  name: string;
  text: string;
}

const TEXT = /\.(?:[cm]?[jt]sx?|json|md|ya?ml|lock|css|html|py|sh|c|h|d\.ts|map|txt)$/;
/** Larger ones are generated; a few of them would be most of the lines. */
const FILE_BYTES_MAX = 512 * 1024;

/** What is skipped is not entered: other programs may be writing there. */
const namesBelow = (dir: string, skip: RegExp, below = ''): string[] =>
  readdirSync(path.join(dir, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(below, entry.name);
    if (!entry.isDirectory()) return [name];
    return skip.test(`${name}/`) ? [] : namesBelow(dir, skip, name);
  });

/** Files of a folder until there are so many lines, always the same ones. */
export function* filesOf(dir: string, linesMax: number, skip: RegExp): Generator<OrdinaryText> {
  let lines = 0;
  for (const name of namesBelow(dir, skip).sort()) {
    if (lines >= linesMax) return;
    const file = path.join(dir, name);
    if (!TEXT.test(name) || skip.test(name)) continue;
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat?.isFile() !== true || stat.size > FILE_BYTES_MAX) continue;
    const text = readFileSync(file, 'utf8');
    lines += text.split('\n').length;
    yield { name: file, text };
  }
}

/** `git log -p` of the folders, and its short forms: what says elsewhere how secrets look is no ordinary text. */
export function* gitLogs(
  root: string,
  linesMax: number,
  folders: readonly string[] = ['src'],
): Generator<OrdinaryText> {
  for (const form of [['--stat'], ['--oneline', '--graph'], ['-p', '-U1']]) {
    const args = ['log', ...form, '--', ...folders];
    try {
      const text = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
      yield { name: `git ${args.join(' ')}`, text: text.split('\n').slice(0, linesMax).join('\n') };
    } catch {
      // A checkout without its history.
    }
  }
}

const uuid = (random: Random) =>
  [8, 4, 4, 4, 12].map((count) => chars(random, HEX, count)).join('-');

const LINES: readonly ((random: Random) => string)[] = [
  (random) => `commit ${chars(random, HEX, 40)}`,
  (random) => `index ${chars(random, HEX, 7)}..${chars(random, HEX, 7)} 100644`,
  (random) => `${chars(random, HEX, 64)}  dist/file-${random(99)}.tgz`,
  (random) => `"integrity": "sha512-${chars(random, BASE64, 86)}==",`,
  (random) => `  integrity sha1-${chars(random, BASE64, 27)}=`,
  (random) => `"id": "${uuid(random)}",`,
  (random) => `session ${uuid(random)} request req_0${chars(random, BASE62, 23)}`,
  (random) => `{"type":"tool_use","id":"toolu_0${chars(random, BASE62, 22)}","name":"Bash"}`,
  (random) => `data:image/png;base64,iVBORw0KGgo${chars(random, BASE64, 400)}`,
  (random) => `  ${chars(random, BASE64, 76)}`,
  (random) => `${chars(random, HEX, 32)} *file${random(99)}.bin`,
  (random) => `sha256:${chars(random, HEX, 64)}`,
  (random) => `checksum = "${chars(random, HEX, 64)}"`,
  (random) => `github.com/x/y v1.${random(9)}.0 h1:${chars(random, BASE64, 43)}=`,
  (random) => `   ✓ test ${random(999)} works (${random(99)} ms)`,
  (random) =>
    `    at Object.<anonymous> (/home/me/app/src/a${random(99)}.test.ts:${random(99)}:${random(40)})`,
  (random) => `etag: W/"${chars(random, HEX, 8)}-${chars(random, BASE62, 27)}"`,
  (random) => `"signature": "${chars(random, BASE64, 200)}==",`,
  (random) => `0x${chars(random, HEX, 40)} 0x${chars(random, HEX, 64)}`,
  (random) =>
    `2026-11-21T10:0${random(9)}:00.${100 + random(899)}Z pid=${random(99999)} trace=${chars(random, HEX, 32)}`,
];

/** Hashes, ids, pictures, logs and outputs of tests. */
export function generatedLines(count: number): OrdinaryText {
  const random = seeded(99);
  const lines = Array.from({ length: count }, () => pick(random, LINES)(random));
  return { name: 'generated', text: lines.join('\n') };
}
