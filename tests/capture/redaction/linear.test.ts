import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const CHARS = 1 << 16;
/** Longer than a window of the scanner, so that what is redacted twice is cut as well. */
const AGAIN_CHARS = 12 * 1024;
/** Only a guard against a hang: most take a tenth of a second of CPU, the worst three, with coverage, where quadratic time takes hours. */
const HANG_CPU_MS = 10_000;

/** What each rule begins with, again and again, so that each beginning may look for its end over the whole text. */
const UNITS = [
  ...[
    'a',
    'A',
    '0',
    ' ',
    '\n',
    '-',
    '\\',
    '\\n',
    '"',
    '%',
    '=',
    '/',
    '😀',
    '\ud800',
    '1\t',
    '\x1b[0m',
    '\x1b[',
    '\x1b]',
    '\x1b]8;;a',
    '\\u001b[m',
    'a\x1b[m',
    '\\\\\\e[',
  ],
  ...[
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nabc ',
    'AAAAAAAAAAAAAAAA\n',
    'a:-----BEGIN PRIVATE KEY-----\n',
    '1 : -----BEGIN PRIVATE KEY-----\\n1 : A',
    'AAAAAAAAAAAAAAAA\n-----END PRIVATE KEY-----',
    'a: AAAAAAAAAAAAAAAA\\na: -----END PRIVATE KEY-----\n',
    '-----END A1 A1 A1 PRIVATE KEY BLOCK-----',
    'cookie:a=',
    'cookie: a=;',
  ],
  ...[
    '-----END PRIVATE KEY-----',
    '<private>',
    'a<Private>',
    '</private>',
    '<private',
    '<private ',
  ],
  ...[
    'xoxb-',
    'xoxb-1',
    'xapp-',
    'ghp_',
    'github_pat_',
    'npm_',
    '/:_authToken=',
    'hooks.slack.com/services/T',
  ],
  ...['sk-', 'sk-a', 'sk-ant-', 'sk-proj-', 'T3BlbkFJ', 'AKIA', 'AIza', 'ya29.', 'GOCSPX-'],
  ...[
    'eyJ',
    'eyJaaaaaaaa.',
    'eyJaaaaaaaa.eyJ',
    '\\neyJ',
    '://',
    'http://a:',
    'http://a:b',
    '://a:a@',
    '%3A%2F%2Fa%3Aa',
  ],
  ...['authorization: ', 'authorization: bearer ', 'authorization: basic ', 'bearer ', 'bearer a'],
  ...[
    'password',
    'password=',
    'password=a1',
    'password="',
    'password: ',
    '"password":"',
    '\\"password\\":\\"',
  ],
  ...[
    'password%3D',
    'token=',
    'token: a1b2-',
    'secret ',
    '--token ',
    'api_key="',
    'aws_secret_access_key=',
    'pass=',
    'pwd',
  ],
  ...[
    'machine a ',
    'machine a login b password ',
    ':5432:',
    'a:5432:a:a:',
    ':*:',
    '$2b$10$',
    '$6$',
  ],
  ...[
    'kind: Secret\ndata:\n',
    'kind: Secret\ndata:\n  a: b\n',
    '"kind":"Secret","data":{"',
    '"kind":"Secret","data":{"a":"b",',
    '"sensitive":true,"value":"',
    '"value":"a","sensitive"',
  ],
  ...['curl ', 'curl -u a:', 'curl -b a=', 'docker login -p ', 'mysql -p', 'sshpass -p '],
  ...['redis-cli -a ', '-passin pass:', '--from-literal=a=', 'configure set aws_session_token '],
  ...['Server=a;Password=', 'jdbc:a;password=', 'cookie: a=', 'cookie: a=b; ', 'set-cookie: '],
  ...['hooks.zapier.com/hooks/catch/1', 'webhooks/', 'hook.eu1.make.com/', 'a.atlasv1.', 'a1Q~'],
  ...['sha256~', 'aaaaaa_mmk', 'access_token$production$', '?sig=%2', 'X-Amz-Security-Token='],
  ...[
    'dG9r',
    'Z2hw',
    'LS0tLS1C',
    'glpat-',
    'SG.',
    'AKCp',
    'st.',
    'dp.st.',
    'MTA',
    '1:AA',
    'SK',
    't1.',
  ],
  ...['a-', 'a_', '--a-token ', 'secret_base', '"token"', 'token\\', '%3A%2F%2Fa%3A'],
  ...[
    '<password>',
    '/password>',
    '<a key="password">',
    '<key>token</key><string>',
    'value="',
    '<password>'.padEnd(1000),
  ],
  ...['name="token" value=', 'name: token\n  value: ', 'env token ', "set('token',", 'token&quot;'],
  ...['identified by ', "user a password '", '" -> "', 'token = "a" -> "', '"auth":"', ':thin:a/'],
  ...[
    'a:b@tcp(',
    'AKIAAAAAAAAAAAAAAAAA,',
    'token: |\n ',
    'token:\n"',
    'token:&quot;',
    'pbkdf2_sha256$',
  ],
  ...[
    'api key: ',
    'token=env.a || ',
    'token: !!str ',
    'postgres://a:/',
    'htpasswd -b a a ',
    'mongosh -p ',
    'secret access key [',
    'a\nA_TOKEN=',
    "A_TOKEN='",
    'token**',
    "-u 'a:",
    "token: ''",
  ],
  ...[
    'variable "password" {',
    'variable "password" { default = "',
    'random_password',
    'random_password result = "',
    'random_password result = "a1b2" -> "',
    '"type": "random_password", "result": "',
    'SecureString", "Value": "',
    'SecureString\t',
    'SecureString\n',
    '--set a.password=',
    '--set=a=',
    '--set a,password=a1b2c3,',
    'Private-Lines: 1\n',
    'Private-Lines: 1\nAAAA\n',
    'sessionId: ',
    'PHPSESSID=a1',
    ':password "',
    ':a/password "a1b2',
    'password    "',
    '[password] => ',
    '[password:a\\b:private] => a1b2 ',
    'PASSWORD ?= ',
    'PW=',
    'psk="a b',
    'sqlcmd -P ',
  ],
  ...[
    '  value: a1\n',
    '"kty":"oct","k":"aaaaaaaaaaaaaaaa",',
    '= Data =\nKey Value\n--- -----\na b\n',
    '\na b',
    'kind: Secret\ndata:\n  a: |\n    b\n',
    `kind: Secret\ndata:\n${'  # a\n'.repeat(25)}`,
    `kind: Secret\ndata:\n${'  a: "b" # c\n\n'.repeat(25)}`,
    'httpOnly ',
    '{httpOnly value: "a1b2c3d4e5f6a7b8" ',
    '{value: "a1b2c3d4e5f6a7b8", httpOnly ',
    '{"httpOnly":true,"value":"a1b2c3d4e5f6a7b8"}',
    'HttpOnly_\tTRUE\t/\tTRUE\t0\ta\tb',
    "auth=('a', '",
    'tokens:\n- ',
    'tokens:\n  - a1b2c3d4e5f6a7b8c9d0\n',
    'echo a1 | sudo -S ',
    'echo a1b2c3 | gh secret set ',
    'npx wrangler secret put <<< ',
    'echo a1b2c3 | gcloud secrets --data-file=-',
    'echo a:b1 | chpasswd ',
    'http -a a:b ',
    '+  "value": "a1",\n',
    '-name: token\n+  value: a1b2\n',
    '  4\t  "value": "a1"\n',
    'a.b:4:requirepass a1b2\n',
    '12:00:00 machine a\n12:00:00 password b1\n',
    'a-1  | > PASSWORD=a1b2\n',
    '> > > value="a1"\n',
    `${'a'.padEnd(50)}|value="\n`,
  ],
  ...[
    'login a / b1',
    'login a1b2c3 / a1b2c3d4 ',
    'credentials: a:b1c2d3 ',
    'user/pass ',
    'password is set for a b c d1 ',
    'password for a: a1b2c3d4\n',
    'with password a1',
    'following password a b 1:\n',
    'login("a","1',
    'auth("a',
    'set password for a=1',
    'secret_id ',
    'username a password 0 1a1b',
    'add-mask::a1 ',
    'add-mask::a1\n',
    'issecret=true;]a',
    '> AUTH a1b2c3 ',
    'echo a1b2c3 | docker --password-stdin',
    "printf '%s' a1b2c3 | kinit ",
    'sqlplus a/b1c2 ',
    'ser id=a;pwd={a1b2',
    "fill('password','a",
    "password').fill('a",
    'assword:\nsend "a1',
    '--password \\\n ',
    ' -password a1b2',
    'rootpw a1b2\n',
  ],
  ...[
    'PASSWORD=a b c 1 ',
    'password: correct horse battery 9\n',
    'PASSWORD="a b c1d2',
    'mnemonic: abc def ',
    'phrase is abc ',
    'mnemonic("abc def ',
    'TOKEN=\\\n',
    'TOKEN=\\\\\\n',
    '::set-output name=token::a1b2c3d4e5 ',
    'setvariable variable=token]a1',
    'setsecret]a1',
    '-data; name="token"\n\na1b2c3d4e5\n',
    '-data; name="token"\na: b\n',
    'a_pat=a1b2',
    'a_auth: ',
    'rt-api: a1',
    '"github-oauth": {"a": "a1b2c3d4e5f6a7b8c9',
    'b-token.a ',
    'github-oauth.a a1b2c3d4e5f6a7b8c9 ',
    'config bearer.a ',
    'authtoken --a --a a1b2c3d4e5f6a7b8 ',
    ' vault login -a a1b2c3d4e5f6a7b8',
    'auth:token\na1',
    "echo 'a:b c| chpasswd ",
    'printf "%s:%s" a b1 | chpasswd ',
    'chpasswd <<< a:b',
    'chpasswd <<a\n',
    'chpasswd <<a\na:b\n',
    '\na:chpasswd<<',
    'echo a1b2c3 | passwd --stdin ',
    '334 UGFzc3dvcmQ6\n',
    '334 UGFzc3dvcmQ6 send: "',
    'AUTH PLAIN AGEAYgBh',
    'AUTH PLAIN\n334 \n',
    'a1 LOGIN a "b1',
    '331 P\nPASS a1b2\n',
    '\n> PASS a',
    'net use \\\\a a1 /user:',
    'redis-cli AUTH a ',
    'htpasswd -nb a ',
    "setItem('token', '",
  ],
  ...[
    'tokens = ["',
    'tokens: ["a", ',
    'tokens: [",",tokens:["x",",\'',
    'tokens: [\\n',
    '"token": ["a1b2c3x4", ',
    'token[1] = "',
    'set(token "a1',
    "into t (password) VALUES ('a1",
    'into t (password) VALUES (1, (',
    "into t (password) VALUES ('a1b2c3'), ",
    'SETUSER a >a1b2 ',
    "sequelize(a, 'b', '",
    '| password | ',
    'password |a1b2c3',
    'a a a a.password ',
  ],
  ...['[REDACTED:', '[REDACTED:JWT]', 'a[REDACTED:JWT]', 'password=[REDACTED:JWT]'],
];

function expectFast(text: string): string {
  const started = process.cpuUsage();
  const redacted = redactText(text, options).text;
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(HANG_CPU_MS);
  return redacted;
}

describe('one beginning after the other', () => {
  it.each(UNITS)('is searched in linear time: %j', (unit) => {
    expectFast(unit.repeat(CHARS / unit.length));
    const once = redactText(unit.repeat(AGAIN_CHARS / unit.length), options).text;
    expect(redactText(once, options).text).toBe(once);
    for (const start of ['password="', '-----BEGIN RSA PRIVATE KEY-----\n']) {
      expectFast(start + unit.repeat(CHARS / 2 / unit.length));
    }
  });
});

describe('one sign after the other', () => {
  // What is looked for around each of them may not be looked for anew at the next.
  it.each([
    ...['nmcli ', 'xfreerdp ', 'openssl ', 'az dp '],
    ...['enha:', '"sensitive":', '_authToken', 'ghs_a1B2c3_'],
  ])('is asked about in linear time: %j', (unit) => {
    expectFast(unit.repeat((8 * CHARS) / unit.length));
  });

  it('is no call of a function without an end', () => {
    expectFast('pass:'.repeat((2 * CHARS) / 5));
  });
});

describe('one secret without an end', () => {
  // More than the regular expression engine could keep one entry each of its stack for.
  const COUNT = 20_000_000;

  it.each(['ghp_', 'eyJhbGciOiJI.eyJ', 'Bearer a1', 'token=a1b2c3d4e5f6', '/:_authToken='])(
    'is no trouble: %s',
    (start) => {
      const text = start + 'a'.repeat(COUNT);
      expect(expectFast(text).length).toBeLessThanOrEqual(text.length);
    },
  );
});
