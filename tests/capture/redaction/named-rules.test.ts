import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { BASE62, BASE64, chars, HEX, seeded } from './samples.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const random = seeded(31);
const KEY = `${chars(random, BASE62, 20)}7${chars(random, BASE62, 11)}`;
const CREDENTIALS = Buffer.from('deploy:hunter2').toString('base64');

/** `#` is the value and, in the result, the marker. */
function expectHidden(template: string, value: string, id: string): void {
  const line = (inside: string) => template.replace('#', () => inside);
  for (const wrap of [(text: string) => text, (text: string) => JSON.stringify({ text })])
    expect(redact(wrap(line(value)))).toBe(wrap(line(`[REDACTED:${id}]`)));
}

describe('a value that belongs to a name', () => {
  it.each([
    ['<password>#</password>', 'letmein', 'PASSWORD'],
    ['<ns:ApiKey type="x">\n  #\n</ns:ApiKey>', KEY, 'API-KEY'],
    ['<pwd><![CDATA[#]]></pwd>', 'hunter2', 'PASSWORD'],
    ['<key>authToken</key>\n  <string>#</string>', KEY, 'SECRET'],
    ['<add key="ApiSecret" value="#"/>', KEY, 'SECRET'],
    ['{"name": "DB_PASSWORD",\n "value": "#"}', 'letmein', 'PASSWORD'],
    ['{"key":"token","value":"#","type":"string"}', KEY, 'SECRET'],
    ['{"name": "DB_PASSWORD",\n "slotSetting": false,\n "value": "#"}', 'letmein', 'PASSWORD'],
    ['{"ParameterKey":"DbPassword","ParameterValue":"#"}', 'letmein', 'PASSWORD'],
    [
      '{"ParameterKey": "DbPassword", "UsePreviousValue": false, "ParameterValue": "#"}',
      'letmein',
      'PASSWORD',
    ],
    [
      '{"id": "x", "purpose": "PASSWORD", "label": "password", "value": "#"}',
      'letmein',
      'PASSWORD',
    ],
    ['const API_KEY: &\'static str = "#";', KEY, 'API-KEY'],
    ['static API_KEY: &[u8] = b"#";', KEY, 'API-KEY'],
    ['- name: DB_PASSWORD\n  value: #\n', 'hunter2', 'PASSWORD'],
    ['ENV DB_PASSWORD #', 'letmein', 'PASSWORD'],
    ['Step 4/9 : ENV API_TOKEN #', KEY, 'SECRET'],
    ['SetEnv DB_PASSWORD "#"', 'letmein', 'PASSWORD'],
    ['set -gx API_TOKEN #', KEY, 'SECRET'],
    ["define( 'DB_PASSWORD', '#' );", 'letmein', 'PASSWORD'],
    ['os.Setenv("API_TOKEN", "#")', KEY, 'SECRET'],
    ["ALTER ROLE app PASSWORD '#';", 'letmein', 'PASSWORD'],
    ["CREATE USER app IDENTIFIED BY '#'", 'letmein', 'PASSWORD'],
    ['&quot;password&quot;=&gt;&quot;#&quot;', 'hunter2', 'PASSWORD'],
    ['&apos;api_key&apos;: &apos;#&apos;', KEY, 'API-KEY'],
  ])('%s', (template, value, id) => {
    expectHidden(template, value, id);
  });

  it.each([
    ['API Key: #', KEY, 'API-KEY'],
    ['Secret Key: #', KEY, 'API-KEY'],
    ['Private Key: 0x#', chars(random, HEX, 64), 'API-KEY'],
    ['Unseal Key 1: #', KEY, 'API-KEY'],
    ['Fernet key = "#"', KEY, 'API-KEY'],
    ['AWS Secret Access Key [None]: #', `${chars(random, BASE64, 39)}7`, 'AWS-SECRET-KEY'],
    ['**Password:** #', 'hunter2', 'PASSWORD'],
    ['**Password**: #', 'hunter2', 'PASSWORD'],
    ['- **API Key**: `#`', KEY, 'API-KEY'],
  ])('of several words, or in bold: %s', (template, value, id) => {
    const [before = '', after = ''] = template.split('#');
    const hidden = redact(`${before}${value}${after}`);
    expect(hidden).toBe(`${before.replace(/0x$/, '')}[REDACTED:${id}]${after}`);
  });

  it('of a C macro, of a property', () => {
    expect(redact('<property name="db.password">letmein</property>')).toBe(
      '<property name="db.password">[REDACTED:PASSWORD]</property>',
    );
    expect(redact(`#define API_KEY "${KEY}"`)).toBe('#define API_KEY "[REDACTED:API-KEY]"');
  });

  it.each([
    '<password></password>',
    '<password>\u0024{env.PW}</password>',
    '<token>string</token>',
    'Map<String, Token> tokens = new HashMap<>();',
    'ENV NODE_ENV production',
    'Private Key: secp256k1',
    'API Key: enter your key here',
    'the access key [1]: /etc/keys/a1b2c3d4',
    '**Token**: string',
    'ENV TOKEN_FILE /run/secrets/x',
    'set -x',
    '{"name":"password","value":""}',
    '{"name":"token","type":"string","value":"string"}',
    '<input type="password" name="password" value="">',
    "{ name: 'password', value: password1 }",
    "define('password', 'string')",
    "headers.set('Authorization', token)",
    'users are identified by email',
    'the algorithm identified by `name12`',
    "PASSWORD '%s'",
    '~ password = (sensitive value) -> (known after apply)',
    'password:\n  type: string',
    'password:\n  "type": "string"',
    "password:\n  'must have 8 characters'",
  ])('is none: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('credentials in files of their own', () => {
  it('of docker are base64 of a user and a password', () => {
    expectHidden('{"auths":{"ghcr.io":{"auth": "#"}}}', CREDENTIALS, 'DOCKER-AUTH');
    for (const value of ['required', 'b2F1dGgy', 'basic123'])
      expect(redact(`{"auth": "${value}"}`)).toBe(`{"auth": "${value}"}`);
  });

  it('of AWS stand in one row, the secret behind its id', () => {
    const id = `AKIA${chars(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`;
    const secret = `${chars(random, BASE64, 39)}7`;
    for (const row of [
      `Access key ID,Secret access key\n${id},${secret}\n`,
      `CREDENTIALS\t${id}\t2026-11-22T00:00:00+00:00\t${secret}\tx`,
    ])
      expect(redact(row)).not.toContain(secret);
  });

  it('a changed value of a Terraform plan is hidden before and after', () => {
    expect(redact('~ password = "hunter22" -> "hunter33"')).toBe(
      '~ password = "[REDACTED:PASSWORD]" -> "[REDACTED:TERRAFORM-VALUE]"',
    );
    const line = '~ image = "app-v1a2b3" -> "app-v4c5d6"';
    expect(redact(line)).toBe(line);
  });
});
