import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { BASE64, chars, pem, seeded } from './samples.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const MARKER = '[REDACTED:PRIVATE-KEY]';
const DASHES = '-'.repeat(5);
const BEGIN = `${DASHES}BEGIN PRIVATE KEY${DASHES}`;
const END = `${DASHES}END PRIVATE KEY${DASHES}`;

/** The same checks on many keys of every kind. */
function eachKey(check: (lines: string[], body: string[]) => void): void {
  const random = seeded(3);
  for (let index = 0; index < 50; index += 1) {
    const { lines, body } = pem(random);
    check(lines, body);
  }
}

/** As grep colours it: each part begins and ends with two sequences. */
const grepColour = (colour: string, text: string) => `\x1b[${colour}m\x1b[K${text}\x1b[m\x1b[K`;

const LAYOUTS: Record<string, (lines: string[]) => string> = {
  'line by line': (lines) => lines.join('\n'),
  'with CRLF': (lines) => lines.join('\r\n'),
  'with line breaks as \\n in JSON': (lines) => JSON.stringify(lines.join('\n')).slice(1, -1),
  'with line breaks as \\r\\n in JSON': (lines) => JSON.stringify(lines.join('\r\n')).slice(1, -1),
  'in JSON inside JSON': (lines) =>
    JSON.stringify(JSON.stringify(lines.join('\n')).slice(1, -1)).slice(1, -1),
  'as JSON with escaped slashes': (lines) => lines.join('\\n').replaceAll('/', '\\/'),
  'on one line with spaces': (lines) => lines.join(' '),
  'indented, as in YAML': (lines) => lines.join('\n    '),
  'with the line numbers of a listing': (lines) =>
    lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join('\n'),
  'with line numbers and arrows, in JSON': (lines) =>
    lines.map((line, index) => `${String(index + 1).padStart(6)}→${line}`).join('\\n'),
  'with line numbers of grep': (lines) =>
    lines.map((line, index) => `${index + 1}:${line}`).join('\n'),
  'in `grep -rn`': (lines) =>
    lines.map((line, index) => `src/a-2/server.key.pem:${index + 8}:${line}`).join('\n'),
  'in `grep -rn`, in JSON': (lines) =>
    lines.map((line, index) => `./new/key.pem:${index + 8}:${line}`).join('\\n'),
  'in `grep -rn` on Windows': (lines) =>
    lines.map((line, index) => `C:\\new\\root\\key.pem:${index + 8}:${line}`).join('\r\n'),
  'in `grep -r -A40`': (lines) =>
    lines.map((line, index) => `packages/fixtures/key${index === 0 ? ':' : '-'}${line}`).join('\n'),
  'in `grep -rn -A40`': (lines) =>
    lines
      .map((line, index) => `key.pem${index === 0 ? ':1:' : `-${index + 1}-`}${line}`)
      .join('\n'),
  'in `grep -n -A40`': (lines) =>
    lines.map((line, index) => `${index + 1}${index === 0 ? ':' : '-'}${line}`).join('\n'),
  'in `grep -r -A40 --color=always`': (lines) =>
    lines
      .map((line, index) => {
        const marked = line.replace('PRIVATE KEY', () => grepColour('01;31', 'PRIVATE KEY'));
        const sign = grepColour('36', index === 0 ? ':' : '-');
        return `${grepColour('35', 'a/key.pem')}${sign}${index === 0 ? marked : line}`;
      })
      .join('\n'),
  'in `cat -A`': (lines) => `${lines.join('$\n')}$`,
  'in `cat -A`, with CRLF, in JSON': (lines) => `${lines.join('^M$\\n')}^M$`,
  'in a log with times': (lines) =>
    lines.map((line, index) => `2026-11-21T10:00:0${index % 10}Z app[17]: ${line}`).join('\n'),
  'in a frame': (lines) =>
    lines.map((line, index) => `${String(index + 1).padStart(4)}   \u2502 ${line}`).join('\n'),
  'behind another word on each line': (lines) =>
    lines.map((line, index) => `${'abcdefgh'[index % 8]}.txt ${line}`).join('\n'),
  'added by a diff': (lines) => lines.map((line) => `+${line}`).join('\n'),
  'removed by a diff': (lines) => lines.map((line) => `-${line}`).join('\n'),
  'as a string in code': (lines) => lines.map((line) => `'${line}\\n'`).join(' +\n  '),
  'as an array of strings': (lines) => lines.map((line) => `"${line}"`).join(',\n'),
  'in colours': (lines) => lines.map((line) => `\x1b[32m${line}\x1b[0m`).join('\n'),
  'in colours, in JSON': (lines) => lines.map((line) => `\\u001b[32m${line}\\u001b[0m`).join('\\n'),
  'quoted in a mail': (lines) => lines.map((line) => `> ${line}`).join('\n'),
  'in comments': (lines) => lines.map((line) => `# ${line}`).join('\n'),
};

/** What `openssl genrsa`, `openssl ecparam -genkey` and `openssl genpkey` write. */
const REAL_KEYS = [
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs1',
    format: 'pem',
  }),
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'sec1',
    format: 'pem',
  }),
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
].map((pem) => String(pem).trim().split('\n'));

describe('a private key', () => {
  for (const [name, layout] of Object.entries(LAYOUTS)) {
    it(`goes as a whole ${name}`, () => {
      const check = (lines: string[], body: string[]) => {
        const text = redact(`before the key\n${layout(lines)}\nafter the key`);
        expect(text).toContain(MARKER);
        for (const line of body) expect(text).not.toContain(line.slice(0, 12));
        expect(text).not.toContain('KEY-----');
        expect(text).toMatch(/^before the key\n.*\nafter the key$/s);
      };
      eachKey(check);
      for (const key of REAL_KEYS) check(key, key.slice(1, -1));
    });
  }

  it('that was cut goes to the end of what looks like a key', () => {
    eachKey((lines, body) => {
      const kept = lines.slice(0, -2);
      const cut = `${kept.join('\n')}\n${body.at(-2)?.slice(0, 9)}`;
      expect(redact(`${cut}`)).toBe(MARKER);
      expect(redact(`${kept.join('\n')}\n\nThe file was too long to show.`)).toBe(
        `${MARKER}\n\nThe file was too long to show.`,
      );
    });
  });

  it('with left-out lines in the middle goes up to its END line', () => {
    const line = chars(seeded(1), BASE64, 64);
    expect(redact(`${BEGIN}\n${line}\n[… 20 lines …]\n${line}\n${END}\nx`)).toBe(`${MARKER}\nx`);
  });

  it('of a made-up body goes too', () => {
    expect(redact(`${BEGIN}\nfake-key_for tests\n${END}`)).toBe(MARKER);
    expect(redact(`${BEGIN}\nabc\n${END}`)).toBe(MARKER);
  });

  it('in OpenPGP armour goes as a whole', () => {
    const random = seeded(5);
    const body = [
      chars(random, BASE64, 64),
      chars(random, BASE64, 64),
      `=${chars(random, BASE64, 4)}`,
    ];
    const block = [
      `${DASHES}BEGIN PGP PRIVATE KEY BLOCK${DASHES}`,
      'Version: GnuPG v2',
      'Comment: made for a test',
      '',
      ...body,
      `${DASHES}END PGP PRIVATE KEY BLOCK${DASHES}`,
    ].join('\n');
    expect(redact(`a ${block} b`)).toBe(`a ${MARKER} b`);
  });

  it('two of them are two', () => {
    const random = seeded(9);
    const text = [...pem(random).lines, 'between', ...pem(random).lines].join('\n');
    expect(redactText(text, options)).toEqual({
      text: `${MARKER}\nbetween\n${MARKER}`,
      counts: { 'PRIVATE-KEY': 2 },
    });
  });

  it('does not reach over the BEGIN line of another one', () => {
    const line = chars(seeded(2), BASE64, 64);
    expect(redact(`${BEGIN}\n${BEGIN}\n${line}\n${END}`)).toBe(`${BEGIN}\n${MARKER}`);
  });

  it('is not seen in code that only names its lines', () => {
    const code = `const begin = "${BEGIN}";\nconst end = "${END}";`;
    expect(redact(code)).toBe(code);
    const far = `${BEGIN} is the first line.\n${'word and word, '.repeat(30)}\n${END}`;
    expect(redact(far)).toBe(far);
  });

  it('is left when it is a public one or a certificate', () => {
    const line = chars(seeded(4), BASE64, 64);
    for (const kind of ['PUBLIC KEY', 'CERTIFICATE', 'RSA PUBLIC KEY']) {
      const text = `${DASHES}BEGIN ${kind}${DASHES}\n${line}\n${DASHES}END ${kind}${DASHES}`;
      expect(redact(text)).toBe(text);
    }
  });
});
