import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupAt, groupCount, runProgram } from '../../../src/capture/redaction/machine.ts';
import { TOKEN_LINES } from '../../../src/capture/redaction/table/token-lines.ts';
// @ts-expect-error it has no types
import { programOf } from '../../../tools/expressions.mjs';
import { pick, type Random, seeded } from './samples.ts';

interface Made {
  source: string;
  flags: string;
  program: string;
}

/** What the build has made of the expressions of all rules. */
function written(name: string): Made[] {
  const file = path.join(import.meta.dirname, '../../../dist', name);
  const lines = readFileSync(file, 'latin1').split('\n').slice(1, -2);
  return Array.from({ length: lines.length / 2 }, (_, index) => {
    const line = lines[2 * index] as string;
    const flags = line.slice(0, line.indexOf('/'));
    return { source: line.slice(flags.length + 1), flags, program: lines[2 * index + 1] as string };
  });
}

/** The rows of the table, too, though V8 runs them: the more the machine is tried with. */
const ROWS = TOKEN_LINES.split('\n').flatMap((line) => {
  const source = line.split('\t')[4];
  return source === undefined ? [] : [made(source, 'y')];
});
const WRITTEN = [...written('hook-programs.txt'), ...written('hook-context-programs.txt')];
const ALL = [...WRITTEN, ...ROWS];

function made(source: string, flags: string): Made {
  const { words, why } = programOf(source, flags);
  if (words === undefined) throw new Error(why);
  return { source, flags, program: Buffer.from(words.buffer).toString('base64') };
}

/** As an expression says it, from `from` on. */
type Said = { index: number; groups: ([start: number, end: number] | undefined)[] } | null;

function byMachine({ program, flags }: Made, text: string, from: number): Said | undefined {
  const index = runProgram(program, text, from, flags.includes('y'));
  if (index === undefined) return undefined;
  if (index < 0) return null;
  const groups = Array.from({ length: groupCount() + 1 }, (_, group) => {
    const span = groupAt(group);
    return span && ([span.start, span.end] as [number, number]);
  });
  return { index, groups };
}

function byV8({ source, flags }: Made, text: string, from: number): Said {
  const pattern = new RegExp(
    source,
    `d${flags.replace(/[gy]/, '')}${flags.includes('y') ? 'y' : 'g'}`,
  );
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  return match && { index: match.index, groups: [...(match.indices as [number, number][])] };
}

/** Characters that stand around secrets. */
const CHARS = [
  ...'"\'`\\ \n\r\t:=-/@.,;[]{}()<>$%&+|!?*#~^_\x1b\u2192\u00e90123456789abfnrtuxyzABZQ',
];

/** A text that the node may match, but for what is looked at ahead of it. */
function example(node: AST.Node, flags: string, random: Random): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterClass':
    case 'CharacterSet': {
      const one = new RegExp(`^${node.raw}$`, flags.replace(/[gy]/g, ''));
      return pick(random, CHARS.filter((char) => one.test(char)).concat(['a']));
    }
    case 'Quantifier': {
      const more = random(Math.min(node.max - node.min, 3) + 1);
      const count = Math.min(node.min + more, 40);
      return Array.from({ length: count }, () => example(node.element, flags, random)).join('');
    }
    case 'Assertion':
      return node.kind === 'lookbehind' && !node.negate
        ? example(pick(random, node.alternatives), flags, random)
        : '';
    case 'Alternative':
      return node.elements.map((one) => example(one, flags, random)).join('');
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return example(pick(random, node.alternatives), flags, random);
    default:
      return '';
  }
}

/** One that it matches as often as not: something around it, and now and then something in it that is not its own. */
function textFor({ source, flags }: Made, random: Random): string {
  const tree = new RegExpParser().parsePattern(source);
  const some = (count: number) =>
    Array.from({ length: random(count) }, () => pick(random, CHARS)).join('');
  const own = example(tree, flags, random);
  const at = random(own.length + 1);
  const spoilt = random(3) === 0 ? own.slice(0, at) + some(2) + own.slice(at + random(2)) : own;
  return `${some(6)}${spoilt}${pick(random, ['', '"', ' ', '\n', some(8)])}`;
}

describe('the machine', () => {
  it('has a program for every expression of the rules', () => {
    expect(WRITTEN.length).toBeGreaterThan(90);
    for (const { source, flags } of ALL) expect(() => new RegExp(source, flags)).not.toThrow();
  });

  it('finds with each what V8 finds, groups included: in texts made from it', {
    tags: 'long',
  }, () => {
    const random = seeded(20_261_123);
    let found = 0;
    for (const one of ALL) {
      for (let round = 0; round < 40; round += 1) {
        const text = textFor(one, random);
        // A sticky one at every place: where it should match is not known.
        const last = one.flags.includes('y') ? text.length : 0;
        for (let from = 0; from <= last; from += 1) {
          const expected = byV8(one, text, from);
          if (expected !== null) found += 1;
          const said = byMachine(one, text, from);
          if (JSON.stringify(said) !== JSON.stringify(expected))
            expect(said, JSON.stringify([one.source, one.flags, text, from])).toEqual(expected);
        }
      }
    }
    expect(found).toBeGreaterThan(5000);
  });

  it.each([
    ['a(?:b|c)*d?', 'g'],
    ['(a+?)(b*)$', ''],
    ['(?<=x|yy)a{2,3}', 'g'],
    ['(?<!a.{0,3})b', 'gi'],
    ['(?<=a(?=[bc])(?:b|cd)+)x?y', 'g'],
    ['\\bfoo\\b', 'i'],
    ['\\Boo', ''],
    ['(?:ab|a)(?:c|bcd)', 'g'],
    ['^x|y$', 'gm'],
    ['^(?:x|fo)', ''],
    ['(?:a{1,3}b){2,4}c', ''],
    ['(?:a{1,3}b){2,4}?b*', ''],
    ['[^a-c\\s]+', 'g'],
    ['[abc]{0,65536}x|b{1,65535}$', 'g'],
    ['a.*?b', 'gs'],
    ['(?=(?:a|b)+c)\\w{2}', 'g'],
    ['(?!foo)\\w+(x)?y', 'y'],
    ['(?:aa|b){2,}?(c|)', 'g'],
    ['[\u00e9\u00c8]x', 'i'],
    ['(?:)', 'g'],
    ['a{0}b', ''],
  ])('does as V8 does with /%s/%s', (source, flags) => {
    const one = made(source, flags);
    const text = fc.string({
      unit: fc.constantFrom(
        ...'aabbccxxyyd foo-_9',
        '\n',
        '\r',
        '\u2028',
        '\u00c9',
        '\u00e8',
        '\ud83d',
      ),
      maxLength: 24,
    });
    fc.assert(
      fc.property(text, fc.nat(8), (whole, from) => {
        const at = Math.min(from, whole.length);
        expect(byMachine(one, whole, at)).toEqual(byV8(one, whole, at));
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ['a back reference', '(.)\\1', '', 'Backreference'],
    ['a named one', '(?<x>a)\\k<x>', '', 'Backreference'],
    ['a repetition of nothing', '(?:a?)*b', '', 'an empty repetition'],
    ['a group that is repeated', '(?:(a)|b)*', '', 'a group that is repeated'],
    ['a group in what is looked at', '(?=(a))b', '', 'a group in what is looked at'],
    ['code points', 'a', 'u', 'code points'],
    ['more than its room', 'a{3}[b-d]'.repeat(4000), '', 'it is too large'],
  ])('leaves to V8 what it does not know: %s', (_what, source, flags, why) => {
    expect(programOf(source, flags).why).toBe(why);
  });

  it('says that it cannot say where a long text may go on beyond what it sees', () => {
    const one = made('(?<=b.{0,600})a[ab]*', 'y');
    const text = `${'b'.repeat(9000)}a${'b'.repeat(9000)}`;
    expect(byMachine(one, text, 9000)).toBeUndefined();
    const near = made('a(b{3})', 'y');
    expect(byMachine(near, text, 9000)).toEqual({
      index: 9000,
      groups: [
        [9000, 9004],
        [9001, 9004],
      ],
    });
    expect(byMachine(near, text, 8999)).toBeNull();
    expect(byMachine(made('^b', 'y'), text, 9000)).toBeNull();
    expect(byMachine(made('ab', 'g'), text, 0)).toBeUndefined();
  });

  it('says so where more may be tried than it has room for', () => {
    const one = made('(?:a|b|ab)*c', '');
    expect(byMachine(one, 'ab'.repeat(8000), 0)).toBeUndefined();
    // And goes on with the next.
    expect(byMachine(one, 'abc', 0)).toEqual({ index: 0, groups: [[0, 3]] });
  });
});
