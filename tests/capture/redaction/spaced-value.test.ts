import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const SECRET = 'K9x2vQ7mLyT4';
const TOKEN = '4f9c2e7b1a6d8e3f0c5b9a7d2e4f6a8b12345678';

const inJson = (text: string) => JSON.stringify({ text: `first\n${text}` });

/** `#` is the value and, in the result, the marker; as it is, and in JSON. */
function hide(template: string, value: string, id: string): void {
  for (const wrap of [(text: string) => text, inJson])
    expect(redact(wrap(template.replace('#', () => value)))).toBe(
      wrap(template.replace('#', `[REDACTED:${id}]`)),
    );
}

describe('a value behind a name and a space', () => {
  it.each([
    ['{:user "app" :password "#"}', 'letmein', 'PASSWORD'],
    ['{:db/password     "#"', SECRET, 'PASSWORD'],
    ['{:user/name "app"\n ::api-key "#"}', TOKEN, 'API-KEY'],
    ["    storePassword '#'\n    keyAlias 'a'", 'letmein', 'PASSWORD'],
    ['keyPassword "#";', SECRET, 'PASSWORD'],
    ["        password '#'", SECRET, 'PASSWORD'],
    ['%any : PSK "#"', 'letmein', 'PASSWORD'],
  ])('in EDN, Gradle and ipsec.secrets: %s', (template, value, id) => {
    hide(template, value, id);
  });

  it.each([
    '{:password :password}',
    '[:label "Password"] [:password "Password"]',
    'storePassword System.getenv("STORE_PASSWORD1")',
    "keyPassword properties['keyPassword1']",
    `He said: the token "${TOKEN}"`,
    'variable "password" {',
    'secret "name1234x" do',
  ])('is none: %s', (line) => {
    expect(redact(line)).toBe(line);
  });
});

describe("what PHP's print_r shows", () => {
  it.each([
    ['    [password] => #\n    [host] => db\n', 'letmein', 'PASSWORD'],
    ['[db_password] => #', 'a(b;c&d9', 'PASSWORD'],
    ['    [api_key:protected] => #', TOKEN, 'API-KEY'],
    ['    [password:App\\User:private] => #\n', SECRET, 'PASSWORD'],
  ])('%s', (template, value, id) => {
    hide(template, value, id);
  });

  it.each([
    '    [password] => \n    [host] => db-1',
    '    [password] => Array\n        (',
    '    [password] => App\\Password Object',
    'items[token] => nextToken1()',
  ])('is none: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('a variable of make', () => {
  it.each([
    ['DB_PASSWORD ?= #', 'letmein', 'PASSWORD'],
    ['API_TOKEN?=#', TOKEN, 'SECRET'],
    ['override DB_PASSWORD := #', 'letmein', 'PASSWORD'],
    ['DB_PASSWORD ::= #\nall:', 'letmein', 'PASSWORD'],
    ['db_password ?= #', SECRET, 'PASSWORD'],
  ])('%s', (template, value, id) => {
    hide(template, value, id);
  });

  it.each([
    'DB_PASSWORD := $(shell pass show db1)',
    'DB_PASSWORD ?= $(error DB_PASSWORD)',
    '  PASSWORD := letmein',
    'password?: string1;',
    'DB_PASSWORD != cat x1',
  ])('is none: %s', (line) => {
    expect(redact(line)).toBe(line);
  });
});

describe('short labels', () => {
  it('are keys of objects too', () => {
    for (const key of ['pw', 'dbPw', 'ADMIN_PW', 'psk', 'dbPass']) {
      const { value } = redactValue({ [key]: SECRET }, options);
      expect(value).toEqual({ [key]: '[REDACTED:PASSWORD]' });
    }
  });

  it.each([
    ['PW=#', 'letmein', 'PASSWORD'],
    ['export DBPW="#"', SECRET, 'PASSWORD'],
    ['pw = "#"', SECRET, 'PASSWORD'],
    ['DBPASS=#', 'letmein', 'PASSWORD'],
    ['PGPASS=#', 'letmein', 'PASSWORD'],
    ["dbPass: '#',", SECRET, 'PASSWORD'],
    ['psk=#', SECRET, 'PASSWORD'],
    ['network={\n\tpsk="#"\n}', 'letmein', 'PASSWORD'],
    ['\tpsk="#"', 'correct horse', 'PASSWORD'],
    ['psk="#"', 'some words of my home', 'PASSWORD'],
    [`psk=#\n`, 'ab12cd34'.repeat(8), 'PASSWORD'],
    ['\twep_key0=#\n', '42feeddeafbabedeafbeeffaa5', 'PASSWORD'],
    ['\twep_key1="#"', 'a1b2c', 'PASSWORD'],
    ['wep-key0=#\n', 'a1b2c3d4e5', 'PASSWORD'],
  ])('%s', (template, value, id) => {
    hide(template, value, id);
  });

  it.each([
    'bypass="a1b2c3d4"',
    'BYPASS=check1x',
    'compass: "v1x2y3z4"',
    'dbpass: value2',
    'pw: value2',
    'upw="a1b2c3d4"',
    'key_mgmt=wpa-psk',
    'PGPASSFILE=/run/pg1/pass',
    'psk="<your key>"',
    'wep_tx_keyidx=0',
    'wep-key-type=1',
  ])('%s is none', (line) => {
    expect(redact(line)).toBe(line);
  });
});
