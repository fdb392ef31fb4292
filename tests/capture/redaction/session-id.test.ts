import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';
import { BASE62, chars, HEX, seeded } from './samples.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const random = seeded(41);
const MIXED = `${chars(random, 'ghijkl', 4)}7${chars(random, BASE62, 27)}`;
const UUID = '8d0ee8bb-5a1c-4c4e-9e52-0e1df6bb45c5';

describe('the id of a web session', () => {
  it.each([
    ['PHPSESSID=#', chars(random, `${HEX}ghij`, 26)],
    ['PHPSESSID=#; path=/', `a1${chars(random, HEX, 30)}`],
    ['JSESSIONID=#', `4F${chars(random, '0123456789ABCDEF', 30)}`],
    ['ASP.NET_SessionId=#', `a1${chars(random, BASE62, 22)}`],
    ['connect.sid=#', `s%3A${MIXED}.${MIXED}`],
    ["'connect.sid': '#'", `s:${MIXED}.${MIXED}`],
    ['laravel_session=#', `${MIXED}${MIXED}`],
    ['sessionId: "#"', MIXED],
    ['{"session_id":"#"}', MIXED],
    ['?sessionid=#&a=1', MIXED],
    ['{\\"sessionId\\":\\"#\\"}', MIXED],
  ])('is found: %s', (template, value) => {
    const line = (inside: string) => template.replace('#', () => inside);
    expect(redact(line(value))).toBe(line('[REDACTED:SESSION-ID]'));
  });

  it.each([
    `{"session_id":"${UUID}"}`,
    `{\\"sessionId\\":\\"${UUID}\\",`,
    `sessionId=${UUID.toUpperCase()}`,
    `PHPSESSID=${UUID}`,
    'sessionId: 0199f0aa-1b2c-7d3e-8f40-112233445566',
    `session_id=session_01${MIXED}`,
    `"sessionID": "ses_${MIXED}"`,
    'session_id: "session-1"',
    `session_id=${chars(random, HEX, 32)}`,
    'const sessionId = request.cookies.session1.id;',
    'sessionId: createSessionId123()',
    'sessionId: string',
    'connect.sid=<the value>',
  ])('is none: %s', (line) => {
    expect(redact(line)).toBe(line);
  });

  it('stands for an agent in an object, where no form of it is touched', () => {
    const event = { session_id: MIXED, data: { sessionId: MIXED, list: [{ sessionID: MIXED }] } };
    expect(redactValue(event, options).value).toEqual(event);
    for (const key of ['PHPSESSID', 'JSESSIONID', 'connect.sid']) {
      const { value } = redactValue({ cookies: { [key]: MIXED } }, options);
      expect(value).toEqual({ cookies: { [key]: '[REDACTED:SESSION-ID]' } });
    }
  });
});
