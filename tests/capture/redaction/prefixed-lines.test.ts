import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';
import { placesOf } from '../../../src/capture/redaction/places.ts';
import { mayHavePrefixes } from '../../../src/capture/redaction/prefix-signs.ts';
import { withoutPrefixes } from '../../../src/capture/redaction/prefixed-lines.ts';
import { PREFIXED } from './corpus/contexts.ts';
import { passwordRecall } from './corpus/recall.ts';
import { seeded } from './samples.ts';

const { options } = compileRedaction();
const redacted = (text: string) => redactText(text, options).text;
const lines = (...all: string[]) => all.join('\n');

describe('secrets of several lines behind what programs print before each', () => {
  it.each(PREFIXED.map((context) => [context.name, context] as const))(
    'are found: %s',
    (_, context) => {
      const { found, of } = passwordRecall(context, 20);
      expect(found).toBe(of);
    },
  );

  it.each(PREFIXED.map((context) => [context.name, context] as const))(
    'are found in the output of a tool: %s',
    (_, context) => {
      const { text, shown } = context.wrap('', 'tulip4711', seeded(1));
      const { value } = redactValue({ tool_response: { stdout: text } }, options);
      expect(JSON.stringify(value)).not.toContain(shown);
    },
  );

  it('leave the prefixes as they are', () => {
    expect(redacted(lines('a.yml:4:- name: DB_PASSWORD', 'a.yml-5-  value: tulip4711'))).toBe(
      lines('a.yml:4:- name: DB_PASSWORD', 'a.yml-5-  value: [REDACTED:PASSWORD]'),
    );
  });

  it('are found before and after a change, each with what did not change around it', () => {
    const diff = lines(
      '@@ -1,3 +1,3 @@',
      '   "name": "DB_PASSWORD",',
      '-  "value": "tulip4711",',
      '+  "value": "harbor4712",',
      '   "x": 1',
    );
    const text = redacted(diff);
    expect(text).toContain('-  "value": "[REDACTED:PASSWORD]"');
    expect(text).toContain('+  "value": "[REDACTED:PASSWORD]"');
  });

  it('are found in colours', () => {
    const text = lines(
      '\x1b[32m+  "name": "DB_PASSWORD",\x1b[m',
      '\x1b[32m+  "value": "tulip4711"\x1b[m',
    );
    expect(redacted(text)).toBe(text.replace('tulip4711', '[REDACTED:PASSWORD]'));
  });

  it('are whole keys, with the prefixes between their lines', () => {
    const key = 'AAAAIBxGx0x1Z0a9b8c7d6e5f4g3h2i1j0k9l8m7n6o5';
    const text = lines('> Private-Lines: 2', `> ${key}`, `> ${key}`, '> Private-MAC: 0');
    expect(redacted(text)).toBe(
      lines('> Private-Lines: 2', '> [REDACTED:PRIVATE-KEY]', '> Private-MAC: 0'),
    );
  });
});

describe('reading a text without prefixes', () => {
  const isWorth = (text: string) => mayHavePrefixes(text, placesOf(text));

  it.each([
    [
      'a list beside indented code',
      '- one\n- two\n\nclass A {\n  password: string\n  value: number\n}\n',
    ],
    ['a value before which no name stands', '- one\n  value: number\n- two\n'],
    ['a word in marks in a comment', '// set custom token "speed" to 125\n'],
    ['a word in marks in a list', '- has the banner and the phrase "a b c"\n'],
    ['an argument behind its option', "// the list is ['--password', 'value']\n"],
  ])('is not worth the while: %s', (_, text) => {
    expect(isWorth(text)).toBe(false);
  });

  it.each([
    [
      'a name and its value in a diff',
      '+a: 1\n name: DB_PASSWORD\n \n-value: x\n   value: tulip4711\n',
    ],
    ['a list that is the first line', '\n-  name: DB_PASSWORD\n   value: tulip4711\n'],
    ['a name in marks that begins its line', "12: storePassword 'tulip4711'\n13: x\n"],
    ['an option and its argument', '1: "--password",\n2: "tulip4711"\n'],
  ])('is worth it: %s', (_, text) => {
    expect(isWorth(text)).toBe(true);
  });
});

describe('a text of more lines than a call has room for arguments', () => {
  const secret = ['"name": "DB_PASSWORD",', '"value": "TulipTulip85!"'];
  it.each(['+', '> ', 'w-1 | '])('is redacted behind %j like any other', (prefix) => {
    const text = `${`${prefix}\n`.repeat(300_000)}${secret.map((line) => prefix + line).join('\n')}`;
    expect(redacted(text).slice(-60)).toContain('[REDACTED:PASSWORD]');
  });
});

describe('a text without prefixes', () => {
  const readings = (text: string) => withoutPrefixes(text).map((reading) => reading.text);

  it.each([
    'const a = 1;\nconst b = 2;\n',
    '  a\n  b\n',
    'one\n> two\nthree\n',
    '4: one\nfive\n',
    '',
  ])('is not read again: %j', (text) => {
    expect(readings(text)).toEqual([]);
  });

  it('is read once for each prefix that stands before another', () => {
    expect(readings('w-1 | 10:00:01 a\nw-1 | 10:00:02 b\n')).toEqual([
      '10:00:01 a\n10:00:02 b\n',
      'a\nb\n',
    ]);
  });

  it('is read as it was before a diff and after', () => {
    expect(readings(' a\n-b\n+c\n d')).toEqual(['a\nc\nd', 'a\nb\nd']);
  });
});
