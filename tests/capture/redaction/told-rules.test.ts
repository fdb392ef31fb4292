import { describe, expect, test } from 'vitest';
import { compileRedaction, redactText } from '../../../src/capture/redaction/index.ts';
import { BASE62, chars, seeded } from './samples.ts';

const { options } = compileRedaction(undefined);
const redacted = (text: string): string => redactText(text, options).text;

const TOLD = [
  'mot de passe: #',
  'Mot de passe : #',
  'das Passwort ist #.',
  'Passwort: #',
  'Kennwort: "#"',
  'senha: #',
  'a senha é #',
  'contraseña: #',
  'la contraseña es #, gracias',
  'wachtwoord: #',
  'lösenord: #',
  'heslo: #',
  'Heslo je #',
  'parola: #',
  'hasło: #',
  'Hasło to #.',
  'HASŁO=#',
  'пароль: #',
  'Пароль — #',
  'ПАРОЛЬ: #',
  'парола: #',
  'şifre: #',
  'Şifre = #',
  'mật khẩu là #',
  '密码：#',
  '密码是#。',
  '密碼: #',
  '**密码**：`#`',
  'パスワード：#',
  'パスワードは「#」です',
  '비밀번호: #',
  '비밀번호는 #',
  'Password：#',
  'password： #',
  'user: bob pass: #',
  '{"пароль":"#"}',
  '{"body":"{\\"пароль\\": \\"#\\"}"}',
  '\x1b[1m密码\x1b[0m：#',
];

describe.each([1, 2, 3])('seed %i', (seed) => {
  const random = seeded(seed);
  const password = `${chars(random, BASE62, 6)}7!${chars(random, BASE62, 4)}`;

  test.each(TOLD)('a password goes that is told in another language: %s', (text) => {
    expect(redacted(text.replace('#', password))).toBe(text.replace('#', '[REDACTED:PASSWORD]'));
  });

  test.each([
    'my token is #',
    'The secret is #.',
    'token is now #',
    'my api key is #',
    'The API key is #.',
    'our secret key is now "#"',
    'use my api key #',
    'Here is the access key: "#"',
    'log in with API key "#"',
    'the key is #',
    'my key is "#"',
    'THE KEY IS: #.',
    'The API Key Is now #',
    '**API key** #',
    'the key is: **#**',
    'use my api key (#)',
  ])('a token that is told in a sentence goes: %s', (text) => {
    const token = `${chars(random, BASE62, 8)}1a2b3c${chars(random, BASE62, 18)}`;
    expect(redacted(text.replace('#', token))).toMatch(/\[REDACTED:[A-Z-]+\][.")*]{0,2}$/);
  });

  test('all of a key goes that is told in two parts, over a window of the search, or longer than keys are', () => {
    const part = `${chars(random, BASE62, 16)}1a2b3c`;
    for (const joint of ['.', ':', '~', '!', '%2F']) {
      expect(redacted(`use my api key ${part}${joint}${part}`)).toBe(
        'use my api key [REDACTED:API-KEY]',
      );
      expect(redacted(`https://x.example/y?key=${part}${joint}${part}&a=1`)).toBe(
        'https://x.example/y?key=[REDACTED:API-KEY]&a=1',
      );
    }
    const key = `${chars(random, '0123456789abcdef', 26)}1a2b3c`;
    for (let apart = 700; apart < 920; apart += 1) {
      const left = redacted(`See API key: docs. ${'.'.repeat(apart)} the key is ${key}`);
      expect(left, String(apart)).toMatch(/ the key is \[REDACTED:API-KEY\]$/);
    }
    for (const before of ['the key is ', 'use my api key ', 'https://x.example/y?key='])
      expect(redacted(before + part.repeat(60))).toBe(`${before}[REDACTED:API-KEY]`);
  });

  test.each([
    ['the api key is $，请用它登录', 'the api key is #，请用它登录'],
    ['1,the api key is $,bob,2024-05-01,ok', '1,the api key is #,bob,2024-05-01,ok'],
    ['[the api key is $](http://x.example/doc)', '[the api key is #](http://x.example/doc)'],
    ['<p title=the api key is $>hello</p>', '<p title=the api key is #>hello</p>'],
    ['u=%3Fkey=$%26lang%3Den', 'u=%3Fkey=#%26lang%3Den'],
    ['?key=$%22%2C%22user%22', '?key=#%22%2C%22user%22'],
  ])('what stands behind a told key stays: %s', (text, left) => {
    const key = `${chars(random, BASE62, 18)}1a2b3c`;
    expect(redacted(text.replace('$', key))).toBe(left.replace('#', '[REDACTED:API-KEY]'));
  });

  test('a key that is all capitals and digits goes under a name that tells, and a token in two parts', () => {
    const key = `9F86D081884C7D65${chars(random, '0123456789ABCDEF', 24)}`;
    expect(redacted(`the api key is ${key}`)).toBe('the api key is [REDACTED:API-KEY]');
    const part = `${chars(random, BASE62, 16)}1a2b3c`;
    expect(redacted(`my token is ${part}.${part}, use it`)).toMatch(
      /^my token is \[REDACTED:[A-Z-]+\], use it$/,
    );
    expect(redacted(`my token is **${part.repeat(20)}** ok`)).toBe(
      'my token is **[REDACTED:SECRET]** ok',
    );
  });

  test.each([
    ['{"t":"the key is \\"#\\""}', '{"t":"the key is \\"$\\""}'],
    [
      '{"t":"{\\"u\\":\\"use my api key \\\\\\"#\\\\\\"\\"}"}',
      '{"t":"{\\"u\\":\\"use my api key \\\\\\"$\\\\\\"\\"}"}',
    ],
    ['use my api key &quot;#&quot; now', 'use my api key &quot;$&quot; now'],
  ])('a key that is told between escaped marks goes: %s', (text, left) => {
    const key = `${chars(random, BASE62, 18)}1a2b3c`;
    expect(redacted(text.replace('#', key))).toBe(left.replace('$', '[REDACTED:API-KEY]'));
  });

  test.each([
    'https://maps.example.com/v1/x?key=#&q=Paris',
    '[map](https://maps.example.com/v1/x?KEY=#), see there',
    'https://x.example/weather%3Fkey=#',
    'https://x.example/weather?q=1&appId=#',
    'https://maps.example.com/v1/x?q=Paris&key=#',
    '<a href="/x?q=Paris&amp;key=#">',
    '{"url":"https://x.example/y?q=1\\u0026key=#"}',
    'https://x.example/weather?q=London&appid=#',
  ])('the key of a service goes from a URL: %s', (text) => {
    const key = `${chars(random, '0123456789abcdef', 26)}1a2b3c`;
    expect(redacted(text.replace('#', key))).toBe(text.replace('#', '[REDACTED:API-KEY]'));
  });

  test.each(['# $', '# / $', '#: $', 'aws_secret_access_key $'])(
    'the secret of an AWS key goes right behind its id or its name: %s',
    (text) => {
      const id = `AKIA${chars(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`;
      const secret = `${chars(random, BASE62, 18)}/a7Z${chars(random, BASE62, 18)}`;
      const left = redacted(text.replace('#', id).replace('$', secret));
      expect(left).toMatch(/ \[REDACTED:AWS-SECRET-KEY\]$/);
      expect(left).not.toContain(id);
    },
  );
});

test.each([
  '["--password", "--token", "--verbose"]',
  '["--password", "$DB_PASSWORD"]',
  '["user", "password", "createdAt2"]',
  'const names = ["--token", "<your-token>"];',
  'Passwort ist erforderlich',
  'Das Passwort: bitte eingeben',
  'mot de passe: obligatoire',
  'la contraseña es obligatoria',
  'the token is 9f86d081',
  'the token is refreshed-every-3600-seconds',
  'the secret is stored in kubernetes-namespace-1',
  'aws_secret_access_key is read from the environment',
  'пароль должен быть не короче 12 символов',
  'Пароль: обязательное поле',
  '密码长度为8到16位',
  '密码：%DB_PASSWORD_2%',
  'パスワード：8文字以上',
  'hasło: pole wymagane (min. 8 znaków)',
  'şifre: en az 8 karakter',
  'heslo: String',
  'the api key is required',
  'the API key is base64-encoded-with-padding',
  'the api key validation-of-the-second-step-2 failed',
  'the key is stored_in_the_settings_of_2024',
  'https://shop.example/x?key=summer-sale-of-the-year-2024&page=2',
  'https://x.example/cache?key=8d0ee8bb-5a1c-4c4e-9e52-0e1df6bb45c5',
  'https://x.example/y?key=users/1234567890/avatars/large&appid=440',
  'the render pass is rgba8unorm with depth24plus',
  'the pass is StagingPass2',
  'the pass is BGRA8Unorm',
  'pw is 1920x1080px',
  'pw is page2width',
  'GPG signing key 3AA5C34371567BD2',
  'signing key ABAF11C65A2970B130ABE3C479BE3E4300411886',
  'the token is RFC7519-compliant',
  'the token is ERC721Enumerable',
  'the key is 8d0ee8bb-5a1c-4c4e-9e52-0e1df6bb45c5',
  'https://x.example/?key=8D0EE8BB-5A1C-4C4E-9E52-0E1DF6BB45C5',
  'https://x.example/?key=uploads/2024/11/IMG20241127084139.jpg',
  'for(;;);key=Ab1Cd2Ef3Gh4Ij5Kl6Mn7',
  'the password is valid&active=1',
  'the key is 2024-01-15T10-30-00Z',
  'the key is userIdToAccountMapV2Cache',
  'The key is uploads/2024/01/15/AbC123xYz9.jpg',
  'https://x.example/?key=getUserByIdV2FromTheCache',
  'the pw is windowWidth2',
])('what is said of secrets stays: %s', (text) => {
  expect(redacted(text)).toBe(text);
});
