import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSource, placeIn } from '../../src/packs/render/source.ts';
import { codeOf } from '../support.ts';

describe('a source', () => {
  it.each([
    ['src/a.ts', 'file', 'file:src/a.ts'],
    ['file:./src//a.ts', 'file', 'file:src/a.ts'],
    ['file:src/x/../a.ts', 'file', 'file:src/a.ts'],
    ['file:a.ts#L40-L88', 'range', 'file:a.ts#L40-L88'],
    ['file:a.ts#L40-88', 'range', 'file:a.ts#L40-L88'],
    ['file:a.ts#L7', 'range', 'file:a.ts#L7'],
    ['file:a.ts#L7-L7', 'range', 'file:a.ts#L7'],
    ['file:a.ts#L7-', 'range', 'file:a.ts#L7-'],
    ['file:a%23L1.ts', 'file', 'file:a%23L1.ts'],
    ['file:a#1.ts', 'file', 'file:a#1.ts'],
    ['file:100%.ts', 'file', 'file:100%25.ts'],
    ['md:docs/a.md', 'md', 'md:docs/a.md'],
    ['md_dir:docs/', 'md_dir', 'md_dir:docs'],
    ['md_dir:.', 'md_dir', 'md_dir:.'],
    ['glob:src/**/*.{ts,tsx}', 'glob', 'glob:src/**/*.{ts,tsx}'],
    ['glob:app/(auth)/[id]/*.ts', 'glob', 'glob:app/(auth)/[id]/*.ts'],
    ['git:diff', 'git', 'git:diff'],
    ['git:diff  --  ./src a%20b#L1', 'git', 'git:diff -- src a%20b%23L1'],
    ['cmd: npm test -- "a  b" ', 'cmd', 'cmd:npm test -- "a  b"'],
  ])('%s is stored in one form', (given, kind, source) => {
    expect(parseSource(given)).toEqual({ kind, source });
  });

  it('keeps a text whole, and has its beginning for a name', () => {
    const text = `Sessions last\n15 minutes.${' x'.repeat(400)}`;
    const parsed = parseSource(`text:${text}`);
    expect(parsed).toMatchObject({ kind: 'text', text });
    expect(parsed.source).toMatch(/^text:Sessions last 15 minutes\. x/);
    expect(parsed.source.length).toBeLessThan(250);
  });

  it.each([
    ...['', 'file:', 'md:', 'md_dir:', 'text:', 'text: \n', 'glob:'],
    ...['file:../a', 'file:/etc/passwd', 'file:a/../../b', 'C:/a', 'md_dir:..', 'file:a\0b'],
    ...['file:a#L0', 'file:a#L9-L3', 'file:a#Lx', 'file:a#L1-L2-L3', 'file:a#L1x', 'file:a#L'],
    ...['file:a#L99999999999999999999', 'file:a#L-1', 'file:a#L1.5', 'file:a#L1,3'],
    ...[
      'md:a.ts',
      'md:a.md#L1',
      'nonsense:x',
      'git:log',
      'git:',
      'git:diff --base x',
      'git:diff --',
      'git:diff a',
      'git:diff -- ../a',
    ],
    ...['cmd:', 'cmd: \n', 'cmd:a\0b', `cmd:${'a'.repeat(1000)}`],
    ...[
      'glob:../**',
      'glob:a/../b',
      'glob:{..,a}/b',
      'glob:/etc/*',
      'glob:[',
      'glob:{a',
      'glob:a}',
    ],
    ...[
      'glob:*a*b*c*d',
      'glob:**/a/**/b/**/c/**',
      `glob:${'a'.repeat(201)}`,
      'glob:a\\',
      `glob:${'{a,aa}'.repeat(7)}`,
    ],
    `file:${'a'.repeat(1001)}`,
  ])('%j is refused', (given) => {
    expect(codeOf(() => parseSource(given))).toBe('USAGE');
  });

  it('is refused for a text of more than 64 KiB', () => {
    expect(codeOf(() => parseSource(`text:${'é'.repeat(33_000)}`))).toBe('LIMIT_EXCEEDED');
  });

  it('means the same once it is stored, and leads to the same path', () => {
    const name = fc
      .array(
        fc.constantFrom('a', 'b', '%', '%23', '%25', '#', '#L1', 'L2', ' ', 'é', '.', ':', '-'),
        {
          minLength: 1,
          maxLength: 6,
        },
      )
      .map((parts) => `x${parts.join('')}`);
    fc.assert(
      fc.property(name, (path) => {
        const written = path.replaceAll('%', '%25').replaceAll('#', '%23');
        const parsed = parseSource(`file:${written}`);
        expect(placeIn(parsed)).toEqual({ path });
        expect(parseSource(parsed.source)).toEqual(parsed);
      }),
    );
  });
});
