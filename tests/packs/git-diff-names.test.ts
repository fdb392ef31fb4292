import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileRedaction } from '../../src/capture/redaction/index.ts';
import { denials } from '../../src/packs/render/sensitive.ts';
import { diffOf } from '../../src/packs/sources/git-diff.ts';
import { scratch } from '../support.ts';
import { commitIn, GIT_ENV, repository, writeIn } from './repository.ts';
import { groundOf } from './support.ts';

/** What shells, git, its pathspecs, diffs or terminals might take for something else. */
const ATOMS = [
  ...['-p', '--output=ran', '-', '--', ':(exclude)x', ':!x', ':/', ':(top,glob)**', '^x', '@{u}'],
  ...['a\nb', '\n+++ b/x', 'diff --git a', '\t', ' ', '\r', '\x01', '\x1b[2K', '\u202e', '\ufeff'],
  ...['"', '""', "'", '\\', '\\n', '\\101', '*', '**', '?', '[x]', '[!a]', '{a,b}', '$(touch ran)'],
  ...['`touch ran`', ';touch ran', '|', '&', '%', '%s', '#L1', '!', '~', '=', 'é', 'e\u0301', '😀'],
  ...[
    '.env',
    'x.pem',
    'id_rsa',
    'node_modules',
    'a.key',
    '.aws',
    'secret',
    '.env.example',
    'a',
    'B',
  ],
];
const component = fc
  .array(fc.constantFrom(...ATOMS), { minLength: 1, maxLength: 2 })
  .map((atoms) => atoms.join('').replaceAll('/', '_'));
const name = fc
  .array(component, { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'))
  .filter((one) => Buffer.byteLength(one) < 200);

/** A file and a folder cannot have one name. */
const isApart = (one: string, others: readonly string[]): boolean =>
  others.every((other) => !`${other}/`.startsWith(`${one}/`) && !`${one}/`.startsWith(`${other}/`));

const names = fc
  .uniqueArray(name, {
    minLength: 5,
    maxLength: 25,
    selector: (one) => one.normalize('NFC').toLowerCase(),
  })
  .map((all) => all.filter((one, at) => isApart(one, all.slice(0, at))));

it('a diff has every allowed change and no denied one, whatever files are called', {
  tags: 'long',
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(names, fc.boolean(), async (all, isCommitted) => {
      const before = (one: string): string => `${all.indexOf(one)}-before\n`;
      const after = (one: string): string => `${all.indexOf(one)}-after\n`;
      const old = all.filter((_, at) => at % 3 !== 0);
      const dir = repository(Object.fromEntries(old.map((one) => [one, before(one)])));
      const twin = path.join(scratch(), 'twin');
      cpSync(dir, twin, { recursive: true });
      const changed = Object.fromEntries(all.map((one) => [one, after(one)]));
      const options = isCommitted ? { base: 'main~1', head: 'main' } : {};
      if (isCommitted) commitIn(dir, changed);
      else {
        writeIn(dir, changed);
        execFileSync('git', ['add', '--all', '--force', '--intent-to-add'], {
          cwd: dir,
          env: GIT_ENV,
        });
      }
      const { options: redaction } = compileRedaction();
      const ground = { ...groundOf(dir, { deny: ['secret'] }), redaction };
      const deniedBy = denials(ground);
      const [diff] = await diffOf(ground, { source: 'git:diff', options }, GIT_ENV);
      const text = (diff as { text: string }).text;
      const isDenied = (one: string): boolean => deniedBy(one) !== undefined;
      for (const one of all) expect(text.includes(`+${after(one)}`), one).toBe(!isDenied(one));
      // Git itself makes the new files of the old ones with it.
      if (text !== '')
        execFileSync('git', ['apply', '-'], { cwd: twin, env: GIT_ENV, input: text });
      for (const one of all.filter((it) => !isDenied(it)))
        expect(readFileSync(path.join(twin, one), 'utf8')).toBe(after(one));
      for (const one of old.filter(isDenied))
        expect(readFileSync(path.join(twin, one), 'utf8')).toBe(before(one));
      expect(existsSync(path.join(dir, 'ran')) || existsSync('ran')).toBe(false);
    }),
    { numRuns: 6 },
  );
});
