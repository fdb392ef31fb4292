import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACK_VERBS } from '../src/cli/pack/verbs.ts';
import { offerOf } from '../src/mcp/profiles.ts';
import { hasTest } from './named-tests.ts';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, file), 'utf8');

const rows = read('packs-complete.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what |'))
  .map((line) => line.slice(2, -2).split(' | '));

/** The closed list of the renderer. */
const reasons = [
  ...(/type Reason =([^;]+);/.exec(read('../src/packs/render/pack.ts'))?.[1] ?? '').matchAll(
    /'(\w+)'/g,
  ),
].map(([, reason]) => reason!);

const OFFER = offerOf(['packs']);

describe('the page of what context packs promise', () => {
  it('has rows of a capability, a file and a test', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((row) => row.length !== 3 || row.some((cell) => !cell.trim()))).toEqual([]);
  });

  it('names tests that are there', () => {
    expect(rows.filter(([, file, name]) => !hasTest(read(file!), name!))).toEqual([]);
  });

  it.each([
    ['verb', Object.keys(PACK_VERBS)],
    ['reason why something is left out', reasons],
    ['tool', OFFER.tools.map(({ name }) => name)],
    ['resource', OFFER.templates.map(({ uriTemplate }) => uriTemplate)],
    ['feature of the journal', ['U1', 'U2', 'U3', 'U4', 'U5', 'U6', 'U7']],
  ])('leaves out no %s', (_, names) => {
    const said = rows.map(([what]) => what).join('\n');
    expect(names.length).toBeGreaterThan(1);
    const isSaid = (name: string) =>
      new RegExp(`(?:^|\`)${name.replace(/[{}]/g, '\\$&')}(?!\\w)`, 'm').test(said);
    expect(names.filter((name) => !isSaid(name))).toEqual([]);
  });
});
