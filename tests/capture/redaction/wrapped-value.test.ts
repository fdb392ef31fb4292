import { describe, expect, it } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction();
const redact = (text: string) => redactText(text, options).text;
const SECRET = 'K9x2vQ7mLyT4';
const TOKEN = '4f9c2e7b1a6d8e3f0c5b9a7d2e4f6a8b12345678';

/** `#` is the value and, in the result, the marker. */
const hide = (template: string, value: string, id: string) =>
  expect(redact(template.replace('#', () => value))).toBe(
    template.replace('#', `[REDACTED:${id}]`),
  );

describe('a value inside of something', () => {
  it.each([
    "const password = process.env.DB_PASSWORD || '#';",
    'password: process.env.P ?? "#"',
    "PASSWORD = os.environ.get('PASSWORD', '#')",
    'password = os.getenv("DB_PASSWORD", "#")',
    'password: Some("#")',
    "password=SecretStr('#')",
    '["password"]=>\n  string(12) "#"',
    'password: &main #',
    'password: !!str #',
  ])('%s', (template) => {
    hide(template, SECRET, 'PASSWORD');
  });

  it('is found between three marks', () => {
    expect(redact(`password = """${SECRET}"""`)).not.toContain(SECRET);
  });

  it.each([
    "password = process.env.DB_PASSWORD || ''",
    "password = os.environ.get('DB_PASSWORD', 'password')",
    "password = getpass('Enter the password 2')",
    'password = Some("<password>")',
    'const token = String("token")',
  ])('is none: %s', (line) => {
    expect(redact(line)).toBe(line);
  });
});

describe('a pass phrase', () => {
  it('may have spaces where its name is clear', () => {
    hide("EMAIL_HOST_PASSWORD='#'", 'abcd efgh ijkl mnop', 'PASSWORD');
    hide('KEY_PASSPHRASE="#"', 'correct horse battery staple', 'PASSWORD');
    for (const line of [
      'INVALID_PASSPHRASE="The passphrase is wrong"',
      'DB_PASSWORD="the password is wrong"',
      'PASSPHRASE="your own pass phrase"',
    ])
      expect(redact(line)).toBe(line);
  });
});

describe('the URL of a server', () => {
  it.each(['pw#x9', 'pw/x9', 'pw?x9', "pw'x9", 'pw<x9'])('may hold %s', (password) => {
    hide('postgres://app:#@db.example.org:5432/app', password, 'URL-PASSWORD');
    hide('DATABASE_URL=mongodb+srv://app:#@h', password, 'URL-PASSWORD');
  });

  it('of git may hold a token alone', () => {
    hide('origin\thttps://#@github.com/x/y.git (fetch)', TOKEN, 'URL-PASSWORD');
  });

  it.each([
    "postgres://u:'+pw+'@h/db",
    'postgres://host:5432/db?user=a@b',
    'https://host:a/b?x@y.example',
    'https://some-user-of-the-company@github.com/x/y.git',
  ])('is left: %s', (line) => {
    expect(redact(line)).toBe(line);
  });
});

describe('an option of a command', () => {
  it.each([
    'mongosh -u root -p # mongodb://h',
    'ldapsearch -x -D cn=admin -w # -b dc=x',
    'keytool -list -storepass # -keystore k',
    'htpasswd -b users.txt bob #',
    'htpasswd -cb users.txt bob #',
  ])('%s', (template) => {
    hide(template, SECRET, 'COMMAND-PASSWORD');
  });

  it('is none where another command has it', () => {
    const line = `mkdir -p ${SECRET}; mongosh --help`;
    expect(redact(line)).toBe(line);
  });
});
