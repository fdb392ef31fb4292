import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const MARKER = '[REDACTED:PRIVATE-KEY]';
const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
  .trim()
  .split('\n');
const BODY = KEY.slice(1, -1).join('');
const END = KEY.at(-1) ?? '';
const inLines = (chars: number) => BODY.match(new RegExp(`.{1,${chars}}`, 'g')) ?? [];

/** A line of a key that begins with `+` may be one of a diff: nobody can tell, and the sign may stay. */
const withoutSign = (text: string) => text.replace(/\+(?=\[REDACTED)/, '');

describe('a private key without its BEGIN line', () => {
  it.each([64, 70, 76, 200, 5000])('goes from its first line on, in lines of %i', (chars) => {
    const lines = inLines(chars);
    for (const from of [0, 1, 3, lines.length - 2].filter((at) => at >= 0 && at < lines.length)) {
      const tail = [...lines.slice(from), END];
      const plain = redact(`first line\n${tail.join('\n')}\nafter`);
      expect(withoutSign(plain)).toBe(`first line\n${MARKER}\nafter`);
      const json = redact(JSON.stringify({ output: tail.join('\n') }));
      expect(withoutSign(json)).toBe(`{"output":"${MARKER}"}`);
      expect(withoutSign(redact(`${tail.join('\r\n')}`))).toBe(MARKER);
    }
  });

  it('goes from the middle of a line on', () => {
    const tail = [...inLines(64).slice(2), END];
    for (const cut of [0, 1, 20, 40]) {
      const text = [tail[0]?.slice(cut), ...tail.slice(1)].join('\n');
      expect(withoutSign(redact(text))).toBe(MARKER);
      expect(redact(`[5 lines left out] ${text}`)).not.toContain(tail[1]);
    }
    expect(withoutSign(redact(`${BODY.slice(-200)}\n${END}`))).toBe(MARKER);
    expect(withoutSign(redact(`… ${inLines(64).join(' ')} ${END} …`))).toBe(`… ${MARKER} …`);
  });

  it('goes behind what every line begins with', () => {
    const tail = [...inLines(64).slice(2), END];
    for (const prefix of [
      (line: number) => `src/certs/key.pem:${line}:`,
      (line: number) => `C:\\new\\root\\key.pem-${line}-`,
      (line: number) => `${line}-`,
      (line: number) => `2026-11-21T10:00:${line + 10}Z app: `,
      () => '> ',
      () => '\x1b[35m\x1b[Ka/key.pem\x1b[m\x1b[K\x1b[36m\x1b[K-\x1b[m\x1b[K',
    ]) {
      const text = redact(tail.map((line, index) => prefix(index + 8) + line).join('\n'));
      expect(withoutSign(text)).toBe(prefix(8) + MARKER);
    }
    expect(withoutSign(redact(`${tail.join('$\n')}$`))).toBe(`${MARKER}$`);
  });

  it('is one with what its BEGIN line finds', () => {
    expect(redactText(KEY.join('\n'), options)).toEqual({
      text: MARKER,
      counts: { 'PRIVATE-KEY': 1 },
    });
  });

  it('is not seen where the END line is only named', () => {
    for (const text of [
      END,
      `\n${END}`,
      `const end = "${END}";`,
      `const begin = "${KEY[0]}";\nconst end = "${END}";`,
      `The last line of such a file is\n${END}`,
      `done\n${END}`,
    ]) {
      expect(redact(text)).toBe(text);
    }
  });

  it('is left when it is a certificate or a public key', () => {
    for (const kind of ['CERTIFICATE', 'PUBLIC KEY']) {
      const text = [...inLines(64), END.replace('PRIVATE KEY', kind)].join('\n');
      expect(redact(text)).toBe(text);
    }
  });
});
