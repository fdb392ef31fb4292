import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';
import { BASE62, BASE64, chars, HEX, pick, seeded } from './samples.ts';

const { options } = compileRedaction();

/** Lines of code, settings and output, one a line, that name secrets without holding one. */
const ORDINARY = readFileSync(path.join(import.meta.dirname, 'ordinary.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '');

describe('ordinary text', () => {
  it.each(ORDINARY)('is left alone: %s', (line) => {
    for (const text of [line, `+${line}`, `x\n${line}\ny`, JSON.stringify({ line })]) {
      expect(redactText(text, options)).toEqual({ text, counts: {} });
    }
  });

  it('is left alone where a client keeps its ids, hashes, signatures and pictures', () => {
    const random = seeded(7);
    for (let index = 0; index < 500; index += 1) {
      const record = {
        uuid: [8, 4, 4, 4, 12].map((count) => chars(random, HEX, count)).join('-'),
        sessionId: [8, 4, 4, 4, 12].map((count) => chars(random, HEX, count)).join('-'),
        requestId: `req_0${chars(random, BASE62, 23)}`,
        message: { id: `msg_0${chars(random, BASE62, 22)}`, model: 'claude-sonnet-4-5-20250929' },
        content: [
          { type: 'tool_use', id: `toolu_0${chars(random, BASE62, 22)}` },
          { type: 'thinking', signature: `${chars(random, BASE64, 400)}==` },
          { type: 'image', source: { media_type: 'image/png', data: chars(random, BASE64, 3000) } },
        ],
        git: `${chars(random, HEX, 40)} ${chars(random, HEX, 7)}..${chars(random, HEX, 7)}`,
        digest: `sha256:${chars(random, HEX, 64)}`,
        usage: { input_tokens: random(99_999), cache_read_input_tokens: random(99_999) },
      };
      expect(redactValue(record, options).value).toBe(record);
      const text = JSON.stringify(record);
      expect(redactText(text, options).text).toBe(text);
    }
  });

  it('is left alone in generated code that names secrets', () => {
    const random = seeded(11);
    const names = ['token', 'password', 'apiKey', 'secret', 'accessKey', 'credentials'];
    const words = ['next', 'user', 'auth', 'parser', 'Config', 'value', 'state'];
    const numbered = [...words, 'v2', 'oauth2', 'sha256', 'base64'];
    for (let index = 0; index < 2000; index += 1) {
      const name = pick(random, names);
      const [a, b] = [pick(random, words), pick(random, words)];
      const line = pick(random, [
        `const ${name} = ${a}.${pick(random, numbered)};`,
        `${name}: ${a}${b},`,
        `${a}(${name}: string, ${b}: number)`,
        `${name} = await ${a}${pick(random, numbered)}(${b})`,
        `return { ${name}, ${a}: ${b} };`,
        `expect(${name}).toBe(${a}.${b}[0]);`,
        `if (!${name}) throw new Error('${name} of ${a} is missing');`,
      ]);
      expect(redactText(line, options).text).toBe(line);
    }
  });
});
