import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';
import { BASE62, chars, seeded } from './samples.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const random = seeded(8);
const URL_MARKER = '[REDACTED:URL-PASSWORD]';

describe('a URL with a password', () => {
  it.each([
    ['postgres://app:', '@db.example:5432/app?x=1'],
    ['https://user.name+tag:', '@example.org/path'],
    ['mongodb+srv://root:', '@a.example,b.example/admin'],
    ['redis://:', '@127.0.0.1:6379/0'],
    ['amqp://user%40corp:', '@mq'],
    ['"https:\\/\\/user:', '@example.org\\/x"'],
    ['git clone https://user:', '@github.com/o/r.git'],
  ])('keeps all but the password: %s…%s', (before, after) => {
    for (const secret of [
      'p4ssw0rd',
      'a:b',
      'p%40ss',
      'p@ss!w',
      'password',
      "x$y*z'".slice(0, 5),
    ]) {
      expect(redact(`${before}${secret}${after}`)).toBe(`${before}${URL_MARKER}${after}`);
    }
  });

  it('is found percent-encoded', () => {
    const url = encodeURIComponent('https://user:p+ss w@example.org/x');
    expect(redact(`to=${url}&b`)).toBe(
      `to=${encodeURIComponent('https://user:')}${URL_MARKER}${encodeURIComponent('@example.org/x')}&b`,
    );
  });

  it('is named by the token when the password is one', () => {
    const token = `ghp_${chars(random, BASE62, 36)}`;
    expect(redact(`https://x-access-token:${token}@github.com`)).toBe(
      'https://x-access-token:[REDACTED:GITHUB-TOKEN]@github.com',
    );
  });

  it.each([
    'http://user@example.org/a:b',
    'http://localhost:3000/@scope/pkg',
    'see http://localhost:3000 or mail me@example.org',
    '["http://a:80","b@c"]',
    'postgres://u:$PASSWORD@h',
    'postgres://u:$\x7benv.PASSWORD}@h',
    'postgres://u:<password>@h',
    'postgres://u:{password}@h',
    'postgres://u:%s@h',
    'postgres://u:%(password)s@h',
    'postgres://u:****@h',
    'postgres://u:xxxx@h',
    'postgres://u:...@h',
    'https%3A%2F%2Fexample.org%3A80%2F%40x',
  ])('is not seen in %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('has a user and a password of a bounded length, so that a run of characters is not one', () => {
    const long = (count: number) => `x://${'u'.repeat(count)}:p4ss@h`;
    expect(redact(long(128))).toContain(URL_MARKER);
    expect(redact(long(129))).toBe(long(129));
  });
});

describe('a Cookie header', () => {
  const session = `${chars(random, BASE62, 31)}7`;

  it.each([
    ['Cookie: ', 'theme=dark; sessionid=#', ''],
    ['Cookie: ', 'lang=en; JSESSIONID=#', '\r\nAccept: */*'],
    ['Cookie: ', 'a=1; session=#', ''],
    ['Cookie: ', 'empty=; session=#', ''],
    ['Cookie: ', 'a=1;b=2;session=#; c=3', '\n'],
    ["curl -H 'cookie: ", 'lang=en; auth_session=#', "' https://x.example"],
    ['"cookie":"', 'a=1; sid=#', '","accept":"*/*"'],
    ['\\"cookie\\":\\"', 'a=1; sid=#', '\\"'],
    ["cookies='", 'a=1; sid=#', "'"],
    ['"cookies": "', 'a=1; sid=#', '"'],
  ])('goes with all its cookies, however short the first is: %s%s', (before, cookies, after) => {
    expect(redact(before + cookies.replace('#', session) + after)).toBe(
      `${before}[REDACTED:COOKIE]${after}`,
    );
  });

  it.each([
    'Cookie: theme=dark; lang=en',
    'Cookie: a=1',
    'cookie: theme=',
    'Set-Cookie: lang=en; Path=/; Expires=Wed',
    'cookie = parse(header); session = cookie.value',
  ])('of settings stays: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('an Authorization header', () => {
  const BEARER = '[REDACTED:BEARER-TOKEN]';
  const BASIC = '[REDACTED:BASIC-AUTH]';

  it.each([
    ['Authorization: Bearer ', 'abcd1234', ''],
    ['authorization:bearer ', 'abcdefgh', '\r\nAccept: */*'],
    ['-H "Authorization: Bearer ', 'a.b-c_d~e+f/g=', '" https://x.example'],
    ['"Authorization": "Bearer ', 'abcdefgh', '",'],
    ['{\\"authorization\\": \\"Bearer ', 'abcdefgh', '\\"}'],
    ["headers['Authorization'] = 'token ", 'abcdefgh', "';"],
    ["set('Authorization', 'Bearer ", 'abcdefgh', "')"],
    ['Proxy-Authorization: Bearer ', 'abcdefgh', ''],
    ["'Authorization' => 'Bearer ", 'abcdefgh', "'"],
  ])('keeps its scheme: %s', (before, secret, after) => {
    expect(redact(`${before}${secret}${after}`)).toBe(`${before}${BEARER}${after}`);
  });

  it('hides Basic credentials', () => {
    const credentials = Buffer.from('user:pw').toString('base64');
    expect(redact(`Authorization: Basic ${credentials}\n`)).toBe(`Authorization: Basic ${BASIC}\n`);
    expect(redact(`"authorization":"Basic ${credentials}"`)).toBe(
      `"authorization":"Basic ${BASIC}"`,
    );
  });

  it.each([
    'DeepL-Auth-Key',
    'Klaviyo-API-Key',
    'Zoho-oauthtoken',
    'Api-Token',
    'OAuth',
    'Negotiate',
    'JWT',
    'Bearer:',
  ])('hides what a machine made behind a scheme that no list has: %s', (scheme) => {
    const value = `${chars(random, BASE62, 31)}7`;
    for (const header of [
      `> Authorization: ${scheme} #\r\n> Accept: */*`,
      `{"Authorization":"${scheme} #"}`,
      `-H 'authorization: ${scheme} #' https://x.example`,
      `headers["Authorization"] = "${scheme} #";`,
    ])
      expect(redact(header.replace('#', value))).toBe(header.replace('#', BEARER));
    const { value: parsed } = redactValue(
      { headers: { Authorization: `${scheme} ${value}` } },
      options,
    );
    expect(JSON.stringify(parsed)).not.toContain(value);
  });

  it('hides the key of Firebase, which stands behind an equals sign', () => {
    const value = `AAAA${chars(random, BASE62, 6)}7:APA91b${chars(random, BASE62, 134)}`;
    expect(redact(`Authorization: key=${value}\n`)).toBe(`Authorization: key=${BEARER}\n`);
  });

  it('is needed for short tokens and for Basic, not for a long token after Bearer', () => {
    const long = `${chars(random, BASE62, 15)}7`;
    expect(redact(`sends Bearer ${long}`)).toBe(`sends Bearer ${BEARER}`);
    expect(redact(`Bearer%20${long}`)).toBe(`Bearer%20${BEARER}`);
    for (const text of [
      `Bearer ${long.slice(1)}`,
      'Bearer authentication/authorization',
      'Basic dXNlcjpwdw==',
    ]) {
      expect(redact(text)).toBe(text);
    }
  });

  it.each([
    'Authorization: Bearer <token>',
    'Authorization: Bearer $\x7btoken}',
    'Authorization: Bearer $TOKEN_OF_MINE',
    'Authorization: Bearer your-token-here-1234',
    'Authorization: Bearer xxxxxxxxxxxx',
    'Authorization: Basic <credentials>',
    'Authorization: Bearer ',
    "req.headers.authorization = 'Bearer ' + token1;",
    'const authorization = await getAuthorizationHeader1(request2)',
    'authorization: string | AuthorizationHeader2Options',
    'Authorization: Digest username="Mufasa", realm="a@example.org", uri="/dir/index.html"',
    'the authorization was granted, see a1b2c3d4e5f6a7b8c9d0',
    'the authorization of the bearer',
  ])('with a placeholder stays: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
