import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';
import { folder, scratch } from '../support.ts';

/** Of the first machine that made it. Another one means that somebody else's packs have other hashes from now on. */
const HASHES =
  '6e2b9eb4ca5a214107e1226dd8b89758a4243e9221d7d4140489752c033dc334 0f274722d0ac61ea2edef103a98c3c4c4e59ea6b8fd80524659ac59b70119cb9';

const NAMES = [
  'a.md',
  'B.md',
  'ä.md',
  'z.md',
  'Z.md',
  'İ.md',
  'ı.md',
  'å.md',
  'aa.md',
  'ß.md',
  '😀.md',
  '\uffee.md',
];

function project(): string {
  const files = NAMES.flatMap((name, n) => [
    [`b/${name}`, `# ${name}\n${'é漢 word\r\n'.repeat(n)}`],
    [`b/${n}/${name}`, `tag <system> ${'x'.repeat(n)}\u202e`],
  ]);
  return folder(Object.fromEntries(files));
}

it('a render has the same hashes in any locale and time zone, for any user, in any folder, on any machine', () => {
  const dir = project();
  const elsewhere = path.join(scratch(), 'x y', 'ü');
  cpSync(dir, elsewhere, { recursive: true });
  for (const open of [dir, path.join(elsewhere, '..', '..'), path.dirname(elsewhere), elsewhere])
    chmodSync(open, 0o755);
  const program = path.join(elsewhere, '..', 'program.cjs');
  buildSync({
    entryPoints: [path.join(import.meta.dirname, 'print-hashes.ts')],
    bundle: true,
    platform: 'node',
    outfile: program,
  });
  const hashes = (at: string, env: Record<string, string>, user = {}) =>
    execFileSync(process.execPath, [program, at], { env, encoding: 'utf8', ...user });
  const locales = ['C', 'de_DE.UTF-8', 'sv_SE.UTF-8', 'tr_TR.UTF-8', 'ja_JP.UTF-8'];
  const found = [
    ...locales.map((locale) => hashes(dir, { LC_ALL: locale, LANG: locale, TZ: 'Asia/Tokyo' })),
    hashes(elsewhere, { HOME: scratch(), USER: 'somebody' }),
    ...(process.getuid?.() === 0 ? [hashes(elsewhere, {}, { uid: 65_534, gid: 65_534 })] : []),
  ];
  expect([...new Set(found)]).toEqual([HASHES]);
});
