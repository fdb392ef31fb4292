import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { offerOf } from '../src/mcp/profiles.ts';
import { hasTest } from './named-tests.ts';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, file), 'utf8');

const rows = read('ccs-complete.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what |'))
  .map((line) => line.slice(2, -2).split(' | '));

const OFFER = offerOf(['monitor']);

describe('the page of what the context monitor promises', () => {
  it('has rows of a capability, a file and a test', () => {
    expect(rows.filter((row) => row.length !== 3 || row.some((cell) => !cell.trim()))).toEqual([]);
  });

  it('names tests that are there', () => {
    expect(rows.filter(([, file, name]) => !hasTest(read(file!), name!))).toEqual([]);
  });

  it.each([
    ['tool', OFFER.tools.map(({ name }) => name)],
    [
      'resource',
      [...OFFER.resources.map(({ uri }) => uri), ...OFFER.templates.map((one) => one.uriTemplate)],
    ],
  ])('leaves out no %s', (_, names) => {
    const said = rows.map(([what]) => what).join('\n');
    expect(names.filter((name) => !said.includes(`\`${name}\``))).toEqual([]);
  });
});
