import { expect, test } from 'vitest';
import { compileRedaction, redactText, redactValue } from '../../../src/capture/redaction/index.ts';

const { options } = compileRedaction(undefined);
const redacted = (text: string): string =>
  redactText(text, options).text.replace('[REDACTED:PASSWORD]', '#');

test.each([
  ['the password is hunter2-xyz', 'the password is #'],
  ['My password is hunter2xyz. Do not tell.', 'My password is #. Do not tell.'],
  ['the root passphrase is: "tr0ub4dor&3"', 'the root passphrase is: "#"'],
  ['password is now Kq9x-Vb72', 'password is now #'],
  ['the db password is Tr0ub4dor&3.', 'the db password is #.'],
  ['the password is Tr0ub4dor&cd,9f;xyz (as always)', 'the password is # (as always)'],
  ['(the password is hunter2-xyz)', '(the password is #)'],
  ['the password is ab&Kx9-Vb72', 'the password is #'],
  ["the password is Kx9Vb72m'q4, ok", 'the password is #, ok'],
  ['the password is **Kx9&Vb72m**', 'the password is **#**'],
  ['the password is Tr0ub4dor>xyz9Q.', 'the password is #.'],
  ['the password is hunter2xyz&nbsp;for&nbsp;you', 'the password is #&nbsp;for&nbsp;you'],
  ['Pw is: hunter2xx9', 'Pw is: #'],
  ['the password is **9rXxEBXKmQ** ok', 'the password is **#** ok'],
  ['pwd is **md9sn3e1fys5op5s** ok', 'pwd is **#** ok'],
  ['the password is Abc9xyz7!**', 'the password is #'],
  ['the password is **Abc9xyz7!**.', 'the password is **#**.'],
  ['the pass is "Tr0ub4dor&7H0Jw\nnext line', 'the pass is "#\nnext line'],
  ['the password is hunter2xyz，请用它登录', 'the password is #，请用它登录'],
  [`the password is ${'Kx9&Vb72'.repeat(100)}.`, 'the password is #.'],
  ['the pass is Tr0ub4dor&3', 'the pass is #'],
  ['my pw is hunter2xx9, thanks', 'my pw is #, thanks'],
  ['PW is now kx72mmp9', 'PW is now #'],
])('a password that is told in a sentence goes: %s', (text, left) => {
  expect(redacted(text)).toBe(left);
});

test.each([
  'qZtRwXvBnMkLpHsDf7gJcYaE',
  '9f86d081884c7d659a2feaa0c55ad015',
  'kQz/Rw+XvBnM4kLpHsDfgJcYaEuTiOeWqA2xSdFbGh=',
])(
  'a token that is told in a sentence goes, however few digits and whatever signs it has: %s',
  (token) => {
    for (const name of ['token', 'client secret', 'API_TOKEN', 'api key', 'license key'])
      expect(redactText(`my ${name} is ${token}, use it`, options).text).toMatch(
        /^my [\w ]+ is \[REDACTED:[\w-]+\], use it$/,
      );
  },
);

test.each([
  'the password is required',
  'the password is base64-encoded',
  'The password is sha256 hashed, with a salt',
  'if the password is 8 characters long',
  'the password is user.password2',
  'the password is isValid(password1)',
  'the password is $DB_PASSWORD_2',
  'token is abc12345',
  'the token is AccessTokenOfTheServiceV2',
  'the token is /var/run/secrets/Kubernetes1/token',
  'the API key is app.settings.externalServiceKey2',
  'the access key is stored_in_the_settings_of_2024',
])('what is said of passwords stays: %s', (text) => {
  expect(redacted(text)).toBe(text);
});

test.each([
  ['PASSWORD += hunter2-Xy9z!q', 'PASSWORD += #'],
  ['DB_PASSWORD+=hunter2', 'DB_PASSWORD+=#'],
  ['this.password += "hunter2-Xy9zq"', 'this.password += "#"'],
  ['pw: hunter2-Xy9zq', 'pw: #'],
  ['{:user "bob" :password "hunter2-Xy9zq"}', '{:user "bob" :password "#"}'],
])('a password goes from %s', (text, left) => {
  expect(redacted(text)).toBe(left);
});

test.each(['password += char', 'passwords += 12', 'pw: 1920px', 'pw = width2 + 1', 'pw: boxwidth'])(
  'code stays as it is: %s',
  (text) => {
    expect(redacted(text)).toBe(text);
  },
);

test('the cookies that HAR lists by name go as those of a header do', () => {
  const cookies = [
    { name: 'session', value: 's3Kq9xVb72LmPz0RtY', path: '/' },
    { name: 'theme', value: 'dark' },
  ];
  const har = { log: { entries: [{ request: { cookies } }], comment: 'x' } };
  const left = JSON.stringify(redactValue(har, options).value);
  expect(left).toBe(JSON.stringify(har).replace('s3Kq9xVb72LmPz0RtY', '[REDACTED:COOKIE]'));
  // A list of another name is none of cookies.
  const other = { sections: cookies };
  expect(redactValue(other, options).value).toBe(other);
});
