import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;

const SECRET = 'q9fGZ0a8VbnLkq1hW7xP2cR5tY8uJ3mE';
const MARKER = '[REDACTED:COOKIE]';

/** As Playwright's `storageState` has them, Puppeteer's `page.cookies()`, and extensions that export them, a field of each in another place. */
const COOKIES: readonly ((value: string) => Record<string, unknown>)[] = [
  (value) => ({
    name: 'li_at',
    value,
    domain: 'x.example',
    path: '/',
    expires: -1,
    httpOnly: true,
  }),
  (value) => ({ name: 'theme', value, domain: 'x.example', httpOnly: false, sameSite: 'Lax' }),
  (value) => ({ domain: '.x.example', hostOnly: false, httpOnly: true, name: 'sid', value, id: 1 }),
];

describe('the value of a cookie goes, whatever the cookie is called', () => {
  it.each(COOKIES.map((cookie, index) => [index, cookie] as const))('%i', (_, cookie) => {
    const list = (value: string) => [cookie(value), cookie('dark'), cookie(value)];
    const shapes: readonly ((value: string) => string)[] = [
      (value) => JSON.stringify(list(value)),
      (value) => JSON.stringify({ cookies: list(value), origins: [] }, undefined, 2),
      (value) => JSON.stringify({ stdout: JSON.stringify(list(value), undefined, 2) }),
      (value) => inspect(list(value)),
      (value) => `context.addCookies([${inspect(cookie(value))}]);`,
    ];
    for (const shape of shapes) expect(redact(shape(SECRET))).toBe(shape(MARKER));
  });

  it.each(COOKIES.map((cookie, index) => [index, cookie] as const))(
    'as an object: %i',
    (_, cookie) => {
      const list = (value: string) => ({ result: [cookie(value), cookie('dark')] });
      expect(redactValue(list(SECRET), options).value).toEqual(list(MARKER));
    },
  );

  it('with the padding of base64', () => {
    const value = 'cTlmR1owYThWYm5Ma3ExaFc3eA==';
    for (const cookie of COOKIES)
      expect(redactValue({ cookies: [cookie(value)] }, options).value).toEqual({
        cookies: [cookie(MARKER)],
      });
  });

  it('as long as a cookie may be', () => {
    const value = SECRET.repeat(128);
    for (const cookie of COOKIES)
      expect(redact(JSON.stringify(cookie(value)))).toBe(JSON.stringify(cookie(MARKER)));
  });
});

describe('the cookie of a session, which its name tells, without httpOnly, as HAR may have it', () => {
  it.each(['session', 'sessionid', '_app_session', 'connect.sid', 'JSESSIONID'])('%s', (name) => {
    for (const field of [{ path: '/' }, { domain: 'x.example' }, { expires: null }]) {
      const log = (value: string) => ({ request: { cookies: [{ name, value, ...field }] } });
      for (const shape of [
        (value: string) => JSON.stringify(log(value)),
        (value: string) => JSON.stringify(log(value), undefined, 2),
        (value: string) => JSON.stringify({ stdout: JSON.stringify(log(value), undefined, 2) }),
      ])
        expect(redact(shape(SECRET))).toBe(shape(MARKER));
      expect(redactValue(log(SECRET), options).value).toEqual(log(MARKER));
    }
  });

  it.each([
    `{"name": "session", "value": "${SECRET}"}`,
    `{"name": "locale", "value": "${SECRET}", "path": "/"}`,
    `{"name": "session", "value": "${SECRET}"}, {"path": "/"}`,
    '{"name": "session", "value": "01890a5d-ac96-774b-bcce-b302099a8057", "path": "/"}',
    '{"name": "session", "value": "session-of-the-user", "path": "/"}',
    '{"name": "inside", "value": "a text of several words", "path": "/"}',
  ])('but not %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

it('settings, and what code says of cookies, stay', () => {
  for (const text of [
    "res.cookie('sid', value, { httpOnly: true, secure: true, maxAge: 3600_000 });",
    "app.use(session({ cookie: { httpOnly: true }, name: 'sid' })); const value = 'a long text of words';",
    '{"name": "locale", "value": "en-US,en;q=0.9,de-DE", "httpOnly": false}',
    '{"name": "banner", "value": "dismissed-for-this-session", "httpOnly": true}',
    '[{"httpOnly": true}, {"name": "commit", "value": "q9fGZ0a8VbnLkq1hW7xP2cR5tY8uJ3mE"}]',
    '{ httpOnly: boolean; value: string; name: "q9fGZ0a8VbnLkq1hW7xP2cR5tY8uJ3mE" }',
  ])
    expect(redact(text)).toBe(text);
});
