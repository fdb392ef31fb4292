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
  ])('a token that is told in a sentence goes: %s', (text) => {
    const token = `${chars(random, BASE62, 8)}1a2b3c${chars(random, BASE62, 18)}`;
    expect(redacted(text.replace('#', token))).toMatch(/\[REDACTED:[A-Z-]+\][."]?$/);
  });

  test.each([
    'https://maps.example.com/v1/x?key=#&q=Paris',
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
])('what is said of secrets stays: %s', (text) => {
  expect(redacted(text)).toBe(text);
});
