import { expect, test } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const redacted = (text: string): string => redactText(text, options).text;

const PASSWORD = 's3cr3tTulip4x';

const PLACES = [
  '| Name | Value |\n| --- | --- |\n| DB_PASSWORD | # |\n| PORT | 80 |',
  '| DB_PASSWORD | `#` |',
  '|DB_PASSWORD |**#**|',
  '| production | DB_PASSWORD      | #          | rotate it |',
  '| Admin password | # |',
  '┌─────────────┬────┐\n│ DB_PASSWORD │ # │\n└─────────────┴────┘',
  '║ DB_PASSWORD  ║  #  ║',
  '-[ RECORD 1 ]-----\nid          | 1\ndb_password | #\nport        | 80',
  '    12→ db_password | #',
];

test.each(PLACES)('a password goes from the cell behind its name, and nothing else: %s', (text) => {
  const [given, left] = [text.replace('#', PASSWORD), text.replace('#', '[REDACTED:PASSWORD]')];
  expect(redacted(given)).toBe(left);
  expect(redacted(`first\n${given}\nlast`)).toBe(`first\n${left}\nlast`);
  expect(redacted(`\x1b[1m${given}\x1b[0m`)).toBe(`\x1b[1m${left}\x1b[0m`);
  const json = (one: string) => JSON.stringify({ out: `first\n${one}\nlast` });
  expect(redacted(json(given))).toBe(json(left));
  const ascii = (one: string) =>
    json(one).replace(/[\u0100-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
  expect(redacted(ascii(given))).toBe(ascii(left));
});

test('all of the secrets go of a long table, wherever what is searched at once ends', () => {
  const row = (index: number, value: string) =>
    `| ${'x'.repeat(index % 37)} | DB_PASSWORD_${index} | y |\n| USER_PASSWORD | ${value} |`;
  const rows = Array.from({ length: 200 }, (_, index) => index);
  expect(redacted(rows.map((index) => row(index, PASSWORD)).join('\n'))).toBe(
    rows.map((index) => row(index, '[REDACTED:PASSWORD]')).join('\n'),
  );
});

test.each([
  '| Password | Description |',
  '| password | string | the password1 of the user |',
  '| password | varchar(64) | NO |',
  '| DB_PASSWORD | see 1Password |',
  '| token | uuid4 | required |',
  '| API_PASSWORD | $API_TOKEN_2 |',
  '| db_password | <your-password-2> |',
  '| next_token | AccessTokenOfTheServiceV2 |',
  '| primary key | user_id2x |',
  '| public_key | qZ4wXvBnMkLpHsDf7gJcYaE2 |',
  '| token | ./src/lexer/token2x.ts |',
  '| secret | projects/p1/secrets/s2x |',
  'cat secret | base64 -d1x2',
  'echo $TOKEN | a1b2c3x4',
  'print the secret | s3cr3tTulip4x',
  'type Kind = Token | Sha256Hash | OAuth2Client;',
  "type: 'password' | 'token2x'",
  'password || s3cr3tTulip4x',
])('what else stands in cells and behind bars stays: %s', (text) => {
  expect(redacted(text)).toBe(text);
});
