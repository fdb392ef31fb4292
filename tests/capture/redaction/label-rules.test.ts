import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { BASE62, BASE64, chars, seeded } from './samples.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const random = seeded(23);
const KEY = `${chars(random, BASE62, 20)}7${chars(random, BASE62, 11)}`;

/** `#` is the value and, in the result, the marker. */
function expectHidden(template: string, value: string, id: string): void {
  const line = (inside: string) => template.replace('#', () => inside);
  expect(redact(line(value))).toBe(line(`[REDACTED:${id}]`));
}

describe('labels', () => {
  it.each([
    ['api_key', 'API-KEY'],
    ['apiKey', 'API-KEY'],
    ['APIKEY', 'API-KEY'],
    ['X-Api-Key', 'API-KEY'],
    ['STRIPE_SECRET_KEY', 'API-KEY'],
    ['accessKey', 'API-KEY'],
    ['AccountKey', 'API-KEY'],
    ['webhook_key', 'API-KEY'],
    ['encryption_key_2', 'API-KEY'],
    ['DD-APPLICATION-KEY', 'API-KEY'],
    ['SUPABASE_SERVICE_ROLE_KEY', 'API-KEY'],
    ['AES_KEY', 'API-KEY'],
    ['enc_key', 'API-KEY'],
    ['STORAGE_KEY', 'API-KEY'],
    ['MIDTRANS_SERVER_KEY', 'API-KEY'],
    ['BACKUP_KEY', 'API-KEY'],
    ['unsealKey', 'API-KEY'],
    ['Fastly-Key', 'FASTLY-TOKEN'],
    ['X-Insert-Key', 'API-KEY'],
    ['secret', 'SECRET'],
    ['CLIENT_SECRET', 'SECRET'],
    ['access_token', 'SECRET'],
    ['csrfToken', 'SECRET'],
    ['credentials', 'SECRET'],
    ['password', 'PASSWORD'],
    ['PGPASSWORD', 'PASSWORD'],
    ['db_passwd', 'PASSWORD'],
    ['passphrase', 'PASSWORD'],
    ['DB_PASS', 'PASSWORD'],
    ['password1', 'PASSWORD'],
    // What does not change what a label names.
    ['DB_PASSWORD_PROD', 'PASSWORD'],
    ['password_confirmation', 'PASSWORD'],
    ['passwordConfirm', 'PASSWORD'],
    ['GITHUB_TOKEN_OLD', 'SECRET'],
    ['JWT_SECRET_BASE64', 'SECRET'],
    ['API_TOKENS', 'SECRET'],
    ['PAYMENT_SECRET_KEY_TEST', 'API-KEY'],
    ['DB_ENCRYPTION_KEY_PRIMARY', 'API-KEY'],
    // As Spring, Play and ASP.NET join words.
    ['openai.api.key', 'API-KEY'],
    ['Jwt__Key', 'API-KEY'],
    ['Jwt:Key', 'API-KEY'],
    ['SESSION_KEY', 'API-KEY'],
    ['tokenKey', 'API-KEY'],
    ['validationKey', 'API-KEY'],
    ['primaryKey', 'API-KEY'],
    // Whose key it is says the name, in upper case.
    ['SOMEBODYS_KEY', 'API-KEY'],
    ['MAPS_KEY_DEV', 'API-KEY'],
    ['SECRET_KEY_BASE', 'API-KEY'],
    ['SECRET_KEY_BASE_PROD', 'API-KEY'],
  ])('%s is one, and stays visible', (label, id) => {
    expectHidden(`${label}="#"`, KEY, id);
    expectHidden(`${label} = '#'`, KEY, id);
    expectHidden(`"${label}": "#",`, KEY, id);
  });

  it.each([
    'token_count',
    'tokenizer',
    'passwordField',
    'secretName',
    'api_key_id',
    'keyboard',
    'compass',
    'key',
    'my_key',
    'PUBLIC_KEY',
    'CACHE_KEY',
    'password_reset',
    'token_type',
  ])('%s is none', (label) => {
    const line = `${label}="${KEY}"`;
    expect(redact(line)).toBe(line);
  });

  it('PASS is none before the name of a test', () => {
    for (const name of [
      'gdb.base/with9x.exp: print i',
      'ld-i386/call3d',
      't9x4k2.sh',
      'a4x9k2 ends',
      'x9k2:',
    ])
      expect(redact(`PASS: ${name}\n`)).toBe(`PASS: ${name}\n`);
    expect(redact('PASS: x9Kd2Lsz8q\n')).toBe('PASS: [REDACTED:PASSWORD]\n');
    for (const password of ['Summer2024!', 'xK9#mQ2$vL'])
      expect(redact(`PASS: ${password} on all of them`)).toBe(
        'PASS: [REDACTED:PASSWORD] on all of them',
      );
    for (const name of ['FooTest#bar2 in 3 ms', 'sha256 works', 'Icon@2x is drawn'])
      expect(redact(`PASS: ${name}`)).toBe(`PASS: ${name}`);
  });

  it('is what an option is given, though a variable of code may be called so', () => {
    expect(redact('psql --password=dbPass1 -h db')).toBe(
      'psql --password=[REDACTED:PASSWORD] -h db',
    );
    for (const text of ['login(password=dbPass1)', 'run --password=$DB_PASS1', 'run --password=12'])
      expect(redact(text)).toBe(text);
  });

  it('is no word behind an option that ends its sentence', () => {
    for (const text of ['see the --passphrase-repeat option.', 'by --db-password argument:'])
      expect(redact(text)).toBe(text);
    expect(redact('--db-password letmein9.')).not.toContain('letmein9');
  });

  it('of a row, an account or a lock are told by their value', () => {
    const names = ["primary_key: 'user_id'", 'primaryKey: "550e8400-e29b-41d4-a716-446655440000"'];
    const keys = [
      'IDEMPOTENCY_KEY=550e8400-e29b-41d4-a716-446655440000',
      'MAPS_KEY=maps/2024/a.png',
    ];
    for (const line of [...names, ...keys]) expect(redact(line)).toBe(line);
  });

  it('that are a marker name are none', () => {
    expect(redact('[REDACTED:API-KEY]: abc123def456ghi')).toBe(
      '[REDACTED:API-KEY]: abc123def456ghi',
    );
  });
});

describe('notations', () => {
  it.each([
    'token=#',
    'export TOKEN=#',
    'TOKEN="#" npm start',
    'token: #',
    '- token: "#"',
    'token := "#"',
    "'token' => '#',",
    'token: str = "#"',
    'const token: string = "#";',
    'let token = `#`;',
    'env["token"] = "#"',
    'curl --token # https://x.example',
    'curl --auth-token=# https://x.example',
    'https://x.example/?a=1&token=#&b=2',
    'x=%3Ftoken%3D#%26b%3D2',
    '%22token%22%3A%22#%22%7D',
    '{\\"token\\":\\"#\\"}',
    '{\\\\\\"token\\\\\\": \\\\\\"#\\\\\\"}',
    'AccountName=x;token=#;Suffix=y',
    'a\\ntoken=#\\nb',
    '+token=#',
    'token=\x1b[33m#\x1b[0m',
    '\x1b[36mtoken\x1b[0m: "\x1b[33m#\x1b[0m"',
    '\\u001b[36mtoken\\u001b[0m=#\\u001b[0m',
    'connect(token="#", retries=3)',
    'connect(token=#, retries=3)',
  ])('%s', (template) => {
    expectHidden(template, KEY, 'SECRET');
  });

  it('a space alone separates only after an option', () => {
    const line = `the token ${KEY} and more`;
    expect(redact(line)).toBe(line);
  });

  it('what stands under a label in translations, rules and names of secrets is none', () => {
    for (const line of [
      '"password": "Contraseña",',
      '"password": "パスワード",',
      '"password": "पासवर्ड",',
      "'password' => 'required|string|min:8|confirmed',",
      'password = Faker::Internet.password',
      '"SecretArn": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-x7Kq2m"',
      `AWS_SECRET_ACCESS_KEY=${'x'.repeat(40)}`,
    ]) {
      expect(redact(line)).toBe(line);
    }
    expectHidden('"password": "#"', 'Contraseña9', 'PASSWORD');
    expectHidden('"password": "#"', 'string|min9', 'PASSWORD');
  });

  it('what it is compared with goes, and no name; matches and arrows are none', () => {
    expectHidden('token == "#"', KEY, 'SECRET');
    expectHidden("if (password === '#') {", 'letMe9inNow', 'PASSWORD');
    for (const line of [
      `token =~ "${KEY}"`,
      `token => ${KEY}`,
      'if (token === "identifier2") {',
      "password !== 'undefined'",
      'secret == null',
    ]) {
      expect(redact(line)).toBe(line);
    }
  });

  it('a value ends at its own quotation mark, whatever is escaped in it', () => {
    expectHidden('{"password":"#","user":"me"}', 'a1\\"b2', 'PASSWORD');
    expectHidden('{"password":"#","user":"me"}', 'a1b2\\\\', 'PASSWORD');
    expectHidden("password='#' x", 'a"1b2', 'PASSWORD');
    expectHidden('"{\\"password\\":\\"#\\",\\"user\\":\\"me\\"}"', 'a1\\\\\\"b2', 'PASSWORD');
  });

  it('a value whose closing mark is missing goes as far as it can be one', () => {
    expectHidden('password="#', 'hunter2', 'PASSWORD');
    expectHidden('password="#\n"', 'hunter2', 'PASSWORD');
    expectHidden('token=#', `${KEY}=${KEY}=`, 'SECRET');
  });

  it('a long value goes as a whole', () => {
    for (const count of [255, 256, 257, 1023, 1024, 1025, 5000]) {
      const value = `a1b2${chars(random, BASE62, count - 4)}`;
      expectHidden('token=# x', value, 'SECRET');
      expectHidden('"token": "#", x', value, 'SECRET');
    }
  });
});

describe('the AWS secret access key', () => {
  const secret = `${chars(random, BASE62, 9)}/${chars(random, BASE64, 29)}+`;

  it('is known by its label and its 40 characters', () => {
    for (const template of [
      'aws_secret_access_key = #',
      'AWS_SECRET_ACCESS_KEY=#',
      '"SecretAccessKey": "#"',
      "secretAccessKey: '#'",
    ]) {
      expectHidden(template, secret, 'AWS-SECRET-KEY');
    }
    expectHidden('AWS_SECRET_ACCESS_KEY="#"', `/${chars(random, BASE64, 38)}7`, 'AWS-SECRET-KEY');
    expectHidden('AWS_SECRET_ACCESS_KEY="#"', `a1b2${chars(random, BASE62, 37)}`, 'API-KEY');
  });
});

describe('forms of passwords', () => {
  it('a name in an env line holds nearly anything', () => {
    for (const value of ['letmein', 'hunter2', '123456', 'p@ss!', 'Tr0ub4dor&3'.slice(0, 9)]) {
      expectHidden('DB_PASSWORD=#', value, 'PASSWORD');
    }
    expectHidden('JWT_SECRET=#', 'mysupersecretkey', 'SECRET');
  });

  it('between quotation marks a word is one, without them it is code', () => {
    expectHidden('password: "#"', 'letmein', 'PASSWORD');
    expect(redact('password: letmein')).toBe('password: letmein');
    expectHidden('password: #', 'hunter2', 'PASSWORD');
  });

  it('under pass only what nothing else looks like', () => {
    expectHidden("{ user: 'me', pass: '#' }", 'hunter2', 'PASSWORD');
    expectHidden('SMTP_PASS=#', 'letmein', 'PASSWORD');
    for (const line of ['pass: "green"', 'pass: value2', 'dbpass: value2', 'bypass="x1y2z3"']) {
      expect(redact(line)).toBe(line);
    }
  });
});
