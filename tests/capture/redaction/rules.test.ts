import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { BASE62, chars, HEX, seeded } from './samples.ts';

const { options } = compileRedaction();
const random = seeded(3);
const KEY = `${chars(random, BASE62, 20)}7${chars(random, BASE62, 11)}`;
const PASSWORD = 'tulip4711!';
const UUID = [8, 4, 4, 4, 12].map((count) => chars(random, HEX, count)).join('-');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const JWT = [{ alg: 'HS256' }, { sub: KEY }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');

/** A text with `#` in the place of the secret, and what the marker says. */
const FOUND: readonly [text: string, secret: string, id: string][] = [
  // Assignments in all notations.
  ['DB_PASSWORD=#', PASSWORD, 'PASSWORD'],
  ['export API_KEY="#"', KEY, 'API-KEY'],
  ['password: # # of the database', PASSWORD, 'PASSWORD'],
  ['{"client_secret": "#"}', KEY, 'SECRET'],
  ['var accessToken string = "#"', KEY, 'SECRET'],
  ['const token: string = `#`;', KEY, 'SECRET'],
  ["config['api_key'] = '#'", KEY, 'API-KEY'],
  ['$apiKey .= "#";', KEY, 'API-KEY'],
  ['token := "#"', KEY, 'SECRET'],
  ['"token" => "#"', KEY, 'SECRET'],
  ['System.setProperty("API_KEY", "#")', KEY, 'API-KEY'],
  ['deploy --api-key # --now', KEY, 'API-KEY'],
  ['ENV DB_PASSWORD #\n', PASSWORD, 'PASSWORD'],
  ['<password>#</password>', PASSWORD, 'PASSWORD'],
  ['<add key="DbPassword" value="#" />', PASSWORD, 'PASSWORD'],
  ['- name: DB_PASSWORD\n  value: #\n', PASSWORD, 'PASSWORD'],
  ['{"name": "DB_PASSWORD", "value": "#"}', PASSWORD, 'PASSWORD'],
  ['passwords = ["#", "changeme"]', PASSWORD, 'PASSWORD'],
  ["define('DB_PASSWORD', '#');", PASSWORD, 'PASSWORD'],
  ['password = new SecretString("#")', PASSWORD, 'PASSWORD'],
  ['administrator_login_password = "#"', 'Tulip_4711', 'PASSWORD'],
  [
    'MNEMONIC="#"',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
    'MNEMONIC',
  ],
  // Names of vendors.
  ['DATADOG_KEY=#', chars(random, HEX, 32), 'DATADOG-KEY'],
  [
    'dropbox api key = #',
    `${chars(random, 'abcdefgh', 7)}4${chars(random, 'stuvwx23', 7)}`,
    'DROPBOX-SECRET',
  ],
  ['BUNDLE_ENTERPRISE__CONTRIBSYS__COM=#', 'c4fe6abe:de4d8ee5', 'SIDEKIQ-SECRET'],
  ['heroku_api_key: "#"', UUID, 'HEROKU-API-KEY'],
  // Headers and cookies.
  ['Authorization: Bearer #', KEY, 'BEARER-TOKEN'],
  ['authorization: Basic #', base64('me:tulip4711'), 'BASIC-AUTH'],
  ['Authorization: Token #', KEY, 'AUTHORIZATION'],
  ['X-Api-Key: #\r\n', KEY, 'API-KEY'],
  ['Cookie: theme=dark; sid=#; a=1', KEY, 'COOKIE'],
  // Addresses and connection strings.
  ['postgres://app:#@db.example.org/app', PASSWORD, 'URL-PASSWORD'],
  ['app:#@tcp(db.example.org:3306)/app', 'tulip4711', 'URL-PASSWORD'],
  ['Server=db;User Id=app;Password=#;Encrypt=true', PASSWORD, 'PASSWORD'],
  ['https://api.example.org/v1?api_key=#&page=2', KEY, 'API-KEY'],
  [
    'https://hooks.slack.com/services/#',
    `T02AB34CD/B03EF56GH/${chars(random, BASE62, 24)}`,
    'SLACK-WEBHOOK',
  ],
  [
    'https://x.webhook.office.com/webhookb2/#',
    `${UUID}@${UUID}/IncomingWebhook/${chars(random, HEX, 32)}/${UUID}`,
    'TEAMS-WEBHOOK',
  ],
  [
    'https://discord.com/api/webhooks/123456789012345678/#',
    chars(random, BASE62, 68),
    'DISCORD-WEBHOOK',
  ],
  // Commands.
  ['curl -s -u admin:# https://x.example', PASSWORD, 'COMMAND-PASSWORD'],
  ["curl --user 'admin:#' https://x.example", PASSWORD, 'COMMAND-PASSWORD'],
  ['mysql -u root -p# app', PASSWORD, 'COMMAND-PASSWORD'],
  ['docker login -u me -p # registry.example.org', PASSWORD, 'COMMAND-PASSWORD'],
  ['sshpass -p # ssh me@host', PASSWORD, 'COMMAND-PASSWORD'],
  ['openssl rsa -passin pass:# -in k.pem', PASSWORD, 'COMMAND-PASSWORD'],
  ["CREATE USER app IDENTIFIED BY '#';", PASSWORD, 'SQL-PASSWORD'],
  // Files.
  ['machine h.example.org\n  login me\n  password #\n', PASSWORD, 'NETRC-PASSWORD'],
  ['//registry.example.org/:_authToken=#', UUID, 'SECRET'],
  [
    'apiVersion: v1\nkind: Secret\ndata:\n  key: #\n',
    base64('tulip4711tulip'),
    'KUBERNETES-SECRET',
  ],
  ['{"kind":"Secret","data":{"key":"#"}}', base64('tulip4711tulip'), 'KUBERNETES-SECRET'],
  ['{"kty":"oct","k":"#"}', KEY, 'JWK'],
  ['<secret>#</secret>', `{AQAAABAAA${chars(random, BASE62, 30)}=}`, 'JENKINS-SECRET'],
  // JSON Web Tokens, in base64 as well.
  ['got # here', `${JWT}.${KEY}`, 'JWT'],
  ['token in base64 #', base64(`${JWT}.${KEY}`), 'JWT'],
];

describe('a secret', () => {
  it.each(FOUND)('is found: %s', (template, secret, id) => {
    const text = template.replace('#', () => secret);
    const result = redactText(text, options);
    expect(result.text).not.toContain(secret);
    expect(Object.keys(result.counts)).toContain(id);
    expect(redactText(result.text, options).text).toBe(result.text);
  });

  it.each(FOUND)('is found inside JSON, twice escaped: %s', (template, secret) => {
    const text = JSON.stringify({
      a: JSON.stringify({ out: template.replace('#', () => secret) }),
    });
    const shown = JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1);
    expect(redactText(text, options).text).not.toContain(shown);
  });

  it.each(FOUND)('is found coloured: %s', (template, secret) => {
    const text = `\x1b[32m${template.replace('#', () => `\x1b[1m${secret}\x1b[0m`)}\x1b[0m`;
    expect(redactText(text, options).text).not.toContain(secret);
  });
});

describe('what stands around a secret', () => {
  it('stays as it is', () => {
    expect(redactText(`a=1 token="${KEY}" b=2`, options).text).toBe(
      'a=1 token="[REDACTED:SECRET]" b=2',
    );
    expect(redactText(`A=1\nDB_PASSWORD=${PASSWORD}\nB=2`, options).text).toBe(
      'A=1\nDB_PASSWORD=[REDACTED:PASSWORD]\nB=2',
    );
  });

  it.each([
    ['a diff', (line: string) => `+${line}`],
    ['a listing', (line: string, index: number) => `${String(index + 8).padStart(6)}\u2192${line}`],
    ['grep', (line: string, index: number) => `src/a/app.conf:${index + 8}:${line}`],
    ['a log', (line: string, index: number) => `2026-11-21T10:00:0${index}.123Z INFO ${line}`],
    ['a service', (line: string) => `web-1  | ${line}`],
  ])('may be what %s prints before each line', (_, prefix) => {
    for (const text of [
      '{\n  "name": "DB_PASSWORD",\n  "value": "#"\n}',
      'machine h.example.org\n  login me\n  password #\n',
      'env:\n- name: DB_PASSWORD\n  value: #\n',
    ]) {
      const lines = text
        .replace('#', () => PASSWORD)
        .split('\n')
        .map(prefix)
        .join('\n');
      expect(redactText(lines, options).text, lines).not.toContain(PASSWORD);
    }
  });

  it('tells where a value of a file of settings ends, whatever signs are in it', () => {
    for (const secret of ['a;b&c<d>7x', 'x(9)[8]{z}', "it's,7|up"])
      expect(redactText(`A=1\nDB_PASSWORD=${secret}\nB=2\n`, options).text).toBe(
        'A=1\nDB_PASSWORD=[REDACTED:PASSWORD]\nB=2\n',
      );
  });
});
